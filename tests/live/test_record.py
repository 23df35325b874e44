"""`awning record`: what a page of another shop sends, without a word of its customers."""

import asyncio
import hashlib
import json
import re
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from urllib.request import urlopen

import pytest
from live_shop import CART, CHECKOUT, ITEM, VARIANTS, Reply, fires, on_load, product_page
from playwright.async_api import Locator

from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.live.recorded_files import require_free, write_recording
from awning.live.recording import MOST_TOTAL, RecordedEvent, Recording, hex_colour
from awning.workspace.document import Findings
from awning.workspace.steps import BLOCK_STEPS, Step
from awning.workspace.store.store_files import read_own_store
from awning_harness.live import record
from awning_harness.live.record import ACTIONS, Recorder
from awning_harness.live.record_command import read_download
from awning_harness.live.visit_file import VisitedPage, read_visit
from awning_harness.service import Service, serve
from awning_harness.storefront.themes import look_style

EMPTY = Recording(events=(), surroundings=(), steps=(), errors=())

pytestmark = pytest.mark.usefixtures("processes")


def test_record_takes_every_step_in_a_block():
    methods = {step.verb: step.method for step in BLOCK_STEPS.values() if step.method}
    assert {*ACTIONS, *methods} == {*BLOCK_STEPS}
    assert [verb for verb, method in methods.items() if verb in ACTIONS or not hasattr(Locator, method)] == []


def test_record_writes_what_a_page_sends(shop, record, tmp_path):
    result = record(shop.add("/product", product_page()))
    assert result.code == 0, result.out + result.err
    assert (result.json["events"], result.json["differences"], result.json["errors"]) == (1, [], [])
    folder = tmp_path / "recorded"
    [event] = json.loads((folder / "events.json").read_text())
    assert event["event"] == "svc-content-after-price"
    assert (event["item"]["price"], event["item"]["currency"], event["item"]["name"]) == (59.9, "EUR", "***")
    visit = json.loads((folder / "visit.json").read_text())
    [delivered] = visit["events"]
    assert (delivered["event"], delivered["page"], delivered["load"]) == ("svc-content-after-price", 1, 1)
    [slot] = visit["surroundings"]
    inner = slot["around"][0]
    assert (inner["tag"], inner["classes"]) == ("section", ["slot", "placeholder-after-price"])
    assert (inner["font"], inner["size"], inner["color"]) == ("Georgia, serif", 17, "#3b2f2f")
    assert "price: number;" in (folder / "types.ts").read_text()
    [state] = tomllib.loads((folder / "states.toml").read_text())["state"]
    assert (state["slot"], state["payload"]["item"]["id"]) == ("after-price", "9001")


SLOT = "document.querySelector('.slot')"
CHANGES = {
    "replaced": f"{SLOT}.outerHTML = {SLOT}.outerHTML",
    "emptied": f"{SLOT}.innerHTML = ''",
    "moved": f"{SLOT}.replaceWith(document.createElement('p')), document.querySelector('article p').append(slot)",
    "removed": f"{SLOT}.remove()",
}


def test_record_tells_what_replaced_the_place_of_a_slot(shop, record, tmp_path):
    shop.add("/cart/Anna-Plantedova/update", "done")
    fetched = "fetch('/cart/Anna-Plantedova/update?c=7712', { method: 'POST' }).then((reply) => reply.text())"
    visit = tmp_path / "visit.toml"
    visit.write_text("".join(f"[[page]]\nurl = '/{what}'\n" for what in CHANGES))
    for what, code in CHANGES.items():
        change = f"const slot = {SLOT}; slot.append('x'); setTimeout(() => {{ {code} }}, 20)"
        body = on_load(f"setTimeout(() => {fetched}.then(() => {{ {change} }}), 50)")
        address = shop.add(f"/{what}", product_page(slot="after-cart", params=CHECKOUT, body=body))
    result = record(address, "--allow-submit", "--visit", visit)
    entries = json.loads((tmp_path / "recorded/visit.json").read_text())["places"]
    assert [(entry["page"], entry["what"]) for entry in entries] == [*enumerate(CHANGES, 1)]
    assert {(entry["slot"], entry["request"]) for entry in entries} == {
        ("after-cart", "fetch /cart/*/update")
    }
    assert all(0 <= entry["after_ms"] < entry["ms"] for entry in entries)
    assert result.json["places"] == [
        f"page {entry['page']}: the place of after-cart was {entry['what']},"
        f" {entry['after_ms']} ms after fetch /cart/*/update"
        for entry in entries
    ]


def test_record_hears_a_cart_that_the_shop_replaces(shop, record, awning, tmp_path):
    visit = tmp_path / "visit.toml"
    steps = """['wait 1 second', 'click ".add"', 'wait 1 second']"""
    visit.write_text(f"[[page]]\nurl = '/busy'\nsteps = {steps}\n")
    result = record(shop.add_busy_page("/busy", CHECKOUT), "--visit", visit)
    assert (result.code, result.json["errors"]) == (0, []), result.out
    events = [event["event"] for event in json.loads((tmp_path / "recorded/events.json").read_text())]
    assert events == [f"svc-content-{slot}" for slot in ("after-price", "after-cart", "after-cart")]
    places = json.loads((tmp_path / "recorded/visit.json").read_text())["places"]
    assert ("after-cart", "replaced", "xmlhttprequest /side-cart") in {
        (place["slot"], place["what"], place["request"]) for place in places
    }
    written = "".join(file.read_text() for file in (tmp_path / "recorded").rglob("*") if file.is_file())
    assert "planted" not in written + result.out + result.err
    checked = awning("payload", "check", tmp_path / "recorded", "--json").json
    for report in (result.json, checked):
        assert ("cart-changes", "in-place") in {(e["assumption"], e["answer"]) for e in report["settled"]}
    assert awning("payload", "check", tmp_path).code == 2


def test_record_waits_for_what_a_page_has_asked_for_before_the_next_step(shop, record, tmp_path):
    def late():
        time.sleep(1)  # longer than a page must be quiet
        return Reply("done")

    shop.add("/late", late)
    script = on_load(f"fetch('/late').then(() => {{ {fires('after-cart', CHECKOUT)} }})")
    (tmp_path / "visit.toml").write_text("[[page]]\nsteps = ['click \"h1\"']\n")
    result = record(shop.add("/asks", product_page(body=script)), "--visit", tmp_path / "visit.toml")
    assert result.json["errors"] == []
    events = json.loads((tmp_path / "recorded/visit.json").read_text())["events"]
    assert [(event["event"], event["step"]) for event in events] == [
        ("svc-content-after-price", 0),
        ("svc-content-after-cart", 0),
    ]


def test_record_believes_no_change_that_holds_a_text(shop, record, tmp_path):
    """The page's own JavaScript lets its text through, and names its text as a path."""
    lie = "RegExp.prototype.test = () => true"
    change = f"fetch('/planted').then(() => setTimeout(() => {SLOT}.remove(), 20))"
    page = product_page(
        body=f"<script>addEventListener('load', () => setTimeout(() => {change}, 50))</script>"
    )
    shop.add("/planted", "done")
    record(shop.add("/lies-too", page.replace("<main>", f"<script>{lie}</script><main>", 1)))
    assert json.loads((tmp_path / "recorded/visit.json").read_text())["places"] == []


def test_record_writes_a_storefront_with_the_look_and_the_product(shop, record, tmp_path):
    record(shop.add("/look", product_page()))
    findings = Findings()
    store = read_own_store(tmp_path / "recorded", ["storefront/recorded.toml"], findings)
    assert findings.diagnostics == []
    product = store.find_product("RECORDED-9001")
    assert (product.id, product.price, product.stock, product.weight) == ("9001", 5990, 3, 900)
    style = look_style(store.look)
    assert shown_style(store, "product/9001") == style
    assert shown_style(store, "product/9001?theme=dark") == ""
    assert ":root{--ink:#3b2f2f;--paper:#faf5ec;}" in style
    assert "body{font-family:Georgia, serif;font-size:17px;}" in style


LINE = CART["items"][0]
CARTS = {
    "one line": ([LINE], ["RECORDED-9001x1"]),
    "variants": (
        [{**LINE, "variant_id": "900001", "quantity": 2}, {**LINE, "variant_id": "900002", "quantity": 99}],
        ["RECORDED-9001.900001x2,RECORDED-9001.900002x99"],
    ),
    "nothing to buy": (
        [{**LINE, "quantity": 0}, {**LINE, "quantity": 100}, {**LINE, "quantity": "***"}, 3],
        [],
    ),
    "no cart": ([], []),
    "no list": ("***", []),
}


@pytest.mark.parametrize("kind", CARTS)
def test_recording_has_the_carts_that_the_simulated_shop_can_show(tmp_path, kind):
    lines, carts = CARTS[kind]
    lines = [{**line, "id": "9001"} if isinstance(line, dict) else line for line in lines]
    values = {"event": "svc-content-after-cart", "cartData": {**CART, "items": lines}}
    event = RecordedEvent(page=1, load=1, ms=0, values=values)
    write_recording(replace(EMPTY, events=(event, event)), tmp_path / "recorded", Dialect())
    store = read_own_store(tmp_path / "recorded", ["storefront/recorded.toml"], Findings())
    own = [name for name in store.carts if name.startswith("RECORDED")]
    assert [store.carts[name].lines for name in own] == carts


def shown_style(store, path):
    """Return the style sheet of the store's look in a page of the simulated shop."""
    service = Service()
    service.store = lambda: store
    with serve(service), urlopen(f"{service.website_url(service.create_website().id)}en/{path}") as page:
        html = page.read().decode()
    service.close()
    return html.partition("<style>")[2].partition("</style>")[0]


def test_record_goes_through_a_visit(shop, record, tmp_path):
    update = {"item": ITEM, "selectedVariant": None, "selectedVariantId": None}
    change = (
        f"<button class='more' onclick=\"{fires('after-price-updated', {'item': ITEM}, update)}\">+</button>"
    )
    change = change.replace('"', "&quot;").replace("onclick=&quot;", 'onclick="').replace("&quot;>+", '">+')
    first = shop.add("/first", product_page(body=f"{change}<input id='note'>"))
    shop.add("/second", product_page())
    visit = tmp_path / "visit.toml"
    visit.write_text(
        "[[page]]\nurl = '/first'\nsteps = ['click \".more\"', 'type \"#note\" \"Anna Planted\"']\n"
        "[[page]]\nurl = '/second'\n"
    )
    result = record(first, "--visit", visit)
    assert result.json["errors"] == []
    visited = json.loads((tmp_path / "recorded/visit.json").read_text())
    assert [(event["event"], event["page"]) for event in visited["events"]] == [
        ("svc-content-after-price", 1),
        ("svc-content-after-price-updated", 1),
        ("svc-content-after-price", 2),
    ]
    assert visited["steps"] == ["page 1: click", "page 1: type"]
    times = [event["ms"] for event in visited["events"]]
    assert times == sorted(times)


def test_record_reports_new_missing_and_changed_fields(shop, record, tmp_path):
    item = {**ITEM, "ean": "4750001", "price": "59,90"}
    del item["brand"]
    result = record(shop.add("/differs", product_page(item=item)))
    assert result.code == 1
    found = {(entry["field"], entry["kind"]) for entry in result.json["differences"]}
    assert found == {("item.ean", "unknown"), ("item.price", "type"), ("item.brand", "missing")}
    assert "ean: string;" in (tmp_path / "recorded/types.ts").read_text()


@pytest.mark.parametrize(
    ("lie", "is_recorded"),
    [
        ("RegExp.prototype.test = () => true", True),
        ("Object.entries = () => [['planted@example.org', 'planted']]", False),
    ],
)
def test_record_trusts_no_function_of_the_page(shop, record, tmp_path, lie, is_recorded):
    """The page's JavaScript changes what the redaction uses, so that its result is the text itself."""
    planted = "{ note: 'planted', currency: { code: 'planted@example.org' } }"
    deliver = f"svcPlugins._deliver('svc-content-after-cart', [() => ({{}}), {planted}])"
    page = product_page(body=f"<script>addEventListener('load', () => {deliver})</script>")
    result = record(shop.add("/lies", page.replace("<main>", f"<script>{lie}</script><main>", 1)))
    written = "".join(file.read_text() for file in (tmp_path / "recorded").rglob("*") if file.is_file())
    assert "planted" not in written + result.out + result.err
    assert ("svc-content-after-cart" in written) == is_recorded


@pytest.mark.parametrize(
    ("script", "says"),
    [
        ("const d = {}; let at = d; for (let i = 0; i < 90; i++) at = at.x = {}; PLANT(d)", "no event"),
        ("PLANT({ x: 'x'.repeat(300000) })", None),
        ("for (let i = 0; i < 700; i++) PLANT({ n: i })", "too many"),
        ("PLANT({ x: Array(100000).fill(1) })", "too large"),
    ],
)
def test_record_bounds_what_a_page_sends(shop, record, script, says):
    plant = "svcPlugins._deliver('svc-content-after-cart', [() => ({}), DATA])"
    code = script.replace("PLANT(", "plant(")
    body = f"<script>const plant = (DATA) => {plant}; addEventListener('load', () => {{ {code} }})</script>"
    result = record(shop.add("/bounds", product_page(body=body)))
    assert result.code == 1
    if says is None:
        assert result.json["errors"] == []
    else:
        assert any(says in error for error in result.json["errors"])


@pytest.mark.parametrize(
    ("page", "says"),
    [
        (Reply("gone planted", status=503), "HTTP 503"),
        ("<p>no shop", "no event was delivered"),
        ("<script>location = 'http://elsewhere.invalid/planted'</script>", "another site"),
    ],
)
def test_record_says_what_is_lacking(shop, record, monkeypatch, page, says):
    monkeypatch.setattr("awning_harness.live.record.RENDER_MS", 1000)  # no event comes
    result = record(shop.add("/lacks", page))
    assert result.code == 1
    assert any(says in error for error in result.json["errors"]), result.out
    assert "planted" not in result.out + result.err


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (
            "[[page]]\nsteps = ['select L']",
            ":2:10: error[state-step]: only the simulated shop has the step select",
        ),
        (
            "[[page]]\nurl = 'https://elsewhere.example/'",
            ":2:1: error[wrong-type]: the page is of another site",
        ),
        ("[[page]]\nurl = 'http://[x'", ":2:1: error[wrong-type]: http://[x is not the address of a page"),
        ("[[page]]\nurl = 'file:///etc/passwd'", "the page is of another site"),
        ("[[page]]\nsteps = ['wait 2 hours']", "longest wait"),
        ("[[page]]\nsteps = ['wait 2 minutes']", "at most 60 seconds"),
        ("[[page]]\nsteps = ['clack \"a\"']", 'did you mean "click"'),
        ("[[pages]]", 'did you mean "page"'),
        ("", "page"),
        ("[[page]]\n" * 21, "at most 20 pages"),
    ],
)
def test_record_refuses_a_visit_and_says_where(awning, tmp_path, content, says):
    visit = tmp_path / "visit.toml"
    visit.write_text(content)
    address = "http://127.0.0.1:9/"
    result = awning("record", address, "--allow-private", "-o", tmp_path / "new", "--visit", visit)
    assert result.code == 2
    assert says in result.err
    assert not (tmp_path / "new").exists()


def test_visit_begins_at_the_address_of_the_command(tmp_path):
    (tmp_path / "visit.toml").write_text("[[page]]\nsteps = ['wait 1 second']\n[[page]]\n")
    pages = read_visit(tmp_path / "visit.toml", "https://shop.example/en/product/1?x=2")
    assert [page.url for page in pages] == ["https://shop.example/en/product/1?x=2", None]


def test_record_replaces_an_earlier_recording_and_nothing_else(shop, record, awning, tmp_path):
    folder = tmp_path / "recorded"
    folder.mkdir()
    (folder / "mine.txt").write_text("mine")
    address = shop.add("/again", product_page())
    refused = record(address)
    assert (refused.code, (folder / "mine.txt").read_text()) == (2, "mine")
    (folder / "mine.txt").unlink()
    assert [record(address).code, record(address).code] == [0, 0]
    assert [file.name for file in tmp_path.iterdir() if file.name.startswith(".awning")] == []


@pytest.mark.parametrize("name", ["visit.toml", "storefront/mine.toml"])
def test_record_refuses_a_folder_with_a_file_of_the_user(tmp_path, name):
    file = tmp_path / name
    file.parent.mkdir(exist_ok=True)
    (tmp_path / "visit.json").write_text("{}")
    file.write_text("mine")
    with pytest.raises(ConfigurationError, match=name):
        require_free(tmp_path)


def test_recording_is_written_into_the_working_directory_and_through_a_link(tmp_path, monkeypatch):
    folder = tmp_path / "real"
    folder.mkdir()
    (tmp_path / "link").symlink_to(folder)
    monkeypatch.chdir(folder)
    for name in (".", "../link"):
        write_recording(EMPTY, Path(name), Dialect())
        assert max(file.name for file in Path().iterdir()) == "visit.json"


def test_record_bounds_all_events_together_and_keeps_what_fits(shop, record, tmp_path, monkeypatch):
    monkeypatch.setattr("awning_harness.live.record.MOST_TOTAL", MOST_TOTAL // 10)
    variants = [VARIANTS[0]] * 90
    loop = f"for (let i = 0; i < 24; i++) {fires('after-price', {'item': {**ITEM, 'variants': variants}})}"
    result = record(shop.add("/large", product_page(body=on_load(loop))))
    assert any("together, they are too large" in error for error in result.json["errors"]), result.err
    assert 0 < result.json["events"] < 25
    assert (tmp_path / "recorded/events.json").stat().st_size < 400_000


def test_record_leaves_out_a_half_of_a_character(shop, record, tmp_path):
    page = product_page(body=on_load(fires("after-price", {"item": {**ITEM, "currency": "\ud800"}})))
    result = record(shop.add("/half", page))
    currencies = [e["item"]["currency"] for e in json.loads((tmp_path / "recorded/events.json").read_text())]
    assert (result.json["events"], currencies[-1]) == (2, "***")


def test_record_keeps_the_error_of_a_page_and_goes_on(shop, record, tmp_path):
    leads = on_load("setTimeout(() => { location = 'http://elsewhere.invalid/' }, 0)")
    address = shop.add("/leads", product_page(body=leads))
    shop.add("/then", product_page())
    visit = tmp_path / "visit.toml"
    visit.write_text("[[page]]\nurl = '/leads'\n[[page]]\nurl = '/then'\n")
    result = record(address, "--visit", visit)
    assert any("another site" in error for error in result.json["errors"])
    assert result.json["events"] == 2


def test_record_says_why_a_page_cannot_be_loaded(record):
    result = record("http://127.0.0.1:9999/planted")
    assert (result.code, result.json["errors"]) == (1, ["page 1 cannot be loaded: connection refused"])
    assert "planted" not in result.out + result.err


def test_record_refuses_a_private_address(awning, tmp_path):
    assert awning("record", "http://10.0.0.1/", "-o", tmp_path / "new").code == 2


@pytest.mark.parametrize(
    ("computed", "colour"),
    [
        ("rgb(59, 47, 47)", "#3b2f2f"),
        ("rgba(0, 0, 0, 0)", ""),
        ("rgba(1, 2, 3, 0.5)", "#010203"),
        ("rgb(999, 0, 0)", "#ff0000"),
        ("anna", ""),
    ],
)
def test_colour_is_that_of_the_page_or_none(computed, colour):
    assert hex_colour(computed) == colour


STEPS = {
    'click ".nothing"': "nothing on the page matches the selector",
    'click "#twice i"': "2 elements on the page match the selector",
    'click ".hidden"': "the element is hidden",
    'type "#off" "Anna Planted"': "a shopper cannot reach the element: it is disabled",
}


@pytest.mark.parametrize("step", STEPS)
def test_record_says_why_and_where_a_step_fails_and_a_replay_repeats_it(
    shop, record, awning, tmp_path, monkeypatch, step
):
    monkeypatch.setattr("awning_harness.live.record._STEP_MS", 300)
    body = "<p id=twice><i>1</i><i>2</i></p><b class=hidden hidden>x</b><input id=off disabled>"
    (tmp_path / "visit.toml").write_text(f"[[page]]\nsteps = [\n'{step}']\n")
    result = record(shop.add("/steps", product_page(body=body)), "--visit", tmp_path / "visit.toml")
    sentence = f"page 1: step 1 ({step.split()[0]}) is not possible: {STEPS[step]}"
    assert (result.code, result.json["errors"]) == (1, [sentence])
    words = step.removesuffix(' "Anna Planted"')
    assert f"visit.toml:3:1: {words}: {STEPS[step]}" in result.err
    if step == 'click ".nothing"':
        again = awning("record", "--replay", tmp_path / "recorded")
        assert f"the recorded visit is not whole: {sentence}" in again.out
        assert again.out.endswith("the simulated shop does the same, as far as was recorded\n")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("{", "error[json-syntax]"),
        ({"events": [{"event": "clicked"}], "visit": []}, "no event is called"),
        ([{"event": "svc-content-after-cart"}], "it must be an object, not a list"),
        ({"events": [{"event": "svc-content-after-cart"}], "visit": []}, "is no recording"),
        ({"events": [{"event": "svc-content-after-cart"}], "visit": [{"load": "planted", "ms": 1}]}, "load"),
        (
            {"events": [{"event": "svc-content-after-cart"}], "visit": [{"load": 1, "ms": 1}], "lost": -1},
            "lost must be a whole number of at least 0",
        ),
    ],
)
def test_record_refuses_a_file_that_is_no_download(awning, captured, tmp_path, content, says):
    result = awning("record", "--download", captured(content), "-o", tmp_path / "recorded")
    assert (result.code, says in result.err) == (2, True), result.err
    assert "planted" not in result.err
    assert not (tmp_path / "recorded").exists()


def test_download_may_begin_with_a_byte_order_mark(captured):
    content = {"events": [{"event": "svc-content-after-cart"}], "visit": [{"load": 1, "ms": 1}]}
    file = captured("\ufeff" + json.dumps(content))
    assert [event.page for event in read_download(file, Dialect()).events] == [1]


def test_recorder_snippet_holds_the_hash_of_a_new_token_each_time(awning, project):
    folder, tokens = project.root / "widgets/recorder", set()
    for options in ((), ("--json",)):
        result = awning("record", "snippet", "-o", folder, *options)
        assert result.code == 0, result.err
        query = result.json["query"] if options else re.search(r"\?(awning-record=\S+)", result.out)[1]
        token, body = query.removeprefix("awning-record="), (folder / "body.html").read_text()
        assert hashlib.sha256(token.encode()).hexdigest() in body
        assert token not in body
        tokens.add(token)
    assert len(tokens) == 2
    (folder / "mine.txt").write_text("mine")
    assert awning("record", "snippet", "-o", folder).code == 2


def test_record_needs_an_address_or_a_replay(awning, tmp_path):
    assert awning("record").code == 2
    assert awning("record", "https://shop.example/", "--replay", tmp_path).code == 2


@dataclass
class Clock:
    """A time that passes by waiting, from 1 on. At each of its `moments` something happens."""

    now: float = 1.0
    moments: dict[float, Callable[[], object]] = field(default_factory=dict)

    async def sleep(self, seconds):
        self.now += seconds
        for moment in [moment for moment in self.moments if moment <= self.now]:
            self.moments.pop(moment)()

    def seconds_of(self, *steps, url=None, errors=()):
        """Return how long a visit of one page takes."""
        foreign = SimpleNamespace(gate=SimpleNamespace(loads=1, errors=errors))
        self.now, self.recorder = 1.0, Recorder(foreign=foreign, dialect=Dialect(), began=1)
        asyncio.run(self.recorder.visit([VisitedPage(url=url, steps=steps)]))
        assert self.recorder.errors == []
        return self.now - 1

    def page_loads(self):
        self.recorder.loaded = self.now


@pytest.fixture
def clock(monkeypatch):
    async def nothing(_recorder):
        pass

    async def load(_recorder, _url):
        return True

    clock = Clock()
    monkeypatch.setattr(record, "monotonic", lambda: clock.now)
    monkeypatch.setattr(record, "asyncio", SimpleNamespace(sleep=clock.sleep))
    monkeypatch.setattr(Recorder, "_look_around", nothing)
    monkeypatch.setattr(Recorder, "_load", load)
    return clock


def test_quiet_page_is_not_waited_for_again_after_a_wait_of_the_visit(clock):
    wait = Step("wait", ("10", "second"))
    assert 10 < clock.seconds_of(wait) - clock.seconds_of() < 10 + record.RENDER_MS / 1000 / 2


def test_record_waits_for_the_events_of_a_page_that_loads_late(clock):
    clock.moments = {9.0: clock.page_loads, 11.0: lambda: setattr(clock.recorder, "latest", clock.now)}
    assert 10 < clock.seconds_of(url="/slow") < 8 + record.RENDER_MS / 1000


@pytest.mark.parametrize(
    ("errors", "limit_ms"),
    [((), record.LOAD_MS), (("the page leads to another site",), record.RENDER_MS)],
    ids=["loads without end", "is left"],
)
def test_record_waits_within_limits_for_a_page_that_does_not_load(clock, errors, limit_ms):
    assert 0 <= clock.seconds_of(url="/never", errors=errors) - limit_ms / 1000 < 0.1
