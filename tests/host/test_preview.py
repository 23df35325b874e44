"""The preview of the settings form, without a browser: what it shows, what it refuses, and what it leaves alone."""

import json
import shutil

import pytest
from previewed import build_previewed

from awning.client import NoResponse
from awning.data_schema.schema_part import HIDDEN
from awning.host.previewing import RecentData

FRAME = "preview/frame.js"
STATES = "preview/states.json"
STORED = {"bar": {"text": "Stored", "token": "hunter-two", "steps": [{"gift": "Mug", "old": 1}]}}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    return build_previewed(tmp_path_factory.mktemp("previewed"))


@pytest.fixture
def form(world, opened, built):
    shutil.rmtree(world.dist)
    shutil.copytree(built, world.dist)
    browser, url, code = opened()
    world.service.set_data(code, json.dumps(STORED))
    return browser, url, code


def visit(page):
    """Return what the script in the frame plays."""
    return json.loads(page.soup.find("script", attrs={"data-visit": True})["data-visit"])


def app_data(page):
    return json.loads(page.soup.find("script", type="application/json").string)


def frame_of(page):
    [frame] = page.soup.find_all("iframe")
    return frame


def test_form_offers_each_state_once_by_its_widget(form):
    browser, url, _ = form
    section = browser.get(url).soup.find("section", class_="preview")
    groups = {
        group["label"]: [option.get_text() for option in group.find_all("option")]
        for group in section.find_all("optgroup")
    }
    assert groups == {"bar": ["A full cart"], "note": ["A mug"]}
    assert [option.get_text() for option in section.find(id="preview-language").find_all("option")] == [
        "en",
        "lv",
        "de",
    ]


def test_frame_shows_the_stored_data_at_first_and_asks_the_service_no_more(form, world):
    browser, url, _ = form
    page = browser.get(url)
    world.calls.clear()
    seen = browser.get(f"{url}{frame_of(page)['src']}")
    assert (seen.status, app_data(seen)["bar"]["text"]) == (200, "Stored")
    assert visit(seen)["events"]["event"] == "svc-content-after-cart"
    assert world.calls == []


def test_entries_are_shown_as_they_would_be_stored_and_are_stored_nowhere(form, world, fields, tmp_path):
    browser, url, code = form
    entries = {**fields(browser.get(url)), "/bar/text": "Typed-in-the-form", "/bar/least": "2,5"}
    entries |= {"preview-state": "note/mug", "preview-language": "de"}
    world.calls.clear()
    seen = browser.post(f"{url}preview", entries)
    assert app_data(seen)["bar"] == {
        "text": "Typed-in-the-form",
        "least": 2.5,
        "token": HIDDEN,
        "steps": [{"gift": "Mug", "old": 1}],
    }
    assert (seen.soup.html["lang"], visit(seen)["page"]["language"]) == ("de", "de")
    assert seen.soup.find(class_="placeholder-after-price")
    assert "hunter-two" not in seen.text
    assert (world.calls, world.data(code)) == ([], STORED)
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files
    assert not any(b"Typed-in-the-form" in file.read_bytes() for file in files)
    saved = browser.post(url, entries)
    assert (saved.status, world.data(code)["bar"]["text"]) == (303, "Typed-in-the-form")
    chosen = browser.follow(saved).soup.find_all("option", selected=True)
    assert [option["value"] for option in chosen] == ["note/mug", "de"]


def test_added_rows_are_shown_and_wrong_entries_are_said_as_the_form_says_them(form, fields):
    browser, url, _ = form
    added = browser.post(url, {**fields(browser.get(url)), "act": "add:/bar/steps"})
    assert (frame_of(added).get("src"), "Show preview" in frame_of(added)["srcdoc"]) == (None, True)
    entries = fields(added)
    entries["/bar/steps/1/gift"] = "A card"
    seen = browser.post(f"{url}preview", entries)
    assert [step["gift"] for step in app_data(seen)["bar"]["steps"]] == ["Mug", "A card"]
    wrong = browser.post(f"{url}preview", {**entries, "/bar/least": "0"})
    in_form = browser.post(url, {**entries, "/bar/least": "0"})
    [problem] = [item.get_text() for item in wrong.soup.find_all("li")]
    assert (wrong.status, problem) == (422, "From: Enter 1 or more.")
    assert problem in in_form.soup.find(class_="alert").get_text()
    assert wrong.soup.find("script", attrs={"data-visit": True}) is None


def test_rows_with_wrong_entries_are_left_out_and_the_others_are_shown(form, fields):
    browser, url, _ = form
    entries = {**fields(browser.get(url)), "/bar/steps": ["list", "new", "new", "new"]}
    long = {f"/bar/steps/{place}/gift": "long " * 9 for place in (0, 2)}
    seen = browser.post(f"{url}preview", {**entries, **long, "/bar/steps/1/gift": "A card"})
    assert (seen.status, app_data(seen)["bar"]["steps"]) == (200, [{"gift": "A card"}])
    problems = [item.get_text() for item in seen.soup.select("[data-wrong] li")]
    assert [problem.partition(":")[0] for problem in problems] == ["Row 1, Gift", "Row 3, Gift"]


def test_policy_keeps_the_frame_apart_from_the_form(form, fields):
    browser, url, _ = form
    page = browser.get(url)
    assert frame_of(page)["sandbox"] == ["allow-scripts", "allow-forms"]
    seen = browser.post(f"{url}preview", {**fields(page), "/note/picture": "https://cdn.example/a.png"})
    rules = dict(
        rule.strip().partition(" ")[::2] for rule in seen.header("content-security-policy").split(";")
    )
    assert rules["sandbox"] == "allow-scripts allow-forms"
    assert (rules["default-src"], rules["form-action"], rules["frame-ancestors"]) == (
        "'none'",
        "'none'",
        "'self'",
    )
    assert rules["img-src"] == "data: blob: https://cdn.example"
    assert rules["script-src"] == "'unsafe-inline' data: https://app.example/preview.js"
    assert seen.header("x-frame-options") == "SAMEORIGIN"
    own = page.header("content-security-policy")
    assert "script-src 'sha256-" in own
    assert "unsafe-inline" not in own
    assert "frame-src 'self'" in own
    assert "frame-ancestors 'none'" in own


@pytest.mark.parametrize("removed", [["preview"], [FRAME], [STATES]])
def test_build_without_a_preview_has_a_form_without_one(form, world, removed):
    browser, url, _ = form
    for name in removed:
        path = world.dist / name
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    (world.dist / "build.json").touch()
    _assert_no_preview(browser, url)


@pytest.mark.parametrize("content", ['{"fingerprint":', '{"schema_version": 2}', "[]"])
def test_preview_that_cannot_be_read_is_logged_and_the_form_works(form, world, content, fields, caplog):
    browser, url, _ = form
    (world.dist / STATES).write_text(content)
    (world.dist / "build.json").touch()
    page = _assert_no_preview(browser, url)
    assert browser.post(url, fields(page)).status == 303
    assert "the settings form has no preview" in caplog.text


def test_preview_of_another_build_is_not_used(form, world):
    browser, url, _ = form
    record = json.loads((world.dist / STATES).read_text())
    (world.dist / STATES).write_text(json.dumps({**record, "fingerprint": "0" * 64}))
    (world.dist / "build.json").touch()
    _assert_no_preview(browser, url)


def _assert_no_preview(browser, url):
    page = browser.get(url)
    assert page.status == 200
    assert page.soup.find(["iframe", "script"]) is None
    assert "script-src" not in page.header("content-security-policy")
    assert browser.get(f"{url}preview").status == 404
    assert browser.get("/preview.js").status == 404
    return page


@pytest.mark.parametrize(
    ("changed", "headers", "status"),
    [
        ({"token": "x"}, {}, 403),
        ({}, {"origin": "https://evil.example"}, 403),
        ({"/bar/steps": ["list", *["new"] * 200]}, {}, 400),
    ],
)
def test_preview_is_refused_as_the_form_is(form, fields, changed, headers, status):
    browser, url, _ = form
    entries = {**fields(browser.get(url)), **changed}
    seen = browser.post(f"{url}preview", entries, **headers)
    assert (seen.status, seen.soup.find("script")) == (status, None)
    browser.cookies.clear()
    assert browser.post(f"{url}preview", entries).status == 403
    assert browser.get(f"{url}preview").status == 403


def test_preview_says_when_the_service_does_not_answer(form, world):
    browser, url, _ = form
    world.spoil = lambda name, _: NoResponse(why="no answer", sent=False) if name == "get_data" else None
    assert browser.get(f"{url}preview?base=unknown").status == 503


def test_form_that_another_worker_has_shown_asks_the_service_once(form, world, fields):
    browser, url, _ = form
    entries = {**fields(browser.get(url)), "base": "0" * 32}
    world.calls.clear()
    assert [browser.post(f"{url}preview", entries).status for _ in range(3)] == [200] * 3
    assert world.calls == ["get_data"]


def test_one_shop_keeps_no_more_than_a_few_data_in_memory():
    recent = RecentData(most=6, most_of_one=2)
    recent.put("other", "1", {})
    for digest in "abc":
        recent.put("shop", digest, {})
    assert [recent.has("shop", digest) for digest in "abc"] == [False, True, True]
    assert recent.has("other", "1")
    assert not recent.has("other", "c")


def test_script_of_another_build_is_not_kept_under_the_address_of_this_one(form):
    browser, url, _ = form
    source = browser.get(f"{url}preview").soup.find("script", attrs={"data-visit": True})["src"]
    address = source.removeprefix("https://app.example")
    kept = [browser.get(each).header("cache-control") for each in (address, "/preview.js?0123456789ab")]
    assert kept == ["public, max-age=31536000, immutable", "no-store"]


def test_placeholder_in_an_entry_stays_text(form, fields):
    browser, url, _ = form
    entries = {**fields(browser.get(url)), "/bar/text": "{{svc_language}}</script><b>"}
    seen = browser.post(f"{url}preview", entries)
    assert app_data(seen)["bar"]["text"] == "{{svc_language}}</script><b>"
