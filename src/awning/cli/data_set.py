"""`awning data set` and `restore`: write the app data of one instance or of many, and take that back."""

import os
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from awning.cli.instances import YES
from awning.cli.publish.apply import PROGRESS
from awning.cli.publish.data_change import print_one, run_change, show_change
from awning.cli.publish.options import RunOptions, instance_options, service_run_options
from awning.cli.report import is_confirmed, json_option, say
from awning.cli.service_options import open_stores
from awning.client import Calling, Client, Transport, decode_app_data, encode_app_data
from awning.client.secret import escaped
from awning.contract import Exit
from awning.data_schema import RESERVED_KEY, SchemaPart, app_misfits, change_of, settings_in
from awning.diagnostics import Severity
from awning.errors import ConfigurationError, Faulty
from awning.publish.cell_outcome import CellOutcome, Ending
from awning.publish.data.change import listed, read_app_data
from awning.publish.data.setting import DataRestoring, DataSetting, store_journaled, wait_until_settled
from awning.publish.operator import operator_name
from awning.publish.stores import Stores
from awning.workspace.app_data import app_data_diagnostics, parse_app_data, read_built_schema

ACCEPT_NEWER = click.option(
    "--accept-newer-data", is_flag=True, help="Also where somebody has changed the settings since."
)
FILE = click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path)
WHICH = "NAME FILE; or FILE with --only NAME, --label LABEL or --all"


@click.command(name="set")
@click.argument("name", required=False)
@click.argument("file", required=False, metavar="FILE")
@instance_options
@click.option("--all", "everywhere", is_flag=True, help="All instances of the inventory.")
@click.option(
    "--replace", "alone", is_flag=True, help="Store FILE alone, and name the settings that it drops."
)
@click.option("--dry-run", is_flag=True, help="Show what would change for whom, and write nothing.")
@click.option("--force", is_flag=True, help="Store data even if it does not fit dist/data.schema.json.")
@ACCEPT_NEWER
@YES
@service_run_options
@PROGRESS
@json_option
@click.pass_context
def set_(
    context: click.Context,
    /,
    *,
    name: str | None,
    file: str | None,
    everywhere: bool,
    alone: bool,
    dry_run: bool,
    force: bool,
    accept_newer_data: bool,
    yes: bool,
    progress: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Store the settings in FILE (or - for standard input) for one instance (NAME) or many, and read them back.

    FILE has a JSON object, which is merged with what each instance has: settings that it does not name stay, also those
    of other widgets. A list is one value. With --replace, FILE is stored alone, also a string.

    The settings of the widgets that FILE names must then fit dist/data.schema.json, the schema of the last build, or
    they are not sent. With --force they are stored nevertheless, for a release that is not built yet.

    The journal has what was there before, also what changed since a dry run: `awning data restore` writes it back. When
    the run was interrupted or killed, or some instances are not right, the same command goes on with it. An instance
    whose settings somebody has changed since that run is then refused, unless you give --accept-newer-data.

    The key `_awning` is kept as it is stored: `awning publish disable` and `enable` change it.

    \b
    awning data set shop-1 settings.json
    awning data set --label early settings.json --dry-run
    awning data set --label early settings.json
    awning data restore --dry-run
    """
    many = bool(options["only"] or options["labels"] or everywhere)
    if many and file is None:
        name, file = None, name
    if file is None or many is (name is not None):
        raise click.UsageError(f"name the instances in one way: {WHICH}", context)
    _check_everywhere(options, everywhere=everywhere)
    path = FILE.convert(file, next(p for p in context.command.params if p.name == "file"), context)
    run = RunOptions(**options) if name is None else RunOptions(**options | {"only": (name,)})
    text, setting = _setting(path, alone=alone, force=force)
    setting.accepts_newer = accept_newer_data
    stores = open_stores(os.environ)
    if name is not None and not (dry_run and as_json):
        _set_one(run, setting, text, stores, dry_run=dry_run, as_json=as_json)
        return Exit.DONE
    if dry_run:
        return show_change(setting, run, stores, setting.schema, as_json=as_json)
    if name is None and not _is_wanted("Change the app data of", run, stores, yes=yes):
        return Exit.FINDINGS
    return run_change(setting, run, stores, progress, as_json=as_json)


@click.command()
@click.option(
    "--run",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="Back to before this run: undoes it and all later changes of settings. Default: the last change.",
)
@instance_options
@click.option("--all", "everywhere", is_flag=True, help="All instances, which is the default.")
@click.option("--dry-run", is_flag=True, help="Show what would change for whom, and write nothing.")
@ACCEPT_NEWER
@YES
@service_run_options
@PROGRESS
@json_option
def restore(
    *,
    number: int | None,
    everywhere: bool,
    dry_run: bool,
    accept_newer_data: bool,
    yes: bool,
    progress: str,
    as_json: bool,
    **options: Any,
) -> int:
    """Write back the settings that were there before the last `awning data set`, or before run N.

    Only the settings that were changed go back; others stay. An instance where somebody has changed one of them since
    is refused, unless you give --accept-newer-data. Run it again to resume. `awning publish log` lists the runs.
    """
    _check_everywhere(options, everywhere=everywhere)
    run, stores = RunOptions(**options), open_stores(os.environ)
    change = DataRestoring(run=number, accepts_newer=accept_newer_data)
    if dry_run:
        return show_change(change, run, stores, read_built_schema(Path.cwd()), as_json=as_json)
    if not _is_wanted("Write back the settings of up to", run, stores, yes=yes):
        return Exit.FINDINGS
    return run_change(change, run, stores, progress, as_json=as_json)


def _check_everywhere(options: Mapping[str, Any], *, everywhere: bool) -> None:
    if everywhere and (options["only"] or options["labels"]):
        raise ConfigurationError("--all excludes --only and --label", hint="leave one of them out")


def _is_wanted(what: str, run: RunOptions, stores: Stores, *, yes: bool) -> bool:
    """Ask before the app data of many instances are changed. Without a terminal, --yes is needed."""
    if yes:
        return True
    names = [instance.display_name for instance in run.instances(stores.inventory)]
    count = "1 instance" if len(names) == 1 else f"{len(names):,} instances"
    question = f"{what} {count} at {run.service_request().access.base_url}? (--dry-run shows what changes)"
    return is_confirmed(question, yes=False, names=names)


def _setting(file: Path, *, alone: bool, force: bool) -> tuple[str, DataSetting]:
    """Return the text of a file, and the change that stores its settings. Raises when no instance could get them."""
    text = _read(file)
    source = "<stdin>" if str(file) == "-" else str(file)
    values = parse_app_data(text, source)
    encode_app_data(values)  # raises an error for data that cannot be stored, before the service is called
    if isinstance(values, str) and not force:
        _check_text(values)
    schema = _built_schema()
    if isinstance(values, dict) and schema:
        values |= {
            name: settings_in(values[name], schema, name) for name in schema.properties if name in values
        }
    if not force and (alone or _cannot_fit(values, schema)):
        _check_fit(values, text, source, schema, force=False)  # before the service is called
    return text, DataSetting(values=values, source=source, alone=alone, force=force, schema=schema)


def _set_one(
    run: RunOptions, setting: DataSetting, text: str, stores: Stores, *, dry_run: bool, as_json: bool
) -> None:
    """Store the settings of a file for one instance, and say which settings are dropped and kept.

    `text` is the text of the file. Raises Faulty or ConfigurationError where the change of many would refuse the
    instance.
    """
    (instance,) = stores.inventory.chosen(run.only)
    request = run.service_request()
    client = Client(
        Calling(access=request.access), Transport(request.access, limits=request.limits, environ=os.environ)
    )
    number, ending = 0, Ending(outcome=CellOutcome.APPLIED)
    with client, closing(stores.state.app_data_locks()) as locks, locks.holding(instance.key):
        if not dry_run:
            wait_until_settled(instance, stores, timeout_s=request.limits.total_s)
        stored = client.follow(read_app_data(instance.code, client.calling))
        change = change_of(stored.values, setting.values, alone=setting.alone)
        _check_fit(change.checked, text, setting.source, setting.schema, force=setting.force)
        wanted = setting.wanted(instance, stored.values)
        if isinstance(wanted, Ending):
            raise ConfigurationError(f"{setting.source}: {wanted.reason}; nothing was sent")
        encoded = wanted if isinstance(wanted, str) else encode_app_data(wanted)
        if not dry_run:
            what, operator = f"{setting.what}, at {request.access.base_url}", operator_name(os.environ)
            number, ending = store_journaled(
                client, instance, stored, encoded, stores, what=what, operator=operator
            )
    own = setting.values.get(RESERVED_KEY) if isinstance(setting.values, dict) else None
    if own is not None and not (isinstance(wanted, dict) and own == wanted.get(RESERVED_KEY)):
        say(
            f'note: "{RESERVED_KEY}" in {setting.source} was not stored: '
            "awning publish disable and enable change it"
        )
    if as_json:
        print_one(number, instance, ending)
        return
    would = "would be " if dry_run else ""
    if change.lost:
        say(f"{would}dropped: {listed(change.lost)}")
    if change.staying:
        say(f"{would}kept as stored: {listed(change.staying)}")
    done = "stored" if ending.outcome is CellOutcome.APPLIED else "stored already"
    click.echo(f"{instance.display_name}: {would}{done}, {len(encoded.encode())} bytes")


def _check_text(text: str) -> None:
    """Raise ConfigurationError for a text that could act as more than a text where a page has it."""
    unsafe = next((part for part in ("<", "{{", "{%", "\u2028", "\u2029") if part in text), None)
    if unsafe is not None:
        raise ConfigurationError(
            f'the string has "{escaped(unsafe)}", and the service may insert it into pages as it is',
            hint="an object is stored so that none of its texts can do that; --force stores the string nevertheless",
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


def _read(file: Path) -> str:
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
        return text.removeprefix("\ufeff")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} is not JSON: {error}") from None
