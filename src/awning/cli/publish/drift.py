"""`awning publish drift`: compares what the service has with what was written, and writes nothing to the service.

`drift acknowledge` stores that differences of an instance are accepted until a day.
"""

import os
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from awning.cli.publish.options import RunOptions, instance_options, service_run_options
from awning.cli.publish.output import (
    NO_CELLS,
    cell_line,
    print_difference,
    print_release_differences,
    release_differences,
    say_not_built,
    say_unread,
)
from awning.cli.report import json_option, print_result, say
from awning.cli.service_options import open_stores
from awning.contract import Exit, is_language_code
from awning.errors import ConfigurationError
from awning.publish.cells import our_snippets
from awning.publish.drift import DriftWork
from awning.publish.inventory.acknowledged import EVERY_LANGUAGE, WEBSITE, Acknowledgement
from awning.publish.inventory.inventory import Instance
from awning.publish.journal.journal import Journal
from awning.publish.reading import find_drift
from awning.publish.text_difference import Differences


@click.group(invoke_without_command=True)
@instance_options
@service_run_options
@click.option(
    "--diff", is_flag=True, help="Show what differs: the author's lines, or bytes of somebody else's."
)
@json_option
@click.pass_context
def drift(context: click.Context, /, *, diff: bool, as_json: bool, **options: Any) -> int:
    """Compare what the service has with what was last written. Nothing is written.

    Acknowledged differences are shown, but do not change the exit code. With --diff, also what differs.
    """
    if context.invoked_subcommand is not None:
        return Exit.DONE
    run = RunOptions(**options)
    stores = open_stores(os.environ)
    request = run.service_request(run.instances(stores.inventory))
    differences = Differences(stores, our_snippets(stores).has, None) if diff else None
    work = find_drift(request, stores, differences=differences)
    _print(work, as_json=as_json)
    say_not_built(work.not_built)
    say_unread(work.exit_code)
    return work.exit_code


@drift.command()
@click.argument("name")
@click.option("--language", help='One language, or "website" for the website-wide cell. Default: all cells.')
@click.option("--owner", required=True, help="Who answers for it.")
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d"]),
    required=True,
    help="The last day on which it is accepted, at most a year from now.",
)
@click.option("--reason", required=True, help="Why it is accepted.")
def acknowledge(name: str, language: str | None, owner: str, until: datetime, reason: str) -> None:
    """Acknowledge the differences of the instance NAME until a day.

    They are then shown, but do not change the exit code.
    """
    today = datetime.now(UTC).date()
    if not today <= until.date() <= today + timedelta(days=366):
        raise ConfigurationError("--until is not a day from today to a year from now")
    stores = open_stores(os.environ)
    (instance,) = stores.inventory.chosen([name])
    if language not in {None, "website"} and not is_language_code(language):
        raise ConfigurationError(f'"{language}" is not a language code', hint='such as "lv", or "website"')
    if language not in {None, "website"}:
        _check_language(language, instance, stores.journal)
    cell = EVERY_LANGUAGE if language is None else WEBSITE if language == "website" else language
    day = until.date().isoformat()
    stores.acknowledgements.add(
        Acknowledgement(key=instance.key, language=cell, owner=owner, until=day, reason=reason)
    )
    where = instance.display_name if language is None else f"{instance.display_name} {language}"
    click.echo(f"{where}: accepted until {day}")


def _check_language(language: str, instance: Instance, journal: Journal) -> None:
    """Raise ConfigurationError when the instance does not have the language.

    Its languages are those of its website, those of the inventory, and those of its cells in the journal. When no
    language and no cell is known, every language is accepted.
    """
    cells = journal.cells(instance.key)
    languages = {*filter(None, cells), *instance.languages, *(instance.website_languages or ())}
    if language in languages or not (languages or cells):
        return
    known = (
        f"its languages: {', '.join(sorted(languages))}" if languages else "it has the website-wide cell only"
    )
    raise ConfigurationError(
        f'{instance.display_name} has no language "{language}"',
        hint=f'{known}; "website" is the website-wide cell',
    )


def _print(work: DriftWork, *, as_json: bool) -> None:
    if as_json:
        diff: dict[str, Any] = {}
        if work.differences is not None:
            diff["release_differences"] = release_differences(work.differences)
        print_result(as_json, (), cells=[drift.as_json() for drift in work.drifts], **diff)
        return
    for drift in work.drifts:
        known = drift.acknowledgement
        detail = drift.detail
        if known is not None:
            detail += f" ({known.acceptance}: {known.reason})"
        click.echo(cell_line(drift.kind.value, drift.instance, drift.language, detail))
        print_difference(drift.differences)
    if work.differences is not None:
        print_release_differences(work.differences)
    if not work.drifts:
        say("every cell is as it was written" if work.compared else NO_CELLS)
