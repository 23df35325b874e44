"""A failing widget is reported once to the app's own address, if there is one, without data about the shopper."""

import json
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from frames import SmallPages
from playwright.sync_api import Browser, Request, Route
from shop_scripts import SHOP, Snippet

from awning.jsrc import jsrc_root

ADDRESS = "https://errors.test/awning?v=1"
BUILD = "0123456789ab.en"
SET = {"AWNING_APP": '"My app"', "AWNING_BEACON": json.dumps(ADDRESS), "AWNING_BUILD": json.dumps(BUILD)}
PRICE = "svc-content-after-price"
SENT = "navigator.sendBeacon = (...all) => { log(all); return true; };"
FAILS = "() => { throw new Error('broken'); }"
FAILS_LATER = """
  import { afterPrice, redrawn } from "awning";
  let calls = 0;
  export default afterPrice(redrawn(5, () => { if (calls++ > 9) throw new Error("broken"); return "<b>1</b>"; }));
"""
REJECTS = "() => Promise.reject(new Error('broken'))"
BODY = {"app": "My app", "widget": "sample", "build": BUILD, "message": "Error: broken", "event": PRICE}


@pytest.mark.parametrize(
    ("render", "insert"),
    [(FAILS, "replace"), (REJECTS, 'later("sample", replace)'), (FAILS_LATER, "keep")],
)
def test_app_widget_and_message_are_reported_once(
    small_pages: SmallPages, snippet: Snippet, render: str, insert: str
) -> None:
    code = snippet(render, insert=insert, **SET)
    small = small_pages.load(SHOP + SENT + "product(); select('2'); select('3');", code)
    small.frame.wait_for_function("() => __log.length")
    ((address, text),) = small.log
    assert address == ADDRESS
    body = json.loads(text)
    assert all(re.fullmatch(r"\d+:\d+", place) for place in body.pop("at"))
    assert body == BODY
    assert len(small.console) == 1


@pytest.mark.parametrize(
    ("render", "insert", "event"),
    [
        ("({ variant }) => { if (variant) throw 1; return ''; }", "replace", f"{PRICE}-updated"),
        ("({ variant }) => variant && Promise.reject(1)", 'later("sample", replace)', f"{PRICE}-updated"),
    ],
)
def test_report_names_the_delivered_event(
    small_pages: SmallPages, snippet: Snippet, render: str, insert: str, event: str
) -> None:
    small = small_pages.load(SHOP + SENT + "product(); select('2');", snippet(render, insert=insert, **SET))
    small.frame.wait_for_function("() => __log.length")
    ((_, text),) = small.log
    assert json.loads(text)["event"] == event


THROWS = """
const note = "a line break\\nand another";
export const fails = (value) => { if (value) throw new RangeError("out of range"); return note; };
export default afterPrice(() => fails(1));
"""


@pytest.mark.parametrize("minify", [True, False])
@pytest.mark.parametrize("before", ["", "<p>one</p>\n\n<!-- two -->   "])
def test_places_lead_from_the_reporting_code_to_the_failure(
    small_pages: SmallPages, snippet: Snippet, before: str, minify: bool
) -> None:
    """Wherever the snippet is in the page, the distance between two places is the same as in the script."""
    code = snippet(f'import {{ afterPrice }} from "awning";{THROWS}', minify=minify, **SET)
    body = f'<div id="box"></div>{before}<script>{code}</script>'
    small = small_pages.load(SHOP + SENT + "product();", body=body)
    ((_, text),) = small.log
    own, failed, called, *_ = (Place.read(at) for at in json.loads(text)["at"])
    origin = place_in(code, f'Error("{BUILD}")')
    assert failed.after(own, origin) == place_in(code, "new RangeError")
    assert called.line >= failed.line, "the frames go outwards"


STACKS = {
    "Chromium": (
        "Error: 0123456789ab.en\n    at tell (https://shop.test/a:7:120)\n    at https://shop.test/a:7:900",
        (
            "TypeError: at 10:20\n    at Array.map (<anonymous>)\n    at f (https://shop.test/a:7:450)\n"
            "    at g (https://cdn.test/jquery.js:2:33)\n    at https://shop.test/a:9:1"
        ),
    ),
    "Firefox": (
        "tell@https://shop.test/a:7:120\n@https://shop.test/a:7:900\n",
        "f@https://shop.test/a:7:450\ng@https://cdn.test/jquery.js:2:33\n@https://shop.test/a:9:1\n",
    ),
    "Safari": (
        "tell@https://shop.test/a:7:120\nglobal code@https://shop.test/a:7:900",
        (
            "map@[native code]\nf@https://shop.test/a:7:450\ng@https://cdn.test/jquery.js:2:33\n"
            "global code@https://shop.test/a:9:1"
        ),
    ),
}


@pytest.mark.parametrize("maker", STACKS)
def test_stack_traces_of_every_browser_are_read(
    small_pages: SmallPages, snippet: Snippet, maker: str
) -> None:
    """The stacks are written here in the shapes of each browser, because tests run in Chromium only."""
    own, failed = STACKS[maker]
    stub = f"""
      const Own = Error;
      window.Error = (text) => text === '{BUILD}' ? {{ stack: {json.dumps(own)} }} : Own(text);
    """
    code = snippet(f"() => {{ throw {{ stack: {json.dumps(failed)} }}; }}", **SET)
    ((_, text),) = small_pages.load(SHOP + SENT + stub, code, "product();").log
    assert json.loads(text)["at"] == ["7:120", "7:450", "9:1"]


def test_error_without_a_stack_is_reported_without_places(small_pages: SmallPages, snippet: Snippet) -> None:
    ((_, text),) = small_pages.load(SHOP + SENT + "product();", snippet("() => { throw 'text' }", **SET)).log
    body = json.loads(text)
    assert (body["message"], len(body["at"])) == ("text", 1)


def test_frames_of_other_documents_are_left_out(small_pages: SmallPages, snippet: Snippet) -> None:
    thrower = (
        "() => { const e = Error('x'); e.stack = 'Error: x\\n at f (https://cdn.test/a.js:2:33)'; throw e; }"
    )
    ((_, text),) = small_pages.load(SHOP + SENT + "product();", snippet(thrower, **SET)).log
    assert len(json.loads(text)["at"]) == 1


def test_report_has_no_address_of_the_page(small_pages: SmallPages, snippet: Snippet) -> None:
    ((_, text),) = small_pages.load(SHOP + SENT + "product();", snippet(FAILS, **SET)).log
    assert set(json.loads(text)) == {"app", "widget", "build", "message", "event", "at"}
    assert "://" not in text
    assert "about:" not in text


SAMPLED = {**SET, "AWNING_BEACON_SAMPLE_RATE": "1"}


@pytest.mark.parametrize(
    "insert", ['sampled("sample", replace)', 'later("sample", sampled("sample", replace))']
)
def test_first_rendering_is_reported_once_with_its_time(
    small_pages: SmallPages, snippet: Snippet, insert: str
) -> None:
    render = "async () => 'x'" if "later" in insert else "() => 'x'"
    code = snippet(render, insert=insert, **SAMPLED)
    small = small_pages.load(SHOP + SENT + "product(); select('2'); product();", code)
    small.frame.wait_for_function("() => __log.length")
    ((address, text),) = small.log
    body = json.loads(text)
    assert address == ADDRESS
    assert isinstance(body.pop("ms"), int)
    assert body == {"app": "My app", "widget": "sample", "build": BUILD}


def test_failed_first_rendering_is_not_reported_as_rendered(
    small_pages: SmallPages, snippet: Snippet
) -> None:
    code = snippet(FAILS, insert='sampled("sample", replace)', **SAMPLED)
    bodies = [json.loads(text) for _, text in small_pages.load(SHOP + SENT + "product();", code).log]
    assert ["ms" in body for body in bodies] == [False]


@pytest.mark.parametrize(("random", "reports"), [(0.0, 1), (0.099, 1), (0.1, 0), (0.9, 0)])
def test_only_a_sample_of_page_views_reports(
    small_pages: SmallPages, snippet: Snippet, random: float, reports: int
) -> None:
    code = snippet("() => 'x'", insert='sampled("sample", replace)', **SET, AWNING_BEACON_SAMPLE_RATE="0.1")
    small = small_pages.load(SHOP + SENT + f"Math.random = () => {random};", code, "product();")
    assert len(small.log) == reports


def test_sampled_widget_renders_without_beacons_in_the_browser(
    small_pages: SmallPages, snippet: Snippet
) -> None:
    code = snippet("() => 'x'", insert='sampled("sample", replace)', **SAMPLED)
    small = small_pages.load(SHOP + "navigator.sendBeacon = undefined; product();", code)
    assert (small.run("() => box().textContent"), small.errors, small.console) == ("x", [], [])


def test_long_message_is_truncated(small_pages: SmallPages, snippet: Snippet) -> None:
    code = snippet("() => { throw new Error('x'.repeat(5000)); }", **SET)
    ((_, text),) = small_pages.load(SHOP + SENT + "product();", code).log
    assert len(json.loads(text)["message"]) == 200


@dataclass(frozen=True)
class Place:
    line: int
    column: int

    @classmethod
    def read(cls, text: str) -> "Place":
        line, column = text.split(":")
        return cls(int(line), int(column))

    def after(self, own: "Place", own_in_script: "Place") -> "Place":
        """Return where this place of the page is in the script. `own` is a place that is known in both."""
        same_line = self.line == own.line
        column = own_in_script.column + self.column - own.column if same_line else self.column
        return Place(own_in_script.line + self.line - own.line, column)


def place_in(code: str, text: str) -> Place:
    before = code[: code.index(text)]
    return Place(before.count("\n") + 1, len(before) - before.rfind("\n"))


def test_a_widget_that_does_not_fail_reports_nothing(small_pages: SmallPages, snippet: Snippet) -> None:
    assert small_pages.load(SHOP + SENT + "product();", snippet("() => 'x'", **SET)).log == []


def test_a_browser_without_beacons_gets_no_error(small_pages: SmallPages, snippet: Snippet) -> None:
    small = small_pages.load(SHOP + "navigator.sendBeacon = undefined; product();", snippet(FAILS, **SET))
    assert (small.errors, len(small.console)) == ([], 1)


def test_snippet_without_a_beacon_address_has_no_beacon_code(snippet: Snippet) -> None:
    assert "sendBeacon" not in snippet(FAILS)
    assert "sendBeacon" in snippet(FAILS, **SET)
    others = {"AWNING_BUILD": '"b"', "AWNING_BEACON_SAMPLE_RATE": "1"}
    assert snippet(FAILS) == snippet(FAILS, AWNING_APP='"Another"', AWNING_BEACON='""', **others)


@pytest.mark.parametrize("insert", ["replace", "keep", 'later("sample", keep)'])
def test_snippet_without_a_beacon_address_has_no_byte_for_the_beacon(
    snippet: Snippet, tmp_path: Path, insert: str
) -> None:
    """The minifier chooses names by how often letters occur in the sources, so only the lengths can be equal."""
    plain = snippet(FAILS, insert=insert, jsrc=without_beacon(tmp_path))
    assert len(snippet(FAILS, insert=insert)) == len(plain)


ONLY_FOR_THE_BEACON = {
    "running.ts": (r"if \(AWNING_BEACON\) \{[^}]*\}",) * 2,
    "later.ts": (r"if \(AWNING_BEACON\) \{[^}]*\}",) * 2,
}


def without_beacon(folder: Path) -> Path:
    """A copy of the sources without the lines that are for the beacon alone."""
    copy = folder / "jsrc"
    shutil.copytree(jsrc_root(), copy, ignore=shutil.ignore_patterns("node_modules"))
    for name, parts in ONLY_FOR_THE_BEACON.items():
        file = copy / "runtime" / name
        text = file.read_text(encoding="utf-8")
        for part in parts:
            text, count = re.subn(part, "", text, count=1)
            assert count == 1, (name, part)
        file.write_text(text, encoding="utf-8")
    return copy


def test_beacon_request_reaches_the_address(browser: Browser, snippet: Snippet) -> None:
    """Chromium sends a POST of plain text, which needs no preflight."""
    code = snippet(FAILS, **SET)
    stub = "var svcPlugins = { subscribeEvent: (n, c) => n.endsWith('price') && c({}, () => ({}), { item: {} }) };"
    page = browser.new_page()

    def answer(route: Route) -> None:
        route.fulfill(body=f"<!doctype html><script>{stub}{code}</script>", content_type="text/html")

    def take(route: Route) -> None:
        route.fulfill(status=204)

    page.route("https://shop.test/", answer)
    page.route("https://errors.test/**", take)
    with page.expect_request("https://errors.test/**") as request_info:
        page.goto("https://shop.test/")
    request: Request = request_info.value
    assert (request.method, request.url) == ("POST", ADDRESS)
    body = json.loads(request.post_data or "")
    assert len(body.pop("at")) > 1
    assert body == BODY
    page.close()


@pytest.mark.parametrize("thrown", ["Object.create(null)", "Symbol('a')"])
@pytest.mark.parametrize(
    ("start", "insert"), [("throw", "replace"), ("return Promise.reject", 'later("sample", replace)')]
)
def test_an_error_without_text_is_not_reported_and_not_thrown(
    small_pages: SmallPages, snippet: Snippet, thrown: str, start: str, insert: str
) -> None:
    code = snippet(f"() => {{ {start}({thrown}); }}", insert=insert, **SET)
    small = small_pages.load(SHOP + SENT + "product();", code)
    small.frame.wait_for_timeout(20)
    assert (small.log, small.errors, small.kinds("exception"), len(small.console)) == ([], [], [], 1)
