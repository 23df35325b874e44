"""The steps of a shopper in the widget's block.

Playwright finds the element, also in open shadow roots, and performs what `jsrc/visit/block_steps.ts` yields for it: it
clicks with a real pointer; type and choose set the value and fire the events of a change.
"""

from playwright.sync_api import Error, Locator
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from awning.workspace.steps import Step
from awning_harness.visit.steps.failures import Responsive, StepFailed, explain_timeout
from awning_harness.visit.steps.visit_script import in_block, perform


def take_in_block(tab: Responsive, block: Locator, step: Step, *, within_ms: float) -> None:
    """Take a step in the widget's block. Its selector must match exactly one visible element.

    Raises StepFailed when the step is not possible, or when the element already has the state that the step would give
    it (not for click and type). Raises Stuck when the page does not respond.
    """
    selector, *rest = step.arguments
    element = _require_one(block, selector, within_ms)
    with explain_timeout(tab, "the element"):
        handle = element.element_handle(timeout=within_ms)
    actions = in_block(handle, step.verb, rest[0] if rest else "")
    perform(tab, actions, within_ms=within_ms)


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
