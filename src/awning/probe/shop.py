"""The calls of a probe to one instance, and the changes that it puts back.

A target is what a probe changes: the website-wide snippet, or the app data. Its content counts as unset when it is
empty, because a service may answer so when nothing was set, and no call removes what is set.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from awning.client import NoResponse, Operation, Repeat, Response, Secret
from awning.client.retry import retry_after_s, throttled
from awning.client.transport import USUAL as USUAL_LIMITS
from awning.contract import Dialect, Exit
from awning.contract.endpoints import AUTH_CODE_PARAMETER
from awning.errors import AwningError
from awning.probe.reply import ABSENT, Reply, describe, reply_of
from awning.probe.restores import Restore, Restores
from awning.publish.verify.page_address import USUAL, page_address

NAME = "awning probe"
"""Is in every text that a probe writes or leaves, except empty ones."""
MARK = f"<!--{NAME}-->"
"""Begins every snippet that a probe writes, except empty ones. A page shows nothing of it."""
UNUSED = ("zu", "mi", "yo", "ig", "sn")
"""Languages of which those are tried that the website does not have."""
ATTEMPTS = 4
LATE_S = USUAL_LIMITS.total_s
"""How many seconds the service may take to perform a call whose caller is gone."""

Send = Callable[[Operation[Any]], Response | NoResponse]


@dataclass(frozen=True, slots=True, kw_only=True)
class Channel:
    """What sends one call, once. `other_scheme` sends it with the scheme of Authorization in small letters."""

    send: Send
    other_scheme: Send
    page: Callable[[str], Sequence[str]]
    """Returns the texts of the script elements of the page at an address. Raises NotDone when it cannot be read."""
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What a probe changes. `left` is what is left where nothing was set, since no call removes it.

    It is not empty, because a later run would take that for a target to which nothing was ever written.
    """

    name: str
    title: str
    field: str
    left: Any
    stays: str

    @property
    def reading(self) -> str:
        return f"get_{self.name}"

    @property
    def writing(self) -> str:
        return f"set_{self.name}"

    def is_unset(self, value: Any) -> bool:
        """Return whether nothing may be set. An empty object of app data was certainly set."""
        return value in (ABSENT, None, "", [])

    def is_empty(self, value: Any) -> bool:
        return self.is_unset(value) or value in ({}, "{}", "[]")

    def is_of_probe(self, value: Any) -> bool:
        """Return whether a probe may have written what is there."""
        return self.is_empty(value) or NAME in json.dumps(value)


SNIPPET = Target(
    name="snippet",
    title="the body snippet",
    field="snippet",
    left=MARK,
    stays="a comment as the website-wide snippet, which hides the app's default snippet",
)
DATA = Target(
    name="data",
    title="the app data",
    field="data",
    left={"awning": NAME},
    stays=f'app data with the key "awning" and the text "{NAME}"',
)
TARGETS: Mapping[str, Target] = {target.name: target for target in (SNIPPET, DATA)}


class Unseen(Exception):
    """The probe could not see the answer. The text says why."""


class NotDone(Exception):
    """A call had no answer, or the service failed."""


class Late(NotDone):
    """A call that writes had no answer, so the service may still perform it."""


class NeedsThrowaway(Exception):
    """The probe would leave something behind, and that is not allowed. The text says what."""


class NotRestored(AwningError):
    """What was there could not be put back. The next run tries again."""

    exit_code = Exit.PARTLY


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """One instance, as a probe sees it. `languages` are those of its website, `pages` the pattern of their addresses.

    With `throwaway`, a probe may leave something behind that no call removes; `say` then tells what, before it does.
    `forgetting` is what a user types when the instance is gone, so that nothing is put back there any more.
    """

    key: str
    name: str
    code: Secret
    base_url: str
    languages: tuple[str, ...]
    channel: Channel
    restores: Restores
    dialect: Dialect = field(default_factory=Dialect)
    pages: str = USUAL
    throwaway: bool = False
    forgetting: str = ""
    say: Callable[[str], None] = field(default=lambda _text: None)

    def get(self, call: str, language: str | None = None, *, other_scheme: bool = False) -> Reply:
        path = f"/apps/{call}/" if language is None else f"/apps/{call}/{language}/"
        return self.send("GET", path, other_scheme=other_scheme)

    def post(self, call: str, **fields: Any) -> Reply:
        return self.send("POST", f"/apps/{call}/", body=json.dumps(fields).encode() if fields else b"")

    def send(
        self,
        method: str,
        path: str,
        *,
        body: bytes = b"",
        codes: tuple[tuple[str, str | Secret], ...] = (),
        other_scheme: bool = False,
    ) -> Reply:
        """Send a call, also again after a pause when the service says that there are too many.

        `codes` are the parameters with authCodes. Raises NotDone without an answer.
        """
        operation = self.operation(method, path, body=body, codes=codes)
        send = self.channel.other_scheme if other_scheme else self.channel.send
        response = send(operation)
        for _ in range(ATTEMPTS):
            if not throttled(response):
                break
            self.channel.sleep(retry_after_s(response, now=time.time()) or 0)
            response = send(operation)
        if isinstance(response, NoResponse):
            raise Late(response.why) if method == "POST" and response.sent else NotDone(response.why)
        reply = reply_of(response)
        if throttled(response) or reply.status >= 500:  # noqa: PLR2004 - HTTP: a fault of the service
            raise NotDone(reply.shown())
        return reply

    def operation(
        self,
        method: str,
        path: str,
        *,
        body: bytes = b"",
        codes: tuple[tuple[str, str | Secret], ...] = (),
    ) -> Operation[Any]:
        return Operation(
            name=path,
            method=method,
            path=path,
            parse=lambda fields: fields,
            repeat=Repeat.NEVER,
            query=codes or ((AUTH_CODE_PARAMETER, self.code),),
            body=body,
        )

    def unused_languages(self) -> tuple[str, str]:
        """Return a language to which no probe ever writes, and one to which a probe may write."""
        first, second, *_ = (code for code in UNUSED if code not in self.languages)
        return first, second

    def read(self, target: Target, language: str | None = None) -> Any:
        """Return what a target holds; ABSENT also for HTTP 404. Raises NotDone when that cannot be read."""
        reply = self.get(target.reading, language)
        if reply.status == 404:  # noqa: PLR2004 - assumed to mean that nothing is set
            return ABSENT
        if not reply.is_success:
            raise NotDone(f"{target.reading}: {reply.shown()}")
        return reply.value(target.field)

    def write(self, target: Target, value: Any, **more: Any) -> Reply:
        self.restores.touch(self.key)
        return self.post(target.writing, **{target.field: value}, **more)

    @contextmanager
    def changing(self, target: Target, language: str | None = None) -> Iterator[Any]:
        """Yield what a target holds, let the block change it, and put it back.

        With a `language`, the snippet of that language is changed, which must certainly be set. Raises NeedsThrowaway
        when nothing was set and nothing may stay, NotRestored when it could not be put back.
        """
        before = self.read(target, language)
        is_unset = target.is_unset(before)
        if is_unset:
            self.leave(target.stays, because=f"{target.title} may never have been set")
        restore = Restore(
            key=self.key,
            target=target.name,
            language=language,
            base_url=self.base_url,
            before=None if is_unset else before,
        )
        self.restores.begin(restore)
        try:
            yield before
        except Late as problem:
            self.put_back(restore, is_late=True)
            raise NotRestored(
                f"a call that changes {_title(restore)} of {self.name} may still be performed: {problem}",
                hint="run awning probe again: it looks, and puts back what was there",
            ) from None
        except Exception:
            self.put_back(restore)
            raise
        except BaseException:  # an interrupt: the call that it ended may still be performed
            with suppress(NotRestored):
                self.put_back(restore, is_late=True)
            raise
        else:
            self.put_back(restore)

    def scripts_of_page(self, language: str) -> Sequence[str]:
        """Return the texts of the script elements of the page in a language.

        The address gets a parameter, so that a cache has no copy of the page. Raises NotDone when it cannot be read.
        """
        website = self.get("website").value("website")
        url = website.get("url") if isinstance(website, dict) else None
        address = page_address(self.pages, url, language) if isinstance(url, str) else None
        if address is None:
            raise NotDone("the service gives no address of the website")
        return self.channel.page(f"{address}{'&' if '?' in address else '?'}awning-probe={time.time_ns()}")

    def leave(self, what: str, *, because: str) -> None:
        """Say what stays. Raises NeedsThrowaway when nothing may stay."""
        if not self.throwaway:
            raise NeedsThrowaway(f"{because}; --throwaway runs it, and leaves {what}")
        self.say(f"{self.name}: this leaves {what}")

    def put_back(self, restore: Restore, *, is_late: bool = False) -> None:
        """Put back what a target held, read it, and forget it. Raises NotRestored when that does not succeed.

        It is not forgotten if an earlier call may still be performed (`is_late`).
        """
        target = TARGETS[restore.target]
        wanted = target.left if restore.before is None else restore.before
        problem = ""
        try:
            is_back = _is_same(self.read(target, restore.language), wanted)
            if not is_back:
                more = {"language": restore.language} if restore.language else {}
                problem = self.write(target, wanted, **more).shown()
                now = self.read(target, restore.language)
                is_back = _is_same(now, wanted) or (not wanted and target.is_empty(now))
        except NotDone as reason:
            is_back, problem = False, str(reason)
        if not is_back:
            raise NotRestored(
                f"{_title(restore)} of {self.name} could not be put back: {problem}",
                hint="run awning probe again: it puts it back first",
            )
        if not is_late:
            self.restores.end(restore)

    def mend(self, restore: Restore) -> str:
        """Put back what a killed run left, and say what became of it. Raises NotRestored when that does not succeed.

        What somebody else wrote meanwhile stays. It first waits until no call of that run can be performed any more.
        """
        target = TARGETS[restore.target]
        wait_s = restore.written_at + LATE_S - time.time()
        if wait_s > 0:
            self.say(f"a call of the run that was killed may still be performed: waiting {wait_s:.0f} s")
            self.channel.sleep(wait_s)
        try:
            now = self.read(target, restore.language)
        except NotDone as problem:
            raise NotRestored(
                f"{_title(restore)} of {self.name} cannot be read: {problem}", hint="run awning probe again"
            ) from None
        if now != restore.before and not target.is_of_probe(now):
            self.restores.end(restore)
            return f"{_title(restore)} of {self.name} is no longer what a probe wrote ({describe(now)}): it stays"
        self.put_back(restore)
        return f"{_title(restore)} of {self.name} was put back, which a run that was killed had left"


def _is_same(value: Any, written: Any) -> bool:
    """Return whether a value is what was written. A service may answer with an object as text."""
    if isinstance(value, str) and isinstance(written, dict):
        with suppress(ValueError):
            value = json.loads(value)
    return bool(value == written)


def _title(restore: Restore) -> str:
    title = TARGETS[restore.target].title
    return title if restore.language is None else f"{title} in {restore.language}"
