"""A page of the shop whose events come when a check says so, as in a trial of the laboratory (`jsrc/visit`)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from awning.states.json_values import thaw
from awning_harness.storefront.scripts import bundle_scripts
from awning_harness.visit.trial import Move

PAGE_MOVES = {
    "page": "the page fires its events",
    "base": "the event comes",
    "replaced": "the cart is replaced",
    "restored": "the shopper leaves the page and returns",
    "update": "an update comes",
    "early": "an update comes before the event",
    "times": "the event comes many times",
}
"""The moves of a page itself, with what happens in words. `jsrc/visit/page_moves.ts` makes them."""
WAITED_FOR = ("replaced", "restored", "times")
"""The moves after which the laboratory waits until the page has done what it does."""

HELD = "globalThis[Symbol.for('awning.held')]"
MAKE = f"""async (moves) => {{
  for (const move of moves) {{
    {HELD}.make(move);
    await null;
  }}
}}"""
"""JavaScript that makes moves. Between them, only what has been queued as a microtask runs, as in the laboratory."""
UPDATED_ITEMS = f"(moves) => moves.map(({{ update }}) => {HELD}.updatedItem(update))"
"""JavaScript that returns the updated items of updates."""


def kind_of(move: Move) -> str:
    """Return the kind of a move: one of PAGE_MOVES, or another one, such as `look`."""
    return move if isinstance(move, str) else next((kind for kind in move if kind in PAGE_MOVES), "")


def held_script(early: Sequence[Move]) -> str:
    """Return what a page runs first, so that only these moves are made where it would create its host."""
    return f"{_script()};{HELD}.early = {json.dumps(thaw([*early]))};"


def at_once(moves: Sequence[Move]) -> Iterator[Sequence[Mapping[str, Any] | str]]:
    """Yield the moves of a page itself, in parts: the moves of one part are made without a wait between them."""
    part: list[Move] = []
    for move in moves:
        kind = kind_of(move)
        if kind in PAGE_MOVES:
            part.append(move)
        if part and (kind not in PAGE_MOVES or kind in WAITED_FOR):
            yield part
            part = []
    if part:
        yield part


@cache
def _script() -> str:
    return bundle_scripts({"held": "visit/held_page.ts"}, {})["held.js"].decode()
