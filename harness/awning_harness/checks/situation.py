"""The situations in which a check looks at a widget: state, language, theme, policy and assumptions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.shop import SHOP_POLICIES, THEMES
from awning.contract.slots import FIRST_SLOT, SLOTS
from awning.workspace.messages import pseudo_code
from awning.workspace.model import Widget, WidgetState
from awning.workspace.steps import read_step
from awning.workspace.store.store import Store
from awning_harness.checks.pairs import every_pair, every_product
from awning_harness.visit.pages.address import ordinary_name
from awning_harness.visit.trial import PREFERENCES


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """One situation. `csp` is the policy, `preference` one of PREFERENCES.

    `name` is the name in a test's name of a situation that has none by its values, such as one with all languages.
    Without a theme, the page has the theme of the state. Without a policy or assumptions, it has those of the shop.
    """

    state: WidgetState
    language: str
    theme: str | None = None
    csp: str | None = None
    assumptions: str | None = None
    preference: str | None = None
    name: str | None = None

    @property
    def id(self) -> str:
        """The situation as the name of a test."""
        if self.name:
            return self.name
        own = (self.theme, self.csp, self.assumptions, self.preference)
        return "-".join([self.state.name, self.language, *(part for part in own if part)])


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedWidget:
    """A widget with the store of its shop. `is_full` asks for all combinations of values instead of every pair."""

    widget: Widget
    store: Store
    shop_languages: tuple[str, ...]
    is_full: bool = False

    @property
    def languages(self) -> tuple[str, ...]:
        return self.widget.languages


Situations = Callable[[CheckedWidget], Sequence[Situation]]
"""Returns the situations of a widget for one check."""


def states_of(widget: Widget) -> tuple[WidgetState, ...]:
    """Return the widget's states; an ordinary one for each slot when it has none.

    A widget without a slot inserts no block, so its state is an empty one.
    """
    without_slot = replace(ordinary_state(FIRST_SLOT), empty=True)
    return widget.states or tuple(map(ordinary_state, widget.slots)) or (without_slot,)


def ordinary_state(slot: str) -> WidgetState:
    return WidgetState(name=f"plain-{slot}", title="Plain", slot=slot, payload=ordinary_name(slot) or {})


def every_language(checked: CheckedWidget) -> list[Situation]:
    """Return each state in each language, also without `is_full`, because any text may be wrong."""
    return _situations(every_product({"state": states_of(checked.widget), "language": checked.languages}))


def each_state(checked: CheckedWidget) -> list[Situation]:
    """Return each state in one language; the languages take turns. With `is_full`, return it in each language."""
    return _in_turn(states_of(checked.widget), checked.languages, full=checked.is_full)


def each_state_in_first_language(checked: CheckedWidget) -> list[Situation]:
    """Return each state once, in the widget's first language. Its name is that of the state."""
    return _named(states_of(checked.widget), checked.languages[0])


def each_state_in_pseudo_language(checked: CheckedWidget) -> list[Situation]:
    """Return each state once, in the pseudo-language, whose texts are longer."""
    return _named(states_of(checked.widget), pseudo_code(checked.shop_languages[0]))


def _named(states: Iterable[WidgetState], language: str) -> list[Situation]:
    return [Situation(state=state, language=language, name=state.name) for state in states]


def each_payload(checked: CheckedWidget) -> list[Situation]:
    """Return one situation for each page on which a state shows a block before its steps.

    States that have the same page before their steps count once. The languages take turns; with `is_full`, each page is
    returned in each language.
    """
    return _in_turn(distinct(visible(states_of(checked.widget))), checked.languages, full=checked.is_full)


def each_walk(checked: CheckedWidget) -> list[Situation]:
    """Return one situation for each page on which a state shows a block, and for each sequence of steps on it.

    The languages take turns; with `is_full`, each is returned in each language.
    """
    states = distinct(visible(states_of(checked.widget)), keep_steps=True)
    return _in_turn(states, checked.languages, full=checked.is_full)


def each_use(checked: CheckedWidget) -> list[Situation]:
    """Return the situations of `each_payload` and of `each_block_walk`."""
    return with_other_states(each_payload(checked), each_block_walk(checked))


def with_other_states(first: Sequence[Situation], more: Sequence[Situation]) -> list[Situation]:
    """Return `first`, and those of `more` whose state is not in it."""
    known = [each.state for each in first]
    return [*first, *(each for each in more if each.state not in known)]


def each_block_walk(checked: CheckedWidget) -> list[Situation]:
    """Return the situations of `each_walk` with a step in the block."""
    walks = each_walk(checked)
    return [each for each in walks if any(read_step(step).is_in_block for step in each.state.steps)]


def each_named(checked: CheckedWidget) -> list[Situation]:
    """Return the situations of `each_payload` whose product or cart is in the store.

    The store has their prices in each currency. A payload that a state writes out has prices in only one.
    """
    return [situation for situation in each_payload(checked) if isinstance(situation.state.payload, str)]


def updated_payload(checked: CheckedWidget) -> list[Situation]:
    """Return one situation for each page that has updates and on which a state shows a block.

    If the widget has states in a slot whose updates choose variants, but none of them has variants, the first of them
    is added, with an ordinary product in place of its own.

    The languages take turns; with `is_full`, each page is returned in each language.
    """
    states = distinct(visible(states_of(checked.widget)))
    updated = [state for state in states if _is_updated(state, checked.store)]
    for slot in checked.widget.slots:
        own = [state for state in states if state.slot == slot]
        if own and SLOTS[slot].updates and not any(state.slot == slot for state in updated):
            updated.append(replace(own[0], payload=ordinary_name(slot), steps=()))
    return _in_turn(updated, checked.languages, full=checked.is_full)


def each_succession(checked: CheckedWidget) -> list[Situation]:
    """Return the situations of `updated_payload`, and those of `each_walk` with several steps and answers of hosts."""
    walks = [each for each in each_walk(checked) if len(each.state.steps) > 1 and each.state.fetch]
    return with_other_states(updated_payload(checked), walks)


def updated_slot(checked: CheckedWidget) -> list[Situation]:
    """Return, for each slot, the situation of `updated_payload` whose state has the highest `_liveliness`.

    With `is_full`, return all situations of `updated_payload`.
    """
    by_slot: dict[str, Situation] = {}
    states = states_of(checked.widget)
    for situation in sorted(updated_payload(checked), key=lambda each: _liveliness(each.state, states)):
        by_slot[situation.state.slot] = situation
    return updated_payload(checked) if checked.is_full else list(by_slot.values())


def _is_updated(state: WidgetState, store: Store) -> bool:
    slot = SLOTS[state.slot]
    if not slot.updates or not slot.payload.chooses_variant:
        return slot.updates
    if isinstance(state.payload, str):
        record = store.find_product(state.payload)
        return record is not None and bool(record.variants)
    item = state.payload.get("item")
    return isinstance(item, Mapping) and bool(item.get("variants"))


def if_asking(situations: Situations) -> Situations:
    """Return a function for the same situations if a state of the widget has responses of other hosts, else none."""
    return lambda checked: situations(checked) if any(state.fetch for state in checked.widget.states) else []


def each_slot(checked: CheckedWidget) -> list[Situation]:
    """Return, for each slot, the state with the highest `_liveliness` among those that show a block before their steps.

    With `is_full`, return all situations of `each_payload`.
    """
    if checked.is_full:
        return each_payload(checked)
    states = visible(states_of(checked.widget))
    by_slot = {slot: [state for state in states if state.slot == slot] for slot in checked.widget.slots}
    best = [max(own, key=lambda state: _liveliness(state, states)) for own in by_slot.values() if own]
    return _in_turn(best, checked.languages, full=False)


def every_shop(checked: CheckedWidget) -> list[Situation]:
    """Return combinations of states, languages, themes, policies, assumption sets and preferences.

    Every pair of values occurs in one of them. With `is_full`, all combinations are returned.
    """
    values: dict[str, Sequence[Any]] = {
        "state": distinct(states_of(checked.widget), keep_steps=True),
        "theme": tuple(THEMES),
        "language": checked.languages,
        "csp": (None, *SHOP_POLICIES),
        "assumptions": tuple(ASSUMPTION_SETS),
        "preference": (None, *PREFERENCES),
    }
    return _situations(every_product(values) if checked.is_full else every_pair(values))


def visible(states: Iterable[WidgetState]) -> list[WidgetState]:
    """Return the states that show a block before their steps."""
    return [state for state in states if not state.empty or state.steps]


def distinct(states: Iterable[WidgetState], *, keep_steps: bool = False) -> list[WidgetState]:
    """Return the first state of each group with the same page: slot, payload, app data, responses, clock, currency.

    With `keep_steps`, the states of a group have the same steps, too.
    """
    by_page: dict[str, WidgetState] = {}
    for state in states:
        steps = state.steps if keep_steps else ()
        by_page.setdefault(f"{_page_of(state)} {steps}", state)
    return list(by_page.values())


def _page_of(state: WidgetState) -> str:
    """Return what is equal for states with the same page before their steps."""
    return repr((state.slot, state.payload, state.data, state.fetch, state.now, state.currency))


def _liveliness(state: WidgetState, states: Iterable[WidgetState]) -> tuple[bool, bool, int, bool]:
    """Return a sort key: whether the state shows a block at its end, and whether its payload is in the store.

    Then how many steps one of `states` takes on the same page, and whether other hosts respond.
    """
    steps = max(len(other.steps) for other in (state, *states) if _page_of(other) == _page_of(state))
    return not state.empty, isinstance(state.payload, str), steps, bool(state.fetch)


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
