"""The fixtures `widget` and `storefront`: what a test sees of a widget, in a frame or on a page, and why it fails.

A test fails when its pages have problems, whatever it asserts. A marker with a reason allows a problem.
"""

import re
from dataclasses import dataclass

import pytest
from nested_runs import run_pytest, section_of, with_short_limits

from awning.workspace.scaffolding import make_workspace

SCRIPT = """\
import { afterPrice } from "awning";

export default afterPrice(({ item, data, variant }) => {
  const product = location.pathname.split("/").pop();
  if (product == "2") throw new Error("no luck");
  if (product == "3") Promise.reject(new Error("nobody handles this"));
  if (product == "4") console.error("a complaint");
  if (product == "5") void fetch("https://points.example.com/near.json").catch(() => 0);
  if (product == "6") (globalThis as any).mine = 1;
  if ((data as any).loops && variant?.id === "106") for (;;);
  if ((data as any).leaves) location.assign((data as any).leaves);
  if ((data as any).leavesLater) setTimeout(() => location.assign("../cart"), 60_000);
  if ((data as any).reloads) location.reload();
  if ((data as any).buys) return '<form action="../cart"><button>buy</button></form>';
  return `<p>${item.stock} left ${JSON.stringify(data)} ${innerWidth}</p>`;
});
"""

FRAME = """() => new Promise((done) => {
  const frame = Object.assign(document.createElement("iframe"), { srcdoc: "a film", onload: done });
  document.querySelector(".placeholder-after-price").append(frame);
})"""
"""A script that adds a frame, as a widget with a film or a map does."""


@dataclass(frozen=True, kw_only=True)
class Own:
    """A test of an author, and the reason why it fails. With an empty reason it must pass."""

    code: str
    reason: str = ""
    marker: str = ""
    fixtures: str = "widget"


OWN = {
    "shows_a_product": Own(code="assert 'left' in widget.show('P1').text()"),
    "selects_a_variant": Own(
        code="visit = widget.show('P1'); visit.select('L/Blue'); assert visit.text().startswith('1 left')"
    ),
    "fires_an_update": Own(
        code="visit = widget.show('P1'); variant = dict(id='1', stock=77, options=[]);"
        " visit.update(dict(item=dict(stock=4), selectedVariant=variant, selectedVariantId='1'));"
        " assert visit.text().startswith('77 left'), visit.text()"
    ),
    "gives_app_data": Own(code="assert 'own' in widget.show('P1', data=dict(own=7)).text()"),
    "starts_without_app_data": Own(code="assert 'own' not in widget.show('P1').text()"),
    "has_a_phone": Own(code="assert widget.show('P1', width=360).text().endswith(' 360')"),
    "has_the_html": Own(code="assert '<p>' in widget.show('P1').html"),
    "has_a_strict_policy": Own(code="assert 'left' in widget.show('P1', csp='trusted-types').text()"),
    "is_in_a_crowd": Own(
        code="visit = widget.show('P1', theme='crowded'); assert visit.block_count == 1; assert not visit.problems()"
    ),
    "has_a_locator": Own(code="assert 'left' in widget.show('P1').block.inner_text()"),
    "has_a_locator_beside_a_frame": Own(
        code="visit = widget.show('P1'); visit.frame.evaluate(FRAME); assert 'left' in visit.block.inner_text()"
    ),
    "uses_the_page_around_the_frame": Own(
        code="""assert widget.show('P1').frame.page.evaluate("window.name = 'own'") == 'own'"""
    ),
    "has_a_page_of_its_own_after_it": Own(
        code="assert widget.show('P1').frame.page.evaluate('window.name') == ''"
    ),
    "waits_for_a_text": Own(
        code="assert widget.show('P1').text_problems(['left'], ['none'], within_ms=1) == []"
    ),
    "names_the_texts_that_do_not_come": Own(
        code="""assert widget.show('P1').text_problems(['Bananas'], ['left'], within_ms=1) == []""",
        reason="does not show 'Bananas'",
    ),
    "sees_an_exception": Own(code="widget.show('P2')", reason="no luck"),
    "sees_a_rejected_promise": Own(
        code="widget.show('P3')", reason="the console has errors: Error: nobody handles this"
    ),
    "sees_an_error_of_the_console": Own(
        code="widget.show('P4')", reason="the console has errors: a complaint"
    ),
    "allows_the_error": Own(
        code="widget.show('P4')",
        marker="@pytest.mark.allow_problems('complaint', reason='the widget must stay')",
    ),
    "sees_a_foreign_request": Own(code="widget.show('P5')", reason="https://points.example.com/near.json"),
    "answers_a_foreign_request": Own(
        code="widget.answer('https://points.example.com/near.json', {}); widget.show('P5')"
    ),
    "sees_a_leaked_global": Own(
        code="widget.show('P6')", reason="global-leaked (svc-content-after-price): mine"
    ),
    "sees_a_late_global": Own(
        code="widget.show('P1').frame.evaluate('globalThis.late = 1')",
        reason="the widget leaves globals on the page: late",
    ),
    "allows_a_global_of_widget_toml": Own(
        code="assert widget.show('P1').frame.evaluate('globalThis.wanted = 1') == 1"
    ),
    "goes_on_to_a_sound_page": Own(
        code="widget.show('P4'); widget.show('P1')", reason="the console has errors: a complaint"
    ),
    "refuses_a_wrong_step": Own(
        code="widget.show('P1').step('select S/Red')", reason="StepFailed: S/Red is already selected"
    ),
    "takes_a_step_in_the_block": Own(code="widget.show('P1').step('click \"p\"')"),
    "refuses_a_step_that_leaves_the_page": Own(
        code="widget.show('P1', data=dict(buys=1)).step('click \"button\"')",
        reason="PageLeft: the page was left for en/",
    ),
    "refuses_a_page_that_leaves_at_once": Own(
        code="widget.show('P1', data=dict(leaves='../cart'))",
        reason="PageLeft: the page was left for en/cart while it loaded: a script leads there",
    ),
    "refuses_a_page_that_begins_a_download": Own(
        code="widget.show('P1', data=dict(leaves='data:application/octet-stream,'))",
        reason="PageLeft: the page was left for a download, or an address of another program while it loaded",
    ),
    "refuses_a_page_that_loads_itself_again": Own(
        code="widget.show('P1', data=dict(reloads=1))",
        reason="PageLeft: the page was left for en/product/1 while it loaded",
    ),
    "refuses_to_wait_on_a_page_that_leaves": Own(
        code="widget.show('P1', now='2026-03-02T10:30:00', data=dict(leavesLater=1)).wait(minutes=2)",
        reason="PageLeft: the page was left for en/cart",
    ),
    "refuses_a_step_on_a_page_that_was_left": Own(
        code="frame = widget.show('P1').frame; frame.evaluate('location.href = \"cart\"');"
        " frame.wait_for_url('**/cart'); widget.visit.select('L/Blue')",
        reason="PageLeft: the page was left for en/",
    ),
    "sees_that_the_page_was_left": Own(
        code="frame = widget.show('P1').frame; frame.evaluate('location.href = \"cart\"');"
        " frame.wait_for_url('**/cart')",
        reason="the page cannot be looked at: the page was left for en/",
    ),
    "goes_back_to_its_own_page": Own(
        code="frame = widget.show('P1').frame;"
        ' frame.evaluate(\'() => { history.pushState({}, "", "?open"); history.back(); }\');'
        " frame.wait_for_url('**/product/1'); widget.visit.settle(); assert 'left' in widget.visit.text()",
    ),
    "sees_that_the_tab_was_left": Own(
        code="frame = widget.show('P1').frame; frame.evaluate('top.location = \"about:blank\"');"
        " frame.page.wait_for_url('about:blank')",
        reason="the page cannot be looked at: the page was left for blank",
    ),
    "goes_on_after_the_tab_was_left": Own(code="assert 'left' in widget.show('P1').text()"),
    "refuses_an_unknown_product": Own(code="widget.show('P99')", reason="the store has no product 'P99'"),
    "refuses_an_unknown_option": Own(
        code="widget.show('P1', theme='gaudy')", reason="there is no theme 'gaudy'"
    ),
    "names_the_line_of_a_loop_in_a_step": Own(
        code="widget.show('P1', data=dict(loops=1)).select('L/Blue')",
        reason="at widgets/stock-note/widget.ts:10:",
    ),
    "goes_on_in_a_new_tab": Own(code="assert 'left' in widget.show('P1').text()"),
    "storefront_opens_a_sound_page": Own(fixtures="storefront", code="storefront.product('P1')"),
    "storefront_opens_no_page": Own(fixtures="storefront", code="assert storefront"),
    "storefront_sees_an_exception": Own(
        fixtures="storefront",
        code="storefront.product('P2')",
        reason="no luck",
    ),
    "storefront_sees_a_rejected_promise": Own(
        fixtures="storefront",
        code="storefront.product('P3')",
        reason="the console has errors: Error: nobody handles this",
    ),
    "storefront_sees_an_error_of_the_console": Own(
        fixtures="storefront", code="storefront.product('P4')", reason="the console has errors: a complaint"
    ),
    "storefront_sees_a_foreign_request": Own(
        fixtures="storefront", code="storefront.product('P5')", reason="https://points.example.com/near.json"
    ),
    "storefront_goes_on_to_a_sound_page": Own(
        fixtures="storefront",
        code="storefront.product('P4'); storefront.product('P1')",
        reason="the console has errors: a complaint",
    ),
    "storefront_allows_the_error": Own(
        fixtures="storefront",
        code="storefront.product('P4')",
        marker="@pytest.mark.allow_problems('complaint', reason='the widget must stay')",
    ),
    "storefront_allows_another_error": Own(
        fixtures="storefront",
        code="storefront.product('P4')",
        marker="@pytest.mark.allow_problems('luck', reason='the widget must stay')",
        reason="the console has errors: a complaint",
    ),
    "storefront_allows_without_a_reason": Own(
        fixtures="storefront",
        code="storefront.product('P4')",
        marker="@pytest.mark.allow_problems('complaint')",
        reason="allow_problems needs a part of the text and a reason",
    ),
    "storefront_opens_two_shops": Own(
        code="storefront.product('P4'); dev_storefront.product('P1')",
        fixtures="storefront, dev_storefront",
        reason="the console has errors: a complaint",
    ),
    "storefront_fails_by_its_assertion_first": Own(
        fixtures="storefront", code="storefront.product('P4'); assert 1 == 2", reason="assert 1 == 2"
    ),
    "storefront_leaves_a_page_that_never_responds": Own(
        fixtures="storefront",
        code="storefront.product('P1'); storefront.tab.page.evaluate('() => { setTimeout(() => { for (;;); }, 0); }')",
        reason="the page cannot be looked at: the page does not respond",
    ),
}
"""A row each. After three tests in which a page does not respond, the others are not run."""


TOLD = re.compile("(StepFailed|PageLeft): |at widgets/")
"""Matches the reason of a test that fails because of an exception of awning."""


@pytest.fixture(scope="module")
def report(processes, tmp_path_factory) -> str:
    """pytest's output for the tests. Each runs after the test above it in the table, which may leave traces."""
    root = tmp_path_factory.mktemp("frames") / "app"
    make_workspace(root, slot="after-price")
    (root / "conftest.py").write_text(with_short_limits("of_a_loop|never_responds|loads_itself_again"))
    folder = root / "widgets" / "stock-note"
    (folder / "widget.ts").write_text(SCRIPT)
    with (folder / "widget.toml").open("a") as file:
        file.write('\n[globals]\nwanted = "the page needs it"\n')
    tests = (
        f"{OWN[name].marker}\ndef test_{name}({OWN[name].fixtures}):\n    {OWN[name].code}\n" for name in OWN
    )
    (folder / "test_own.py").write_text("\n\n".join(["import pytest\n", f"FRAME = {FRAME!r}\n", *tests]))
    return run_pytest(root, "-v", "-rA", folder / "test_own.py")[1]


@pytest.mark.parametrize("name", OWN)
def test_outcome_follows_from_the_page(report, name):
    outcome = "FAILED" if OWN[name].reason else "PASSED"
    assert re.search(rf"^{outcome} widgets/stock-note/test_own\.py::test_{name}\[", report, re.MULTILINE), (
        report[-5000:]
    )
    assert OWN[name].reason in section_of(name, report)


@pytest.mark.parametrize("name", [name for name, own in OWN.items() if TOLD.match(own.reason)])
def test_traceback_ends_in_the_line_of_the_test(report, name):
    section = section_of(name, report)
    assert re.findall(r"^(\S+\.py):\d+: ", section, re.MULTILINE) == ["widgets/stock-note/test_own.py"]
