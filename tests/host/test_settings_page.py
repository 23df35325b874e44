"""The settings page: showing, saving and refusing settings without losing an entry."""

import asyncio
import hmac
import json
from contextlib import closing

import pytest
from kept_in import both
from sqlalchemy import func, select

from awning.client import NoResponse, Response, Secret
from awning.host import Hooks, settings_page
from awning.host.form.view import view_of
from awning.host.languages import LocalizedText, language_chain, text_in
from awning.host.sessions import digest_of
from awning.host.visits import read_signed, return_link
from awning.publish.state.store import StateDir
from awning.publish.state.tables.host import SESSION

UNREACHABLE = NoResponse(why="no answer", sent=False)
LOST = NoResponse(why="no answer")
UNAUTHORIZED = Response(status=401, body=b'{"error":true,"error_code":401,"error_message":"Unauthorized"}')
TOO_LARGE = Response(status=413, body=b'{"error":true,"error_code":413,"error_message":"Too large"}')


def failing(call, answer):
    return lambda name, operation: answer if name == call else None


def test_digest_in_the_form_has_the_key_of_the_server(opened, fields, world):
    browser, url, code = opened()
    digest = fields(browser.get(url))["base"]
    assert digest == digest_of(world.data(code), world.kept().key)
    assert digest != digest_of(world.data(code), b"another key")


def test_page_is_in_the_language_of_the_user(opened):
    browser, url, _ = opened(language="lv")
    page = browser.get(url).soup
    assert page.html["lang"] == "lv"
    assert page.h1.get_text() == "Iestatījumi: Linen & Co"
    assert page.legend.get_text() == "Bezmaksas piegādes josla"
    assert page.strong.get_text() == "Testa lietotne"


@pytest.mark.parametrize(
    ("language", "page_language", "label", "label_language"),
    [
        ("de", "de", "Gratis ab", None),
        ("de-AT", "de", "Gratis ab", None),
        ("de_AT", "de", "Gratis ab", None),
        ("fr", "en", "Free from", None),
        ("", "en", "Free from", None),
        ("'\"><script>", "en", "Free from", None),
    ],
)
def test_page_and_labels_fall_back_to_an_available_language(
    opened, language, page_language, label, label_language
):
    browser, url, _ = opened(language=language)
    page = browser.get(url).soup
    text = page.find("span", string=label)
    assert text.parent.name == "label"
    assert (page.html["lang"], text.get("lang")) == (page_language, label_language)


def test_text_in_another_language_has_a_lang_attribute(opened):
    browser, url, _ = opened(language="de")
    legend = browser.get(url).soup.find("legend")
    assert (legend["lang"], legend["dir"]) == ("en", "auto")


@pytest.mark.parametrize("language", ["pt-BR", "pt_BR", "pt-br"])
@pytest.mark.parametrize("key", ["pt-BR", "pt_BR"])
def test_text_of_a_schema_is_found_in_every_spelling_of_its_language(language, key):
    text = text_in({"en": "Free", "pt": "de Portugal", key: "do Brasil"}, language_chain(language))
    assert text == LocalizedText(value="do Brasil", language="pt-BR")


@pytest.mark.parametrize(
    ("accepted", "heading"),
    [
        ("lv-LV,lv;q=0.9,en;q=0.8", "Šī lapa vairs nav atvērta"),
        ("fr, de;q=0.5", "Diese Seite ist nicht mehr offen"),
        ("lv;q=0.5,en;q=0.4,de-AT ; Q=0.9", "Diese Seite ist nicht mehr offen"),
        ("lv;q=0, de;q=0.1", "Diese Seite ist nicht mehr offen"),
        ("lv;q=0.9;level=1, de;q=0.95", "Diese Seite ist nicht mehr offen"),
        ("lv; q = 0.1, de;q=.5", "Diese Seite ist nicht mehr offen"),
        ("lv;q=many, de;q=1.9", "Diese Seite ist nicht mehr offen"),
        ("de, lv", "Diese Seite ist nicht mehr offen"),
        ("fr", "This page is no longer open"),
        ("", "This page is no longer open"),
        (";;,\x7f", "This page is no longer open"),
    ],
)
def test_page_without_a_session_is_in_the_language_of_the_browser(world, accepted, heading):
    assert world.browser().get("/settings/none/", accept_language=accepted).heading == heading


def test_required_fields_are_marked_in_words(opened, world, build):
    text, many = {"type": "string", "title": "Text"}, {"type": "array", "items": {"enum": ["a", "b"]}}
    group = {"type": "object", "required": ["text", "many"], "properties": {"text": text, "other": text}}
    group["properties"]["many"] = many
    build(world.dist, schema={"type": "object", "properties": {"all": group}})
    browser, url, _ = opened(language="de")
    page = browser.get(url).soup
    assert [
        " ".join(element.get_text().split()) for element in page.select(".field > label, .field > legend")
    ] == [
        "Text (Pflichtfeld)",
        "Text",
        "Many (Pflichtfeld)",
    ]


@pytest.mark.parametrize(("required", "message"), [([], "Empty means 5."), (["days"], None)])
def test_value_used_when_empty_is_shown_for_optional_fields(opened, world, build, fields, required, message):
    group = {"type": "object", "required": required}
    group["properties"] = {"days": {"type": "integer", "default": 5}}
    build(world.dist, schema={"type": "object", "properties": {"all": group}})
    browser, url, _ = opened()
    browser.post(url, {**fields(browser.get(url)), "/all/days": "7"})
    hint = browser.get(url).soup.find(class_="hint")
    assert (hint.get_text() if hint else None) == message


def test_error_summary_has_focus_and_links_to_the_fields(opened, world, build, fields):
    many = {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1}
    group = {"type": "object", "properties": {"many": many}, "required": ["many"]}
    build(world.dist, schema={"type": "object", "properties": {"all": group}})
    browser, url, _ = opened()
    page = browser.post(url, fields(browser.get(url))).soup
    summary = page.find("div", role="alert")
    assert summary.has_attr("autofocus")
    first = page.find(id=summary.a["href"].removeprefix("#"))
    assert (first.name, first["type"], first["aria-invalid"]) == ("input", "checkbox", "true")


def test_right_to_left_name_is_isolated_in_its_sentence(world, ask):
    website = world.service.create_website(languages=["lv"], brandname="\u0645\u062a\u062c\u0631")
    code = world.new_code(website_id=website.id)
    browser = world.browser()
    page = browser.follow(browser.get(ask("/settings", code)))
    assert page.heading == "Settings for \u2068\u0645\u062a\u062c\u0631\u2069"


def test_settings_page_hides_code_and_hash_of_the_signed_address(opened):
    browser, url, code = opened()
    page = browser.get(url)
    assert code not in url
    assert "hash=" not in page.text
    back = page.soup.header.a["href"]
    assert back == "https://service.example/back/1?appId=1&language=en&svcVersion=1.0.0"


@pytest.mark.parametrize("path", ["/install", "/settings"])
def test_no_page_has_the_auth_code_in_its_return_link(world, ask, build, path):
    """Checked on the page that the request leads to, and on the page of a failure."""
    build(world.dist, tab_mode="frame")
    code, browser = world.new_code(), world.browser()
    pages = [browser.follow(browser.get(ask(path, code)))]
    world.spoil = lambda call, operation: NoResponse(why="no answer", sent=False)
    pages.append(browser.get(ask(path, world.new_code())))
    for page in pages:
        assert page.soup.header.a["href"].startswith("https://service.example/back/1?appId=1")
        assert "authCode" not in page.text


def test_return_link_omits_the_auth_code_in_every_spelling():
    query = b"auth%43ode=secret&appId=1&authCode[]=secret&authcode=secret&AUTHCODE=secret&callback=x&hash=y"
    callback = "https://service.example/back"
    assert return_link(query, callback, with_code=False) == f"{callback}?appId=1"
    assert return_link(b"authCode=secret", callback, with_code=False) == callback


@pytest.mark.parametrize("name", ["authCode", "authcode"])
def test_auth_code_is_read_in_both_spellings(name):
    secret = Secret("planted-canary-app-secret")
    query = f"appId=1&{name}=abc"
    digest = hmac.digest(secret.reveal().encode(), query.encode(), "sha256").hex()
    signed = read_signed(f"{query}&hash={digest}".encode(), secret)
    assert signed.code is not None
    assert signed.code.reveal() == "abc"


def test_entries_are_stored_encoded_and_shown_again(opened, world, fields):
    saved = []
    browser, url, code = opened(
        Hooks(on_settings_saved=lambda instance, data: saved.append((instance.brand, data)))
    )
    entries = fields(browser.get(url))
    assert entries["/bar/threshold"] == "75"
    entries["/bar/threshold"] = "12,50"
    del entries["/bar/enabled"]
    answer = browser.post(url, entries)
    assert answer.status == 303
    page = browser.follow(answer)
    assert page.soup.find(role="status").get_text().startswith("Saved.")
    assert fields(page)["/bar/threshold"] == "12.5"
    assert world.data(code) == {"bar": {"enabled": False, "threshold": 12.5}}
    assert saved == [("Linen & Co", {"bar": {"enabled": False, "threshold": 12.5}})]


def test_saving_keeps_data_outside_the_form(opened, world, fields):
    browser, url, code = opened()
    world.service.set_data(code, json.dumps({"other": [1, {"a": "ā"}], "bar": {"old": 1, "threshold": 5}}))
    browser.post(url, fields(browser.get(url)))
    assert world.data(code) == {"other": [1, {"a": "ā"}], "bar": {"old": 1, "threshold": 5, "enabled": True}}


@pytest.mark.parametrize("stored", ["plain words", "[1]", "{", '"text"'])
def test_foreign_data_is_replaced_only_after_a_warning(opened, world, stored):
    browser, url, code = opened()
    world.service.set_data(code, stored)
    assert "Saving replaces it" in browser.get(url).soup.find(role="alert").get_text()


def test_stored_values_that_do_not_fit_are_replaced_only_after_a_warning(opened, world, fields):
    browser, url, code = opened()
    world.service.set_data(code, '{"bar":{"threshold":"many","enabled":true}}')
    page = browser.get(url)
    assert (
        "does not fit these settings: Free shipping bar / Free from. Saving replaces it"
        in page.soup.find(role="alert").get_text()
    )
    browser.post(url, fields(page))
    assert browser.get(url).soup.find(role="alert") is None


def test_page_at_an_address_that_has_no_get_says_so(opened, world):
    browser, url, _ = opened()
    seen = browser.get(url + "uninstall")
    assert (seen.status, seen.header("allow")) == (405, "POST")
    assert seen.heading == "This address cannot be opened like this"


def test_log_says_why_a_form_or_an_address_is_refused(opened, world, ask, fields, caplog):
    browser, url, _ = opened()
    entries = fields(browser.get(url))
    browser.post(url, {**entries, "token": ""})
    browser.post(url, entries, origin="https://evil.example")
    browser.post(url, b"{}", content_type="application/json")
    browser.get(ask("/install", callback="javascript:alert(1)"))
    browser.get(ask("/settings"))
    for reason in (
        "its token is missing or wrong",
        "its Origin is not https://app.example",
        "it is not a form, or too large",
        "incomplete install: the callback is not an http or https address",
        "incomplete settings: there is no authCode",
    ):
        assert reason in caplog.text


@pytest.mark.parametrize(
    "stored", [{"bar": {"threshold": 3}}, '{"bar":{"threshold":3}}', '{"bar":{"threshold":3.0}}']
)
def test_app_data_is_shown_in_every_form(opened, world, fields, stored):
    browser, url, code = opened()
    world.service.set_data(code, stored)
    assert fields(browser.get(url))["/bar/threshold"] == "3"


def test_invalid_entry_is_reported_at_its_field_and_not_stored(opened, world, fields):
    browser, url, code = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "<b>lots</b>"}
    seen = browser.post(url, entries)
    assert seen.status == 422
    field = seen.soup.find("input", {"name": "/bar/threshold"})
    assert (field["value"], field["aria-invalid"]) == ("<b>lots</b>", "true")
    problem = seen.soup.find(id=f"{field['id']}-problem")
    assert "Enter a number" in problem.get_text()
    assert problem["id"] in field["aria-describedby"].split()
    summary = seen.soup.find("div", role="alert")
    assert summary.a["href"] == f"#{field['id']}"
    assert seen.soup.title.get_text().startswith("Error: ")
    assert world.data(code)["bar"]["threshold"] == 75


@pytest.mark.parametrize(
    ("call", "answer", "status", "message"),
    [
        ("get_data", UNREACHABLE, 503, "did not answer"),
        ("set_data", UNREACHABLE, 503, "did not answer"),
        ("set_data", LOST, 503, "did not answer"),
        ("set_data", TOO_LARGE, 502, "could not do this"),
        ("set_data", Response(status=200, body=b'{"error":true,"error_code":5}'), 502, "could not do this"),
        ("set_data", Response(status=500, body=b""), 502, "could not do this"),
        ("set_data", Response(status=502, body=b"<html>"), 502, "could not do this"),
        ("set_data", Response(status=503, body=b""), 503, "could not do this"),
        ("set_data", Response(status=429, body=b'{"error":true,"error_code":429}'), 503, "could not do this"),
        ("set_data", UNAUTHORIZED, 404, "may have been uninstalled"),
    ],
)
def test_entries_stay_in_the_form_when_the_service_refuses_them(
    opened, world, fields, call, answer, status, message
):
    browser, url, code = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "33"}
    world.spoil = failing(call, answer)
    seen = browser.post(url, entries)
    assert seen.status == status
    assert message in seen.soup.find(role="alert").get_text()
    assert seen.header("retry-after") == ("10" if status == 503 else "")
    again = fields(seen)
    assert again["/bar/threshold"] == "33"
    world.spoil = lambda name, operation: None
    assert browser.post(url, again).status == 303
    assert world.data(code)["bar"]["threshold"] == 33


def test_lost_response_to_a_write_is_settled_by_reading_back(opened, world, fields):
    browser, url, code = opened()
    world.after = failing("set_data", LOST)
    assert browser.post(url, {**fields(browser.get(url)), "/bar/threshold": "33"}).status == 303
    assert world.data(code)["bar"]["threshold"] == 33


def test_concurrent_change_is_a_conflict(opened, world, fields):
    browser, url, code = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "33"}
    world.service.set_data(code, '{"bar":{"threshold":44}}')
    seen = browser.post(url, entries)
    assert seen.status == 409
    assert "changed elsewhere" in seen.soup.find(role="alert").get_text()
    assert world.data(code)["bar"]["threshold"] == 44
    assert browser.post(url, fields(seen)).status == 303
    assert world.data(code)["bar"]["threshold"] == 33


def test_form_keeps_a_widget_disabled_that_the_publisher_disabled_meanwhile(opened, world, fields):
    browser, url, code = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "33"}
    reserved = {"_awning": {"disabled": ["bar"]}}
    world.service.set_data(code, json.dumps({**world.data(code), **reserved}))
    assert browser.post(url, entries).status == 303
    assert world.data(code) == {"bar": {"enabled": True, "threshold": 33}, **reserved}


def test_form_is_not_saved_while_another_program_changes_the_data(opened, world, fields, monkeypatch):
    monkeypatch.setattr("awning.publish.state.app_data_lock.PATIENCE_S", 0.0)
    browser, url, code = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "33"}
    before, state = world.data(code), StateDir(world.state)
    with closing(state.app_data_locks()) as locks:
        with locks.holding(state.hash_of(Secret(code))):
            seen = browser.post(url, entries)
        assert (seen.status, world.data(code)) == (503, before)
        assert seen.soup.find("input", {"name": "/bar/threshold"})["value"] == "33"
    assert browser.post(url, entries).status == 303


def test_same_form_can_be_sent_twice(opened, world, fields):
    browser, url, _ = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "33"}
    assert [browser.post(url, entries).status for _ in range(2)] == [303, 303]


def test_unreachable_service_is_503(opened, world):
    browser, url, _ = opened()
    world.spoil = failing("get_data", UNREACHABLE)
    seen = browser.get(url)
    assert (seen.status, seen.heading) == (503, "The website service does not answer")


def test_removed_instance_is_reported(opened, world):
    browser, url, _code = opened()
    world.spoil = failing("get_data", Response(status=410, body=b'{"error":true,"error_code":410}'))
    assert browser.get(url).heading == "The website service does not know this installation"


@pytest.mark.parametrize(
    "changed",
    [
        {"token": ""},
        {"token": "0" * 64},
        {"token": "ā"},
    ],
)
def test_form_without_its_token_changes_nothing(opened, world, fields, changed):
    browser, url, code = opened()
    entries = {**fields(browser.get(url)), "/bar/threshold": "33", **changed}
    for address in (url, url + "uninstall"):
        seen = browser.post(address, entries)
        assert seen.status == 403
        assert fields(seen)["/bar/threshold"] == "75", "a stranger's entries are not shown as the visitor's"
    assert world.installed(code)
    assert world.data(code)["bar"]["threshold"] == 75


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("https://app.example", 303),
        ("", 303),
        ("null", 403),
        ("https://evil.example", 403),
        ("http://app.example", 403),
    ],
)
def test_form_from_another_site_is_refused(opened, fields, origin, status):
    browser, url, _ = opened()
    assert browser.post(url, fields(browser.get(url)), origin=origin).status == status


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (b"x" * 300_000, "application/x-www-form-urlencoded"),
        (b"\xff\xfe", "application/x-www-form-urlencoded"),
        (b"&".join([b"a=1"] * 6000), "application/x-www-form-urlencoded"),
        (b"{}", "application/json"),
        (b"", ""),
    ],
)
def test_invalid_form_body_is_400(opened, body, kind):
    browser, url, _ = opened()
    assert browser.post(url, body, content_type=kind).status == 400


@both
def test_session_belongs_to_one_browser_and_expires(opened, world, ask):
    browser, url, code = opened()
    stranger = world.browser()
    assert stranger.get(url).status == 403
    world.now += 4 * 3600 + 1
    assert browser.get(url).status == 403
    assert browser.follow(browser.get(ask("/settings", code))).status == 200, (
        "the signed address opens another"
    )


def test_sessions_of_two_shops_in_two_tabs_stay_separate(opened, world, ask, fields):
    browser, first, code = opened()
    other_site = world.service.create_website(languages=["de"], brandname="Zweiter")
    other = world.new_code(website_id=other_site.id)
    browser.get(ask("/install", other))
    second = browser.get(ask("/settings", other)).location
    assert browser.get(second).heading == "Settings for Zweiter"
    entries = {**fields(browser.get(first)), "/bar/threshold": "33"}
    assert browser.post(second, entries).status == 403, "a token is one page's"
    assert browser.post(first, entries).status == 303
    assert (world.data(code)["bar"]["threshold"], world.data(other)["bar"]["threshold"]) == (33, 75)


@both
def test_address_that_is_loaded_again_and_again_does_not_fill_the_state(opened, world, ask, monkeypatch):
    monkeypatch.setattr("awning.host.host_records.MOST_SESSIONS", 3)
    other, other_url, _ = opened()
    browser, _, code = opened()
    for _ in range(5):
        assert browser.get(ask("/settings", code)).status == 303
    with closing(world.kept().connect("state")) as database, database.reading() as connection:
        count = connection.execute(select(func.count()).select_from(SESSION)).scalar()
    assert count == 3 + 1, "three of this instance, and that of another one"
    assert other.get(other_url).status == 200


def test_session_cookie_is_limited_to_its_page_and_site(world, ask):
    browser, code = world.browser(), world.new_code()
    browser.get(ask("/install", code))
    seen = browser.get(ask("/settings", code))
    cookie = seen.header("set-cookie")
    assert cookie.startswith("__Secure-awning-session=")
    assert {"HttpOnly", "SameSite=lax", "Secure", f"Path={seen.location}"} <= set(cookie.split("; "))


def test_opening_settings_completes_the_installation_of_an_unknown_instance(world, ask):
    """An instance outside the inventory gets a complete installation."""
    code = world.new_code()
    browser = world.browser()
    assert browser.get(ask("/settings", code)).status == 303
    assert world.installed(code)
    assert world.service.snippet(code) is not None


def test_empty_schema_is_reported_as_nothing_to_set(world, opened, build):
    build(world.dist, schema={})
    browser, url, _ = opened()
    assert "nothing to set" in browser.get(url).soup.main.get_text()


SECRETS = {
    "token": {"type": "string", "format": "password", "title": "Token"},
    "pin": {"type": "integer", "writeOnly": True, "minimum": 1000},
    "notes": {"type": "string", "writeOnly": True, "maxLength": 500},
    "keys": {"type": "array", "items": {"type": "string", "format": "password"}},
    "size": {"enum": ["s", "m"], "writeOnly": True},
    "plain": {"type": "integer"},
}
STORED = {"token": "hunter-two", "pin": 482715, "notes": "in the cellar", "keys": ["key-one"], "size": "m"}


def test_page_contains_no_stored_and_no_typed_secret(opened, world, build, fields):
    build(
        world.dist,
        schema={"properties": {"all": {"type": "object", "properties": SECRETS, "required": ["token"]}}},
    )
    browser, url, code = opened()
    world.service.set_data(code, json.dumps({"all": STORED}))
    page = browser.get(url)
    for text in ("hunter-two", "482715", "cellar", "key-one"):
        assert text not in page.text
    token = page.soup.find("input", {"name": "/all/token"})
    assert (token["type"], token["autocomplete"], token.get("value")) == ("password", "new-password", None)
    assert not token.has_attr("required")
    assert "Leave this empty to keep it." in page.soup.find(id=token["aria-describedby"]).get_text()
    assert page.soup.find("option", selected=True) is None
    saved = browser.post(url, {**fields(page), "/all/plain": "5"})
    assert saved.status == 303
    assert world.data(code) == {"all": {**STORED, "plain": 5}}
    entries = {**fields(browser.get(url)), "/all/token": "typed-one", "/all/plain": "five"}
    wrong = browser.post(url, entries)
    assert wrong.status == 422
    assert "typed-one" not in wrong.text
    assert "Enter this again" in wrong.text
    assert browser.post(url, {**entries, "/all/plain": "5"}).status == 303
    assert world.data(code) == {"all": {**STORED, "token": "typed-one", "plain": 5}}


def test_stored_secret_need_not_be_typed_again_after_a_failed_call(opened, world, build, fields):
    schema = {"type": "object", "properties": SECRETS, "required": ["token"]}
    build(world.dist, schema={"properties": {"all": schema}})
    browser, url, code = opened()
    world.service.set_data(code, json.dumps({"all": STORED}))
    world.spoil = failing("set_data", UNREACHABLE)
    failed = browser.post(url, {**fields(browser.get(url)), "/all/plain": "5"})
    token = failed.soup.find("input", {"name": "/all/token"})
    assert not token.has_attr("required")
    assert "Leave this empty to keep it." in failed.soup.find(id=token["aria-describedby"]).get_text()
    assert "hunter-two" not in failed.text


RICH = {
    "properties": {
        "all": {
            "type": "object",
            "description": "Everything there is.",
            "properties": {
                "flag": {"type": "boolean", "description": "Said more."},
                "text": {"type": "string", "minLength": 3, "default": "abc"},
                "long": {"type": "string", "maxLength": 500},
                "mail": {"type": "string", "format": "email"},
                "colour": {"type": "string", "format": "color"},
                "size": {"enum": ["s", "m"], "title": "<b>Size</b>"},
                "lines": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
                "many": {"type": "array", "items": {"enum": ["a", "b"]}, "minItems": 1},
                "inner": {"type": "object", "properties": {"deep": {"type": "number"}}},
                "beyond": {"type": "array", "items": {"type": "object"}},
            },
            "required": ["many"],
        }
    },
}


@pytest.mark.parametrize("wrong", [False, True])
def test_every_control_has_a_label_and_every_reference_has_a_target(world, opened, build, fields, wrong):
    build(world.dist, schema=RICH)
    browser, url, _ = opened()
    seen = browser.get(url)
    if wrong:
        seen = browser.post(
            url, {**fields(seen), "/all/text": "x", "/all/lines": "x", "/all/inner/deep": "x"}
        )
        assert seen.status == 422
        assert len(seen.soup.find("div", role="alert").find_all("li")) == 4
    page = seen.soup
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert len(ids) == len(set(ids))
    labelled = {label["for"] for label in page.find_all("label")}
    controls = [tag for tag in page.find_all(["input", "select", "textarea"]) if tag.get("type") != "hidden"]
    assert len(controls) == 10
    assert {tag["id"] for tag in controls} == labelled
    for tag in page.find_all(attrs={"aria-describedby": True}):
        assert set(tag["aria-describedby"].split()) <= set(ids)
    for link in page.find("main").find_all("a", href=True):
        assert link["href"].removeprefix("#") in ids
    assert all(fieldset.legend for fieldset in page.find_all("fieldset"))
    assert page.find("b") is None
    assert "changed elsewhere" in page.find(class_="group").get_text()
    assert page.find("input", {"name": "/all/colour"})["type"] == "text"


@both
@pytest.mark.parametrize("session", ["a\0b", "\ud800", "x" * 5000])
def test_malformed_session_address_is_403(world, session):
    assert world.browser().get(f"/settings/{session}/").status == 403


def test_form_is_made_outside_of_the_event_loop(opened, monkeypatch):
    browser, url, _ = opened()
    loops = []

    def view(*parts):
        loops.append(asyncio._get_running_loop())
        return view_of(*parts)

    monkeypatch.setattr(settings_page, "view_of", view)
    assert (browser.get(url).status, loops) == (200, [None])


def versioned(world, version):
    """Return the schema of the build, whose settings of the widget then have this version."""
    schema = json.loads((world.dist / "data.schema.json").read_text())
    schema["properties"]["bar"]["x-version"] = version
    return schema


def test_form_stores_the_version_of_new_settings(opened, world, build, fields):
    build(world.dist, schema=versioned(world, 2))
    browser, url, code = opened()
    assert world.data(code)["bar"]["_version"] == 2, "of the defaults that an installation stores"
    world.service.set_data(code, {})
    assert browser.post(url, {**fields(browser.get(url)), "/bar/threshold": "33"}).status == 303
    assert world.data(code)["bar"] == {"_version": 2, "enabled": True, "threshold": 33}


@pytest.mark.parametrize("served", [1, 3])
def test_settings_of_another_version_are_locked_until_they_are_migrated(
    opened, world, build, fields, served, caplog
):
    build(world.dist, schema=versioned(world, 2))
    browser, url, code = opened()
    form, before = browser.get(url), world.data(code)
    build(world.dist, schema=versioned(world, served), body="v2")
    page = browser.get(url)
    alert = page.soup.find(role="alert").get_text()
    assert (page.status, "another version" in alert, "tell the app's developer" in alert) == (200, True, True)
    assert (page.soup.find(attrs={"name": "/bar/threshold"}), "Save" in page.text) == (None, False)
    assert page.soup.find("a", string="Try again")["href"] == "./"
    assert "`awning publish apply` migrates them" in caplog.text
    sent = browser.post(url, {**fields(form), "/bar/threshold": "33"})
    assert (sent.status, world.data(code)) == (409, before)
    assert sent.soup.find(attrs={"name": "/bar/threshold"})["value"] == "33", "entries are kept"
    assert {button.get_text() for button in sent.soup.select("form[action='./'] button")} == {"Try again"}
    foreign = browser.post(url, {**fields(form), "token": "x"})
    assert (foreign.status, foreign.soup.select("form[action='./']")) == (403, [])
