"""`awning probe`: settles assumptions about the Apps API against a real test instance."""

import asyncio
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import click

from awning.cli.report import json_option, report, say
from awning.cli.service_options import find_access, open_state, service_options
from awning.client import Access, Calling, Client, Secret, Transport, apps
from awning.contract import Exit, is_language_code
from awning.contract.endpoints import AUTH_SCHEME
from awning.contract.hosts import is_loopback
from awning.errors import AwningError, ConfigurationError
from awning.json_document import json_document
from awning.probe.probes import PROBES
from awning.probe.restores import Restores
from awning.probe.running import ProbeOutcome, ProbeOutcomes, ProbeRun, ProbeState, chosen_probes, mend
from awning.probe.shop import Channel, NotDone, Shop
from awning.publish.inventory.inventory import Instance, Inventory
from awning.publish.state.app_data_lock import AppDataLocks
from awning.publish.verify.page_address import USUAL, checked_page_pattern
from awning.workspace.model import SettledAnswer
from awning.workspace.reader import find_profile
from awning.workspace.root import find_workspace
from awning.workspace.settled import save_settled


@click.command()
@service_options
@click.option("--instance", "name", required=True, metavar="ID", help="A test instance of the inventory.")
@click.option(
    "--only",
    type=click.Choice(list(PROBES)),
    metavar="ASSUMPTION",
    multiple=True,
    help="Settle only this assumption. Repeatable.",
)
@click.option("--throwaway", is_flag=True, help="Also run probes that leave something that no call removes.")
@json_option
def probe(
    base_url: str | None,
    profile: str | None,
    *,
    name: str,
    only: Sequence[str],
    throwaway: bool,
    as_json: bool,
) -> int:
    """Settle assumptions about the service by calls of a test instance.

    Each probe reads what is there, writes, reads back, and puts back what was there. While it runs, pages have another
    snippet or other app data, so name an instance that no shopper sees. A run that was killed is mended by the next
    run. No call removes what was never set: such a probe runs only with --throwaway, and says before what stays.

    The answers go into the profile, and `awning service`, `awning dev` and `awning test` play them.

    \b
    Exit code 0: everything asked was settled, or is not visible in this instance. 1: an answer fits no choice, a call
    failed, or an assumption of --only is not settled. 5: something is not put back yet. 6: the service refused the key.
    """
    access = find_access(base_url, profile, os.environ)
    chosen = find_profile(profile, os.environ)
    with _opened(access) as opened:
        instance = opened.inventory.chosen([name])[0]
        for sentence in mend(
            opened.restores, opened.shop_of, access.base_url, opened.locks.holding, key=instance.key
        ):
            say(sentence)
        shop = replace(
            opened.shop(instance),
            languages=tuple(filter(is_language_code, opened.client.run(apps.languages(instance.code)))),
            dialect=chosen.dialect,
            throwaway=throwaway,
            pages=checked_page_pattern(chosen.page or USUAL),
        )
        with opened.locks.holding(instance.key):
            report_outcome = (lambda _outcome: None) if as_json else _print_outcome
            outcomes = ProbeRun(shop=shop, report=report_outcome).run(chosen_probes(only))
    saved, unsaved = None, None
    try:
        saved = _save(chosen.name, access, outcomes.outcomes)
    except AwningError as error:
        unsaved = error
    if as_json:
        click.echo(json_document(_document(instance, access, outcomes, saved, unsaved), indent=2))
    elif saved:
        say(f"the profile {chosen.name} in {saved.name} has the answers")
    for problem in filter(None, (unsaved, outcomes.problem)):
        report(problem)
    if outcomes.problem:
        return Exit.PARTLY
    if unsaved:
        return unsaved.exit_code
    bad = {ProbeState.OTHER, ProbeState.FAILED} | ({ProbeState.SKIPPED, ProbeState.UNSEEN} if only else set())
    return Exit.FINDINGS if any(outcome.state in bad for outcome in outcomes.outcomes) else Exit.DONE


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opened:
    """The state store and the connections of one run."""

    access: Access
    client: Client
    channel: Channel
    inventory: Inventory
    restores: Restores
    locks: AppDataLocks

    def shop(self, instance: Instance, *, is_removed: bool = False) -> Shop:
        verbs = ("purge",) if is_removed else ("remove", "purge")
        name = shlex.quote(instance.display_name)
        return Shop(
            key=instance.key,
            name=instance.display_name,
            code=instance.code,
            base_url=self.access.base_url,
            languages=(),
            channel=self.channel,
            restores=self.restores,
            forgetting=" && ".join(f"awning instances {verb} {name}" for verb in verbs),
            say=say,
        )

    def shop_of(self, key: str) -> Shop | None:
        """Return the instance of a keyed hash, also a removed one; None when there is none."""
        try:
            return self.shop(self.inventory.chosen([key])[0])
        except ConfigurationError:
            removed = next((each for each in self.inventory.removed_named() if each.key == key), None)
            return self.shop(removed, is_removed=True) if removed else None


@contextmanager
def _opened(access: Access) -> Iterator[_Opened]:
    """Open the state store and hold the publishers' lock, so that no publish writes meanwhile."""
    state = open_state(os.environ)
    with ExitStack() as stack:
        usual = stack.enter_context(Transport(access, environ=os.environ))
        other = stack.enter_context(Transport(_with_other_scheme(access), environ=os.environ))
        inventory = stack.enter_context(closing(Inventory.open(state)))
        restores = stack.enter_context(closing(Restores.open(state)))
        locks = stack.enter_context(closing(state.app_data_locks()))
        stack.enter_context(state.lock_runs())
        yield _Opened(
            access=access,
            client=Client(Calling(access=access), usual),
            channel=Channel(
                send=usual.send, other_scheme=other.send, page=partial(_scripts_of_page, access.base_url)
            ),
            inventory=inventory,
            restores=restores,
            locks=locks,
        )


def _scripts_of_page(base_url: str, address: str) -> Sequence[str]:
    """Return the texts of the script elements of a page. Only a service on this machine may name a page on it.

    Raises NotDone when the page cannot be read.
    """
    from awning.publish.verify.page_fetcher import (  # noqa: PLC0415 - imports aiohttp
        PageFetcher,
        PageLimits,
        PageUnreadable,
    )

    async def fetch() -> Sequence[str]:
        allow_loopback = is_loopback(urlsplit(base_url).hostname or "")
        async with PageFetcher(PageLimits(), environ=os.environ, allow_loopback=allow_loopback) as fetcher:
            page = await fetcher.fetch(address)
        return [part.text for part in page.content.parts if part.kind == "script"]

    try:
        return asyncio.run(fetch())
    except PageUnreadable as reason:
        raise NotDone(f"the page cannot be read: {reason}") from None


def _with_other_scheme(access: Access) -> Access:
    """Return the access with the scheme of the header Authorization in small letters."""
    headers = tuple(
        (name, Secret(value.reveal().replace(AUTH_SCHEME, AUTH_SCHEME.lower(), 1)))
        if isinstance(value, Secret)
        else (name, value)
        for name, value in access.headers
    )
    return replace(access, headers=headers)


def _print_outcome(outcome: ProbeOutcome) -> None:
    width = max(map(len, PROBES))
    answer = outcome.answer or f"{outcome.state}: {outcome.detail}"
    differs = "" if outcome.answer in {None, outcome.expected} else f"  (awning assumed: {outcome.expected})"
    click.echo(f"{outcome.probe.assumption:<{width}}  {answer}{differs}")


def _save(profile: str, access: Access, outcomes: Sequence[ProbeOutcome]) -> Path | None:
    """Write the answers into the profile of the workspace. Returns the file; None when nothing was written."""
    today = datetime.now(UTC).date().isoformat()
    settled = {
        outcome.probe.assumption: SettledAnswer(
            answer=outcome.answer, by="probe", on=today, service=access.base_url
        )
        for outcome in outcomes
        if outcome.answer is not None
    }
    try:
        root = find_workspace(Path.cwd())
    except ConfigurationError:
        say("note: the answers are not saved, because this folder is in no workspace")
        return None
    return save_settled(root, profile, settled) if settled else None


def _document(
    instance: Instance,
    access: Access,
    outcomes: ProbeOutcomes,
    saved: Path | None,
    unsaved: AwningError | None,
) -> Mapping[str, object]:
    return {
        "instance": instance.display_name,
        "service": access.base_url,
        "probes": [outcome.as_json() for outcome in outcomes.outcomes],
        "problem": outcomes.problem.message if outcomes.problem else None,
        "saved": str(saved) if saved else None,
        "unsaved": unsaved.message if unsaved else None,
    }
