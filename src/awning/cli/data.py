"""`awning data`: reads, checks and writes the app data of instances, through the Apps API."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from awning.cli.data_set import restore, set_
from awning.cli.report import json_option, plural, print_result, say
from awning.cli.service_options import find_access, open_stores, service_options
from awning.client import Calling, Client, Retry, Transport, apps, decode_app_data
from awning.client.secret import escaped
from awning.data_migration.migration import DataMigration
from awning.data_schema import hint_for, sentence_for
from awning.errors import ConfigurationError
from awning.json_document import json_text
from awning.publish.data.checking import AppDataCheck, exit_code_of
from awning.publish.inventory.inventory import Instance
from awning.publish.reading import check_app_data
from awning.publish.release.build_files import read_files
from awning.publish.requests import ServiceRequest
from awning.workspace.app_data import read_built_schema
from awning.workspace.root import find_workspace

FITS, MIGRATES, DOES_NOT, UNREAD = "fits", "fits after migration", "does not fit", "could not be read"
_MANY = {FITS: "fit", MIGRATES: "fit after migration", DOES_NOT: "do not fit", UNREAD: UNREAD}
"""What the summary says of each state, for any number but one."""


@click.group()
def data() -> None:
    """Read, check or write the app data of instances.

    \b
    awning data set shop-1 settings.json --dry-run
    awning data check                          what does not fit the build
    """


data.add_command(set_)
data.add_command(restore)


@data.command()
@service_options
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Wrap the data in a document with schema_version.")
def get(base_url: str | None, profile: str | None, name: str, as_json: bool) -> None:
    """Print the app data stored for the instance NAME, as JSON."""
    instance = _instance(name)
    with _client(base_url, profile) as client:
        values = decode_app_data(client.run(apps.get_data(instance.code)))
    print_result(as_json, json_text(values, 2), instance=instance.display_name, data=values)


@data.command()
@service_options
@click.argument("names", nargs=-1)
@json_option
def check(base_url: str | None, profile: str | None, names: tuple[str, ...], as_json: bool) -> int:
    """Find stored app data that no longer fit the schema, of all instances or of those in NAMES.

    The data of each instance are read from the service and compared with dist/data.schema.json, the schema of the last
    build. Data of an earlier version are migrated first, as `awning publish apply` would do it; one that cannot be does
    not fit. Nothing is written. The stored texts are not shown.

    \b
    Exit code 0: all data fit. 1: some data do not fit. 5: some data could not be read, and the others fit. 6: the
    service refused every call.
    """
    migration = _built_migration()
    access = find_access(base_url, profile, os.environ)
    stores = open_stores(os.environ)
    inventory = stores.inventory
    if not names:
        inventory.check_known()
    request = ServiceRequest(
        access=access, environ=os.environ, instances=inventory.chosen(names), retry=Retry()
    )
    checks = check_app_data(request, migration, stores.journal)
    _print_checks([_row(check) for check in checks], as_json=as_json)
    return exit_code_of(checks)


def _built_migration() -> DataMigration:
    """Return the schema of the last build, and what migrates data to it."""
    schema = read_built_schema(Path.cwd())
    if schema is None:
        raise ConfigurationError("dist/data.schema.json is missing", hint="run: awning build")
    migration = DataMigration(schema=schema)
    if not migration.is_versioned:
        return migration
    return read_files(find_workspace(Path.cwd()) / "dist", allow_errors=True).migration()


def _instance(name: str) -> Instance:
    return open_stores(os.environ).inventory.chosen([name])[0]


def _client(base_url: str | None, profile: str | None) -> Client:
    access = find_access(base_url, profile, os.environ)
    return Client(Calling(access=access), Transport(access, environ=os.environ))


def _row(check: AppDataCheck) -> dict[str, Any]:
    fits = MIGRATES if check.migrates else FITS
    state = fits if check.fits else UNREAD if check.error else DOES_NOT
    return {
        "instance": check.instance.display_name,
        "state": state,
        "error": check.error,
        "hint": check.hint,
        "unmigrated": check.unmigrated,
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
        print_result(as_json, (), ok=all(row["state"] in {FITS, MIGRATES} for row in rows), instances=rows)
        return
    for row in rows:
        if row["error"]:
            click.echo(escaped(f"{row['instance']}: {UNREAD}: {row['error']}"))
        if row["unmigrated"]:
            click.echo(escaped(f"{row['instance']}: cannot be migrated: {row['unmigrated']}"))
        for misfit in row["misfits"]:
            hint = f" ({misfit['hint']})" if misfit["hint"] else ""
            click.echo(escaped(f"{row['instance']}: {misfit['message']}{hint}"))
    for hint in dict.fromkeys(row["hint"] for row in rows if row["hint"]):
        say(f"hint: {hint}")
    states = Counter(row["state"] for row in rows)
    counts = ", ".join(
        f"{states[state]:,} {state if states[state] == 1 else many}"
        for state, many in _MANY.items()
        if states[state]
    )
    say(f"{plural(len(rows), 'instance')}: {counts}" if rows else "the inventory is empty")
