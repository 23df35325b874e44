"""The dev server's own pages and calls, over HTTP."""

import json
import re
import socket
from base64 import b64decode
from dataclasses import replace
from urllib.parse import quote, urlencode

import pytest
from bs4 import BeautifulSoup

from awning.build_record import BuiltWidget
from awning.contract import Dialect
from awning.contract.payloads import PRICE_UPDATE, RECORDS
from awning.contract.slots import event_names
from awning.workspace.reader import read_workspace
from awning.workspace.store.store_files import shipped_store
from awning_harness.dev.fields import with_former_fields
from awning_harness.dev.gallery import about_state
from awning_harness.gallery.state_page import StatePages


def test_the_index_links_every_page_in_every_language(served, workshop):
    workshop.session.apply(workshop.shows("hello"))
    status, text = served.get("/")
    links = {a["href"] for a in BeautifulSoup(text, "html.parser").select("a[href]")}
    assert status == 200
    assert {"/1/lv/", "/1/en/product/1", "/1/lv/cart?cart=free", "/_awning/gallery"} <= links
    for link in sorted(link for link in links if link.startswith("/")):
        assert served.get(link.partition("#")[0])[0] == 200, link


def test_the_index_gives_the_size_of_the_last_build_with_its_own_number_of_widgets(served, workshop):
    turn = workshop.shows("hello")
    workshop.session.apply(turn)
    old = BuiltWidget(name="old", title="Old", slots=("after-price",), languages=("lv",), sources=())
    record = json.dumps(replace(turn.built.record, widgets=(old,)).as_json())
    (workshop.root / "dist" / "build.json").write_text(record)
    soup = BeautifulSoup(served.get("/")[1], "html.parser")
    size = turn.built.record.snippets[0].gzip
    now, shipped = (" ".join(line.get_text().split()) for line in soup.select(".lead"))
    assert "bytes" not in now
    assert shipped == f"The last awning build: 1 widget, {size} bytes gzip; without hello"


def test_pages_allow_the_globals_of_widget_toml(served, workshop):
    with (workshop.root / "widgets" / "hello" / "widget.toml").open("a") as file:
        file.write('\n[globals]\ndataLayer = "the analytics of the shop read it"\n')
    turn, own = workshop.shows("hello"), {"title": "Hello", "slots": ("after-price",), "languages": ("lv",)}
    widget = BuiltWidget(name="hello", sources=(), globals=("dataLayer",), **own)
    built = replace(turn.built, record=replace(turn.built.record, widgets=(widget,)))
    workshop.session.apply(replace(turn, built=built))
    for page in ("/1/lv/product/1", "/1/lv/cart", "/_awning/state/hello/red/lv"):
        assert 'awningEmulator.allowGlobals(["dataLayer"]);' in served.get(page)[1], page


def test_the_index_links_each_widget_and_each_state_in_the_gallery(served):
    soup = BeautifulSoup(served.get("/")[1], "html.parser")
    assert {a.get_text(): a["href"] for a in soup.select(".tile a")} == {
        "Hello": "/_awning/gallery#hello",
        "red": "/_awning/gallery#state-hello-red",
        "off": "/_awning/gallery#state-hello-off",
    }
    ids = {e["id"] for e in BeautifulSoup(served.get("/_awning/gallery")[1], "html.parser").select("[id]")}
    assert {a["href"].partition("#")[2] for a in soup.select(".tile a")} <= ids


def test_the_index_does_not_say_that_there_are_no_widgets_while_they_cannot_be_read(served, workshop):
    workshop.session.apply(workshop.shows("hello"))
    workshop.session.apply(workshop.broken())
    (workshop.root / "widgets/hello/widget.toml").write_text("slot = \n")
    text = BeautifulSoup(served.get("/")[1], "html.parser").select_one("[aria-labelledby=widgets]").get_text()
    assert "Listed again when the errors of the workspace are mended" in text
    assert "None yet" not in text


def test_the_gallery_frames_every_state_in_every_language(served):
    _, text = served.get("/_awning/gallery")
    frames = [f["data-frame"] for f in BeautifulSoup(text, "html.parser").select("[data-frame]")]
    assert frames == [
        f"/_awning/state/hello/{state}/{lang}" for state in ("red", "off") for lang in ("lv", "en")
    ]
    assert "A &lt;red&gt; one" in text
    assert all(served.get(frame)[0] == 200 for frame in frames)


def test_each_view_of_the_gallery_is_the_same_page(served):
    pages = {served.get(f"/_awning/gallery{query}") for query in ("", "?width=768&theme=dark&language=en")}
    assert [status for status, _ in pages] == [200]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("width=400", "there is no width '400'; there are 390, 768, 1280"),
        ("theme=nice", "there is no theme 'nice'; there are plain, reset,"),
        ("language=fr", "there is no language 'fr'; there are lv, en"),
    ],
)
def test_an_unknown_choice_of_the_gallery_is_refused_with_a_list(served, query, message):
    status, text = served.get(f"/_awning/gallery?{query}")
    assert status == 400
    assert message in text


def test_each_state_in_the_gallery_has_a_link(served):
    soup = BeautifulSoup(served.get("/_awning/gallery")[1], "html.parser")
    for state in soup.select("article.state"):
        assert state.select_one("h3 a")["href"] == f"#{state['id']}"
        alone = [link["href"] for link in state.select("figcaption a")]
        assert alone == [frame["data-frame"] for frame in state.select("[data-frame]")]


def test_a_widget_without_states_is_a_hole_in_the_gallery(served, workshop):
    (workshop.root / "widgets" / "hello" / "states.toml").unlink()
    soup = BeautifulSoup(served.get("/_awning/gallery")[1], "html.parser")
    assert soup.select_one(".hole").get_text() == "No states yet: add widgets/hello/states.toml"
    assert [link["href"] for link in soup.select(".lead a")] == ["#hello"]


def test_a_state_page_has_the_theme_and_the_policy_of_its_state(served, workshop):
    states = workshop.root / "widgets" / "hello" / "states.toml"
    states.write_text(
        '[[state]]\nname = "red"\ntitle = "Red"\npayload = "P1"\ntheme = "rtl"\ncsp = "trusted-types"\n'
    )
    soup = BeautifulSoup(served.get("/_awning/state/hello/red/lv")[1], "html.parser")
    nonces = {script.get("nonce") for script in soup.select("script:not([src])")}
    assert soup.html["dir"] == "rtl"
    assert len(nonces) == 1
    assert None not in nonces
    assert not soup.select("[src*=jquery]")


def test_a_state_page_has_an_icon(served):
    icon = BeautifulSoup(served.get("/_awning/state/hello/red/lv")[1], "html.parser").select_one(
        "link[rel=icon]"
    )
    assert icon is not None
    assert served.get(icon["href"])[0] == 200


@pytest.mark.parametrize(("slot", "payload"), [("after-price", "P7"), ("after-cart", "empty")])
def test_a_state_page_without_an_event_is_shown(served, workshop, slot, payload):
    folder = workshop.root / "widgets" / "hello"
    (folder / "widget.toml").write_text(f'title = "Hello"\nslot = "{slot}"\n')
    (folder / "states.toml").write_text(f'[[state]]\nname = "s"\ntitle = "S"\npayload = "{payload}"\n')
    status, text = served.get("/_awning/state/hello/s/lv")
    assert status == 200
    assert "awningEmulator.host" not in text


def test_the_theme_in_the_address_of_a_state_page_wins(served):
    _, text = served.get("/_awning/state/hello/red/lv?theme=crowded")
    assert "neighbouring app" in text
    status, text = served.get("/_awning/state/hello/red/lv?theme=nice")
    assert (status, "there are plain, reset" in text) == (400, True)


def test_state_page_takes_only_the_first_steps_that_its_address_names(served, workshop):
    states = workshop.root / "widgets" / "hello" / "states.toml"
    states.write_text(
        '[[state]]\nname = "red"\ntitle = "Red"\npayload = "P1"\n'
        """steps = ['click "b"', 'click "i"', 'click "u"']\n"""
    )
    page = "/_awning/state/hello/red/lv"
    taken = {
        query: re.findall(r'"words":\s*"click \W+(\w)', served.get(page + query)[1])
        for query in ("", "?steps=0", "?steps=2", "?steps=3&theme=dark")
    }
    assert [*taken.values()] == [["b", "i", "u"], [], ["b", "i"], ["b", "i", "u"]]
    for wrong in ("4", "-1", "x", "", "1.5"):
        assert served.get(f"{page}?steps={wrong}") == (400, f"the state has no step {wrong!r}; it has 3")


def test_a_state_page_holds_the_widgets_own_snippet_with_the_states_data(served, workshop):
    folder = workshop.root / "dist" / "widgets" / "hello"
    folder.mkdir(parents=True)
    (folder / "body.html").write_text("<b>{{svc_language}} {{svc_app_data}}</b>")
    _, text = served.get("/_awning/state/hello/red/lv")
    assert '<b>lv {"hello":{"greeting":"\\u003c\\/script\\u003e"}}</b>' in text
    (events,) = re.findall(r'awningSteps\.begin\(.*?,({"event":.*})\);', text)
    assert (json.loads(events)["event"], len(json.loads(events)["automatic"])) == (
        "svc-content-after-price",
        1,
    )


@pytest.mark.parametrize(
    "text", ["", "state = [1]\n", '[state]\nname = "red"\n', "state = 1\n", '[[state]]\nname = "blue"\n']
)
def test_a_state_page_is_shown_while_its_state_is_rewritten(workshop, text):
    (widget,) = read_workspace(workshop.root).widgets
    (widget.folder / "states.toml").write_text(text)
    pages = StatePages(widget=widget, languages=("lv",), snippets={}, dialect=Dialect())
    assert about_state(pages, widget.states[0], "lv")["place"] == "widgets/hello/states.toml"


def test_a_state_page_has_the_states_responses_of_other_hosts(served, workshop):
    states = workshop.root / "widgets" / "hello" / "states.toml"
    states.write_text(
        '[[state]]\nname = "red"\ntitle = "Red"\npayload = "P1"\n'
        '[state.fetch]\n"https://a.example/x.json" = ["</script>"]\n'
    )
    (script,) = BeautifulSoup(served.get("/_awning/state/hello/red/lv")[1], "html.parser").select(
        "[data-answers]"
    )
    answer = json.loads(script["data-answers"])["https://a.example/x.json"]
    assert (answer["status"], answer["type"]) == (200, "application/json")
    assert b64decode(answer["body"]) == b'["</script>"]'


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("hello/red/de", 'the widget "hello" is not shown in "de"; it is in lv, en'),
        ("hello/blue/lv", 'the widget "hello" has no state "blue"; it has red, off'),
        ("hello/blue/de", 'the widget "hello" has no state "blue"; it has red, off'),
        ("bye/red/lv", 'there is no widget "bye" without errors in its files; there are hello'),
    ],
)
def test_unknown_state_is_404_with_the_reason(served, path, reason):
    assert served.get(f"/_awning/state/{path}") == (404, reason)


RED_AND_OFF = ["/_awning/state/hello/red/lv", "/_awning/state/hello/off/lv"]


@pytest.mark.parametrize(
    ("path", "title", "sentence", "links"),
    [
        (
            "/_awning/state/hello/red/de",
            "No such page",
            'The widget "hello" is not shown in "de"; it is in lv, en',
            [
                "/_awning/state/hello/red/lv",
                "/_awning/state/hello/red/en",
                "/_awning/gallery#hello",
                "/",
            ],
        ),
        (
            "/_awning/state/hello/<b>/lv",
            "No such page",
            'The widget "hello" has no state "<b>"; it has red, off',
            [*RED_AND_OFF, "/_awning/gallery#hello", "/"],
        ),
        (
            "/_awning/state/bye/red/lv",
            "No such page",
            'There is no widget "bye" without errors in its files; there are hello',
            ["/_awning/gallery", "/"],
        ),
        (
            "/_awning/state/hello/red/lv?theme=drk",
            "No such option",
            "There is no theme 'drk'; there are plain, reset, tiny, rtl, dark, narrow, crowded",
            ["/_awning/state/hello/red/lv"],
        ),
        ("/_awning/galery", "No such page", "There is no page at /_awning/galery", ["/"]),
        ("/2/", "No such page", "There is no website 2 with a language", ["/"]),
    ],
)
def test_browser_gets_a_page_with_links_for_an_address_that_does_not_exist(
    served, path, title, sentence, links
):
    status, text = served.get(quote(path, safe="/?="), accept="text/html,*/*;q=0.8")
    page = BeautifulSoup(text, "html.parser")
    assert (status, page.h1.text, page.p.text) == (400 if "?" in path else 404, title, sentence)
    assert [link["href"] for link in page.select("a")] == links
    assert {served.get(link.partition("#")[0])[0] for link in links} == {200}


def test_very_long_number_of_a_website_is_404(served):
    assert served.get(f"/{'9' * 5000}/lv/")[0] == 404


def test_state_in_a_language_that_only_the_app_has_is_404_with_the_languages_of_the_widget(served, workshop):
    with (workshop.root / "widgets" / "hello" / "widget.toml").open("a") as file:
        file.write('languages = ["en"]\n')
    assert served.get("/_awning/state/hello/red/en")[0] == 200
    reason = 'the widget "hello" is not shown in "lv"; it is in en'
    assert served.get("/_awning/state/hello/red/lv") == (404, reason)


def test_the_inspector_gets_the_fields_of_the_app_data(served):
    info = json.loads(served.get("/_awning/info?language=lv")[1])
    [widget] = info["widgets"]
    assert widget["title"] == "Hello"
    assert [(f["name"], f["type"], f["title"]) for f in widget["fields"]] == [
        ("enabled", "flag", "Rādīt"),
        ("greeting", "text", "Greeting"),
        ("links", "rows", "Links"),
    ]
    text, weight = widget["fields"][2]["fields"]
    assert (text["title"], text["required"], weight["type"]) == ("Teksts", False, "choice")
    assert weight["choices"] == [{"value": 1, "title": "One"}, {"value": 2, "title": "Two"}]


def put(served, data):
    headers = {"content_type": "application/json", "origin": served.url}
    status, text = served.ask("PUT", "/_awning/data", json.dumps(data).encode(), **headers)
    assert status == 200
    answer = json.loads(text)
    return answer["stored"], answer["problems"]


def test_data_that_do_not_fit_are_not_stored_and_answered_with_the_field(served, workshop):
    stored, problems = put(
        served, {"hello": {"greeting": 3, "links": [{"weight": 1}, {"txt": "a", "weight": 9}]}}
    )
    assert (stored, workshop.session.data) == (False, {})
    assert [(problem["path"], problem["message"]) for problem in problems] == [
        (["hello", "greeting"], "This is 3, and must be a text"),
        (["hello", "links", 1, "txt"], 'nothing reads "hello.links[1].txt"'),
        (["hello", "links", 1, "weight"], "This is 9, and must be one of 1, 2"),
    ]


@pytest.mark.parametrize(
    ("data", "path", "expected"),
    [
        ({"a": 2, "b": {"c": "new", "d": 0}}, ["w", "b", "d"], {"a": 2, "b": {"c": "new", "d": 1}}),
        ({"a": 2, "b": {"c": "new", "e": 0}}, ["w", "b", "e"], {"a": 2, "b": {"c": "new"}}),
        ({"a": 2, "l": [1, 0]}, ["w", "l", 1], {"a": 2, "l": [3]}),
        ({"a": 0, "b": {"c": "new"}}, ["w", "a"], {"a": 1, "b": {"c": "new"}}),
        (0, ["w"], {"a": 1, "b": {"c": "old", "d": 1}, "l": [3]}),
    ],
)
def test_only_the_field_of_a_problem_keeps_its_former_value(data, path, expected):
    former = {"w": {"a": 1, "b": {"c": "old", "d": 1}, "l": [3]}}
    assert with_former_fields({"w": data}, former, [{"path": path}]) == {"w": expected}


def page_with(served, data, **headers):
    return served.get(f"/1/en/product/1?{urlencode({'data': data})}", **headers)


def test_page_has_the_app_data_of_its_address_as_json_or_of_a_state(served, workshop):
    workshop.session.apply(workshop.shows("shown"))
    put(served, {"hello": {"greeting": "stored"}})
    assert "svc_app_data" not in page_with(served, '{"hello":{"greeting":"<b>"}}')[1]
    assert '{"hello":{"greeting":"<b>"}}' in page_with(served, '{"hello":{"greeting":"<b>"}}')[1]
    status, text = page_with(served, "hello/red", sec_fetch_site="cross-site")
    assert (status, '"greeting":"stored"' in text) == (200, False)
    assert '"greeting":"stored"' in served.get("/1/en/product/1")[1]
    query = urlencode({"language": "en", "data": '{"hello":{"greeting":3}}'})
    info = json.loads(served.get(f"/_awning/info?{query}")[1])
    assert (info["data"], len(info["problems"])) == ({"hello": {"greeting": 3}}, 1)


@pytest.mark.parametrize(
    ("data", "site", "reason"),
    [
        ("hello/blue", "none", "there is no state 'hello/blue' to take data from; there are hello/red"),
        ("../pyproject.toml", "none", "there is no state"),
        ('{"hello":', "none", "data is a JSON object of widgets"),
        ("{}", "cross-site", "not taken from a link of another site"),
        ('  {"hello":{}}', "same-site", "not taken from a link of another site"),
        ('{"a":1e999}', "none", "data is a JSON object of widgets"),
    ],
)
def test_app_data_of_an_address_that_cannot_be_used_are_refused_with_the_reason(served, data, site, reason):
    status, text = page_with(served, data, sec_fetch_site=site)
    assert status == 400
    assert reason in text


def test_change_on_a_page_with_its_own_app_data_is_not_stored(served, workshop):
    headers = {"content_type": "application/json", "origin": served.url}
    path = "/_awning/data?" + urlencode({"data": '{"hello":{"greeting":"Hi"}}'})
    status, text = served.ask("PUT", path, b'{"hello":{"greeting":3,"enabled":false}}', **headers)
    assert (status, json.loads(text)["option"]) == (200, '{"hello":{"enabled":false,"greeting":"Hi"}}')
    assert workshop.session.data == {}


def test_an_old_misfit_does_not_prevent_other_fields_from_being_stored(served, workshop):
    workshop.session.put_data({"hello": {"old": 1}})
    stored, problems = put(served, {"hello": {"old": 1, "greeting": "Hi"}})
    assert (stored, [problem["path"] for problem in problems]) == (True, [["hello", "old"]])
    assert workshop.session.data == {"hello": {"old": 1, "greeting": "Hi"}}


def test_a_field_that_does_not_fit_does_not_prevent_other_fields_from_being_stored(served, workshop):
    put(served, {"hello": {"enabled": True, "greeting": "Hi"}})
    stored, problems = put(served, {"hello": {"enabled": False, "greeting": 3, "odd": 1}})
    assert (stored, [problem["path"] for problem in problems]) == (
        True,
        [["hello", "greeting"], ["hello", "odd"]],
    )
    assert workshop.session.data == {"hello": {"enabled": False, "greeting": "Hi"}}
    stored, _ = put(served, {"hello": {"enabled": False, "greeting": 4}})
    assert stored is False
    stored, _ = put(served, {"hello": 3, "other": 1})
    assert (stored, workshop.session.data) == (False, {"hello": {"enabled": False, "greeting": "Hi"}})


def test_requests_of_dev_pages_change_the_app_data(served, workshop):
    status, _ = served.ask(
        "PUT", "/_awning/data", b'{"hello":{}}', content_type="application/json", origin=served.url
    )
    assert status == 200
    assert workshop.session.data == {"hello": {}}


FROM_ELSEWHERE = (
    {"content_type": "text/plain"},
    {"content_type": "application/json", "origin": "https://example.com"},
    {"content_type": "application/json", "origin": "null"},
    {"content_type": "application/json", "origin": "http://["},
)


@pytest.mark.parametrize("headers", FROM_ELSEWHERE)
def test_requests_of_other_origins_do_not_change_the_app_data(served, workshop, headers):
    assert served.ask("PUT", "/_awning/data", b'{"hello":{}}', **headers)[0] == 403
    assert workshop.session.data == {}


NO_DATA = (b"[]", b"{", b'"x"', b'{"a":"\\ud800"}', b'{"a":NaN}', b'{"a":' + b"[" * 9000 + b"]" * 9000 + b"}")


@pytest.mark.parametrize("body", NO_DATA, ids=lambda body: body[:20].decode())
def test_app_data_that_is_not_an_object_is_refused(served, body):
    status, text = served.ask("PUT", "/_awning/data", body, content_type="application/json")
    assert status == 400
    assert "JSON object" in text


def test_reading_of_too_large_app_data_stops_early(served, workshop):
    host, port = served.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire:
        head = (
            f"PUT /_awning/data HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            "Content-Length: 99999999999\r\n\r\n"
        )
        wire.sendall(head.encode() + b" " * 1_000_001)
        assert wire.recv(100).startswith(b"HTTP/1.1 413 ")
    assert workshop.session.data == {}


@pytest.mark.parametrize("path", ["/", "/1/lv/", "/_awning/info"])
def test_another_host_name_is_refused(served, path):
    status, text = served.get(path, host="example.com")
    assert status == 421
    assert "--allow-host example.com" in text


@pytest.mark.parametrize("second", ["example.com", "{host}"])
def test_two_host_headers_are_refused(served, second):
    host, port = served.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire:
        head = f"GET /_awning/info HTTP/1.1\r\nHost: {host}\r\nHost: {second.format(host=host)}\r\n\r\n"
        wire.sendall(head.encode())
        assert wire.recv(100).startswith(b"HTTP/1.1 421 ")


def test_a_stream_begins_with_the_revision_and_gets_each_build(served, workshop):
    workshop.session.apply(workshop.shows("one"))
    host, port = served.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire, wire.makefile("r") as lines:
        wire.sendall(b"GET /_awning/stream?language=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        data = (json.loads(line[6:]) for line in lines if line.startswith("data: "))
        assert next(data) == {"kind": "hello", "revision": 1, "failure": None}
        served.send(workshop.shows("two"))
        message = next(data)
        assert (message["kind"], message["revision"]) == ("redraw", 2)
        assert "two" in message["body"]
        served.send(workshop.broken())
        assert next(data)["kind"] == "failed"


def test_a_build_that_cannot_be_shown_is_reported_and_the_next_is_shown(served, workshop):
    host, port = served.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as wire, wire.makefile("r") as lines:
        wire.sendall(b"GET /_awning/stream?language=en HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        data = (json.loads(line[6:]) for line in lines if line.startswith("data: "))
        assert next(data)["kind"] == "hello"
        gone = workshop.shows("one")
        (workshop.root / "dist/body.html").unlink()
        served.send(gone)
        assert "No such file" in next(data)["failure"]["message"]
        served.send(replace(gone, built=replace(gone.built, record=None)))
        failure = next(data)["failure"]["message"]
        assert "an internal error of awning, AttributeError" in failure
        assert "please report it" in failure
        served.send(workshop.shows("two"))
        assert "two" in next(data)["body"]


def test_an_unreadable_workspace_still_has_pages(served, workshop):
    (workshop.root / "widgets" / "hello" / "widget.toml").write_text("title = ")
    assert served.get("/")[0] == 200
    assert served.get("/_awning/gallery")[0] == 200


def throws(served, *, message="boom", revision=0, **headers):
    body = json.dumps({"revision": revision, "widget": "hello", "message": message}).encode()
    return served.ask("POST", "/_awning/thrown", body, **({"content_type": "application/json"} | headers))[0]


def test_a_page_error_is_printed_as_one_line_without_control_characters(served):
    assert throws(served, message="TypeError: a\n\x1b[2Jb \u202ec" + "d" * 9000) == 200
    [line] = served.printed
    assert line.startswith("hello threw on a page: TypeError: a [2Jb cddd")
    assert line.isprintable()
    assert len(line) < 600


def test_a_page_error_is_printed_once_until_a_build_is_without_it_and_not_for_older_builds(served, workshop):
    assert [throws(served) for _ in range(2)] == [200, 200]
    assert len(served.printed) == 1
    workshop.session.apply(workshop.shows("one"))
    throws(served, revision=0)
    throws(served, revision=1)
    assert len(served.printed) == 1
    for text in ("two", "three"):
        workshop.session.apply(workshop.shows(text))
    throws(served, revision=3)
    assert len(served.printed) == 2


@pytest.mark.parametrize("headers", [*FROM_ELSEWHERE, {"host": "example.com"}])
def test_errors_reported_by_other_pages_are_not_printed(served, headers):
    assert throws(served, **headers) in (403, 421)
    assert served.printed == []


@pytest.mark.parametrize("body", [b"{}", b"[]", b'{"revision": "0", "widget": "a", "message": "b"}'])
def test_a_malformed_error_report_is_refused(served, body):
    assert served.ask("POST", "/_awning/thrown", body, content_type="application/json")[0] == 400
    assert served.printed == []


def test_payload_fields_are_those_of_the_contract(served):
    fields = json.loads(served.get("/_awning/payloads")[1])
    for name, record in RECORDS.items():
        assert [(f["name"], f["source"]) for f in fields["records"][name]] == [
            (f.name, f.source) for f in record
        ]
    assert set(fields["events"]) == set(event_names(Dialect()))
    price = fields["events"]["svc-content-after-price-updated"]
    assert [field["name"] for field in price["param"]] == ["item", "page"]
    assert [(f["name"], f["source"]) for f in price["update"]] == [(f.name, f.source) for f in PRICE_UPDATE]
    cart = fields["events"]["svc-content-after-checkout-updated"]["update"]
    assert cart == fields["records"]["CartData"]
    assert fields["events"]["svc-content-after-cart"]["update"] is None


def test_inspector_gets_the_store_s_currencies_and_carts_in_the_page_s_currency(served):
    info = json.loads(served.get("/_awning/info?language=en&currency=JPY")[1])
    assert info["currency"] == "EUR"
    assert [choice["value"] for choice in info["currencies"]] == list(shipped_store().currencies)
    assert "¥" in info["carts"][0]["title"]
    assert "€" in json.loads(served.get("/_awning/info?language=en")[1])["carts"][0]["title"]
