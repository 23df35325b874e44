"""A test fails when its pages have problems, whatever it asserts. A marker with a reason allows a problem."""

import re
import subprocess
import sys
from dataclasses import dataclass

import pytest

from awning.workspace.scaffolding import make_workspace

SCRIPT = """\
import { afterPrice } from "awning";

export default afterPrice(() => {
  const product = location.pathname.split("/").pop();
  if (product == "2") throw new Error("no luck");
  if (product == "3") Promise.reject(new Error("nobody handles this"));
  if (product == "4") console.error("a complaint");
  if (product == "5") void fetch("https://points.example.com/near.json").catch(() => 0);
  return "<p>text</p>";
});
"""


@dataclass(frozen=True, kw_only=True)
class Own:
    """A test of an author, and the reason why it fails. With an empty reason it must pass."""

    code: str
    reason: str = ""
    marker: str = ""
    fixtures: str = "storefront"


OWN = {
    "opens_a_sound_page": Own(code="storefront.product('P1')"),
    "opens_no_page": Own(code="assert storefront"),
    "sees_an_exception": Own(
        code="storefront.product('P2')",
        reason="no luck",
    ),
    "sees_a_rejected_promise": Own(
        code="storefront.product('P3')", reason="the console has errors: Error: nobody handles this"
    ),
    "sees_an_error_of_the_console": Own(
        code="storefront.product('P4')", reason="the console has errors: a complaint"
    ),
    "sees_a_foreign_request": Own(
        code="storefront.product('P5')", reason="https://points.example.com/near.json"
    ),
    "goes_on_to_a_sound_page": Own(
        code="storefront.product('P4'); storefront.product('P1')",
        reason="the console has errors: a complaint",
    ),
    "leaves_a_page_that_never_responds": Own(
        code="storefront.product('P1'); storefront.tab.page.evaluate('() => { setTimeout(() => { for (;;); }, 0); }')",
        reason="the page cannot be looked at: the page does not respond",
    ),
    "allows_the_error": Own(
        code="storefront.product('P4')",
        marker="@pytest.mark.allow_problems('complaint', reason='the widget must stay')",
    ),
    "allows_another_error": Own(
        code="storefront.product('P4')",
        marker="@pytest.mark.allow_problems('luck', reason='the widget must stay')",
        reason="the console has errors: a complaint",
    ),
    "allows_without_a_reason": Own(
        code="storefront.product('P4')",
        marker="@pytest.mark.allow_problems('complaint')",
        reason="allow_problems needs a part of the text and a reason",
    ),
    "opens_two_shops": Own(
        code="storefront.product('P4'); dev_storefront.product('P1')",
        fixtures="storefront, dev_storefront",
        reason="the console has errors: a complaint",
    ),
    "fails_by_its_assertion_first": Own(
        code="storefront.product('P4'); assert 1 == 2", reason="assert 1 == 2"
    ),
}


@pytest.fixture(scope="module")
def report(processes, tmp_path_factory) -> str:
    """pytest's output for a workspace with these tests."""
    root = tmp_path_factory.mktemp("failing") / "app"
    make_workspace(root, slot="after-price")
    folder = root / "widgets" / "stock-note"
    (folder / "widget.ts").write_text(SCRIPT)
    tests = (f"{own.marker}\ndef test_{name}({own.fixtures}):\n    {own.code}\n" for name, own in OWN.items())
    (folder / "test_own.py").write_text("\n\n".join(["import pytest\n", *tests]))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-v",
        "-rA",
        "-p",
        "no:cacheprovider",
        str(folder / "test_own.py"),
    ]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", OWN)
def test_outcome_follows_from_the_pages_problems(report, name):
    outcome = "FAILED" if OWN[name].reason else "PASSED"
    assert re.search(rf"^{outcome} widgets/stock-note/test_own\.py::test_{name}\[", report, re.MULTILINE), (
        report[-5000:]
    )
    section = re.search(
        rf"^_+ test_{name}\[chromium\] _+$(.*?)(?=^_{{10}}|^={{10}})", report, re.MULTILINE | re.DOTALL
    )
    assert OWN[name].reason in (section[1] if section else "")
