"""The check of the layout: what jumps when the block arrives or changes. It needs the paints of a page of its own."""

from typing import Any

from awning.workspace import WidgetState
from awning_harness.conformance.state_case import StateCase
from awning_harness.testing import Storefront

BUDGET = 0.1
"""The most layout shift of a page that Web Vitals calls good."""

SHIFTS = """() => new Promise((done) => {
  const shifts = [];
  new PerformanceObserver((list) => shifts.push(...list.getEntries()))
    .observe({ type: "layout-shift", buffered: true });
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => {
    const own = shifts.filter((shift) => !shift.hadRecentInput);
    const node = own.flatMap((shift) => shift.sources.map((source) => source.node)).find((node) => node?.localName);
    done({ sum: own.reduce((sum, shift) => sum + shift.value, 0),
      what: node ? node.localName + (node.className ? "." + String(node.className).split(" ")[0] : "") : null });
  }, 50)));
})"""


def test_layout_shift(storefront: Storefront, state: WidgetState) -> None:
    """What is below the block jumps when the block arrives late or changes its height by itself."""
    case = StateCase.of(storefront, state)
    visit = case.open()
    shifted: dict[str, Any] = visit.evaluate(SHIFTS)
    if shifted["sum"] > BUDGET:
        case.fail(
            f"the page shifts by {shifted['sum']:.2f}, and {BUDGET} is the budget; {shifted['what']} moves"
        )
