"""`awning data`: reads, checks and writes the app data of instances, through the Apps API."""

import json
import os
import sys
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from awning.cli.report import json_option, say
from awning.cli.service_options import find_access, open_state, open_stores, service_options
from awning.client import Calling, Client, Retry, Transport, apps, decode_app_data, encode_app_data
from awning.client.secret import escaped
from awning.client.sync_client import store_app_data
from awning.data_schema import (
    RESERVED_KEY,
    DataChange,
    SchemaPart,
    app_misfits,
    change_of,
    hint_for,
    keep_reserved,
    sentence_for,
    shown_path,
)
from awning.diagnostics import Severity
from awning.errors import ConfigurationError, Faulty
from awning.json_document import json_document
from awning.publish import Instance
from awning.publish.app_data import AppDataCheck, app_data_of, exit_code_of
from awning.publish.reading import check_app_data
from awning.publish.requests import ServiceRequest
from awning.workspace.app_data import app_data_diagnostics, parse_app_data, read_built_schema

NAMED = 8
"""The most settings that a line names."""
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
@click.option(
    "--replace", "alone", is_flag=True, help="Store FILE alone, and name the settings that it drops."
)
@click.option("--dry-run", is_flag=True, help="Say what would be stored and dropped, and write nothing.")
@click.option("--force", is_flag=True, help="Store data even if it does not fit dist/data.schema.json.")
def set_(
    base_url: str | None,
    profile: str | None,
    *,
    name: str,
    file: Path,
    alone: bool,
    dry_run: bool,
    force: bool,
) -> None:
    """Store the settings in FILE (or - for standard input) for the instance NAME, and read them back.

    FILE has a JSON object or string. An object is merged with what is stored: settings that it does not name stay, also
    those of other widgets. A list is one value. A string, or another kind of value in place of an object, would drop
    settings, so it is refused. With --replace, FILE is stored alone.

    The settings of the widgets that FILE names must then fit dist/data.schema.json, the schema of the last build. Data
    that do not fit are not sent; the exit code is then 1. With --force they are stored nevertheless, for a release that
    is not built yet.

    The key `_awning` is kept as it is stored: `awning publish disable` and `enable` change it. A string is stored as it
    is, so it must have nothing that could end the place in a page where the service inserts it.
    """
    text = _read(file)
    source = "<stdin>" if str(file) == "-" else str(file)
    values = parse_app_data(text, source)
    encode_app_data(values)  # raises an error for data that cannot be stored, before the service is called
    if isinstance(values, str) and not force:
        _check_text(values)
    schema = _built_schema()
    if not force and (alone or _cannot_fit(values, schema)):
        _check_fit(values, text, source, schema, force=False)  # before the service is called
    instance = _instance(name)
    with (
        _client(base_url, profile) as client,
        closing(open_state(os.environ).app_data_locks()) as locks,
        locks.holding(instance.key),
    ):
        stored = client.follow(app_data_of(instance.code, client.calling))
        change = change_of(stored, values, alone=alone)
        _check_fit(change.checked, text, source, schema, force=force)
        _check_drops(change, source, alone=alone)
        if isinstance(change.wanted, str):
            _check_loses_nothing(stored, force=force)
            complete, encoded = {}, change.wanted
        else:
            complete = keep_reserved(change.wanted, stored)
            encoded = encode_app_data(complete)
        if not dry_run:
            store_app_data(client, instance.code, encoded)
    own = values.get(RESERVED_KEY) if isinstance(values, dict) else None
    if own is not None and own != complete.get(RESERVED_KEY):
        say(f'note: "{RESERVED_KEY}" in {file} was not stored: awning publish disable and enable change it')
    would = "would be " if dry_run else ""
    if change.lost:
        say(f"{would}dropped: {_listed(change.lost)}")
    if change.staying:
        say(f"{would}kept as stored: {_listed(change.staying)}")
    click.echo(f"{instance.display_name}: {would}stored, {len(encoded.encode())} bytes")


@data.command()
@service_options
@click.argument("names", nargs=-1)
@json_option
def check(base_url: str | None, profile: str | None, names: tuple[str, ...], as_json: bool) -> int:
    """Find stored app data that no longer fit the schema, of all instances or of those in NAMES.

    The data of each instance are read from the service and compared with dist/data.schema.json, the schema of the last
    build. Nothing is written. The stored texts are not shown.

    \b
    Exit code 0: all data fit. 1: some data do not fit. 5: some data could not be read, and the others fit. 6: the
    service refused every call.
    """
    schema = read_built_schema(Path.cwd())
    if schema is None:
        raise ConfigurationError("dist/data.schema.json is missing", hint="run: awning build")
    access = find_access(base_url, profile, os.environ)
    inventory = open_stores(os.environ).inventory
    if not names:
        inventory.check_known()
    request = ServiceRequest(
        access=access, environ=os.environ, instances=inventory.chosen(names), retry=Retry()
    )
    checks = check_app_data(request, schema)
    _print_checks([_row(check) for check in checks], as_json=as_json)
    return exit_code_of(checks)


def _check_drops(change: DataChange, source: str, *, alone: bool) -> None:
    """Raise ConfigurationError when settings would be dropped that nobody asked to drop."""
    if change.lost and not alone:
        raise ConfigurationError(
            f"{source} would drop what is stored: {_listed(change.lost)}; nothing was sent",
            hint="--replace stores it alone; `awning data get` prints what is stored",
        )


def _listed(paths: Sequence[tuple[str | int, ...]]) -> str:
    names = ", ".join(shown_path(path) or "the stored text" for path in paths[:NAMED])
    return escaped(names + (f" and {len(paths) - NAMED:,} more" if len(paths) > NAMED else ""))


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


def _built_schema() -> SchemaPart | None:
    """Return the schema of the last build; without one, print a note and return None."""
    schema = read_built_schema(Path.cwd())
    if schema is None:
        say("note: the data was not checked, because dist/data.schema.json is missing (run: awning build)")
    return schema


def _as_read(values: Any) -> Any:
    """Return app data as widgets read them: a text is read as JSON."""
    return decode_app_data(values) if isinstance(values, str) else values


def _cannot_fit(values: Any, schema: SchemaPart | None) -> bool:
    """Return whether the data do not fit, whatever is stored: a required setting may be stored already."""
    if schema is None:
        return False
    return any(misfit.problem.code != "required" for misfit in app_misfits(_as_read(values), schema))


def _check_fit(values: Any, text: str, path: str, schema: SchemaPart | None, *, force: bool) -> None:
    """Check the data against the schema of the last build; None without one. `text` is the text of the file `path`.

    Raises Faulty when they do not fit. With `force`, prints warnings instead.
    """
    if schema is None:
        return
    if isinstance(values, str) and not schema.properties:  # no widget reads settings, so a text is as good
        return
    diagnostics = list(app_data_diagnostics(_as_read(values), text, path, schema))
    if diagnostics and not force:
        raise Faulty(diagnostics, hint="nothing was sent; --force stores it nevertheless")
    for diagnostic in diagnostics:
        say(replace(diagnostic, severity=Severity.WARNING).render())


def _instance(name: str) -> Instance:
    return open_stores(os.environ).inventory.chosen([name])[0]


def _client(base_url: str | None, profile: str | None) -> Client:
    access = find_access(base_url, profile, os.environ)
    return Client(Calling(access=access), Transport(access, environ=os.environ))


def _read(file: Path) -> str:
    try:
        return sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} is not JSON: {error}") from None


def _row(check: AppDataCheck) -> dict[str, Any]:
    state = FITS if check.fits else UNREAD if check.error else DOES_NOT
    return {
        "instance": check.instance.display_name,
        "state": state,
        "error": check.error,
        "hint": check.hint,
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
