"""The events of elements that a handler of `live` can hear: those that bubble from an element to the widget's root.

A handler for any other name is never called, and nothing says so.
"""

from awning.diagnostics import did_you_mean

BUBBLING = frozenset({
    "abort", "animationcancel", "animationend", "animationiteration", "animationstart", "auxclick", "beforeinput",
    "beforematch", "change", "click", "compositionend", "compositionstart", "compositionupdate", "contextmenu",
    "copy", "cut", "dblclick", "drag", "dragend", "dragenter", "dragleave", "dragover", "dragstart", "drop",
    "focusin", "focusout", "fullscreenchange", "fullscreenerror", "gotpointercapture", "input", "keydown",
    "keypress", "keyup", "lostpointercapture", "mousedown", "mousemove", "mouseout", "mouseover", "mouseup",
    "paste", "pointercancel", "pointerdown", "pointermove", "pointerout", "pointerover", "pointerrawupdate",
    "pointerup", "reset", "securitypolicyviolation", "select", "selectionchange", "selectstart", "slotchange",
    "submit", "touchcancel", "touchend", "touchmove", "touchstart", "transitioncancel", "transitionend",
    "transitionrun", "transitionstart", "wheel",
})  # fmt: skip
"""The events of elements that bubble (UI Events, HTML, Pointer Events, CSS Transitions and Animations)."""

NOT_BUBBLING: dict[str, str | None] = {
    "blur": "focusout",
    "focus": "focusin",
    "mouseenter": "mouseover",
    "mouseleave": "mouseout",
    "pointerenter": "pointerover",
    "pointerleave": "pointerout",
    **dict.fromkeys(("toggle", "beforetoggle", "cancel", "close", "invalid", "error", "load", "scroll")),
}
"""Events of an element that do not bubble, each with the event that does in its place; None if there is none."""


def defect_of(key: str) -> str | None:
    """Return what is wrong with a key of `on`, such as `"click .more"`; None if a handler for it can be called.

    An unknown name is wrong only if it resembles a known one, because a widget may fire events of its own.
    """
    event, space, _ = key.partition(" ")
    if not space:
        return f'"{key}" has no selector: write "{key} .more" for the elements with the class "more"'
    if event in NOT_BUBBLING:
        other = NOT_BUBBLING[event]
        instead = f'use "{other}"' if other else "listen to the element itself, in mounted"
        return f'"{event}" does not bubble, so that the handler is never called: {instead}'
    known = did_you_mean(event, [*BUBBLING, *NOT_BUBBLING], cutoff=0.75)
    return f'no element fires "{event}": {known}' if known and event not in BUBBLING else None
