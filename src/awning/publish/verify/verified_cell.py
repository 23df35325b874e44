"""The result of verifying one cell, and the exit code of a verification.

written       the service has the snippet; no page was read, or no page shows this cell
propagating   the service has the snippet; the page may be a cached copy from before the write
live          the page shows the snippet
stale         the page shows an earlier snippet of ours, although no cache may keep it so long
foreign       the service has another snippet than the one that was written, or none
hidden        the page shows a snippet of somebody else instead, or none
unreadable    the service or the page could not be read
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any

from awning.contract import Exit
from awning.publish.cell_outcome import Cause, unread_exit_code
from awning.publish.manifest_head import HeadDifference


class VerifiedKind(StrEnum):
    WRITTEN = "written"
    PROPAGATING = "propagating"
    LIVE = "live"
    STALE = "stale"
    FOREIGN = "foreign"
    HIDDEN = "hidden"
    UNREADABLE = "unreadable"


RIGHT = frozenset({VerifiedKind.WRITTEN, VerifiedKind.LIVE})
DIFFERENT = frozenset({VerifiedKind.STALE, VerifiedKind.FOREIGN, VerifiedKind.HIDDEN})


class OnPage(StrEnum):
    """What a page shows where the snippet of a cell belongs."""

    WANTED = "the snippet"
    EARLIER = "another snippet of ours"
    NOTHING = "no snippet of ours"


def kind_on_page(on_page: OnPage, *, may_be_cached: bool) -> VerifiedKind:
    """Return the kind of a cell by what its page shows, when the service has the snippet that was written."""
    if on_page is OnPage.WANTED:
        return VerifiedKind.LIVE
    if may_be_cached:
        return VerifiedKind.PROPAGATING
    return VerifiedKind.STALE if on_page is OnPage.EARLIER else VerifiedKind.HIDDEN


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserView:
    """What Chromium showed of a page: how many of the snippet's widgets rendered, and which errors there were.

    `widgets` is the number of the snippet's widgets without the `disabled` and the `raw` ones, and without those whose
    slot the page does not have (`elsewhere`). Raw widgets are not counted, because nothing in the page says what they
    insert. `rules` are the rules that the page broke. `errors` are
    what the runtime wrote when a widget failed, or why the page could not be opened.
    """

    rendered: int
    widgets: int
    disabled: tuple[str, ...] = ()
    raw: tuple[str, ...] = ()
    elsewhere: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        return not self.rules and not self.errors

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def sentences(self) -> Iterator[str]:
        """Yield what was seen, for people: how many widgets render, which do not count, and what is wrong."""
        count = f"{self.rendered} of {self.widgets} widgets render"
        if self.is_right or self.rendered == self.widgets:
            yield count
        elif self.rendered:
            yield f"the snippet is there, but only {count}"
        else:
            widgets = (
                "its widget does not render"
                if self.widgets == 1
                else f"none of its {self.widgets} widgets renders"
            )
            yield f"the snippet is there, but {widgets}"
        for names, what in (
            (self.disabled, "disabled"),
            (self.raw, "raw and not counted"),
            (self.elsewhere, "of slots that this page does not have"),
        ):
            if names:
                yield f"{len(names)} {what} ({', '.join(names)})"
        if self.elsewhere:
            yield "`page` of the profile can name another page"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSnippets:
    """The snippets that a page shows, and what the browser check must know about their widgets.

    `disabled` are the widgets that the instance's app data disable, `raw` those without the runtime, and `globals` the
    names of the globals that the widgets may leave on the page. `slots` are the slots of each widget by its name; they
    are not known for snippets of no release.
    """

    texts: tuple[str, ...]
    disabled: frozenset[str] = frozenset()
    raw: tuple[str, ...] = ()
    globals: frozenset[str] = frozenset()
    slots: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedCell:
    """The result of one cell. `page` is the address of the page that was read, or that could not be read.

    `cause` is why the service or the page could not be read; otherwise None. `snippets` is for the browser check; None
    when the page does not show the snippets of the cell, or is not opened in a browser.

    `head` is set when the page shows the snippet and the head snippet of another release, on a service whose head
    snippets no publish writes. It does not change the kind.
    """

    instance: str
    language: str | None
    kind: VerifiedKind
    detail: str | None = None
    page: str | None = None
    age_s: float | None = None
    cause: Cause | None = None
    snippets: ShownSnippets | None = None
    browser: BrowserView | None = None
    head: HeadDifference | None = None
    is_not_built: bool = False
    """Whether the snippet is an earlier one, because the build that was applied last lacks the language."""

    def as_json(self) -> dict[str, Any]:
        document: dict[str, Any] = {
            "instance": self.instance,
            "language": self.language,
            "kind": self.kind.value,
            "detail": self.detail,
            "page": self.page,
            "age_s": None if self.age_s is None else round(self.age_s),
            **({} if self.head is None else {"head": self.head.sentence()}),
        }
        return document if self.browser is None else {**document, "browser": self.browser.as_json()}


class VerifiedCounts:
    """Counts the results of a verification. The memory that it takes does not grow with the number of cells."""

    def __init__(self) -> None:
        self.kinds: Counter[VerifiedKind] = Counter()
        self.causes: set[Cause] = set()
        self.failed_in_browser = 0
        self.not_built = 0
        self.heads: Counter[HeadDifference] = Counter()
        self.interrupted = False

    def add(self, cell: VerifiedCell) -> None:
        self.kinds[cell.kind] += 1
        self.not_built += cell.is_not_built
        if cell.cause is not None:
            self.causes.add(cell.cause)
        if cell.head is not None:
            self.heads[cell.head] += 1
        if cell.browser is not None and not cell.browser.is_right:
            self.failed_in_browser += 1

    @property
    def totals(self) -> Mapping[str, int]:
        return {kind.value: self.kinds[kind] for kind in VerifiedKind}

    @property
    def exit_code(self) -> Exit:
        """The exit code. The first of these that applies counts:

        4 when a cell differs; 1, 5 or 6 when cells could not be read (`unread_exit_code`); 5 when pages may be cached
        copies; 1 when the browser could not open a page, or a widget failed or broke a rule there; otherwise 0.
        """
        if any(self.kinds[kind] for kind in DIFFERENT):
            return Exit.DRIFT
        unread = self.kinds[VerifiedKind.UNREADABLE]
        if unread:
            return unread_exit_code(self.causes, reached=sum(self.kinds.values()) > unread)
        if self.kinds[VerifiedKind.PROPAGATING]:
            return Exit.PARTLY
        return Exit.FINDINGS if self.failed_in_browser else Exit.DONE
