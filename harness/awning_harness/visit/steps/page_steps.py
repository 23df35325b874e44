"""The steps of a shopper on a page: choose a variant, enter a code, choose shipping, wait, act in the block.

`jsrc/visit` has what each step does. Each step first checks whether it is possible on the page and, except for a click
and typing in the block, whether it changes anything. If not, it fails with the reason, at once or after WITHIN_MS.
Playwright alone would wait for half a minute.
"""

from time import monotonic
from typing import Any

from playwright.sync_api import ElementHandle, Error, Locator, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.contract.slots import SLOTS
from awning.workspace.steps import PAGE_STEPS, WAIT, Step, StepSyntaxError, read_step
from awning.workspace.store.records import ProductRecord
from awning.workspace.store.store import Store
from awning_harness.visit.pages.address import require_shipping, require_variant
from awning_harness.visit.pages.tabs import Tab
from awning_harness.visit.steps.failures import Responsive, StepFailed, explain_timeout
from awning_harness.visit.steps.visit_script import (
    VISIT,
    in_block,
    obstacle_to,
    on_page,
    perform,
    visit_script,
)

WITHIN_MS = 5000
"""How many milliseconds an element may take to become clickable, and the shop to respond."""
POLL_MS = 20


def read(words: str) -> Step:
    """Return the step that a state writes. Raises StepFailed with a hint when it is not one."""
    try:
        return read_step(words)
    except StepSyntaxError as error:
        raise StepFailed(f"{error}; {error.hint}") from error


def updated_event(slot: str, event: str) -> str:
    """Return the name of the updated event of a slot, whose base event is `event`. Raises StepFailed without one."""
    if not SLOTS[slot].updates:
        raise StepFailed(f"{slot} has no updated event: open the page with the payload that it should show")
    return f"{event}-updated"


def take(tab: Tab, store: Store, product: ProductRecord | None, block: Locator, step: Step) -> None:
    """Take one step of a state, such as `select L/Blue` or `click "button.more"`. `block` is the widget's block.

    Raises StepFailed when the step is not possible or changes nothing, NotInTheStore for an unknown variant or way of
    shipping, and Stuck when the page does not respond.
    """
    if step.is_in_block:
        take_in_block(tab, block, step, within_ms=WITHIN_MS)
    elif step.verb == WAIT:
        _call(tab, "pass", step.seconds * 1000)
    else:
        take_on_page(tab, page_step(store, product, step))


def take_on_page(tab: Tab, step: dict[str, Any]) -> None:
    """Take a step on the shop's page with clicks. The page has shown each change before the next click.

    Raises StepFailed when the step is not possible, and Stuck when the page does not respond.
    """
    perform(tab, on_page(tab.page, step), within_ms=WITHIN_MS, settle=lambda: _call(tab, "settle"))


def frame_step(
    store: Store, product: ProductRecord | None, step: Step, *, again: bool = False
) -> dict[str, Any]:
    """Return a step as `jsrc/visit` takes it in a frame: on the page as `page_step` returns it, or in the block."""
    if step.is_in_block:
        return {"verb": step.verb, "arguments": list(step.arguments)}
    return page_step(store, product, step, again=again)


def page_step(
    store: Store, product: ProductRecord | None, step: Step, *, again: bool = False
) -> dict[str, Any]:
    """Return a step outside of the block as `jsrc/visit` takes it. With `again`, it may change nothing.

    Raises NotInTheStore for an unknown variant or way of shipping, and StepFailed for an empty discount code.
    """
    if step.verb == WAIT:
        return {"verb": WAIT, "ms": step.seconds * 1000}
    argument = step.argument
    named: dict[str, Any] = {"verb": step.verb, "argument": argument, "again": again}
    match PAGE_STEPS[step.verb].choice:
        case "variant":
            named["options"] = list(require_variant(product, argument or "").options)
        case "code":
            if argument is not None and not argument.strip():
                raise StepFailed("an empty discount code is never sent; to remove a code, use None")
            named["argument"] = argument and argument.strip()
        case "shipping":
            require_shipping(store, argument or "")
    return named


def _call(tab: Tab, function: str, *arguments: float) -> None:
    """Call a function of the visit's script that takes a time limit. Raises StepFailed with the reason it returns."""
    call = f"{VISIT}.{function}(window, ...limits)"
    why = tab.evaluate(f"(limits) => {{ {visit_script()}; return {call}; }}", [*arguments, WITHIN_MS])
    if why:
        raise StepFailed(why)


def take_in_block(tab: Responsive, block: Locator, step: Step, *, within_ms: float) -> None:
    """Take a step in the widget's block. Its selector must match exactly one visible element.

    Playwright finds it, also in open shadow roots, and performs what `jsrc/visit/block_steps.ts` yields for it.

    Raises StepFailed when the step is not possible, or when the element already has the state that the step would give
    it (not for click and type). Raises Stuck when the page does not respond.
    """
    selector, *rest = step.arguments
    element = _require_one(block, selector, within_ms)
    with explain_timeout(tab, "the element"):
        handle = element.element_handle(timeout=within_ms)
    argument = rest[0] if rest else ""
    _await_access(element.page, handle, step.verb, argument, within_ms)
    perform(tab, in_block(handle, step.verb, argument), within_ms=within_ms)


def _await_access(page: Page, element: ElementHandle, verb: str, argument: str, within_ms: float) -> None:
    """Wait until nothing keeps a shopper from a step at an element. Raises StepFailed with what stays there."""
    end = monotonic() + within_ms / 1000
    while obstacle := obstacle_to(element, verb, argument):
        if monotonic() > end:
            raise StepFailed(obstacle)
        page.wait_for_timeout(POLL_MS)


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


def _first_line(error: Error) -> str:
    return error.message.partition("\n")[0].removeprefix("Locator.wait_for: ").removeprefix("Locator.count: ")
