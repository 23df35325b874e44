"""The events of elements that a handler of `live` can hear: those that bubble from an element to the widget's root.

A handler for any other name is never called, and nothing says so.
"""

from awning.diagnostics import did_you_mean

BUBBLING = frozenset({
    "animationcancel", "animationend", "animationiteration", "animationstart", "auxclick", "beforeinput",
    "beforematch", "cancel", "change", "click", "compositionend", "compositionstart", "compositionupdate",
    "contextmenu", "copy", "cut", "dblclick", "drag", "dragend", "dragenter", "dragleave", "dragover", "dragstart",
    "drop", "focusin", "focusout", "formdata", "fullscreenchange", "fullscreenerror", "gotpointercapture", "input",
    "keydown", "keypress", "keyup", "lostpointercapture", "mousedown", "mousemove", "mouseout", "mouseover", "mouseup",
    "paste", "pointercancel", "pointerdown", "pointermove", "pointerout", "pointerover", "pointerrawupdate",
    "pointerup", "reset", "securitypolicyviolation", "select", "selectionchange", "selectstart", "slotchange",
    "submit", "touchcancel", "touchend", "touchmove", "touchstart", "transitioncancel", "transitionend",
    "transitionrun", "transitionstart", "wheel",
})  # fmt: skip
"""The events of elements that bubble (UI Events, HTML, Pointer Events, CSS Transitions and Animations)."""

_OF_MEDIA = (
    "abort", "canplay", "canplaythrough", "durationchange", "emptied", "encrypted", "ended", "loadeddata",
    "loadedmetadata", "loadstart", "pause", "play", "playing", "progress", "ratechange", "seeked", "seeking", "stalled",
    "suspend", "timeupdate", "volumechange", "waiting", "waitingforkey",
)  # fmt: skip

NOT_BUBBLING: dict[str, str | None] = {
    "blur": "focusout",
    "focus": "focusin",
    "mouseenter": "mouseover",
    "mouseleave": "mouseout",
    "pointerenter": "pointerover",
    "pointerleave": "pointerout",
    **dict.fromkeys(
        ("toggle", "beforetoggle", "close", "invalid", "error", "load", "scroll", "scrollend", *_OF_MEDIA)
    ),
}
"""Events of an element that do not bubble, each with the event that does in its place; None if there is none."""

OTHERS = frozenset({
    "DOMActivate", "DOMCharacterDataModified", "DOMContentLoaded", "DOMFocusIn", "DOMFocusOut", "DOMMouseScroll",
    "DOMNodeInserted", "DOMNodeRemoved", "DOMSubtreeModified", "MSFullscreenChange", "MSFullscreenError",
    "MozMousePixelScroll", "addtrack", "afterprint", "afterscriptexecute", "appinstalled", "beforecopy", "beforecut",
    "beforeinstallprompt", "beforepaste", "beforeprint", "beforescriptexecute", "beforeunload", "beforexrselect",
    "begin", "beginEvent", "command", "contentvisibilityautostatechange", "contextlost", "contextrestored",
    "cuechange", "devicemotion", "deviceorientation", "dragexit", "end", "endEvent", "enterpictureinpicture",
    "enter", "exit", "freeze", "gamepadconnected", "gamepaddisconnected", "gesturechange", "gestureend",
    "gesturestart", "hashchange", "interest", "languagechange", "leavepictureinpicture", "loadend", "location",
    "loseinterest", "message", "messageerror", "mousewheel", "mozfullscreenchange", "mozfullscreenerror", "offline",
    "online", "orientationchange", "pagehide", "pagereveal", "pageshow", "pageswap", "pointerlockchange",
    "pointerlockerror", "popstate", "prerenderingchange", "promptaction", "promptdismiss", "readystatechange",
    "rejectionhandled", "removetrack", "repeat", "repeatEvent", "resize", "resume", "scrollsnapchange",
    "scrollsnapchanging", "search", "show", "storage", "stream", "textInput", "textupdate", "track",
    "unhandledrejection", "unload", "validationstatuschange", "visibilitychange", "webglcontextcreationerror",
    "webglcontextlost", "webglcontextrestored", "webkitAnimationEnd", "webkitAnimationIteration",
    "webkitAnimationStart", "webkitTransitionEnd", "webkitbeginfullscreen", "webkitendfullscreen",
    "webkitfullscreenchange", "webkitfullscreenerror", "webkitmouseforcechanged", "webkitmouseforcedown",
    "webkitmouseforceup", "webkitmouseforcewillbegin", "webkitplaybacktargetavailabilitychanged",
    "webkitpresentationmodechanged",
})  # fmt: skip
"""Events that are left alone: older names, those of one browser, and those of documents and windows."""


def defect_of(key: str) -> str | None:
    """Return what is wrong with a key of `on`, such as `"click .more"`; None if a handler for it can be called.

    An unknown name is wrong only if it resembles one that bubbles, because a widget may fire events of its own.
    """
    event, space, _ = key.partition(" ")
    if not space:
        return f'"{key}" has no selector: write "{key} .more" for the elements with the class "more"'
    if event in NOT_BUBBLING:
        other = NOT_BUBBLING[event]
        instead = f'use "{other}"' if other else "listen to the element itself, in mounted"
        return f'"{event}" does not bubble, so that the handler is never called: {instead}'
    if event in BUBBLING or event in OTHERS:
        return None
    meant = did_you_mean(event, BUBBLING, cutoff=0.75)
    return f'no element fires "{event}": {meant}' if meant else None
