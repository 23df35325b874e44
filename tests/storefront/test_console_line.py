"""The line for the browser's console (docs/live-shop.md), on pages of the simulated shop."""

import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from command_line import call_awning

from awning.contract import Dialect
from awning.live.recorder_script import console_line

DOCS = Path(__file__).parents[2] / "docs/live-shop.md"
PAGES = {
    "product/1": ["svc-content-after-price", "svc-content-after-price-updated"],
    "cart?cart=C1": ["svc-content-after-cart"],
    "checkout?cart=C1": ["svc-content-after-checkout"],
}
PERSONAL = {
    "first_name": "Anna",
    "lastName": "Bērziņa-Smith",
    "email": "anna.berzina@example.org",
    "phone": "+371 29 123 456",
    "mobile": 37129123456,
    "address": {"line1": "Brīvības iela 12-3", "postal": 1010, "city": "Rīga"},
    "tokens": ["eyJhbGciOiJIUzI1NiJ9.e30.ZRrHA1JJJW8opsbCGfG_HACGpVUMN_a9IOY9Knsi2jA", "c0ffee" * 6],
    "anna@example.org": {"Anna Bērziņa": 1, "29123456": "Rīga"},
}
TRACES = ("Anna", "anna", "Bērz", "berz", "@example", "291", "123", "Brīv", "1010", "Rīga", "eyJ", "c0ffee")


@pytest.fixture
def copied(browser, shop_url):
    """Runs a line in the console of a page of the shop. Returns the text that it puts on the clipboard."""

    context = browser.new_context()
    page = context.new_page()
    devtools = context.new_cdp_session(page)

    def copy(path: str, line: str) -> str:
        texts = []
        devtools.on("Runtime.inspectRequested", lambda sent: texts.extend([sent]))
        page.goto(f"{shop_url}/en/{path}", wait_until="load")
        page.evaluate("() => new Promise((done) => setTimeout(done, 0))")
        devtools.send("Runtime.enable")
        answer = devtools.send("Runtime.evaluate", {"expression": line, "includeCommandLineAPI": True})
        assert "exceptionDetails" not in answer
        page.wait_for_function("true")  # the message with the text comes before this answer
        [sent] = texts
        assert sent["hints"] == {"copyToClipboard": True}
        return str(sent["object"]["value"])

    yield copy
    context.close()


@pytest.mark.parametrize("redacts", [False, True])
@pytest.mark.parametrize("path", PAGES)
def test_console_line_copies_events_that_payload_check_accepts(copied, tmp_path, path, redacts):
    text = copied(path, console_line(Dialect(), redacts=redacts))
    (tmp_path / "page.json").write_text(text, encoding="utf-8")
    assert [event["event"] for event in json.loads(text)] == PAGES[path]
    result = call_awning("payload", "check", tmp_path / "page.json")
    assert (result.code, result.out.count("settled: cart-fields: full")) == (0, "cart=" in path), result.out


def test_console_line_copies_values(copied):
    [event, updated] = json.loads(copied("product/1", console_line(Dialect())))
    assert event["item"]["name"] == "Linen T-shirt"
    assert updated["updatedItem"]["selectedVariant"]["id"] == updated["updatedItem"]["selectedVariantId"]


def test_redacting_console_line_copies_no_personal_data(copied):
    item = {"id": "1", "name": "For Anna", "sku": "anna@example.org", "currency": "+371 29123456", "price": 2}
    payload = json.dumps({"item": {**item, "customer": PERSONAL}, "customer": PERSONAL, "page": PERSONAL})
    text = copied(f"product/5?{urlencode({'payload': payload})}", console_line(Dialect(), redacts=True))
    assert [trace for trace in TRACES if trace in text] == []
    [event, *_] = json.loads(text)
    assert event["item"].keys() == {*item, "customer"}
    assert (event["item"]["id"], event["item"]["price"]) == ("9001", 2)
    assert event["customer"]["address"] == {"line1": "***", "postal": 0, "city": "***"}


@pytest.mark.parametrize("redacts", [False, True])
def test_docs_have_the_console_line(redacts):
    assert f"\n{console_line(Dialect(), redacts=redacts)}\n" in DOCS.read_text(encoding="utf-8")
