"""`awning data check`: the app data that instances have stored, against what the build reads."""

import json
import os
from collections import Counter
from collections.abc import Sequence
from typing import Any

import click

from awning.cli.expected_data import expected_data
from awning.cli.report import say
from awning.cli.service_settings import chosen_profile, open_access, open_state, service_options
from awning.contract import Exit
from awning.data_schema import Misfit, Part, app_misfits, hint_for, sentence_for
from awning.errors import ConfigurationError
from awning.publish import Inventory

FITS, DOES_NOT, UNREAD = "fits", "does not fit", "could not be read"


@click.command()
@service_options
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def check(base_url: str | None, profile: str | None, names: tuple[str, ...], as_json: bool) -> int:
    """Find stored app data that no longer fit: all instances, or those named by NAMES.

    What instances have stored is read from the service and held to dist/data.schema.json, the settings that the last
    build reads. Nothing is written. Texts that are stored are not shown.

    \b
    Exit code 0: everything fits. 1: something does not. 5: everything that could be read does. 6: the service
    refused to give any.
    """
    app = expected_data()
    if app is None:
        raise ConfigurationError("there is no dist/data.schema.json here", hint="run: awning build")
    access = open_access(base_url, chosen_profile(profile, os.environ), os.environ)
    instances = Inventory.open(open_state(os.environ)).chosen(names)

    from awning.publish.stored_data import read_stored_data  # noqa: PLC0415 - brings aiohttp, a fifth of a second

    stored = read_stored_data(instances, access, os.environ)
    rows = [_row(one.instance.shown, one.data, one.problem, app) for one in stored]
    _say(rows, as_json=as_json)
    states = Counter(row["state"] for row in rows)
    if states[DOES_NOT]:
        return Exit.FINDINGS
    refused = [one.problem is not None and one.problem.exit_code is Exit.REFUSED for one in stored]
    if refused and all(refused):
        return Exit.REFUSED
    return Exit.PARTLY if states[UNREAD] else Exit.DONE


def _row(instance: str, data: Any, problem: Exception | None, app: Part) -> dict[str, Any]:
    misfits = [] if problem else [_misfit(one) for one in app_misfits(data, app)]
    state = UNREAD if problem else DOES_NOT if misfits else FITS
    return {
        "instance": instance,
        "state": state,
        "error": str(problem) if problem else None,
        "misfits": misfits,
    }


def _misfit(misfit: Misfit) -> dict[str, Any]:
    return {
        "path": list(misfit.path),
        "code": misfit.problem.code,
        "message": sentence_for(misfit, of="the app data", hidden=True),
        "hint": hint_for(misfit),
    }


def _say(rows: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        document = {"schema_version": 1, "ok": all(row["state"] == FITS for row in rows), "instances": rows}
        click.echo(json.dumps(document, ensure_ascii=False))
        return
    for row in rows:
        if row["error"]:
            click.echo(f"{row['instance']}: {UNREAD}: {row['error']}")
        for misfit in row["misfits"]:
            hint = f" ({misfit['hint']})" if misfit["hint"] else ""
            click.echo(f"{row['instance']}: {misfit['message']}{hint}")
    states = Counter(row["state"] for row in rows)
    told = ", ".join(f"{states[state]} {state}" for state in (FITS, DOES_NOT, UNREAD) if states[state])
    say(f"{len(rows)} instance{'' if len(rows) == 1 else 's'}: {told}" if rows else "the inventory is empty")
