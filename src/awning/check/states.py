"""States that no page can bring about: they look tested and are not (`unreachable-state`).

A state is unreachable when the events that it needs are never fired, or when what it expects contradicts itself:

    steps       in a slot without updates, after a payload of one's own, or of a kind that the slot's page does not have
    payload     with a field of the event parameter that only other slots have
    language    texts in one that the widget is not built in
    texts       one that must be there and must not; any, where the widget shall show nothing
    twice       the same situation as a state above (a warning)

Whether a product or a cart of the simulated shop exists is the shop's to say, when the state is shown.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from awning.contract import SLOTS
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.workspace import State, Widget

STEPS: Mapping[str, tuple[str, ...]] = {
    "after-price": ("select",),
    "after-cart": (),
    "after-checkout": ("discount", "shipping"),
}
"""What a shopper can do in each slot that makes the storefront fire an update (Event kinds: variant, total)."""


def unreachable_states(widget: Widget, path: str, text: str) -> Iterator[Diagnostic]:
    """Of `widget`; `text` is its `states.toml`, which is shown as `path`."""
    above: dict[str, str] = {}
    for state in widget.states:
        for message, hint in _reasons(widget, state):
            said = f'the state "{state.name}" cannot come about: {message}'
            yield _finding(said, hint, place_of(state, path, text), Severity.ERROR)
        twin = above.setdefault(_situation(state), state.name)
        if twin != state.name:
            message = f'the state "{state.name}" is the same situation as "{twin}"'
            hint = "payload, data, steps and clock are equal: one state can have all the texts"
            yield _finding(message, hint, place_of(state, path, text), Severity.WARNING)


def _reasons(widget: Widget, state: State) -> Iterator[tuple[str, str]]:
    yield from _of_steps(state)
    yield from _of_payload(state)
    for language in sorted({*state.shows, *state.hides} - set(widget.languages)):
        known = f"the widget is built in {', '.join(widget.languages)}"
        yield f'it has texts in "{language}", which no page of the widget is in', known
    yield from _of_texts(state)


def _of_steps(state: State) -> Iterator[tuple[str, str]]:
    known = STEPS[state.slot]
    if not state.steps:
        return
    if not known:
        hint = f"{state.slot} has no -updated event: a state per payload says the same"
        yield f"it has steps, and in {state.slot} nothing a shopper does fires an event", hint
    elif not isinstance(state.payload, str):
        hint = "name a product or cart of the simulated shop, or leave the steps out"
        yield "its steps are not taken after a payload of its own", hint
    else:
        for step in state.steps:
            verb = step.split(" ")[0]
            if verb not in known:
                hint = did_you_mean(verb, known) or f"{state.slot} has: {', '.join(known)}"
                yield f'"{step}" is nothing that a shopper can do in {state.slot}', hint


def _of_payload(state: State) -> Iterator[tuple[str, str]]:
    own = SLOTS[state.slot].params
    others = {name for slot in SLOTS.values() for name in slot.params} - set(own)
    if isinstance(state.payload, Mapping):
        for name in sorted(others & set(state.payload)):
            hint = f"the event parameter of {state.slot} has {', '.join(own)}"
            yield f'its payload has "{name}", which {state.slot} is never given', hint


def _of_texts(state: State) -> Iterator[tuple[str, str]]:
    if state.empty and any(state.shows.values()):
        yield "it shall be empty and shall show texts", "leave out `empty` or `shows`"
    for language, hidden in state.hides.items():
        for text in hidden:
            if any(text in shown for shown in state.shows.get(language, ())):
                yield (
                    f'"{text}" must be there and must not ({language})',
                    "leave it out of `shows` or `hides`",
                )


def _situation(state: State) -> str:
    return json.dumps(
        [state.slot, _plain(state.payload), _plain(state.data), state.steps, state.now, _plain(state.fetch)],
        sort_keys=True,
        default=str,
    )


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return [_plain(inner) for inner in value] if isinstance(value, list | tuple) else value


def place_of(state: State, path: str, text: str) -> tuple[Place, str]:
    """Where a state is named, and that line."""
    found = re.search(rf"^[ \t]*name[ \t]*=[ \t]*([\"']){re.escape(state.name)}\1", text, re.MULTILINE)
    line = text.count("\n", 0, found.start()) + 1 if found else 1
    return Place(path=path, line=line, column=1), text.split("\n")[line - 1]


def _finding(message: str, hint: str, at: tuple[Place, str], severity: Severity) -> Diagnostic:
    place, line = at
    return Diagnostic(
        rule="unreachable-state", message=message, place=place, hint=hint, severity=severity, excerpt=line
    )
