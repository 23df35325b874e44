"""The situations in which a check looks at a widget: state, language, theme, policy and assumptions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.shop import SHOP_POLICIES, SHOP_THEMES
from awning.workspace import Widget, WidgetState
from awning_harness.conformance.pairs import every_pair, every_product

ORDINARY_PAYLOAD = {"after-price": "P1", "after-cart": "C1", "after-checkout": "C1"}
"""By slot, the payload of a widget without states."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One situation. Without a theme, a policy or assumptions, those of the state hold."""

    state: WidgetState
    language: str
    theme: str | None = None
    csp: str | None = None
    assumptions: str | None = None

    @property
    def id(self) -> str:
        """The situation as the name of a test."""
        own = (self.theme, self.csp, self.assumptions)
        return "-".join([self.state.name, self.language, *(part for part in own if part)])


Situations = Callable[[Widget, bool], Sequence[Situation]]
"""Returns the situations of a widget for one check. The flag asks for every product instead of pairs."""


def states_of(widget: Widget) -> tuple[WidgetState, ...]:
    """Return the widget's states; an ordinary one for each slot when it has none."""
    return widget.states or tuple(ordinary_state(slot) for slot in widget.slots)


def ordinary_state(slot: str) -> WidgetState:
    return WidgetState(name=f"plain-{slot}", title="Plain", slot=slot, payload=ORDINARY_PAYLOAD[slot])


def every_language(widget: Widget, full: bool) -> list[Situation]:
    """Return each state in each language, with and without `full`: any text may be the one that is wrong."""
    del full
    return _situations(every_product({"state": states_of(widget), "language": widget.languages}))


def each_state(widget: Widget, full: bool) -> list[Situation]:
    """Return each state in one language, in turn; with `full`, in each language."""
    return _in_turn(states_of(widget), widget.languages, full=full)


def each_payload(widget: Widget, full: bool) -> list[Situation]:
    """Return each state that shows a block and differs from the others before its steps, in one language, in turn."""
    return _in_turn(distinct(visible(states_of(widget))), widget.languages, full=full)


def each_slot(widget: Widget, full: bool) -> list[Situation]:
    """Return one visible state for each slot, the one with the most to update."""
    if full:
        return each_payload(widget, full)
    states = visible(states_of(widget))
    by_slot = {slot: [state for state in states if state.slot == slot] for slot in widget.slots}
    best = [max(own, key=_liveliness) for own in by_slot.values() if own]
    return _in_turn(best, widget.languages, full=False)


def every_shop(widget: Widget, full: bool) -> list[Situation]:
    """Return rows of states, languages, themes, policies and assumption sets. Without `full`, every pair occurs."""
    values: dict[str, Sequence[Any]] = {
        "state": distinct(states_of(widget), keep_steps=True),
        "theme": SHOP_THEMES,
        "language": widget.languages,
        "csp": (None, *SHOP_POLICIES),
        "assumptions": tuple(ASSUMPTION_SETS),
    }
    return _situations(every_product(values) if full else every_pair(values))


def visible(states: Iterable[WidgetState]) -> list[WidgetState]:
    """Return the states that show a block before their steps."""
    return [state for state in states if not state.empty or state.steps]


def distinct(states: Iterable[WidgetState], *, keep_steps: bool = False) -> list[WidgetState]:
    """Return the states that differ in more than their texts and, without `keep_steps`, their steps."""
    by_page: dict[str, WidgetState] = {}
    for state in states:
        steps = state.steps if keep_steps else ()
        own = (state.slot, state.payload, state.data, state.fetch, state.now, state.currency, steps)
        by_page.setdefault(repr(own), state)
    return list(by_page.values())


def _liveliness(state: WidgetState) -> tuple[bool, int, bool]:
    return isinstance(state.payload, str), len(state.steps), bool(state.fetch)


def _in_turn(states: Sequence[WidgetState], languages: Sequence[str], *, full: bool) -> list[Situation]:
    if full:
        return _situations(every_product({"state": states, "language": languages}))
    return [
        Situation(state=state, language=languages[number % len(languages)])
        for number, state in enumerate(states)
        if languages
    ]


def _situations(rows: Iterable[dict[str, Any]]) -> list[Situation]:
    return [Situation(**row) for row in rows]
