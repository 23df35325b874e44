"""Composes head and body HTML from what the bundler made, and weighs it.

compose        parts -> HTML, with the placeholders intact and nothing that ends its element early
weigh          bytes, raw and gzip; over_budget says when it is too much
written        placeholders in the author's own files, each with its place
"""

from awning.snippet.compose import Parts, compose, compose_unstamped, stamp
from awning.snippet.placeholders import Source, joined, opening, spelled, written
from awning.snippet.weigh import Weight, over_budget, weigh

__all__ = [
    "Parts",
    "Source",
    "Weight",
    "compose",
    "compose_unstamped",
    "joined",
    "opening",
    "over_budget",
    "spelled",
    "stamp",
    "weigh",
    "written",
]
