"""Whether the scripts of a file can break a rule that the page of `jsrc/running` reports. Others need not run."""

import re

from awning.script import SLOT_FUNCTIONS, ScriptFile

_ANYWHERE = (
    # Look-ups of elements, and parts of a document that are elements of the body.
    "body", "querySelector", "getElement", "elementFromPoint", "activeElement", "forms", "images", "links", "scripts",
    "evaluate", "children", "childNodes", "Child", "Sibling", "TreeWalker", "NodeIterator", "jQuery", r"\$",
    # HTML and code as text, and what inserts nodes.
    "HTML", "html", "write", "srcdoc", "Fragment", "append", "prepend", "insert", "replace", "DOMParser", "eval",
    "Function", "constructor", "setTimeout", "setInterval",
    # The service, and the module "awning".
    "Plugins", "subscribe", "setContent", "initContent", "live", *SLOT_FUNCTIONS,
    # Requests that wait.
    "XMLHttpRequest", "ajax", "open",
)  # fmt: skip
_WORDS = ("all", "before", "after", "for", "while")
"""Further names, and loops, which may not end."""
_ACTS = re.compile(
    rf"{'|'.join(_ANYWHERE)}|\b(?:{'|'.join(_WORDS)})\b"
    # A name with an escape, and a member whose name is not written out.
    r"""|\\|(?:[\w$)\]}]|\?\.)\s*\[(?!\s*(?:\d+|"[^"\\]*"|'[^'\\]*')\s*\])"""
)


def may_break_a_rule(file: ScriptFile) -> bool:
    """Return whether the scripts of a file have anything with which they can break a rule.

    Whether they use it is not asked: that is what running them shows.
    """
    text = file.code.decode("utf-8", "replace")
    return file.dialect.global_object in text or _ACTS.search(text) is not None
