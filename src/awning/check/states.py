"""Finds states that no page can reach (`unreachable-state`). Such states look tested, but are not.

A state is unreachable if the simulated shop or the widget does not have what the state names, or if its expectations
contradict each other. Each line is one kind of finding:

    steps       a step on the shop's page that this slot's page does not have, or with a variant, a code or a way of
                shipping that the shop does not have; any step on the shop's page when the payload is the author's own
    payload     a product or cart that the simulated shop does not have, or a field of the event parameter
                that only other slots have
    currency    a currency that the shop does not have
    language    texts in a language that the widget is not built in
    texts       a text that must be both shown and not shown, or any text if the widget must show nothing
    twice       the same situation as an earlier state: a warning, since such a state is reachable but needless
"""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Self

from awning.contract.shop import THEMES
from awning.contract.slots import PRODUCT_TOPIC, SLOTS
from awning.diagnostics import Diagnostic, Place, Severity, did_you_mean
from awning.workspace.document import excerpt_of
from awning.workspace.model import Widget, WidgetState
from awning.workspace.offsets import KeyPath, find_toml_offsets, line_and_column
from awning.workspace.steps import PAGE_STEPS, Step, read_step, steps_of
from awning.workspace.store.records import EMPTY_CART
from awning.workspace.store.store import CHOICES, Store

_Reason = tuple[str, str, tuple[str | int, ...]]
"""Why a state is unreachable: the message, the hint, and the path of the faulty key in the state."""


def unreachable_states(widget: Widget, path: str, text: str, store: Store) -> Iterator[Diagnostic]:
    """Yield diagnostics for the unreachable and the repeated states of a widget, in a shop with this store.

    `text` is the content of the widget's `states.toml`, `path` the path of this file in diagnostics.
    """
    above: dict[str, str] = {}
    file = cache(lambda: _StatesFile.read(path, text))
    for state in widget.states:
        for message, hint, key in _reasons(widget, state, store):
            sentence = f'the state "{state.name}" cannot occur: {message}'
            yield _finding(sentence, hint, file().place_of(state, key), Severity.ERROR)
        twin = above.setdefault(_situation(state, store), state.name)
        if twin != state.name:
            message = f'the state "{state.name}" is the same situation as "{twin}"'
            hint = (
                "payload, data, steps, currency, clock and theme are equal: one state can have all the texts"
            )
            yield _finding(message, hint, file().place_of(state), Severity.WARNING)


def _reasons(widget: Widget, state: WidgetState, store: Store) -> Iterator[_Reason]:
    yield from _check_payload(state, store)
    yield from _check_currency(state.currency, store)
    yield from _check_steps(state, store)
    for key, texts in (("shows", state.shows), ("hides", state.hides)):
        for language in sorted(set(texts) - set(widget.languages)):
            known = f"the widget is built in {', '.join(widget.languages)}"
            yield f'it has texts in "{language}", which no page of the widget is in', known, (key, language)
    yield from _check_texts(state)


def _check_steps(state: WidgetState, store: Store) -> Iterator[_Reason]:
    """Check the steps on the shop's page.

    Steps in the block are left out, because only a page shows what is in it. A wait is possible on every page.
    """
    for index, text in enumerate(state.steps):
        step = read_step(text)
        if step.verb not in PAGE_STEPS:
            continue
        for message, hint in _check_step(state, text, step, store):
            yield message, hint, ("steps", index)


def _check_step(state: WidgetState, text: str, step: Step, store: Store) -> Iterator[tuple[str, str]]:
    payload, known = state.payload, [known.verb for known in steps_of(SLOTS[state.slot].page.name)]
    if not known:
        hint = f"{state.slot} has no -updated event: write one state per payload"
        yield f'"{text}": in {state.slot} no action of a shopper outside of the block fires an event', hint
        return
    if not isinstance(payload, str):
        hint = "name a product or cart of the simulated shop, or remove the step"
        yield f'"{text}": a state with a payload of its own has only waits and steps in its block', hint
        return
    if step.verb not in known:
        yield (
            f'"{text}" is not an action of a shopper in {state.slot}',
            f"{state.slot} has: {', '.join(known)}",
        )
        return
    choice = CHOICES.get(PAGE_STEPS[step.verb].choice or "")
    is_known_page = SLOTS[state.slot].topic != PRODUCT_TOPIC or store.find_product(payload) is not None
    if choice is None or step.argument is None or not is_known_page:
        return
    names = (*choice.names(store, payload), *choice.numbers(store, payload))
    if step.argument not in names:
        hint = did_you_mean(step.argument, names) or f"there are: {', '.join(names) or 'none'}"
        yield f'{choice.unknown.format(page=payload)} "{step.argument}"', hint


def _check_payload(state: WidgetState, store: Store) -> Iterator[_Reason]:
    if isinstance(state.payload, str):
        yield from _check_payload_name(state.payload, state.slot, store)
        return
    own = SLOTS[state.slot].params
    others = {name for slot in SLOTS.values() for name in slot.params} - set(own)
    for name in sorted(others & set(state.payload)):
        hint = f"the event parameter of {state.slot} has {', '.join(own)}"
        yield f'its payload has "{name}", which {state.slot} never gets', hint, ("payload", name)


def _check_payload_name(payload: str, slot: str, store: Store) -> Iterator[_Reason]:
    topic = SLOTS[slot].topic
    if topic is None:
        hint = "write the fields of the event parameter, such as: payload = {}"
        yield f"the page of {slot} has no product and no cart", hint, ("payload",)
    elif topic == PRODUCT_TOPIC:
        if store.find_product(payload) is None:
            keys = [product.key for product in store.products]
            hint = did_you_mean(payload, keys, cutoff=0.75) or f"products: {', '.join(keys)}"
            yield f'the simulated shop has no product "{payload}"', hint, ("payload",)
    elif not store.is_cart(payload):
        hint = f"carts: {', '.join((*store.carts, EMPTY_CART))}, or lines such as P3x3 and 1.103x2,2x1"
        yield f'the simulated shop has no cart "{payload}"', hint, ("payload",)


def _check_currency(code: str | None, store: Store) -> Iterator[_Reason]:
    if code is not None and code not in store.currencies:
        hint = did_you_mean(code, store.currencies) or f"currencies: {', '.join(store.currencies)}"
        yield f'the simulated shop has no currency "{code}"', hint, ("currency",)


def _check_texts(state: WidgetState) -> Iterator[_Reason]:
    if state.empty and any(state.shows.values()):
        yield "it must be empty and must show texts", "leave out `empty` or `shows`", ("empty",)
    for language, hidden in state.hides.items():
        for text in hidden:
            if any(text in texts for texts in state.shows.get(language, ())):
                message = f'"{text}" must be both shown and not shown ({language})'
                yield message, "remove it from `shows` or `hides`", ("hides", language)


def _situation(state: WidgetState, store: Store) -> str:
    return json.dumps(
        [
            *(state.slot, state.payload, dict(state.data), state.steps),
            state.currency or store.currencies[0],
            *(state.now, state.theme or next(iter(THEMES)), state.csp, dict(state.fetch)),
        ],
        sort_keys=True,
        default=str,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _StatesFile:
    """A `states.toml`, in which places are looked up. `indexes` are the positions of the states in it, by name."""

    path: str
    text: str
    indexes: Mapping[str, int]

    @classmethod
    def read(cls, path: str, text: str) -> Self:
        names = [table.get("name") for table in tomllib.loads(text)["state"]]
        return cls(path=path, text=text, indexes={name: i for i, name in reversed([*enumerate(names)])})

    def place_of(
        self, state: WidgetState, key: tuple[str | int, ...] = ("name",)
    ) -> tuple[Place, str | None]:
        """Return the place of a state's key, and the text of that line.

        If the key is not in the file, it is the place of the nearest table around it.
        """
        offsets = find_toml_offsets(self.text)
        where: KeyPath = ("state", self.indexes[state.name], *key)
        while where not in offsets:
            where = where[:-1]
        line, column = line_and_column(self.text, offsets[where])
        return Place(path=self.path, line=line, column=column), excerpt_of(self.text, line)


def _finding(message: str, hint: str, at: tuple[Place, str | None], severity: Severity) -> Diagnostic:
    place, line = at
    return Diagnostic(
        rule="unreachable-state", message=message, place=place, hint=hint, severity=severity, excerpt=line
    )
