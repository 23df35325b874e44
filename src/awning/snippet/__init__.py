"""Composes head and body HTML from bundled style and script, and weighs it.

compose        parts -> HTML, with the placeholders intact, and nothing that ends its element early
placeholders   finds placeholders in places where none may be
weigh          bytes, raw and gzip, against the budget
"""

from awning.snippet.compose import Parts, compose, compose_unstamped, stamp
from awning.snippet.placeholders import (
    SourceText,
    joined_placeholder,
    spells_placeholder,
    written_placeholders,
)
from awning.snippet.weigh import Weight, over_budget, weigh

__all__ = [
    "Parts",
    "SourceText",
    "Weight",
    "compose",
    "compose_unstamped",
    "joined_placeholder",
    "over_budget",
    "spells_placeholder",
    "stamp",
    "weigh",
    "written_placeholders",
]
