"""The script of a shopper's steps (`jsrc/visit`), and how Playwright performs what it yields, with a real pointer."""

from collections.abc import Callable
from functools import cache
from typing import Any, cast

from playwright.sync_api import ElementHandle, Error, JSHandle, Page

from awning_harness.storefront.scripts import bundle_scripts
from awning_harness.visit.steps.failures import Responsive, StepFailed, explain_timeout

VISIT = "globalThis[Symbol.for('awning.visit')]"
"""JavaScript that returns the object of the script."""

NEXT = f"(actions) => {VISIT}.next(actions)"
"""JavaScript that returns the next action; why the step is not possible; null at the end of the step."""

WITHOUT_ELEMENT = "(action) => action && { ...action, element: null, perform: null }"
"""JavaScript that returns an action without its element and function, which cannot be sent."""

METHODS = {
    "click": {"trial"},
    "dblclick": set[str](),
    "fill": {"value"},
    "hover": set[str](),
    "press": {"key"},
    "select_option": {"index"},
    "tap": set[str](),
}
"""What a pointer and a keyboard can do to an element: Playwright's methods that a page may name, with their options.

`force` is not among them: an element would be clicked that something covers.
"""

PAGE_IS_LEFT = ("Execution context was destroyed", "Frame was detached", "has been closed")
"""Parts of Playwright's errors about a page that an action has left."""


@cache
def visit_script() -> str:
    """Return the script. A page may run it again."""
    return bundle_scripts({"visit": "visit/index.ts"}, {})["visit.js"].decode()


def on_page(page: Page, step: dict[str, Any]) -> JSHandle:
    """Return the actions of a step on the shop's page."""
    return page.evaluate_handle(
        f"(step) => {{ {visit_script()}; return {VISIT}.onPage(document, step); }}", step
    )


def in_block(element: ElementHandle, verb: str, argument: str) -> JSHandle:
    """Return the actions of a step in the widget's block on the element that its selector matches."""
    return element.evaluate_handle(_of_element("inBlock"), [verb, argument])


def obstacle_to(element: ElementHandle, verb: str, argument: str) -> str:
    """Return why a shopper cannot take a step at a visible element now; "" if nothing is in the way."""
    return cast("str", element.evaluate(_of_element("obstacleTo"), [verb, argument]))


def _of_element(function: str) -> str:
    """Return JavaScript that calls a function of the script for an element and a step."""
    return f"(element, step) => {{ {visit_script()}; return {VISIT}.{function}(element, ...step); }}"


def perform(
    tab: Responsive, actions: JSHandle, *, within_ms: float, settle: Callable[[], None] | None = None
) -> None:
    """Perform the actions of a step with a real pointer and keyboard. `settle` is called after each.

    Raises StepFailed when the step is not possible, or when a shopper cannot reach an element, and Stuck when the page
    does not respond.
    """
    has_acted = False
    while (following := _next(actions, has_acted=has_acted)) is not None:
        action, element = following
        if "refused" in action:
            raise StepFailed(action["refused"])
        with explain_timeout(tab, action["what"]):
            _perform(cast("ElementHandle", element), action, within_ms)
        if settle:
            settle()
        else:
            tab.require_responsive(within_ms=round(within_ms))
        has_acted = True


def _next(actions: JSHandle, *, has_acted: bool) -> tuple[dict[str, Any], ElementHandle | None] | None:
    """Return the next action of a step with its element; None at the end, also when an action has left the page."""
    try:
        handle = actions.evaluate_handle(NEXT)
        action = cast("dict[str, Any] | None", handle.evaluate(WITHOUT_ELEMENT))
        return None if action is None else (action, handle.get_property("element").as_element())
    except Error as error:
        if has_acted and any(text in error.message for text in PAGE_IS_LEFT):
            return None
        raise


def _perform(element: ElementHandle, action: dict[str, Any], within_ms: float) -> None:
    method, options = action["method"], action.get("options") or {}
    if method not in METHODS:
        raise ValueError(f"a pointer cannot perform {method}: METHODS does not list it")
    if refused := sorted(options.keys() - METHODS[method]):
        raise ValueError(f"{method} may not have the option {', '.join(refused)}: METHODS does not list it")
    if method == "select_option":
        element.focus()  # as a click on the list would: the field before it is left
    getattr(element, method)(**options, timeout=within_ms)
