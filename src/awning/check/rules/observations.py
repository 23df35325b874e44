"""Rules about what a script does. It is run (`check/running`), and the page tells where it breaks them."""

import re
from collections.abc import Iterable
from dataclasses import replace

from awning.check.rule import Finding, Inspected, ScriptRule, observed
from awning.contract import event_names
from awning.diagnostics import did_you_mean
from awning.script.imports import SLOT_FUNCTIONS

LONGEST_NAME = 80
"""Only this many characters of an unknown event's name are compared with the known names."""
SUBSCRIBES = re.compile(rb"subscribeEvent|initContentHandler")
_PARTS = (
    # Look-ups of elements, and parts of a document that are elements of the body.
    "body", "querySelector", "getElement", "FromPoint", "activeElement", "forms", "images", "links", "scripts",
    "evaluate", "children", "childNodes", "Child", "Sibling", "TreeWalker", "NodeIterator", "jQuery", r"\$",
    # HTML and code as text, and what inserts nodes.
    "HTML", "html", "write", "srcdoc", "Fragment", "append", "prepend", "insert", "replace", "DOMParser", "eval",
    "Function", "constructor", "setTimeout", "setInterval",
    # Requests that wait.
    "XMLHttpRequest", "ajax", "open",
    # Whole names, and loops, which may not end.
    *(rf"\b{word}\b" for word in ("all", "before", "after", "for", "while")),
    # A name with an escape, and a member whose name is not written out.
    r"\\", r"""(?:[\w$)\]}\x80-\xff]|\?\.)\s*\[(?!\s*(?:\d+|"[^"\\]*"|'[^'\\]*')\s*\])""",
)  # fmt: skip
_USES_A_PAGE = re.compile("|".join(_PARTS).encode("latin-1"))
"""Anything with which a script in the head can use the page."""

INIT_ONCE = ScriptRule(
    id="init-once",
    hint="call it once, store its result, and call setContent of the result as often as you like",
    acts=SUBSCRIBES,
)
"""The source of the rule: Apps Integration API, Client-side events, rule 1."""


EARLY_DOM = ScriptRule(
    id="early-dom",
    hint='wait for the document: document.addEventListener("DOMContentLoaded", () => { ... })',
    acts_in_head=_USES_A_PAGE,
)
"""The source of the rule: Apps Integration API, Code snippet."""


def _unknown_event(file: Inspected) -> Iterable[Finding]:
    known = event_names(file.source.dialect)
    for finding in observed("unknown-event")(file):
        name = finding.message.split('"')[1]
        yield replace(finding, message=f"{finding.message}: {_known_instead(name[:LONGEST_NAME], known)}")


def _known_instead(name: str, known: Iterable[str]) -> str:
    base = name.removesuffix("-updated")
    if base in known:
        return f"{base} has no updates"
    return did_you_mean(name, known) or f"there are {', '.join(known)}"


UNKNOWN_EVENT = ScriptRule(
    id="unknown-event",
    hint="the names are in the specification, Event kinds; a profile's dialect may change their beginning",
    check=_unknown_event,
    acts=SUBSCRIBES,
)
"""Each slot has its events (Apps Integration API, Event kinds). A callback for any other name is never called."""

UNHANDLED_ERROR = ScriptRule(
    id="unhandled-error",
    hint="ask first whether the field has a value, or catch the exception",
    acts=SUBSCRIBES,
)
"""On live pages one guard is around a whole delivery (observed)."""

RAW_HTML = ScriptRule(
    id="raw-html",
    hint="escape &, <, >, \" and ' in it, or set it as textContent of an element",
    acts=re.compile(
        (
            r"innerHTML|outerHTML|insertAdjacentHTML|setContent|\.html\("
            rf"""|\b(?:{"|".join(sorted(SLOT_FUNCTIONS))})\b[\s\S]*["'`][^"'`\n]*<[a-zA-Z!/]"""
        ).encode()
    ),
)
"""The storefront does not escape the HTML of an app (observed)."""

DEAD_HANDLER = ScriptRule(
    id="dead-handler",
    hint='a key of on is an event that bubbles and a selector, such as "click .more"',
    acts=re.compile(rb"\blive\("),
)
"""The runtime listens at the root of the widget (`jsrc/runtime/live.ts`)."""
