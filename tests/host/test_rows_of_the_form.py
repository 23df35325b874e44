"""Rows of the settings form: added, removed and moved by buttons without a script, and stored with the other fields."""

import json
import re
from urllib.parse import urlsplit

import pytest

from awning.data_schema import read_app_schema, read_form
from awning.host.form import arranging
from awning.host.form.arranging import without_rows_around
from awning.host.guard import LONGEST_ORIGINS, page_policy

STEP = {
    "type": "object",
    "properties": {
        "from": {"type": "number", "exclusiveMinimum": 0, "title": "From"},
        "gift": {"type": "string", "default": "A gift", "title": "Gift"},
        "picture": {"type": "string", "format": "picture", "title": "Picture"},
        "token": {"type": "string", "format": "password"},
        "free": {"type": "object"},
    },
    "required": ["from"],
}
SCHEMA = {
    "properties": {
        "bar": {
            "type": "object",
            "properties": {
                "steps": {"type": "array", "title": "Steps", "maxItems": 3, "items": STEP},
                "until": {"type": "string", "format": "date"},
            },
        }
    }
}
STORED = {
    "bar": {
        "steps": [
            {"from": 50, "gift": "Mug", "token": "hunter-two", "free": {"a": 1}, "old": True},
            {"from": 90, "picture": "https://cdn.example/lamp.png"},
        ]
    }
}


@pytest.fixture
def form(world, opened, build):
    build(world.dist, schema=SCHEMA)
    browser, url, code = opened()
    world.service.set_data(code, json.dumps(STORED))
    return browser, url, code


def legends(page):
    return [row.legend.get_text() for row in page.soup.find_all("fieldset", class_="row")]


def focused(page):
    [control] = page.soup.find_all(autofocus=True)
    return control.get("value") if control.name == "button" else control["name"]


def test_rows_are_moved_removed_and_added_and_stored_with_what_has_no_field(form, world, fields):
    browser, url, code = form
    page = browser.get(url)
    assert legends(page) == ["Row 1 of 2: 50", "Row 2 of 2: 90"]
    assert "hunter-two" not in page.text
    moved = browser.post(url, {**fields(page), "act": "down:/bar/steps/0"})
    assert (moved.status, legends(moved)) == (200, ["Row 1 of 2: 90", "Row 2 of 2: 50"])
    assert focused(moved) == "up:/bar/steps/1"
    added = browser.post(url, {**fields(moved), "act": "add:/bar/steps"})
    assert legends(added) == ["Row 1 of 3: 90", "Row 2 of 3: 50", "Row 3 of 3: A gift"]
    assert focused(added) == "/bar/steps/2/from"
    assert "not saved yet" in added.soup.find(role="status").get_text()
    assert added.soup.find("button", value="add:/bar/steps").has_attr("disabled")
    assert world.data(code) == STORED
    removed = browser.post(url, {**fields(added), "/bar/steps/2/from": "120", "act": "remove:/bar/steps/0"})
    assert (legends(removed), focused(removed)) == (
        ["Row 1 of 2: 50", "Row 2 of 2: 120"],
        "remove:/bar/steps/0",
    )
    assert browser.post(url, fields(removed)).status == 303
    mug = {"from": 50, "gift": "Mug", "token": "hunter-two", "free": {"a": 1}, "old": True}
    assert world.data(code) == {"bar": {"steps": [mug, {"from": 120, "gift": "A gift"}]}}


def test_typed_secret_is_asked_for_again_until_the_form_is_saved_and_moves_with_its_row(form, fields):
    browser, url, _ = form
    typed = {**fields(browser.get(url)), "/bar/steps/0/token": "typed-one", "act": "down:/bar/steps/0"}
    moved = browser.post(url, typed)
    again = browser.post(url, {**fields(moved), "act": "remove:/bar/steps/0"})
    for page, row in ((moved, 1), (again, 0)):
        [field] = page.soup.find_all("input", {"name": re.compile("/typed$")})
        assert field["name"] == f"/bar/steps/{row}/token/typed"
        assert page.text.count("Enter this again") == 1
        assert "typed-one" not in page.text
    assert "Enter this again" not in browser.follow(browser.post(url, fields(again))).text


INNER = {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}}
OUTER = {"type": "array", "items": {"type": "object", "properties": {"in": INNER, "n": {"type": "integer"}}}}
NESTED = read_form(read_app_schema({"properties": {"bar": {"type": "object", "properties": {"out": OUTER}}}}))


def test_rows_around_fields_are_left_out_inner_ones_first_and_each_list_at_once(monkeypatch):
    posted = {"/bar/out": ["list", *["new"] * 10], **{f"/bar/out/{row}/n": [f"{row}"] for row in range(10)}}
    posted["/bar/out/9/in"] = ["list", "new", "new", "new"]
    posted |= {f"/bar/out/9/in/{row}/n": [f"inner {row}"] for row in range(3)}
    work, in_order = [], arranging._in_order
    monkeypatch.setattr(arranging, "_in_order", lambda *values: work.append(1) or in_order(*values))
    wrong = ["/bar/out/2/n", "/bar/out/9/in/0/n", "/bar/out/8/n", "/bar/out/9/in/2/n"]
    assert without_rows_around(NESTED, posted, wrong) == {
        "/bar/out": ["list", *["new"] * 8],
        **{f"/bar/out/{place}/n": [row] for place, row in enumerate("01345679")},
        "/bar/out/7/in": ["list", "new"],
        "/bar/out/7/in/0/n": ["inner 1"],
    }
    assert len(work) == 2
    assert without_rows_around(NESTED, posted, [*wrong, "/bar/other"]) is None


def test_focus_after_the_last_row_is_removed_is_on_the_button_that_adds(form, world, fields):
    browser, url, code = form
    page = browser.get(url)
    for left in (1, 0):
        page = browser.post(url, {**fields(page), "act": f"remove:/bar/steps/{left}"})
    assert focused(page) == "add:/bar/steps"
    browser.post(url, fields(page))
    assert world.data(code) == {"bar": {}}


def test_problem_of_a_row_names_the_row_and_its_field(form, world, fields):
    browser, url, code = form
    page = browser.get(url)
    wrong = browser.post(
        url, {**fields(page), "/bar/steps/1/from": "many", "/bar/steps/0/picture": "http://a/b"}
    )
    assert wrong.status == 422
    summary = wrong.soup.find("div", role="alert")
    assert [item.get_text() for item in summary.find_all("li")] == [
        "Row 1, Picture: Enter the address of a picture, such as https://example.com/a.png.",
        "Row 2, From: Enter a number, such as 2.5.",
    ]
    for link in summary.find_all("a"):
        assert wrong.soup.find(id=link["href"].removeprefix("#"))["aria-invalid"] == "true"
    assert world.data(code) == STORED


NO_ACTIONS = (
    *(
        "up:/bar/steps/0",
        "down:/bar/steps/1",
        "remove:/bar/steps/2",
        "remove:/bar/steps/-1",
        "add:/bar/until",
    ),
    *("remove:/bar/steps/01", "remove:/bar/steps/\u0661", "jump:/bar/steps/0", "add:/x", "add:", ":", "up:/"),
    *("remove:/bar/steps/" + "9" * 5000, "up:/bar/steps", "remove:/bar/steps/0/from"),
)


def test_action_that_no_button_has_is_refused_and_the_form_stays(form, world, fields):
    browser, url, code = form
    stored = world.data(code)
    for act in NO_ACTIONS:
        seen = browser.post(url, {**fields(browser.get(url)), "/bar/steps/0/from": "77", "act": act})
        assert (seen.status, seen.soup.find(id="f-0-0-r0-0")["value"]) == (400, "77"), act
        assert "no such button" in seen.soup.find(role="alert").get_text(), act
        assert world.data(code) == stored, act


def test_action_needs_the_token_of_the_form(form, fields):
    browser, url, _ = form
    entries = {**fields(browser.get(url)), "act": "remove:/bar/steps/0", "token": "x"}
    assert browser.post(url, entries).status == 403


def test_first_button_of_the_form_saves_because_enter_presses_it(form):
    browser, url, _ = form
    first = browser.get(url).soup.form.find("button")
    assert (first.get("name"), first.get_text(), first["tabindex"]) == (None, "Save", "-1")


def test_rows_that_the_page_did_not_show_stay(form, world, fields):
    browser, url, code = form
    entries = {name: text for name, text in fields(browser.get(url)).items() if "steps" not in name}
    browser.post(url, {**entries, "/bar/until": "2026-12-24"})
    assert world.data(code) == {"bar": {**STORED["bar"], "until": "2026-12-24"}}


INNER = {
    "type": "array",
    "default": [{}],
    "items": {"type": "object", "properties": {"a": {"type": "string"}}},
}
OUTER = {"type": "array", "items": {"type": "object", "properties": {"in": INNER}}}


@pytest.mark.parametrize(("rows", "can_grow"), [(49, True), (50, False)])
def test_lists_grow_while_a_page_shows_them_with_their_inner_rows(world, opened, build, rows, can_grow):
    build(world.dist, schema={"properties": {"w": {"type": "object", "properties": {"out": OUTER}}}})
    browser, url, code = opened()
    world.service.set_data(code, json.dumps({"w": {"out": [{"in": [{}]} for _ in range(rows)]}}))
    page = browser.get(url)
    buttons = page.soup.find_all("button", attrs={"value": lambda value: value and value.startswith("add:")})
    assert (len(legends(page)), len(buttons)) == (2 * rows, rows + 1)
    assert {not button.has_attr("disabled") for button in buttons} == {can_grow}


@pytest.mark.parametrize("act", ["", "add:/w/out"])
@pytest.mark.parametrize("name", ["/w/out", "/w/out/0/in"])
def test_more_rows_than_a_page_shows_are_refused(world, opened, build, fields, name, act):
    build(world.dist, schema={"properties": {"w": {"type": "object", "properties": {"out": OUTER}}}})
    browser, url, code = opened()
    stored = {"w": {"out": [{"in": [{"a": "x"}], "free": 1}]}}
    world.service.set_data(code, json.dumps(stored))
    entries = {**fields(browser.get(url)), name: ["list", *["0"] * 100], "act": act}
    assert browser.post(url, entries).status == 400
    assert world.data(code) == stored


HOSTILE = "</legend><img src=x onerror=alert(1)>\"'{{7*7}}"


def test_hostile_labels_and_values_of_rows_are_text(world, opened, build):
    step = {
        "type": "object",
        "properties": {"a": {"type": "string", "title": HOSTILE, "description": HOSTILE}},
    }
    steps = {"type": "array", "title": HOSTILE, "description": HOSTILE, "items": step}
    more = {
        "at": {"type": "string", "format": "date-time", "title": HOSTILE},
        "to": {"type": "string", "format": "picture"},
    }
    build(
        world.dist, schema={"properties": {"w": {"type": "object", "properties": {HOSTILE: steps, **more}}}}
    )
    browser, url, code = opened()
    stored = {HOSTILE: [{"a": HOSTILE}], "at": HOSTILE, "to": f"https://cdn.example/{HOSTILE}"}
    world.service.set_data(code, json.dumps({"w": stored}))
    page = browser.get(url)
    assert page.soup.find_all(["img", "script"]) == []
    assert page.soup.find("fieldset", class_="row").legend.get_text() == f"Row 1 of 1: {HOSTILE}"
    assert not [tag for tag in page.soup.find_all() for name in tag.attrs if name.startswith("on")]


def test_page_shows_a_picture_and_its_policy_names_only_the_origin(form, fields):
    browser, url, _ = form
    page = browser.get(url)
    [picture] = page.soup.find_all("img")
    assert (picture["src"], picture["referrerpolicy"]) == ("https://cdn.example/lamp.png", "no-referrer")
    assert "img-src 'self' data: https://cdn.example;" in page.header("content-security-policy")
    entries = {
        **fields(page),
        "/bar/steps/0/picture": "https://other.example:8443/b.png",
        "act": "show:/bar/steps/0/picture",
    }
    typed = browser.post(url, entries)
    assert typed.soup.img["src"] == entries["/bar/steps/0/picture"]
    assert " https://other.example:8443 https://cdn.example;" in typed.header("content-security-policy")


@pytest.mark.parametrize(
    ("address", "origin"),
    [
        ("https://CDN.example/a.png", "https://cdn.example"),
        ("https://āboli.example/a.png", "https://xn--boli-psa.example"),
        ("https://straße.example/a.png", "https://xn--strae-oqa.example"),
        ("https://user:word@cdn.example:444/a", "https://cdn.example:444"),
        *(
            (address, "")
            for address in (
                "https://192.168.0.1/a",
                "https://localhost/a",
                "https://[::1]/a",
                "https://a;b.c/",
            )
        ),
        *(
            (address, "")
            for address in ("http://cdn.example/a", "https://*.example/a", f"https://{'a' * 70}.example/")
        ),
    ],
)
def test_policy_names_origins_on_the_internet_alone(address, origin):
    policy = page_policy([address])
    directive = next(part for part in policy.split("; ") if part.startswith("img-src"))
    assert directive == f"img-src 'self' data: {origin}".strip()


def test_policy_has_room_for_some_origins():
    policy = page_policy(f"https://host-{number}.example/a" for number in range(5000))
    assert len(policy) < LONGEST_ORIGINS + 300
    assert all(urlsplit(part).path == "" for part in policy.split() if part.startswith("https:"))
    assert "host-0.example" in policy


def test_rows_that_were_moved_elsewhere_keep_what_has_no_field(form, world, fields):
    browser, url, code = form
    entries = {**fields(browser.get(url)), "/bar/steps/0/from": "55"}
    mug, lamp = STORED["bar"]["steps"]
    new = {"from": 10, "gift": "Card", "token": "of-the-card"}
    changed = {**lamp, "old": "changed"}
    world.service.set_data(code, json.dumps({"bar": {"steps": [new, mug, changed]}}))
    conflict = browser.post(url, entries)
    assert conflict.status == 409
    saved = browser.post(url, fields(conflict))
    assert (saved.status, world.data(code)["bar"]["steps"][0]) == (303, {**mug, "from": 55})
    assert "of-the-card" not in json.dumps(world.data(code)["bar"]["steps"][0])
