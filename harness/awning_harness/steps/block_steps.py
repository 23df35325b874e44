"""The steps of a shopper in the widget's block: click, type, check, uncheck, choose, open, close.

Playwright finds the element, also in open shadow roots, and clicks it with a real pointer. Type and choose do not
click: they set the value and fire the events of a change. Each step first checks that the selector matches exactly one
visible element. All steps but click and type fail when the element already has the state that the step would give it.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from playwright.sync_api import Error, Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.workspace.steps import Step
from awning_harness.steps.failures import Responsive, StepFailed, explain_timeout

KIND = """(element) => {
  const isButton = element instanceof HTMLInputElement && ["checkbox", "radio"].includes(element.type);
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const kind =
    element instanceof HTMLDetailsElement ? (element.open ? "open" : "closed")
    : element instanceof HTMLSelectElement ? "select"
    : isButton ? (element.checked ? "checked" : "unchecked")
    : isField || element.isContentEditable ? "field" : "";
  return [kind, element.localName];
}"""
"""JavaScript that returns the kind of an element and its tag name. The kind decides which steps are possible."""

REACHES = """(element) => {
  element.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = element.getBoundingClientRect();
  const hit = element.getRootNode().elementFromPoint(left + width / 2, top + height / 2);
  const isOwn = hit === element || [...element.labels].some((label) => label.contains(hit));
  return width > 1 && height > 1 && !!hit && isOwn;
}"""
"""JavaScript that returns whether a pointer reaches a checkbox or radio button itself, or one of its labels.

A styled checkbox is often hidden, and only its label can be clicked.
"""


def take_in_block(tab: Responsive, block: Locator, step: Step, *, within_ms: float) -> None:
    """Take a step in the widget's block.

    Raises StepFailed when the step is not possible, or when the element already has the state that the step would give
    it (not for click and type). Raises Stuck when the page does not respond.
    """
    selector, *rest = step.arguments
    element = _require_one(block, selector, within_ms)
    with explain_timeout(tab, "the element"):
        _ACTIONS[step.verb](element, rest[0] if rest else "", within_ms)


def _require_one(block: Locator, selector: str, within_ms: float) -> Locator:
    """Return the only element in the block that matches, as soon as it is visible.

    Raises StepFailed when none or several match, when the element stays hidden, or when the selector is not CSS.
    """
    elements = block.locator(f"css={selector}")
    try:
        elements.first.wait_for(state="attached", timeout=within_ms)
        if (count := elements.count()) > 1:
            raise StepFailed(f"{count} elements in the block match the selector")
        elements.wait_for(state="visible", timeout=within_ms)
    except PlaywrightTimeout as late:
        try:
            is_there = bool(elements.count())
        except Error as error:
            raise StepFailed(_first_line(error)) from late
        reason = "the element is hidden" if is_there else "nothing in the block matches the selector"
        raise StepFailed(reason) from late
    except Error as error:  # the selector is not CSS
        raise StepFailed(_first_line(error)) from error
    return elements


def _click(element: Locator, _: str, within_ms: float) -> None:
    element.click(timeout=within_ms)


def _type(element: Locator, text: str, within_ms: float) -> None:
    """Replace the text of a field. The focus stays there, so `change` is fired when a later step leaves the field."""
    _require_kind(element, {"field"}, "field for text")
    element.fill(text, timeout=within_ms)


def _check(element: Locator, _: str, within_ms: float) -> None:
    _set_checked(element, within_ms, is_checked=True)


def _uncheck(element: Locator, _: str, within_ms: float) -> None:
    _set_checked(element, within_ms, is_checked=False)


def _set_checked(element: Locator, within_ms: float, *, is_checked: bool) -> None:
    kind = _require_kind(element, {"checked", "unchecked"}, "checkbox or radio button")
    if kind == ("checked" if is_checked else "unchecked"):
        raise StepFailed(f"it is {kind} already")
    if element.evaluate(REACHES) or not element.evaluate("(element) => element.labels.length"):
        element.click(timeout=within_ms)
    else:
        label = element.evaluate_handle("(element) => element.labels[0]").as_element()
        if label is not None:
            label.click(timeout=within_ms)


def _choose(element: Locator, option: str, within_ms: float) -> None:
    """Choose an option by its label, else by its value."""
    _require_kind(element, {"select"}, "<select>")
    options = element.evaluate(
        "(element) => [...element.options].map(({label, value, selected}) => [label, value, selected])"
    )
    by_name = {value: (index, is_chosen) for index, (_, value, is_chosen) in enumerate(options)}
    by_name |= {label: (index, is_chosen) for index, (label, _, is_chosen) in enumerate(options)}
    if option not in by_name:
        labels = ", ".join(label for label, _, _ in options)
        raise StepFailed(f'it has no option "{option}"; it has {labels or "none"}')
    index, is_chosen = by_name[option]
    if is_chosen:
        raise StepFailed(f'"{option}" is chosen already')
    element.select_option(index=index, timeout=within_ms)


def _open(element: Locator, _: str, within_ms: float) -> None:
    _toggle(element, within_ms, "closed", "open")


def _close(element: Locator, _: str, within_ms: float) -> None:
    _toggle(element, within_ms, "open", "closed")


def _toggle(element: Locator, within_ms: float, before: str, after: str) -> None:
    kind = _require_kind(element, {before, after}, "<details>")
    if kind == after:
        raise StepFailed(f"it is {after} already")
    element.locator("> summary").click(timeout=within_ms)


_ACTIONS: Mapping[str, Callable[[Locator, str, float], None]] = MappingProxyType(
    {
        "click": _click,
        "type": _type,
        "check": _check,
        "uncheck": _uncheck,
        "choose": _choose,
        "open": _open,
        "close": _close,
    }
)


def _require_kind(element: Locator, kinds: set[str], what: str) -> str:
    """Return the kind of an element (see KIND). Raises StepFailed, with the element's tag, if it is not in `kinds`."""
    kind, tag = element.evaluate(KIND)
    if kind not in kinds:
        raise StepFailed(f"<{tag}> is no {what}")
    return str(kind)


def _first_line(error: Error) -> str:
    return error.message.partition("\n")[0].removeprefix("Locator.wait_for: ").removeprefix("Locator.count: ")
