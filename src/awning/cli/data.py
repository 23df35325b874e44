"""`awning data`: reads, checks and writes the app data of instances, through the Apps API."""

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from awning.cli.report import say
from awning.cli.service_options import find_access, open_state, service_options
from awning.client import Calling, Client, Transport, apps, decode_app_data, encode_app_data
from awning.client.secret import escaped
from awning.client.sync_client import store_app_data
from awning.data_schema import RESERVED_KEY, hint_for, keep_reserved, sentence_for
from awning.diagnostics import Severity
from awning.errors import ConfigurationError, Faulty, Refused
from awning.json_document import json_document
from awning.publish import Instance, Inventory
from awning.workspace.app_data import app_data_diagnostics, parse_app_data, read_built_schema

if TYPE_CHECKING:
    from awning.publish.app_data import AppDataCheck

FITS, DOES_NOT, UNREAD = "fits", "does not fit", "could not be read"


@click.group()
def data() -> None:
    """Read, check or write the app data of instances."""


@data.command()
@service_options
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Wrap the data in a document with schema_version.")
def get(base_url: str | None, profile: str | None, name: str, as_json: bool) -> None:
    """Print the app data stored for the instance NAME, as JSON."""
    instance = _instance(name)
    with _client(base_url, profile) as client:
        values = decode_app_data(client.run(apps.get_data(instance.code)))
    if as_json:
        click.echo(json_document({"instance": instance.display_name, "data": values}))
    else:
        click.echo(json.dumps(values, ensure_ascii=False, indent=2))


@data.command(name="set")
@service_options
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--force", is_flag=True, help="Store data even if it does not fit dist/data.schema.json.")
def set_(base_url: str | None, profile: str | None, name: str, file: Path, force: bool) -> None:
    """Store the JSON object or string in FILE (or - for standard input) for the instance NAME, and read it back.

    The data must fit dist/data.schema.json, the schema of the last build. Data that do not fit are not sent; the exit
    code is then 1. With --force they are stored nevertheless, for a release that is not built yet.

    The key `_awning` is kept as it is stored: `awning publish disable` and `enable` change it. A string is stored as it
    is, so it must have nothing that could end the place in a page where the service inserts it.
    """
    text = _read(file)
    source = "<stdin>" if str(file) == "-" else str(file)
    values = parse_app_data(text, source)
    encode_app_data(values)  # raises an error for data that cannot be stored, before the service is called
    if isinstance(values, str) and not force:
        _check_text(values)
    _check_fit(values, text, source, force=force)
    instance = _instance(name)
    with (
        _client(base_url, profile) as client,
        closing(open_state(os.environ).app_data_locks()) as locks,
        locks.holding(instance.key),
    ):
        stored = _read_data(client, instance)
        if isinstance(values, str):
            _check_loses_nothing(stored, force=force)
            complete, encoded = {}, values
        else:
            complete = keep_reserved(values, stored)
            encoded = encode_app_data(complete)
        store_app_data(client, instance.code, encoded)
    own = values.get(RESERVED_KEY) if isinstance(values, dict) else None
    if own is not None and own != complete.get(RESERVED_KEY):
        say(f'note: "{RESERVED_KEY}" in {file} was not stored: awning publish disable and enable change it')
    click.echo(f"{instance.display_name}: stored, {len(encoded.encode())} bytes")


@data.command()
@service_options
@click.argument("names", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def check(base_url: str | None, profile: str | None, names: tuple[str, ...], as_json: bool) -> int:
    """Find stored app data that no longer fit the schema, of all instances or of those in NAMES.

    The data of each instance are read from the service and compared with dist/data.schema.json, the schema of the last
    build. Nothing is written. The stored texts are not shown.

    \b
    Exit code 0: all data fit. 1: some data do not fit. 5: some data could not be read, and the others fit. 6: the
    service refused every call.
    """
    from awning.publish.app_data import check_app_data, exit_code_of  # noqa: PLC0415 - imports aiohttp

    schema = read_built_schema(Path.cwd())
    if schema is None:
        raise ConfigurationError("dist/data.schema.json is missing", hint="run: awning build")
    access = find_access(base_url, profile, os.environ)
    inventory = Inventory.open(open_state(os.environ))
    if not names:
        inventory.check_known()
    instances = inventory.chosen(names)
    checks = check_app_data(instances, schema, access, os.environ)
    _print_checks([_row(check) for check in checks], as_json=as_json)
    return exit_code_of(checks)


def _check_text(text: str) -> None:
    """Raise ConfigurationError for a text that could act as more than a text where a page has it."""
    unsafe = next((part for part in ("<", "{{", "{%", "\u2028", "\u2029") if part in text), None)
    if unsafe is not None:
        raise ConfigurationError(
            f'the string has "{escaped(unsafe)}", and the service may insert it into pages as it is',
            hint="an object is stored so that none of its texts can do that; --force stores the string nevertheless",
        )


def _check_loses_nothing(stored: Any, *, force: bool) -> None:
    """Raise ConfigurationError when a string would replace the reserved key, such as the list of disabled widgets."""
    if isinstance(stored, dict) and RESERVED_KEY in stored and not force:
        raise ConfigurationError(
            f'a string cannot keep "{RESERVED_KEY}", which is stored there: it names the widgets that are disabled',
            hint="awning publish enable them first; --force stores the string nevertheless",
        )


def _check_fit(values: Any, text: str, path: str, *, force: bool) -> None:
    """Check the data against the schema of the last build; without a build, print a note.

    Raises Faulty when they do not fit. With `force`, prints warnings instead.
    """
    schema = read_built_schema(Path.cwd())
    if schema is None:
        say("note: the data was not checked, because dist/data.schema.json is missing (run: awning build)")
        return
    if isinstance(values, str) and not schema.properties:  # no widget reads settings, so a text is as good
        return
    data = decode_app_data(values) if isinstance(values, str) else values  # widgets read a text as JSON
    diagnostics = list(app_data_diagnostics(data, text, path, schema))
    if diagnostics and not force:
        raise Faulty(diagnostics, hint="nothing was sent; --force stores it nevertheless")
    for diagnostic in diagnostics:
        say(replace(diagnostic, severity=Severity.WARNING).render())


def _read_data(client: Client, instance: Instance) -> Any:
    """Return the stored app data, decoded; {} when nothing is stored.

    HTTP 404 means that nothing is stored (assumed: not shown in the specification). Data that are nested too deeply to
    decode are returned as they are stored.
    """
    stored: Any = {}
    try:
        stored = client.run(apps.get_data(instance.code))
        return decode_app_data(stored)
    except RecursionError:
        return stored
    except Refused as problem:
        if problem.status != HTTPStatus.NOT_FOUND:
            raise
        return {}


def _instance(name: str) -> Instance:
    return Inventory.open(open_state(os.environ)).chosen([name])[0]


def _client(base_url: str | None, profile: str | None) -> Client:
    access = find_access(base_url, profile, os.environ)
    return Client(Calling(access=access), Transport(access, environ=os.environ))


def _read(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} is not JSON: {error}") from None


def _row(check: "AppDataCheck") -> dict[str, Any]:
    state = FITS if check.fits else UNREAD if check.problem else DOES_NOT
    return {
        "instance": check.instance.display_name,
        "state": state,
        "error": str(check.problem) if check.problem else None,
        "hint": check.problem.hint if check.problem else None,
        "misfits": [
            {
                "path": list(misfit.path),
                "code": misfit.problem.code,
                "message": sentence_for(misfit, of="the app data", hidden=True),
                "hint": hint_for(misfit),
            }
            for misfit in check.misfits
        ],
    }


def _print_checks(rows: Sequence[dict[str, Any]], *, as_json: bool) -> None:
    if as_json:
        click.echo(json_document({"ok": all(row["state"] == FITS for row in rows), "instances": rows}))
        return
    for row in rows:
        if row["error"]:
            click.echo(f"{row['instance']}: {UNREAD}: {row['error']}")
        for misfit in row["misfits"]:
            hint = f" ({misfit['hint']})" if misfit["hint"] else ""
            click.echo(f"{row['instance']}: {misfit['message']}{hint}")
    for hint in dict.fromkeys(row["hint"] for row in rows if row["hint"]):
        say(f"hint: {hint}")
    states = Counter(row["state"] for row in rows)
    counts = ", ".join(f"{states[state]} {state}" for state in (FITS, DOES_NOT, UNREAD) if states[state])
    say(
        f"{len(rows)} instance{'' if len(rows) == 1 else 's'}: {counts}" if rows else "the inventory is empty"
    )
