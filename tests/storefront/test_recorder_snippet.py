"""The recorder as a snippet (`awning record snippet`), on pages of the simulated shop."""

import json
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import pytest
from command_line import call_awning
from personal_data import PERSONAL_DATA, traces_in

from awning.contract import Dialect
from awning.live.recorder_script import write_recorder_widget
from awning_harness.storefront import FixedSnippets

FILL = """
let text = "x".repeat(1 << 20);
for (let key = 0; text; key++) {
  try { sessionStorage[key] = text; } catch { text = text.slice(text.length / 2 + 1); }
}
"""
VISIBLE = "awning-recorder"


@pytest.fixture
def recorded(browser, shop_with, tmp_path):
    """Opens pages of a shop with the recorder in one tab. Returns the tab, the shop, and what starts it."""
    contexts = []

    def open_tab(until=timedelta(days=1)):
        query = write_recorder_widget(tmp_path / "recorder", Dialect(), datetime.now(UTC) + until)
        snippet = FixedSnippets(body=(tmp_path / "recorder/body.html").read_text())
        contexts.append(browser.new_context(accept_downloads=True))
        # The control is in a closed shadow root: for tests it is open.
        contexts[0].add_init_script(
            "const attach = Element.prototype.attachShadow;"
            "Element.prototype.attachShadow = function () { return attach.call(this, { mode: 'open' }); };"
        )
        return contexts[0].new_page(), f"{shop_with(snippet)}/en", query

    yield open_tab
    for context in contexts:
        context.close()


def test_recorder_keeps_each_payload_of_a_visit_and_downloads_what_payload_check_reads(recorded, tmp_path):
    tab, shop, query = recorded()
    tab.goto(f"{shop}/product/1?{query}")
    tab.get_by_text("Recording: 2 events").wait_for()
    tab.goto(f"{shop}/product/1")
    tab.goto(f"{shop}/cart?cart=C1")
    tab.get_by_text("Recording: 3 events").wait_for()
    with tab.expect_download() as downloading:
        tab.get_by_role("button", name="Download").click()
    file = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(file)
    content = json.loads(file.read_text())
    assert [event["event"] for event in content["events"]] == [
        "svc-content-after-price", "svc-content-after-price-updated", "svc-content-after-cart"
    ]  # fmt: skip
    assert [(each["load"], each["times"] > 1) for each in content["visit"]] == [
        (1, True),
        (1, True),
        (3, False),
    ]
    assert content["events"][2]["cartData"]["items"][0]["name"] == "***"
    assert query.partition("=")[2] not in (tmp_path / "recorder/body.html").read_text()
    assert call_awning("payload", "check", file).code == 0
    folder = tmp_path / "recorded"
    content["events"][0]["item"]["name"] = "planted@example.org"
    file.write_text(json.dumps(content))
    assert call_awning("record", "--download", file, "-o", folder).code == 0
    assert [event["load"] for event in json.loads((folder / "visit.json").read_text())["events"]] == [1, 1, 3]
    assert "planted" not in "".join(each.read_text() for each in folder.rglob("*.*"))
    tab.get_by_role("button", name="End").click()
    assert tab.evaluate("sessionStorage.length") == 0
    assert tab.locator(VISIBLE).count() == 0


@pytest.mark.parametrize(
    ("asks", "until"),
    [
        ("", timedelta(days=1)),
        ("?awning-record", timedelta(days=1)),
        ("?awning-record=planted-guess", timedelta(days=1)),
        ("?{query}", timedelta(0)),
    ],
)
def test_recorder_does_nothing_unasked_or_after_its_day(recorded, asks, until):
    tab, shop, query = recorded(until)
    tab.goto(f"{shop}/product/1{asks.format(query=query)}")
    tab.wait_for_load_state("load")
    tab.evaluate(
        "crypto.subtle.digest('SHA-256', new Uint8Array(1)).then(() => new Promise(requestAnimationFrame))"
    )
    assert (tab.locator(VISIBLE).count(), tab.evaluate("sessionStorage.length")) == (0, 0)


SLOW_HASH = """
const hash = crypto.subtle.digest.bind(crypto.subtle);
crypto.subtle.digest = (...words) => new Promise((done) => setTimeout(done, 500)).then(() => hash(...words));
"""


def test_recorder_keeps_what_comes_before_its_token_is_known(recorded):
    tab, shop, query = recorded()
    tab.add_init_script(SLOW_HASH)
    # There, a late subscriber gets nothing.
    tab.goto(f"{shop}/cart?cart=C1&assumptions=documented&{query}")
    tab.get_by_text("Recording: 1 event").wait_for()


def test_recorder_keeps_nothing_of_a_person(recorded):
    tab, shop, query = recorded()
    texts = [*PERSONAL_DATA.values()]
    item = {
        "id": texts,
        "name": texts,
        "currency": texts,
        "customer": dict.fromkeys(texts, texts[:1]),
        "price": 2.5,
    }
    tab.goto(f"{shop}/product/5?{query}&{urlencode({'payload': json.dumps({'item': item})})}")
    tab.get_by_text("Recording: 1 event").wait_for()
    kept = tab.evaluate("JSON.stringify([sessionStorage, document.cookie])")
    assert '\\"price\\":2.5' in kept
    assert traces_in(kept) == []


def test_recorder_says_when_there_is_no_room(recorded):
    tab, shop, query = recorded()
    tab.goto(f"{shop}/product/1?{query}")
    tab.get_by_text("Recording: 2 events").wait_for()
    tab.evaluate(FILL)
    tab.goto(f"{shop}/cart?cart=C1")
    tab.get_by_text("Recording: 2 events, 1 lost").wait_for()


FIRE = (
    """(total) => jQuery(document).trigger("svc-content-after-cart", [() => ({}), { cartData: { total } }])"""
)
DEEP = """() => {
  let value = {}, isReached = false;
  for (let depth = 0; depth < 2400; depth++) value = { data: value };
  svcPlugins.subscribeEvent("svc-content-after-cart", () => { isReached = true; });
  jQuery(document).trigger("svc-content-after-cart", [() => ({}), { cartData: value }]);
  return isReached;
}"""
RESTORE = "() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))"


@pytest.fixture
def recording(recorded):
    """A tab that has recorded two events."""
    tab, shop, query = recorded()
    tab.goto(f"{shop}/product/1?{query}")
    tab.get_by_text("Recording: 2 events").wait_for()
    return tab


def test_recorder_asks_before_it_drops_what_was_not_downloaded(recording):
    recording.get_by_role("button", name="End").click()
    recording.get_by_text("Not downloaded yet").wait_for()
    assert recording.evaluate("sessionStorage.length") == 1
    recording.get_by_role("button", name="End").click()
    assert (recording.locator(VISIBLE).count(), recording.evaluate("sessionStorage.length")) == (0, 0)


def test_recorder_that_was_downloaded_ends_without_asking(recording):
    recording.get_by_role("button", name="End").click()
    recording.get_by_text("Not downloaded yet").wait_for()
    recording.get_by_role("button", name="Download").click()
    recording.get_by_text("Recording: 2 events").wait_for()
    recording.get_by_role("button", name="End").click()
    assert recording.evaluate("sessionStorage.length") == 0


def test_recorder_breaks_no_other_app_by_a_payload_that_is_nested_deeply(recording):
    assert recording.evaluate(DEEP)


def test_recorder_on_a_page_that_was_kept_goes_on_with_the_record_of_other_pages(recording):
    recording.evaluate("""() => {
      const record = JSON.parse(sessionStorage["awning-record"]);
      record.deliveries.push({ load: 2, ms: 1, times: 1, values: {} });
      sessionStorage["awning-record"] = JSON.stringify(record);
    }""")
    recording.evaluate(RESTORE)
    recording.evaluate(FIRE, 1)
    recording.get_by_text("Recording: 4 events").wait_for()
    assert len(json.loads(recording.evaluate("sessionStorage['awning-record']"))["deliveries"]) == 4


def test_recorder_on_a_page_that_was_kept_has_ended_when_another_page_ended_it(recording):
    recording.evaluate("sessionStorage.clear()")
    recording.evaluate(RESTORE)
    recording.evaluate(FIRE, 1)
    assert (recording.locator(VISIBLE).count(), recording.evaluate("sessionStorage.length")) == (0, 0)


def test_recorder_ends_on_an_open_page_after_its_day(recording):
    recording.evaluate("Date.now = () => 9e15")
    recording.evaluate(FIRE, 1)
    assert (recording.locator(VISIBLE).count(), recording.evaluate("sessionStorage.length")) == (0, 0)
