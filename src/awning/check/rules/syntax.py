"""What rules look for in a tree: calls of a name, arguments."""

import re
from collections.abc import Iterator

from awning.check.rule import Finding, Inspected
from awning.script.tree import Node

LONGEST_NAME = 200
"""Bytes of what is called. A longer one is no name, and a chain of calls has one inside the other."""
_GLOBAL = re.compile(r"^(?:window|self|globalThis)\.")


def calls(file: Inspected, words: bytes) -> Iterator[tuple[str, list[Node], Node]]:
    """`(name, arguments, node)` of each call and `new` in a file that has one of `words` in it."""
    if not re.search(words, file.source.code):
        return
    for node in file.source.tree.root.walk():
        target = node.fields.get("function") or node.fields.get("constructor")
        if target is None or target.end - target.start > LONGEST_NAME:
            continue
        if node.type in {"call_expression", "new_expression"}:
            given = node.fields.get("arguments")
            name = _GLOBAL.sub("", target.text.replace("?.", "."))
            yield name, given.kids if given is not None else [], node


def merged(*lists: Iterator[Finding]) -> Iterator[Finding]:
    """Each place once."""
    offsets: set[int] = set()
    for one in (finding for findings in lists for finding in findings):
        if one.offset not in offsets:
            offsets.add(one.offset)
            yield one
