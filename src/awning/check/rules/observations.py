"""Rules about what a script does. It is run (`check/running`), and the page tells where it breaks them."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from awning.check.rule import Finding, Inspected, Rule, observed, page_of
from awning.contract import event_names
from awning.diagnostics import Severity, did_you_mean

LONGEST_NAME = 80
"""Only this many characters of an unknown event's name are compared with the known names."""

INIT_ONCE = Rule(
    id="init-once",
    title="initContentHandler is called more than once for one event",
    severity=Severity.ERROR,
    documentation=page_of("init-once"),
    hint="call it once, store its result, and call setContent of the result as often as you like",
    check=observed("init-once"),
)
"""The source of the rule: Apps Integration API, Client-side events, rule 1."""

UPDATED_PAIR = Rule(
    id="updated-pair",
    title="initContentHandler is called in the callback of an -updated event",
    severity=Severity.ERROR,
    documentation=page_of("updated-pair"),
    hint="keep the contentHandler of the base event and call its setContent in the -updated callback",
    check=observed("updated-pair"),
)
"""The source of the rule: Apps Integration API, Client-side events, rule 1."""

INIT_EARLY = Rule(
    id="init-early",
    title="initContentHandler is called after the callback has returned",
    severity=Severity.ERROR,
    documentation=page_of("init-early"),
    hint="call it first, before anything is awaited; setContent may come later",
    check=observed("init-early"),
)
"""The source of the rule: Apps Integration API, Client-side events, rules 1 and 2."""


def _early_dom(file: Inspected) -> Iterator[Finding]:
    for observation in file.behaviour.observations:
        if observation.rule == "early-dom":
            severity = Severity.WARNING if observation.doubtful else None
            yield Finding(offset=observation.offset, message=observation.message, severity=severity)


EARLY_DOM = Rule(
    id="early-dom",
    title="A head script uses elements of the body before there is a body",
    severity=Severity.ERROR,
    documentation=page_of("early-dom"),
    hint='wait for the document: document.addEventListener("DOMContentLoaded", () => { ... })',
    check=_early_dom,
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


UNKNOWN_EVENT = Rule(
    id="unknown-event",
    title="A subscription to an event that the storefront does not fire",
    severity=Severity.WARNING,
    documentation=page_of("unknown-event"),
    hint="the names are in the specification, Event kinds; a profile's dialect may change their beginning",
    check=_unknown_event,
)
"""There are five events (Apps Integration API, Event kinds). A callback for any other name is never called."""

RAW_HTML = Rule(
    id="raw-html",
    title="A value of the payload is inserted as HTML without escaping",
    severity=Severity.ERROR,
    documentation=page_of("raw-html"),
    hint="escape &, <, >, \" and ' in it, or set it as textContent of an element",
    check=observed("raw-html"),
)
"""The storefront does not escape the HTML of an app (observed)."""

DEAD_HANDLER = Rule(
    id="dead-handler",
    title="A handler of live for an event that never reaches the widget",
    severity=Severity.WARNING,
    documentation=page_of("dead-handler"),
    hint='a key of on is an event that bubbles and a selector, such as "click .more"',
    check=observed("dead-handler"),
)
"""The runtime listens at the root of the widget (`jsrc/runtime/live.ts`)."""

RULES = (INIT_ONCE, UPDATED_PAIR, INIT_EARLY, EARLY_DOM, UNKNOWN_EVENT, DEAD_HANDLER, RAW_HTML)
