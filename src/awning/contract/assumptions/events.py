"""Assumptions about events: how svcPlugins delivers them and inserts content.

The specification lists the events and the arguments of subscribers. It leaves open when and how often events are
delivered. Each assumption is one such question with the answers that the emulator supports.
"""

from awning.contract.assumptions.assumption import Assumption
from awning.contract.slots import EVENTS


def _assume(
    name: str,
    about: tuple[str, ...],
    question: str,
    alternatives: tuple[str, ...],
    *,
    sets: tuple[str, str, str],
    source: str = "observed",
) -> Assumption:
    """Return an assumption. `sets` has the answers of `documented`, `observed` and `hostile`, in this order.

    `source` is `observed` if the answer of the set `observed` was seen at a live service, else `assumed`.
    """
    documented, observed, hostile = sets
    return Assumption(
        id=name,
        side="browser",
        about=about,
        question=question,
        alternatives=dict.fromkeys(alternatives, ""),
        documented=documented,
        observed=observed,
        hostile=hostile,
        source=source,
    )


_UPDATES = tuple(f"event:{event.short_name}" for event in EVENTS if event.is_update)

_DELIVERY = (
    _assume(
        "before-ready",
        ("event:any",),
        "What happens to an event that is fired before the document is ready?",
        ("wait", "now"),
        sets=("wait", "wait", "now"),
    ),
    _assume(
        "after-ready",
        ("event:any",),
        "When does svcPlugins deliver an event that is fired after the document is ready?",
        ("now", "timer"),
        sets=("timer", "now", "timer"),
    ),
    _assume(
        "live-event",
        ("raw:subscribeEvent",),
        "What is the first argument of a live delivery? `jquery` falls back to `native` on pages without jQuery.",
        ("jquery", "native", "bare"),
        sets=("native", "jquery", "bare"),
    ),
    _assume(
        "replay",
        ("event:any",),
        "Which past deliveries does a late subscriber get?",
        ("none", "last", "all"),
        sets=("none", "last", "all"),
    ),
    _assume(
        "replay-timing",
        ("event:any",),
        "When does a late subscriber get past deliveries: inside subscribeEvent, or later?",
        ("now", "timer"),
        sets=("now", "now", "timer"),
    ),
    _assume(
        "event-param",
        ("event:any",),
        "Do all subscribers and deliveries share one event parameter object?",
        ("shared", "copy"),
        sets=("copy", "shared", "shared"),
    ),
    _assume(
        "updated-param",
        _UPDATES,
        "Does an `-updated` event have the event parameter of the page load, or a current one?",
        ("page-load", "fresh"),
        sets=("page-load", "page-load", "page-load"),
    ),
    _assume(
        "repeat-first-update",
        ("event:after-price-updated",),
        "Is the first after-price update delivered again by a zero-delay timer?",
        ("off", "on"),
        sets=("off", "on", "on"),
    ),
    _assume(
        "repeat-later-updates",
        _UPDATES,
        "Is every later update delivered twice? (Observed: sometimes.)",
        ("off", "on"),
        sets=("off", "off", "on"),
    ),
    _assume(
        "isolation",
        ("event:any",),
        "What catches an exception of a live subscriber: a guard per subscriber, one guard per delivery, or nothing?",
        ("subscriber", "delivery", "none"),
        sets=("subscriber", "delivery", "none"),
    ),
    _assume(
        "replay-exception",
        ("raw:subscribeEvent",),
        "Does the exception of a replayed subscriber leave subscribeEvent?",
        ("caught", "leaves"),
        sets=("caught", "leaves", "leaves"),
    ),
    _assume(
        "foreign-ready-throw",
        ("event:any",),
        "What happens to deliveries after a foreign ready handler threw? Without jQuery 2 they still happen.",
        ("survive", "vanish"),
        sets=("survive", "vanish", "vanish"),
    ),
)

_CONTENT = (
    _assume(
        "position",
        ("function:initContentHandler",),
        "What fixes a block's position: the call of initContentHandler or the first setContent?",
        ("init", "content"),
        sets=("init", "init", "content"),
    ),
    _assume(
        "wrapper-enters",
        ("function:initContentHandler",),
        "When does the wrapper enter the page?",
        ("content", "init"),
        sets=("content", "content", "init"),
    ),
    _assume(
        "second-init",
        ("raw:initContentHandler",),
        "What does a second initContentHandler call for one event do?",
        ("second-block", "same-block", "throws"),
        sets=("second-block", "second-block", "throws"),
    ),
    _assume(
        "init-in-updated",
        ("raw:initContentHandler",),
        "What does initContentHandler do in the callback of an `-updated` event?",
        ("adds-block", "throws"),
        sets=("adds-block", "adds-block", "throws"),
    ),
    _assume(
        "late-init",
        ("raw:initContentHandler",),
        "What does initContentHandler do after the callback has returned?",
        ("works", "throws"),
        sets=("works", "works", "throws"),
        source="assumed",
    ),
    _assume(
        "set-content-argument",
        ("function:setContent",),
        "What does setContent accept: everything that jQuery's html() accepts, or only strings?",
        ("html", "string"),
        sets=("string", "html", "string"),
    ),
    _assume(
        "set-content-returns",
        ("raw:setContent",),
        "What does setContent return?",
        ("wrapper", "nothing"),
        sets=("nothing", "wrapper", "nothing"),
    ),
    _assume(
        "scripts-run",
        ("raw:setContent",),
        "Do scripts inside inserted HTML run?",
        ("off", "on"),
        sets=("off", "on", "on"),
    ),
    _assume(
        "reveal",
        ("function:setContent",),
        "When does the page reveal a hidden container: never, at the first init, at the first content?",
        ("never", "init", "content"),
        sets=("never", "init", "content"),
    ),
)

EVENT_ASSUMPTIONS: tuple[Assumption, ...] = (*_DELIVERY, *_CONTENT)
