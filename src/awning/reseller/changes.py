"""Changes of a reseller's account, as values, and the code that makes them.

A change is planned from what the API reads: it has the value before and the value after. It is made by one action, and
logged before and after its call. Many changes are made one after another, at a pace. They stop when the service refuses
the account as a whole, does not answer, or the log cannot be written: every further change would fail, too.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from awning.client.reseller import Domain, Settings, Website, actions
from awning.client.reseller.client import HasFlow, ResellerClient
from awning.client.reseller.resources import FREE
from awning.contract import Exit
from awning.errors import (
    AwningError,
    CreditsAreFree,
    DatabaseUnusable,
    FeeUnpaid,
    Refused,
    ServiceError,
    Unauthorized,
    Unreachable,
)
from awning.publish.cell_outcome import REACHED, CellOutcome
from awning.publish.pacing import Rate, Window
from awning.reseller.log import ChangeLog

SILENT = 3
"""The number of changes in a row without a response after which no more are made."""
CUT = " (cut)"
"""Stands for the parts of an address that are left out."""
_BARE_ADDRESS = re.compile(r"(?://)?(?:[^\s/?#@]*:[^\s/?#@]*@|[^\s?#]+[?#]\S*=)")
"""An address without its scheme that has a password or a query."""
OF_ACCOUNT = (Unauthorized, CreditsAreFree, FeeUnpaid)
"""Refusals that hold for every website of the account."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change that is not made yet.

    `website` is None for the account itself; `name` is the brand name of the website. `old` and `new` are JSON values,
    None when the value is not known, is a secret, or there is none.
    """

    operation: str
    website: int | None = None
    name: str = ""
    old: Any = None
    new: Any = None
    action: HasFlow[None] = field(repr=False)

    @property
    def is_needed(self) -> bool:
        return self.old is None or self.old != self.new

    def as_json(self) -> dict[str, Any]:
        return {
            "operation": self.operation,
            "website": self.website,
            "brandname": self.name,
            "old": self.old,
            "new": self.new,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class WebsiteChange:
    """An operation that changes one field of a website. `value` returns the new value of `field`."""

    operation: str
    field: str
    value: Callable[[Website], Any]
    action: Callable[[int], HasFlow[None]]
    adds: bool = False
    """Whether the operation adds to the value, so that a repeated run adds again."""

    def planned(self, website: Website) -> Change:
        """Return the change of a website. Raises ConfigurationError when an argument of the action is wrong."""
        return Change(
            operation=self.operation,
            website=website.id,
            name=website.brandname,
            old=getattr(website, self.field),
            new=self.value(website),
            action=self.action(website.id),
        )


def set_enabled(enabled: bool) -> WebsiteChange:
    return WebsiteChange(
        operation="website enable" if enabled else "website disable",
        field="enabled",
        value=lambda _website: enabled,
        action=actions.enable if enabled else actions.disable,
    )


def set_plan(subscription: str | None) -> WebsiteChange:
    """Put websites on a paid plan, or with None on the free one."""
    return WebsiteChange(
        operation="website disable-premium" if subscription is None else "website enable-premium",
        field="plan",
        value=lambda _website: subscription or FREE,
        action=lambda number: (
            actions.disable_premium(number)
            if subscription is None
            else actions.enable_premium(number, subscription)
        ),
    )


def set_limit(amount: int) -> WebsiteChange:
    return WebsiteChange(
        operation="ai-limit set",
        field="ai_limit",
        value=lambda _website: amount,
        action=lambda number: actions.set_limit(number, amount),
    )


def add_credits(amount: int) -> WebsiteChange:
    return WebsiteChange(
        operation="ai-credits add",
        field="ai_extra",
        value=lambda website: website.ai_extra + amount,
        action=lambda number: actions.add_credits(number, amount),
        adds=True,
    )


def domain_added(website: Website, name: str, domains: Sequence[Domain]) -> Change:
    """Return the change that attaches a domain to a website which has `domains`."""
    is_there = any(domain.name.casefold() == name.strip().casefold() for domain in domains)
    return Change(
        operation="domain add",
        website=website.id,
        name=website.brandname,
        old=name if is_there else None,
        new=name,
        action=actions.add_domain(website.id, name),
    )


def domain_removed(website: Website, domain_id: int, domains: Sequence[Domain]) -> Change:
    """Return the change that removes a domain. An unknown id is sent too: the service refuses it."""
    return Change(
        operation="domain remove",
        website=website.id,
        name=website.brandname,
        old=next((domain.name for domain in domains if domain.id == domain_id), None),
        new=None,
        action=actions.remove_domain(website.id, domain_id),
    )


def settings_change(before: Settings, values: Mapping[str, str], action: HasFlow[None]) -> Change:
    """Return the change of settings. Addresses are without what may be secret in them: user, query and fragment."""
    known = {**before.others, **before.values}
    return Change(
        operation="settings set",
        old={name: _without_secrets(known.get(name)) for name in values},
        new={name: _without_secrets(value) for name, value in values.items()},
        action=action,
    )


def _without_secrets(value: Any) -> Any:
    """Return a setting's value for the log. `notifyLink`, for one, may have a key in its query."""
    if not isinstance(value, str):
        return value if value is None or isinstance(value, int | float) else str(value)
    has_scheme = "://" in value
    if not has_scheme and not _BARE_ADDRESS.match(value):
        return value
    try:
        parts = urlsplit(value if has_scheme else f"//{value.removeprefix('//')}")
        host = parts.netloc.rpartition("@")[2]
    except ValueError:
        return CUT
    cut = CUT if host != parts.netloc or parts.query or parts.fragment else ""
    return urlunsplit((parts.scheme, host, parts.path, "", "")).removeprefix("//") + cut


@dataclass(frozen=True, slots=True, kw_only=True)
class MadeChange:
    """A change and how it ended. `reason` is None for a change that was made or not needed."""

    change: Change
    outcome: CellOutcome
    reason: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {**self.change.as_json(), "outcome": self.outcome.value, "reason": self.reason}


class Changing:
    """Makes changes with one client, and logs them."""

    def __init__(self, client: ResellerClient, log: ChangeLog, operator: str) -> None:
        self._client = client
        self._log = log
        self._who = {"operator": operator, "service": client.address, "account": client.email}

    def make(self, change: Change) -> None:
        """Make one change. Raises what the client raises, DatabaseUnusable when the log cannot be written.

        When the log fails before the call, nothing is sent.
        """
        _, error = self._attempt(change)
        if error is not None:
            raise error

    def make_all(
        self,
        changes: Iterable[Change],
        sink: Callable[[MadeChange], None],
        *,
        per_s: float | None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> bool:
        """Make changes that are needed, at most `per_s` a second. Returns whether the run was interrupted.

        `sink` gets each change with its outcome. After the run has stopped, the rest is `skipped`.
        """
        pace = Window(() if per_s is None else (Rate(calls=per_s),))
        stopped, silent, interrupted = None, 0, False
        for change in changes:
            if stopped is not None:
                sink(MadeChange(change=change, outcome=CellOutcome.SKIPPED, reason=stopped))
                continue
            if not change.is_needed:
                sink(MadeChange(change=change, outcome=CellOutcome.UNCHANGED))
                continue
            is_sent = False
            try:
                sleep(pace.wait_s())
                is_sent = True
                result, error = self._attempt(change)
            except KeyboardInterrupt:
                interrupted, stopped = True, "not tried: interrupted"
                cut_off = "interrupted: look whether it was made before you repeat it"
                outcome, reason = (
                    (CellOutcome.UNKNOWN, cut_off) if is_sent else (CellOutcome.SKIPPED, stopped)
                )
                sink(MadeChange(change=change, outcome=outcome, reason=reason))
                continue
            silent = silent + 1 if isinstance(error, Unreachable) else 0
            stopped = _stop(error, silent)
            sink(result)
        return interrupted

    def _attempt(self, change: Change) -> tuple[MadeChange, AwningError | None]:
        """Log a change, make it, and log how it ended. Returns that, and the error that made it fail."""
        try:
            number = self._log.begin({**self._who, **change.as_json()})
        except DatabaseUnusable as error:
            return MadeChange(change=change, outcome=CellOutcome.SKIPPED, reason=error.message), error
        result, problem = MadeChange(change=change, outcome=CellOutcome.APPLIED), None
        try:
            self._client.run(change.action)
        except AwningError as error:
            reason = f"{error.message}; {error.hint}" if error.hint else error.message
            result, problem = MadeChange(change=change, outcome=outcome_of(error), reason=reason), error
        try:
            self._log.end(number, result.outcome, result.reason)
        except DatabaseUnusable as error:
            return result, problem or error
        return result, problem


def _stop(error: AwningError | None, silent: int) -> str | None:
    """Return why no more changes are made after this error; None when the run goes on."""
    if isinstance(error, OF_ACCOUNT):
        return f"not tried: {error.message}"
    if silent >= SILENT:
        return "not tried: the service does not answer"
    if error is not None and not isinstance(error, ServiceError):
        return f"not tried: {error.message}"
    return None


def outcome_of(error: AwningError) -> CellOutcome:
    """Return how a change ended that raised `error`."""
    if isinstance(error, ServiceError) and error.unclear:
        return CellOutcome.UNKNOWN
    return CellOutcome.REFUSED if isinstance(error, Refused) else CellOutcome.FAILED


def exit_code(outcomes: Sequence[CellOutcome]) -> Exit:
    """Return the exit code of many changes: done, partly done, refused, or failed."""
    wrong = {outcome for outcome in outcomes if outcome not in REACHED}
    if not wrong:
        return Exit.DONE
    if CellOutcome.APPLIED in outcomes:
        return Exit.PARTLY
    is_refused = CellOutcome.REFUSED in wrong and wrong <= {CellOutcome.REFUSED, CellOutcome.SKIPPED}
    return Exit.REFUSED if is_refused else Exit.FINDINGS
