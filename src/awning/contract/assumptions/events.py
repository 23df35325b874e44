"""Assumptions about events: how svcPlugins delivers them and inserts content.

The specification lists the events and the arguments of subscribers. It leaves open when and how often events are
delivered. Each assumption is one such question with the answers that the emulator supports.
"""

from awning.contract.assumptions.assumption import Assumption


def _assume(
    name: str,
    question: str,
    alternatives: tuple[str, ...],
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
        question=question,
        alternatives=dict.fromkeys(alternatives, ""),
        documented=documented,
        observed=observed,
        hostile=hostile,
        source=source,
    )


_DELIVERY = (
    _assume(
        "before-ready",
        "What happens to an event that is fired before the document is ready?",
        ("wait", "now"),
        ("wait", "wait", "now"),
    ),
    _assume(
        "after-ready",
        "When does svcPlugins deliver an event that is fired after the document is ready?",
        ("now", "timer"),
        ("timer", "now", "timer"),
    ),
    _assume(
        "live-event",
        "What is the first argument of a live delivery? `jquery` falls back to `native` on pages without jQuery.",
        ("jquery", "native", "bare"),
        ("native", "jquery", "bare"),
    ),
    _assume(
        "replay",
        "Which past deliveries does a late subscriber get?",
        ("none", "last", "all"),
        ("none", "last", "all"),
    ),
    _assume(
        "replay-timing",
        "When does a late subscriber get past deliveries: inside subscribeEvent, or later?",
        ("now", "timer"),
        ("now", "now", "timer"),
    ),
    _assume(
        "event-param",
        "Do all subscribers and deliveries share one event parameter object?",
        ("shared", "copy"),
        ("copy", "shared", "shared"),
    ),
    _assume(
        "updated-param",
        "Does an `-updated` event have the event parameter of the page load, or a current one?",
        ("page-load", "fresh"),
        ("page-load", "page-load", "page-load"),
    ),
    _assume(
        "repeat-first-update",
        "Is the first after-price update delivered again by a zero-delay timer?",
        ("off", "on"),
        ("off", "on", "on"),
    ),
    _assume(
        "repeat-later-updates",
        "Is every later update delivered twice? (Observed: sometimes.)",
        ("off", "on"),
        ("off", "off", "on"),
    ),
    _assume(
        "isolation",
        "What catches an exception of a live subscriber: a guard per subscriber, one guard per delivery, or nothing?",
        ("subscriber", "delivery", "none"),
        ("subscriber", "delivery", "none"),
    ),
    _assume(
        "replay-exception",
        "Does the exception of a replayed subscriber leave subscribeEvent?",
        ("caught", "leaves"),
        ("caught", "leaves", "leaves"),
    ),
    _assume(
        "foreign-ready-throw",
        "What happens to deliveries after a foreign ready handler threw? Without jQuery 2 they still happen.",
        ("survive", "vanish"),
        ("survive", "vanish", "vanish"),
    ),
)

_CONTENT = (
    _assume(
        "position",
        "What fixes a block's position: the call of initContentHandler or the first setContent?",
        ("init", "content"),
        ("init", "init", "content"),
    ),
    _assume(
        "wrapper-enters",
        "When does the wrapper enter the page?",
        ("content", "init"),
        ("content", "content", "init"),
    ),
    _assume(
        "second-init",
        "What does a second initContentHandler call for one event do?",
        ("second-block", "same-block", "throws"),
        ("second-block", "second-block", "throws"),
    ),
    _assume(
        "init-in-updated",
        "What does initContentHandler do in the callback of an `-updated` event?",
        ("adds-block", "throws"),
        ("adds-block", "adds-block", "throws"),
    ),
    _assume(
        "late-init",
        "What does initContentHandler do after the callback has returned?",
        ("works", "throws"),
        ("works", "works", "throws"),
        "assumed",
    ),
    _assume(
        "set-content-argument",
        "What does setContent accept: everything that jQuery's html() accepts, or only strings?",
        ("html", "string"),
        ("string", "html", "string"),
    ),
    _assume(
        "set-content-returns",
        "What does setContent return?",
        ("wrapper", "nothing"),
        ("nothing", "wrapper", "nothing"),
    ),
    _assume(
        "scripts-run",
        "Do scripts inside inserted HTML run?",
        ("off", "on"),
        ("off", "on", "on"),
    ),
    _assume(
        "reveal",
        "When does the page reveal a hidden container: never, at the first init, at the first content?",
        ("never", "init", "content"),
        ("never", "init", "content"),
    ),
)

EVENT_ASSUMPTIONS: tuple[Assumption, ...] = (*_DELIVERY, *_CONTENT)
