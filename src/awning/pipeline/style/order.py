"""Keeps the order of a rule's declarations and the rules nested between them.

In `.a { .b & { color: red } color: blue }` the last declaration counts (CSS Nesting 1, 4). The bundler takes the nested
rules out of a rule, behind all its declarations. Those after a nested rule get an `@media all` of their own, which the
bundler takes out, too.
"""

import re
from collections.abc import Iterator
from itertools import groupby

from awning.pipeline.style.css import CONDITIONS, Rule, rules, split

_AFTER_BLOCK = re.compile(r"\}(?:\s|;|/\*(?:[^*]|\*(?!/))*+\*/)*+[-\w\\\x80-\U0010ffff*]+\s*+:[^{};]*+[;}]")
"""Matches what may be a declaration after a nested rule. A sheet without a match is not parsed for it."""


def ordered(css: str) -> str:
    """Return the style sheet with each group of declarations after a nested rule in `@media all`. The lines stay."""
    if not _AFTER_BLOCK.search(css):
        return css
    text, at = [], 0
    sheet = rules(css)
    source = sheet[0].source if sheet else css
    for start, end in _late(sheet, nested=False):
        text += [source[at:start], "@media all{", source[start:end], "}"]
        at = end
    return "".join(text) + source[at:] if text else css


def _late(statements: list[Rule], *, nested: bool) -> Iterator[tuple[int, int]]:
    """Yield where each group of late declarations starts and ends, in the order of the text."""
    is_late = False
    for is_declared, group in groupby(statements, key=lambda rule: bool(rule.declared)):
        members = list(group)
        if is_declared and nested and is_late:
            yield members[0].words[0].start, members[-1].end
        for rule in members:
            if rule.block and (not rule.at or rule.at in CONDITIONS):
                is_late = True
                yield from _late(split(rule.block.inside), nested=nested or not rule.at)
