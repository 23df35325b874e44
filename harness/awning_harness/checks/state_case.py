"""A state of a widget in one language, as the checks open it and as their failures name it."""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Generic, NoReturn, Protocol, TypeVar

from awning.workspace.document import excerpt_of
from awning.workspace.model import WidgetState
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column
from awning_harness.shop import Shop
from awning_harness.visit.pages.address import NotInTheStore
from awning_harness.visit.pages.causes import Cause, CauseKind, fail_because, lost_page_cause, plain_message
from awning_harness.visit.pages.tabs import Stuck
from awning_harness.visit.steps.failures import StepFailed

MOST_LINES = 12
"""The most lines of a state that a failure shows."""
LONGEST_LINE = 160

Visit_co = TypeVar("Visit_co", covariant=True)


class StateOpener(Protocol[Visit_co]):
    """Opens the states of a widget: a storefront does it on pages, a bench in frames."""

    @property
    def shop(self) -> Shop: ...

    @property
    def unit(self) -> str: ...

    def state(self, state: WidgetState, language: str) -> Visit_co: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class StateCase(Generic[Visit_co]):
    """One state of the tested widget in one language."""

    opener: StateOpener[Visit_co]
    state: WidgetState
    language: str

    @classmethod
    def of(
        cls, opener: StateOpener[Visit_co], state: WidgetState, language: str | None = None
    ) -> "StateCase[Visit_co]":
        return cls(opener=opener, state=state, language=language or first_language(opener.shop, opener.unit))

    def open(self) -> Visit_co:
        """Open the state.

        The test fails if a step is not possible, the payload is not in the store, or the page does not respond.
        """
        try:
            return self.opener.state(self.state, self.language)
        except (NotInTheStore, StepFailed, Stuck) as error:
            self._fail("cannot occur", str(error), key_of(error), lost_page_cause(str(error)))

    def fail(self, why: str, key: KeyPath = (), cause: Cause | None = None) -> NoReturn:
        """Fail the test, without a traceback, which would show lines of awning and not of the widget.

        `key` is the key of the state's table whose line is shown: `("shows", "en")`. Without a `cause`, the cause is
        made from `why`.
        """
        self._fail(f"({self.language})", why, key, cause)

    def _fail(self, how: str, why: str, key: KeyPath, cause: Cause | None) -> NoReturn:
        fail_at(self.opener.shop.folder_of(self.opener.unit), self.state.name, how, why, key=key, cause=cause)


def fail_at(
    folder: Path, state: str, how: str, why: str, *, key: KeyPath = (), cause: Cause | None = None
) -> NoReturn:
    """Fail the test with the place of a state in the `states.toml` of a widget's folder, and its lines."""
    where, lines = _place(folder, state, key)
    heading = ["the state:"] if lines and "\n" in why else []  # `why` has a stack
    message = "\n".join(
        [f'{where}: the state "{state}" {how}: {why}', *heading, *(f"    {line}" for line in lines)]
    )
    fail_because(message, cause or Cause(CauseKind.OTHER, plain_message(why)))


def _place(folder: Path, state: str, key: KeyPath) -> tuple[str, Sequence[str]]:
    """Return the place of a key in `states.toml`, and its line; without the key, the state's own lines.

    Without a `states.toml`, the place is the widget's `widget.toml`, and there are no lines.
    """
    path = f"widgets/{folder.name}/states.toml"
    try:
        text = (folder / "states.toml").read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        return f"widgets/{folder.name}/widget.toml", ()
    line = line_of(text, state, key)
    if line == line_of(text, state):
        return f"{path}:{line}", lines_of_state(text, line)
    return f"{path}:{line}", (excerpt_of(text, line) or "").split("\n")


def lines_of_state(text: str, line: int) -> list[str]:
    """Return the lines of the state whose table begins at `line`, without that line, blank lines and comments."""
    following = text.split("\n")[line:]
    own = list(takewhile(lambda each: not each.startswith("[[state]]"), following))
    lines = [each.strip() for each in own if each.strip() and not each.lstrip().startswith("#")]
    short = [each if len(each) <= LONGEST_LINE else f"{each[: LONGEST_LINE - 1]}…" for each in lines]
    return short if len(short) <= MOST_LINES else [*short[: MOST_LINES - 1], "…"]


@lru_cache(maxsize=4)
def _names_of(text: str) -> list[str | None]:
    return [table.get("name") for table in tomllib.loads(text)["state"]]


def line_of(text: str, name: str, key: KeyPath = ()) -> int:
    """Return the line, from 1, of a key of a state in the text of `states.toml`.

    For a missing key, return the line of the innermost table of the state that contains the beginning of the key.
    """
    offsets = find_toml_offsets(text)
    path: KeyPath = ("state", _names_of(text).index(name))
    for part in key:
        if (*path, part) not in offsets:
            break
        path = (*path, part)
    return line_and_column(text, offsets[path])[0]


def first_language(shop: Shop, unit: str) -> str:
    """Return the default language of the tested widget; for the whole app, that of the workspace."""
    return languages_of(shop, unit)[0]


def languages_of(shop: Shop, unit: str) -> Sequence[str]:
    """Return the languages of the tested widget; for the whole app, those of the workspace."""
    languages = (widget.languages for widget in shop.workspace.widgets if widget.name == unit)
    return next(languages, shop.workspace.languages)


def key_of(error: NotInTheStore | StepFailed | Stuck) -> KeyPath:
    """Return the key of a state's table that says what was not possible; no key for a page that does not respond."""
    if isinstance(error, StepFailed) and error.index is not None:
        return "steps", error.index
    return ("payload",) if isinstance(error, NotInTheStore) else ()
