"""Exceptions that JavaScript itself throws, as for a member of null, a call of a number or an undeclared name.

The use of a symbolic value can throw only inside `try`. Whether it throws is then a decision of the path. Elsewhere an
exception would end the callback, which breaks no rule. The types of the payload's fields come from the contract
(`contract.payloads`). Any other symbolic value is assumed to be present, unless its origin may return nothing, as
`querySelector` does.
"""

import json
import re
from collections.abc import Callable
from functools import lru_cache

from awning.check.interpreter.execution import Execution, ThrownException
from awning.check.interpreter.values import (
    UNDEFINED,
    FunctionValue,
    ObjectValue,
    Symbolic,
    Value,
    as_text,
    is_primitive,
)
from awning.contract import payloads

NULLABLE_RESULTS = frozenset({
    "querySelector", "getElementById", "closest", "find", "findLast", "match", "exec", "getItem", "getAttribute",
    "pop", "shift", "at", "namedItem", "elementFromPoint", "getContext",
})  # fmt: skip
NULLABLE_PROPERTIES = frozenset({
    "firstChild", "firstElementChild", "lastChild", "lastElementChild", "nextSibling", "nextElementSibling",
    "previousSibling", "previousElementSibling", "parentElement", "activeElement", "currentScript", "offsetParent",
})  # fmt: skip
_ROOTS = {
    "item": "Item", "page": "Page", "cartData": "CartData", "currency": "Currency", "selectedVariant": "Variant",
}  # fmt: skip
_STEP = re.compile(r"\.([\w$]+)|\[(\d+)\]")
_RESULT = re.compile(r"\.([\w$]+)\((?:[^()]|\([^()]*\))*\)(?:#\d+)?\Z")
_NAME = re.compile(r"[A-Za-z_$][\w$]*\Z")
MOST_DIGITS = 100


def is_not_nullish(value: Value) -> bool:
    return value is not None and value is not UNDEFINED


def is_not_null(value: Value) -> bool:
    return value is not None


def is_declared(value: Value) -> bool:
    return value is not UNDEFINED


def thrown_error(run: Execution) -> ThrownException:
    return ThrownException(run.symbol("error"))


def require_something(run: Execution, value: Value) -> None:
    """Check a value whose property is read or written. Raises ThrownException when it is null or undefined."""
    if value is None or value is UNDEFINED:
        raise thrown_error(run)
    if not is_present(run, value):
        raise thrown_error(run)


def is_present(run: Execution, value: Value) -> bool:
    """Return whether a value is neither null nor undefined in this execution.

    Outside `try`, a symbolic value is assumed to be present.
    """
    if not isinstance(value, Symbolic):
        return is_not_nullish(value)
    if not run.try_depth or not may_be_nullish(value):
        return True
    return run.path.holds(value, _presence(value.key))


def _presence(key: str) -> Callable[[Value], bool]:
    """Return the predicate that is true if the value with this key is present.

    It tests only for what the value can be: undefined, null or both.
    """
    types = types_of(key)
    if (_NAME.match(key) and types is None) or (types and "null" not in types):
        return is_declared
    return is_not_null if types and "undefined" not in types else is_not_nullish


def require_iterable(run: Execution, value: Value) -> None:
    """Check a value that is iterated: by `...`, `for`-`of` or `[a, b] =`.

    Raises ThrownException when it is not iterable.
    """
    require_something(run, value)
    if isinstance(value, (int, float, FunctionValue)) or (
        isinstance(value, ObjectValue) and not _iterates(value)
    ):
        raise thrown_error(run)


def _iterates(owner: ObjectValue | None) -> bool:
    while owner is not None:
        if owner.kind != "object" or any("Symbol.iterator" in key for key in owner.props):
            return True
        owner = owner.proto
    return False


def require_declared(run: Execution, name: str) -> None:
    """Check a name that no environment has. Inside `try`, raises ThrownException on a path without such a global."""
    known = name in GLOBALS or name.startswith(("this", "super", "arguments", "__"))
    if run.try_depth and not known and not run.path.holds(Symbolic(name), is_declared):
        raise thrown_error(run)


@lru_cache(maxsize=4096)
def _nothing(key: str) -> bool:
    types = types_of(key)
    if types is not None:
        return bool(types & {"null", "undefined"})
    if _NAME.match(key):
        return key not in GLOBALS
    if (result := _RESULT.search(key)) is not None:
        return result[1] in NULLABLE_RESULTS
    return key.rpartition(".")[2] in NULLABLE_PROPERTIES


def may_be_nullish(symbol: Symbolic) -> bool:
    """Return whether a symbolic value may be null or undefined."""
    return symbol.view is None and not symbol.text and _nothing(symbol.key)


@lru_cache(maxsize=4096)
def types_of(key: str) -> frozenset[str] | None:
    """Return the types of the value at a path into the payload, such as `item.variants.0.price`; else None."""
    root = re.match(r"[\w$]+", key)
    if root is None or root[0] not in _ROOTS:
        return None
    types = frozenset({"object", "null"} if root[0] == "selectedVariant" else {"object"})
    record: str | None = _ROOTS[root[0]]
    at = root.end()
    while at < len(key):
        step = _STEP.match(key, at)
        if step is None:
            return None
        at = step.end()
        types, record = _inside(types, record, step[1] or step[2], exists=step[1] is None)
        if not types:
            return None
    return types


def _inside(
    types: frozenset[str], record: str | None, name: str, *, exists: bool
) -> tuple[frozenset[str], str | None]:
    """Return the types of a property and the name of its record. The types are empty if the property is not known."""
    if "array" in types:
        if name.isdecimal():
            return frozenset({"object"} if exists else {"object", "undefined"}), record
        return frozenset({"number"} if name == "length" else ()), None
    if "object" not in types or record is None:
        return frozenset({"number"} if name == "length" else ()), None
    for field in payloads.RECORDS[record]:
        if field.name == name:
            return frozenset(field.types), field.record
    return frozenset(), None


def holds_text_or_number(value: Value) -> bool:
    """Return whether a value is certainly a primitive. `in` throws with a primitive on its right side."""
    if isinstance(value, Symbolic):
        types = types_of(value.key)
        return value.text or bool(types and types <= {"string", "number", "null"})
    return not isinstance(value, ObjectValue) and (
        value is None or value is UNDEFINED or isinstance(value, (str, int, float))
    )


def parse_throws(text: Value) -> bool | None:
    """Return whether `JSON.parse(text)` throws; None if that is unknown, as for a string with a placeholder."""
    if not is_primitive(text) or (isinstance(text, str) and "{{" in text):
        return None
    try:
        json.loads(as_text(text), parse_int=float, parse_constant=_refuse_constant)
    except RecursionError:
        return None
    except ValueError:
        return True
    return False


def _refuse_constant(name: str) -> None:
    """Raise ValueError for `NaN` and `Infinity`, which Python's JSON parser accepts and JavaScript's does not."""
    raise ValueError(name)


def call_may_throw(name: str, args: list[Value]) -> bool:
    """Return whether a function that the script does not define can throw, judged by its name and arguments."""
    if name.startswith("new ") and "(" not in name:
        return name[4:] not in SAFE_CONSTRUCTORS and not (name == "new URL" and _is_address(args))
    if name == "JSON.parse":
        return parse_throws(args[0] if args else UNDEFINED) is not False
    last = name.rpartition(".")[2]
    if last in {"toFixed", "toPrecision", "toString"} and args:
        return not (isinstance(args[0], int) and 0 <= args[0] <= MOST_DIGITS)
    return name not in SAFE_FUNCTIONS and not ("." in name and last in SAFE_METHODS)


def _is_address(args: list[Value]) -> bool:
    first = args[-1] if args else None
    return isinstance(first, str) and re.match(r"https?://[\w.-]+(?:[:/?#]|\Z)", first) is not None


GLOBALS = frozenset({
    "undefined", "NaN", "Infinity", "globalThis", "window", "self", "top", "parent", "frames", "document",
    "location", "navigator", "history", "screen", "console", "localStorage", "sessionStorage", "indexedDB",
    "caches", "crypto", "performance", "visualViewport", "customElements", "Object", "Function", "Array", "String",
    "Number", "Boolean", "Symbol", "BigInt", "Math", "Date", "RegExp", "JSON", "Intl", "Reflect", "Proxy",
    "Promise", "Map", "Set", "WeakMap", "WeakSet", "WeakRef", "FinalizationRegistry", "Error", "TypeError",
    "RangeError", "SyntaxError", "ReferenceError", "EvalError", "URIError", "AggregateError", "ArrayBuffer",
    "SharedArrayBuffer", "DataView", "Atomics", "Int8Array", "Uint8Array", "Uint8ClampedArray", "Int16Array",
    "Uint16Array", "Int32Array", "Uint32Array", "Float32Array", "Float64Array", "BigInt64Array", "BigUint64Array",
    "Iterator", "parseInt", "parseFloat", "isNaN", "isFinite", "encodeURIComponent", "decodeURIComponent",
    "encodeURI", "decodeURI", "escape", "unescape", "eval", "setTimeout", "setInterval", "clearTimeout",
    "clearInterval", "setImmediate", "requestAnimationFrame", "cancelAnimationFrame", "requestIdleCallback",
    "cancelIdleCallback", "queueMicrotask", "structuredClone", "fetch", "atob", "btoa", "alert", "confirm",
    "prompt", "open", "close", "print", "focus", "blur", "stop", "scroll", "scrollTo", "scrollBy",
    "getComputedStyle", "getSelection", "matchMedia", "postMessage", "addEventListener", "removeEventListener",
    "dispatchEvent", "reportError", "name", "status", "event", "origin", "length", "innerWidth", "innerHeight",
    "outerWidth", "outerHeight", "scrollX", "scrollY", "pageXOffset", "pageYOffset", "devicePixelRatio", "screenX",
    "screenY", "URL", "URLSearchParams", "Headers", "Request", "Response", "FormData", "Blob", "File", "FileReader",
    "FileList", "AbortController", "AbortSignal", "XMLHttpRequest", "WebSocket", "EventSource", "Worker",
    "SharedWorker", "MessageChannel", "MessagePort", "BroadcastChannel", "Image", "Audio", "Option", "Node",
    "Element", "HTMLElement", "SVGElement", "Text", "Comment", "Document", "DocumentFragment", "ShadowRoot", "Attr",
    "NodeList", "HTMLCollection", "NodeFilter", "Range", "Selection", "Event", "CustomEvent", "MouseEvent",
    "KeyboardEvent", "TouchEvent", "PointerEvent", "FocusEvent", "InputEvent", "WheelEvent", "MessageEvent",
    "ErrorEvent", "PopStateEvent", "StorageEvent", "HashChangeEvent", "EventTarget", "MutationObserver",
    "IntersectionObserver", "ResizeObserver", "PerformanceObserver", "DOMParser", "XMLSerializer", "DOMException",
    "DOMRect", "DOMPoint", "DOMMatrix", "CSS", "CSSStyleSheet", "StyleSheet", "TextEncoder", "TextDecoder",
    "ReadableStream", "WritableStream", "TransformStream", "Notification", "Path2D", "ImageData", "OffscreenCanvas",
    "MediaRecorder", "WebAssembly", "HTMLInputElement", "HTMLImageElement", "HTMLAnchorElement",
    "HTMLButtonElement", "HTMLFormElement", "HTMLSelectElement", "HTMLTemplateElement", "HTMLDivElement",
    "HTMLScriptElement", "HTMLStyleElement", "HTMLCanvasElement", "HTMLIFrameElement", "HTMLTextAreaElement",
    "svcPlugins", "jQuery", "$", "page", "this", "super", "arguments",
})  # fmt: skip
"""Global names: of the language, the browser, jQuery and the service."""

SAFE_CONSTRUCTORS = frozenset({
    "Date", "Set", "Map", "WeakMap", "WeakSet", "Error", "TypeError", "RangeError", "Object", "Image", "Audio",
    "Option", "FormData", "URLSearchParams", "AbortController", "XMLHttpRequest", "MessageChannel", "DOMParser",
    "XMLSerializer", "FileReader", "TextEncoder", "Blob", "Event", "CustomEvent", "MutationObserver",
    "IntersectionObserver", "ResizeObserver", "DocumentFragment", "Intl.NumberFormat", "Intl.DateTimeFormat",
    "Intl.PluralRules", "Intl.Collator", "Intl.RelativeTimeFormat", "Intl.ListFormat",
})  # fmt: skip
SAFE_FUNCTIONS = frozenset({
    "String", "Number", "Boolean", "Date", "Symbol", "Object", "Array", "parseInt", "parseFloat", "isNaN",
    "isFinite", "encodeURIComponent", "encodeURI", "escape", "unescape", "fetch", "alert", "confirm", "prompt",
    "getComputedStyle", "matchMedia", "requestAnimationFrame", "scrollTo", "scrollBy", "JSON.stringify",
    "Object.keys", "Object.values", "Object.entries", "Object.assign", "Object.freeze", "Object.is",
    "Object.hasOwn", "Array.isArray", "Array.from", "Array.of", "Symbol.for", "performance.now",
    "crypto.randomUUID", "$", "jQuery",
})  # fmt: skip
SAFE_METHODS = frozenset({
    "trim", "trimStart", "trimEnd", "toUpperCase", "toLowerCase", "toLocaleUpperCase", "toLocaleLowerCase", "slice",
    "substring", "substr", "split", "charAt", "charCodeAt", "codePointAt", "indexOf", "lastIndexOf", "includes",
    "startsWith", "endsWith", "replace", "replaceAll", "match", "matchAll", "search", "concat", "padStart",
    "padEnd", "at", "localeCompare", "toString", "valueOf", "toLocaleString", "toFixed", "toPrecision", "join",
    "map", "filter", "forEach", "some", "every", "find", "findIndex", "findLast", "findLastIndex", "flat",
    "flatMap", "push", "pop", "shift", "unshift", "splice", "reverse", "sort", "fill", "keys", "values", "entries",
    "has", "get", "set", "add", "delete", "clear", "test", "exec", "each", "hasOwnProperty", "getTime",
    "getFullYear", "getMonth", "getDate", "getDay", "getHours", "getMinutes", "getSeconds", "getMilliseconds",
    "getTimezoneOffset", "setDate", "setMonth", "setFullYear", "setHours", "setMinutes", "setSeconds",
    "toLocaleDateString", "toLocaleTimeString", "toDateString", "toUTCString", "format", "formatToParts", "select",
    "resolvedOptions", "append", "prepend", "remove", "before", "after", "replaceWith", "replaceChildren",
    "appendChild", "setAttribute", "getAttribute", "removeAttribute", "hasAttribute", "toggleAttribute", "addClass",
    "removeClass", "toggleClass", "hasClass", "contains", "toggle", "addEventListener", "removeEventListener",
    "cloneNode", "closest", "querySelectorAll", "getElementsByClassName", "getElementsByTagName",
    "getBoundingClientRect", "focus", "blur", "click", "preventDefault", "stopPropagation", "log", "info", "warn",
    "error", "debug", "now", "floor", "ceil", "round", "max", "min", "abs", "random", "pow", "sqrt", "sign",
    "trunc", "createElement", "createTextNode", "createDocumentFragment", "getElementById", "getItem", "setContent",
    "text", "html", "attr", "css",
})  # fmt: skip
"""Methods that do not throw if their owner is present."""
