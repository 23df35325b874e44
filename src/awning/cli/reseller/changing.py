"""The options of the verbs that change websites, and what they print.

A verb takes numbers of websites or `--where`. One number is changed at once. Several, or a condition, are listed and
confirmed first, then changed at a pace.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from datetime import tzinfo
from functools import wraps
from typing import Any

import click

from awning.cli.publish.options import PaceOption
from awning.cli.report import LISTED, Command, is_confirmed, json_option, plural, print_result, say
from awning.cli.reseller.connection import Connection, RecordNumber, connected
from awning.cli.reseller.table import cell_text, print_rows
from awning.cli.service_options import open_state
from awning.client.reseller import ResellerClient, Website, actions
from awning.client.reseller.client import find_time_zone
from awning.client.reseller.selection import WebsiteSelection
from awning.client.secret import printable
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.publish.cell_outcome import REACHED, CellOutcome
from awning.publish.operator import operator_name
from awning.publish.state.app_data_lock import PATIENCE_S, AppDataTaken
from awning.publish.state.store import Busy, StateStore
from awning.reseller.changes import Change, Changing, MadeChange, WebsiteChange, exit_code
from awning.reseller.log import ChangeLog
from awning.user_folder import user_folder
from awning.workspace.root import find_state_directory

Plan = Callable[[ResellerClient, Website], Change]
PER_S = 2.0
"""The changes per second by default. Each is one request or two, and the service's rate limit is not known."""

LONGEST_LINE = 500

WEBSITE = RecordNumber("website", "websites list")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show what would change, and change nothing.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeOptions:
    """The values of the options that `changes_websites` adds."""

    connection: Connection
    numbers: tuple[int, ...]
    where: str | None
    dry_run: bool
    yes: bool
    per_s: float | None
    as_json: bool

    def __post_init__(self) -> None:
        if self.where is not None and self.numbers:
            raise ConfigurationError("--where and the numbers of websites exclude each other")
        if self.where is None and not self.numbers:
            raise click.UsageError("Missing argument 'WEBSITE', or --where.")

    @property
    def is_single(self) -> bool:
        """Whether one website is named, so that it is changed without a question."""
        return len(self.numbers) == 1


def changes_websites(*, last: str | None = None) -> Callable[[Command], Command]:
    """Add the websites to change and their options to a verb. They are passed as one argument, `options`.

    With `last`, a last word that is not a number is passed as the argument of this name; None without one.
    """
    metavar = "[WEBSITE...]" if last is None else f"[WEBSITE...] [{last.upper()}]"

    def decorate(command: Command) -> Command:
        @wraps(command)
        def with_options(words: tuple[str, ...], pace: float, **values: Any) -> Any:
            own = {}
            if last is not None:
                has_last = bool(words) and not words[-1].isdecimal()
                own[last] = words[-1] if has_last else None
                words = words[:-1] if has_last else words
            numbers = tuple(dict.fromkeys(WEBSITE.convert(word, None, None) for word in words))
            chosen = {name: values.pop(name) for name in _CHOSEN}
            options = ChangeOptions(numbers=numbers, per_s=pace or None, **chosen)
            return command(options=options, **own, **values)

        decorated: Command = with_options
        for add in (*_OPTIONS, click.argument("words", nargs=-1, metavar=metavar), connected):
            decorated = add(decorated)
        return decorated

    return decorate


_CHOSEN = ("connection", "where", "dry_run", "yes", "as_json")
_OPTIONS = (
    json_option,
    click.option(
        "--pace",
        cls=PaceOption,
        type=click.FloatRange(min=0),
        default=PER_S,
        show_default=True,
        help="Changes per second, when there are several; 0: no limit.",
    ),
    click.option(
        "--yes", is_flag=True, help="Do not ask. Required without a terminal, except for one WEBSITE."
    ),
    dry_run_option,
    click.option("--where", help="Change the websites that meet this condition, as in `websites list`."),
)


def change_websites(
    options: ChangeOptions, change: WebsiteChange, sentence: Callable[[int], str], **fields: Any
) -> int:
    """Change one field of the chosen websites. For one, `sentence` and `fields` are the result."""
    change.action(1)  # refuses wrong arguments before anything is sent
    return run_changes(
        options, lambda _client, website: change.planned(website), sentence, fields, adds=change.adds
    )


def run_changes(
    options: ChangeOptions,
    plan: Plan,
    sentence: Callable[[int], str],
    fields: Mapping[str, Any],
    *,
    adds: bool = False,
    most: int | None = None,
) -> int:
    """Plan the changes, and show or make them. `most` is how many websites the verb can change at once.

    The account is not locked while the user is asked. The changes are planned again afterwards, and must be the same.
    """
    zone = find_time_zone(os.environ)
    chosen = _Chosen(options, WebsiteSelection(options.where, None, zone), zone, most)
    log = None if options.dry_run else open_log()
    with options.connection.open() as client:
        if log is None:
            show_changes(chosen.planned(client, plan), as_json=options.as_json)
            return Exit.DONE
        asked: Sequence[Change] | None = None
        if not options.is_single and not options.yes:
            asked = _needed(chosen.planned(client, plan))
            if asked and not is_confirmed(_question(asked), yes=False, names=[_named_step(c) for c in asked]):
                return Exit.FINDINGS
        with alone(client):
            changes = chosen.planned(client, plan)
            if asked is not None and _rows(asked) != _rows(_needed(changes)):
                raise Busy(
                    "the account has changed while you were asked: the changes would be others now",
                    hint="run it again; nothing was changed",
                )
            changing = Changing(client, log, operator_name(os.environ))
            if not options.is_single:
                return _make_all(changing, changes, options, adds=adds)
            changing.make(changes[0])
    number = changes[0].website
    assert number is not None, "the change of a website"  # noqa: S101
    print_result(options.as_json, sentence(number), website=number, **fields)
    return Exit.DONE


@dataclass(frozen=True, slots=True)
class _Chosen:
    """The websites that a verb changes. `most` is how many it can change at once."""

    options: ChangeOptions
    selection: WebsiteSelection
    zone: tzinfo
    most: int | None

    def planned(self, client: ResellerClient, plan: Plan) -> list[Change]:
        """Read the websites, and return the change of each."""
        numbers = self.options.numbers
        if self.options.is_single:
            websites = [client.run(actions.website(numbers[0], self.zone))]
        else:
            websites = _chosen(numbers, self.selection, client.run(actions.websites(self.zone)))
        if self.most is not None and len(websites) > self.most:
            raise ConfigurationError(
                f"{plural(len(websites), 'website')} are chosen, and a domain belongs to one",
                hint="choose one website",
            )
        return [plan(client, website) for website in websites]


def _needed(changes: Sequence[Change]) -> list[Change]:
    return [change for change in changes if change.is_needed]


def _rows(changes: Sequence[Change]) -> list[dict[str, Any]]:
    return [change.as_json() for change in changes]


def _question(needed: Sequence[Change]) -> str:
    return f"{needed[0].operation}: change {plural(len(needed), 'website')}?"


def open_log() -> ChangeLog:
    """Open the log: in the state store, or without a workspace in awning's folder among the user's settings."""
    log = ChangeLog.open(_state())
    click.get_current_context().call_on_close(log.close)
    return log


def _state() -> StateStore:
    try:
        find_state_directory(os.environ)
    except ConfigurationError:
        return open_state({"AWNING_STATE_DIR": str(user_folder(os.environ) / "state"), **os.environ})
    return open_state(os.environ)


@contextmanager
def alone(client: ResellerClient) -> Iterator[None]:
    """Change an account alone: from the reading of its websites to the last change.

    Else two additions at once would both be planned from the same value. Raises Busy when another command of this state
    store changes the account, and does not end within PATIENCE_S seconds.
    """
    with closing(_state().app_data_locks()) as locks, ExitStack() as held:
        try:
            held.enter_context(locks.holding(f"reseller {client.address} {client.email}"))
        except AppDataTaken:
            raise Busy(
                f"another `awning reseller` command has been changing this account for {PATIENCE_S:g} seconds",
                hint="run it again when that has ended; nothing was changed",
            ) from None
        yield


def show_changes(changes: Sequence[Change], *, as_json: bool) -> None:
    """Print what would change."""
    rows = [
        {
            "website": change.website,
            "brandname": change.name,
            "old": value_text(change.old),
            "new": value_text(change.new),
        }
        for change in changes
        if change.is_needed
    ]
    documents = [{**change.as_json(), "is_needed": change.is_needed} for change in changes]
    print_rows(as_json, ("website", "brandname", "old", "new"), rows, (), dry_run=True, changes=documents)
    same = len(changes) - len(rows)
    if not as_json:
        say(
            f"{plural(len(rows), 'website')} would change"
            + (f", {same} would stay as they are" if same else "")
        )


def value_text(value: Any) -> str:
    """Return the text of a value before or after a change."""
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={cell_text(part)}" for name, part in value.items())
    return cell_text(value)


def _chosen(
    numbers: Sequence[int], selection: WebsiteSelection, websites: Sequence[Website]
) -> list[Website]:
    if not numbers:
        return selection.select(websites)
    by_id = {website.id: website for website in websites}
    missing = [str(number) for number in numbers if number not in by_id]
    if missing:
        raise ConfigurationError(
            f"there is no website {', '.join(missing)}", hint="`awning reseller websites list` shows them"
        )
    return [by_id[number] for number in numbers]


def _make_all(changing: Changing, changes: Sequence[Change], options: ChangeOptions, *, adds: bool) -> int:
    needed = _needed(changes)
    ended: list[MadeChange] = []

    def sink(result: MadeChange) -> None:
        ended.append(result)
        if not options.as_json and (len(needed) <= LISTED or result.outcome not in REACHED):
            reason = f"  - {result.reason}" if result.reason else f": {_step(result.change)}"
            click.echo(
                printable(f"{result.outcome.value:<9}  {_named(result.change)}{reason}", limit=LONGEST_LINE)
            )

    interrupted = changing.make_all(changes, sink, per_s=options.per_s)
    totals = Counter(result.outcome for result in ended)
    counts = {outcome.value: totals[outcome] for outcome in CellOutcome}
    print_result(
        options.as_json,
        ", ".join(f"{count:,} {outcome}" for outcome, count in counts.items() if count) or "no websites",
        dry_run=False,
        totals=counts,
        changes=[result.as_json() for result in ended],
    )
    again = [
        str(result.change.website)
        for result in ended
        if result.outcome not in REACHED | {CellOutcome.UNKNOWN}
    ]
    sent = totals[CellOutcome.APPLIED] + totals[CellOutcome.UNKNOWN]
    if adds and sent and (again or totals[CellOutcome.UNKNOWN]):
        left = f" Not done: {' '.join(again)}" if again else ""
        say(f"do not repeat this for all: a second run adds again.{left}")
    if interrupted:
        raise KeyboardInterrupt
    return exit_code([result.outcome for result in ended])


def _named(change: Change) -> str:
    return f"{change.website} {change.name}".rstrip()


def _named_step(change: Change) -> str:
    return f"{_named(change)}: {_step(change)}"


def _step(change: Change) -> str:
    return f"{value_text(change.old)} -> {value_text(change.new)}"
