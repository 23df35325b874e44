"""`publish verify`: what the service has, and what the public page shows. A small server plays the websites."""

import json
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from time import time

import pytest

from awning.client import NoResponse
from awning.contract import Exit
from awning.publish.manifest_head import ManifestHeads
from awning.publish.release.releases import Releases
from awning.publish.state.database import Database
from awning.publish.verify.page_address import USUAL, HostRefused, page_address
from awning.publish.verify.page_content import PageContent, read_page
from awning.publish.verify.page_fetcher import PageUnreadable, redirect_target
from awning.publish.verify.verified_cell import BrowserView
from awning_harness.service import serve


@dataclass
class Pages:
    """The pages of a website by path: the body, or a status and a body. `headers` are sent with each."""

    address: str = ""
    bodies: dict[str, object] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)


@pytest.fixture
def pages() -> Iterator[Pages]:
    pages = Pages()

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

        def date_time_string(self, timestamp=None) -> str:
            return formatdate(time(), usegmt=True)

        def do_GET(self) -> None:
            pages.requests.append((self.path, dict(self.headers)))
            status, body = 200, pages.bodies.get(self.path)
            if isinstance(body, list):
                body = body.pop(0) if len(body) > 1 else body[0]
            if isinstance(body, tuple):
                status, body = body
            if body is None:
                status, body = 404, "nothing here"
            self.send_response(status)
            headers = {"Content-Type": "text/html; charset=utf-8", **pages.headers}
            if 300 <= status < 400:
                headers["Location"] = body
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body if isinstance(body, bytes) else body.encode())

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        pages.address = f"http://127.0.0.1:{server.server_address[1]}/shop/"
        try:
            yield pages
        finally:
            server.shutdown()
            thread.join()


def page(*snippets):
    return f"<!doctype html><html><head><title>Shop</title></head><body><p>Hi</p>{''.join(snippets)}</body></html>"


@pytest.fixture
def website(awning, workspace, shop, shelf, pages, made_once):
    """A published shop whose pages show what was published. The build has no `ru`: this page shows the website's."""
    shelf.websites["code-a"] = pages.address
    shelf.data["code-a"] = {"a": 1}

    def make():
        assert awning("publish", "apply")[0] == 0

    made_once(workspace, shelf, make)
    pages.bodies = {
        "/shop/lv/": page("<b>lv ā</b>"),
        "/shop/en/": page("<b>en</b>"),
        "/shop/ru/": page('<b>{"a":1}</b>'),
    }
    return pages


@pytest.fixture
def verify(awning):
    """Run `publish verify`; returns its exit code, and the kind of each cell. By default no page may be cached."""

    def run(*words, cache="0"):
        words = ("--cache", cache, "--page-pace", "0", *words)
        code, out, _ = awning("publish", "verify", "--json", *words)
        return code, {cell["language"]: cell["kind"] for cell in json.loads(out)["cells"]}

    return run


LIVE = {None: "live", "lv": "live", "en": "live"}
A_DAY_S = "86400"
"""How long a page may be cached where the cells were written in an earlier test, which may be minutes ago."""


def test_every_page_that_shows_its_snippet_is_live(website, verify):
    assert verify() == (0, LIVE)
    assert {path for path, _ in website.requests} == {"/shop/lv/", "/shop/en/", "/shop/ru/"}


def test_nothing_is_written_and_no_secret_leaves(website, verify, shelf):
    verify()
    assert {call for call, _ in shelf.calls} == {"website", "languages", "get_snippet"}
    for _, headers in website.requests:
        assert not {"Authorization", "Cookie"} & set(headers)


def test_api_only_looks_at_no_page(website, verify):
    assert verify("--api-only") == (0, dict.fromkeys(LIVE, "written"))
    assert website.requests == []


@pytest.mark.parametrize(
    ("body", "kind"), [('<b nonce="x">\n lv ā</b><i>2</i>', "live"), ("<b>theirs</b>", "hidden")]
)
def test_page_decides_the_kind(body, kind, website, verify):
    website.bodies["/shop/lv/"] = page(body)
    assert verify() == (Exit.DRIFT if kind == "hidden" else 0, {**LIVE, "lv": kind})


def test_earlier_snippet_of_ours_is_stale(website, verify, awning, rebuild):
    rebuild({None: "<b>{{svc_app_data}}</b>\n", "lv": "<b>lv 2</b>", "en": "<b>en</b>"})
    assert awning("publish", "apply")[0] == 0
    assert verify() == (Exit.DRIFT, {**LIVE, "lv": "stale"})


STAMPED = "<!--awning {}--><script>run({})</script>"


def test_stamp_names_the_release_that_a_page_shows(website, awning, rebuild, verify, dist):
    rebuild({"lv": STAMPED.format("0" * 12, 1)})
    awning("publish", "apply")
    first = json.loads((dist / "build.json").read_text())["fingerprint"][:12]
    rebuild({"lv": STAMPED.format("1" * 12, 2)})
    awning("publish", "apply")
    website.bodies["/shop/lv/"] = page(STAMPED.format(first, 1.5))
    code, out, _ = awning("publish", "verify", "--cache", "0", "--json")
    (cell,) = [cell for cell in json.loads(out)["cells"] if cell["language"] == "lv"]
    assert (code, cell["kind"]) == (Exit.DRIFT, "stale")
    assert cell["detail"] == "the page shows another snippet of ours, of release 2"


def test_page_that_may_be_cached_is_propagating(website, verify):
    website.bodies["/shop/lv/"] = page()
    assert verify(cache=A_DAY_S) == (Exit.PARTLY, {**LIVE, "lv": "propagating"})


def test_page_that_may_be_cached_since_a_rollback_is_propagating(
    website, awning, rebuild, verify, monkeypatch
):
    """The rollback is the last write, also after a run that found nothing to write."""
    long_ago = datetime.now(UTC) - timedelta(hours=1)
    with monkeypatch.context() as patched:
        patched.setattr(Database, "now", lambda *_: long_ago)
        rebuild({None: "<b>2</b>", "lv": "<b>lv 2</b>", "en": "<b>en</b>"})
        assert awning("publish", "apply")[0] == 0
    for _ in range(2):
        assert awning("publish", "rollback", "--run", "2", "--accept-newer-data")[0] == 0
    website.bodies["/shop/lv/"] = page("<b>lv 2</b>")
    assert verify(cache="300")[1]["lv"] == "propagating"


MAX_AGES = {
    f"max-age={A_DAY_S}": "propagating",
    f"public, s-maxage={A_DAY_S}, max-age=0": "propagating",
    "no-store": "hidden",
    "max-age=0": "hidden",
    "max-age=nonsense": "hidden",
}


@pytest.mark.parametrize("header", MAX_AGES)
def test_pages_own_max_age_counts(header, website, verify):
    website.headers["Cache-Control"] = header
    website.bodies["/shop/lv/"] = page()
    assert verify()[1]["lv"] == MAX_AGES[header]


def test_expires_counts_where_there_is_no_max_age(website, verify):
    website.headers["Expires"] = formatdate(time() + int(A_DAY_S), usegmt=True)
    website.bodies["/shop/lv/"] = page()
    assert verify()[1]["lv"] == "propagating"


def test_age_of_the_copy_is_said(website, awning):
    website.headers["Age"] = "40"
    cells = json.loads(awning("publish", "verify", "--json")[1])["cells"]
    assert {cell["age_s"] for cell in cells} == {40}


def test_wait_looks_again_until_the_page_is_live(website, verify, monkeypatch):
    website.bodies["/shop/lv/"] = page()
    waits = []

    def sleep(seconds):
        waits.append(seconds)
        website.bodies["/shop/lv/"] = page("<b>lv ā</b>")

    monkeypatch.setattr("awning.publish.verify.verification.time.sleep", sleep)
    assert verify("--wait", "60", cache=A_DAY_S) == (0, LIVE)
    assert waits == [10]


def test_wait_ends_when_its_time_is_over(website, verify):
    website.bodies["/shop/lv/"] = page()
    assert verify("--wait", "0.01", cache=A_DAY_S) == (Exit.PARTLY, {**LIVE, "lv": "propagating"})


AT_THE_SERVICE = {"another": "<b>theirs</b>", "an empty one": "", "none": None}


@pytest.mark.parametrize("case", AT_THE_SERVICE)
def test_other_snippet_at_the_service_is_foreign(case, website, verify, shelf):
    text = AT_THE_SERVICE[case]
    if text is None:
        del shelf.contents["code-a", "body", "lv"]
    else:
        shelf.contents["code-a", "body", "lv"] = text
    assert verify() == (Exit.DRIFT, {**LIVE, "lv": "foreign"})


def test_foreign_snippet_of_a_language_hides_the_websites(website, verify, shelf):
    shelf.contents["code-a", "body", "ru"] = "<b>theirs</b>"
    assert verify() == (Exit.DRIFT, {**LIVE, None: "hidden"})


def test_service_that_answers_with_the_websites_snippet_hides_nothing(website, verify, shelf):
    shelf.contents["code-a", "body", "ru"] = shelf.contents["code-a", "body", None]
    assert verify() == (0, LIVE)


def test_website_snippet_that_no_page_shows_is_written(website, verify, shelf):
    shelf.languages["code-a"] = ["lv", "en"]
    assert verify() == (0, {**LIVE, None: "written"})


def test_website_without_an_address_is_not_looked_at(website, verify, shelf):
    shelf.websites.clear()
    assert verify() == (0, dict.fromkeys(LIVE, "written"))


def test_inventorys_address_is_used_where_it_is_known(website, awning, verify, shelf):
    awning("instances", "refresh")
    shelf.calls.clear()
    assert verify() == (0, LIVE)
    assert {call for call, _ in shelf.calls} == {"get_snippet"}


UNREADABLE = {
    "an error": ("HTTP 503", (503, "down")),
    "a circle": ("more than 5 redirects", (302, "/shop/lv/")),
    "a file": ("it redirects to an address that is not http or https", (302, "file:///etc/passwd")),
    "no address": ("it redirects to an address that is not http or https", (302, "http://[")),
    "a large page": ("it is larger than 4 MB", b"<p>" + b"x" * 4 * 1024 * 1024),
}


@pytest.mark.parametrize(("reason", "body"), UNREADABLE.values(), ids=UNREADABLE)
def test_unreadable_page_is_said(reason, body, website, awning, monkeypatch):
    monkeypatch.setattr("awning.publish.verify.page_fetcher.AGAIN_S", 0)
    website.bodies["/shop/lv/"] = body
    code, out, _ = awning("publish", "verify", "--json")
    (cell,) = [cell for cell in json.loads(out)["cells"] if cell["language"] == "lv"]
    assert (code, cell["kind"]) == (Exit.PARTLY, "unreadable")
    assert cell["detail"] == f"the page cannot be read: {reason}"


def test_page_of_a_busy_website_is_tried_twice(website, verify, monkeypatch):
    monkeypatch.setattr("awning.publish.verify.page_fetcher.AGAIN_S", 0)
    website.bodies["/shop/lv/"] = [(503, "busy"), page("<b>lv ā</b>")]
    assert verify() == (0, LIVE)


def test_language_that_the_website_does_not_use_any_more_has_no_page(website, verify, shelf):
    shelf.languages["code-a"] = ["en", "ru"]
    assert verify() == (0, {**LIVE, "lv": "written"})


def test_language_that_is_newer_than_the_inventorys_is_looked_at(website, awning, verify, shelf, rebuild):
    awning("instances", "refresh")
    shelf.languages["code-a"].append("de")
    rebuild({None: "<b>{{svc_app_data}}</b>\n", "lv": "<b>lv ā</b>", "en": "<b>en</b>", "de": "<b>de</b>"})
    assert awning("publish", "apply")[0] == 0
    website.bodies["/shop/de/"] = page("<b>de</b>")
    assert verify() == (0, {**LIVE, "de": "live"})


@pytest.mark.parametrize(("is_performed", "kind"), [(True, "written"), (False, "foreign")])
def test_write_without_a_known_outcome_is_judged_by_what_is_there(
    is_performed, kind, website, verify, awning, shelf, rebuild
):
    rebuild({"lv": "<b>lv 2</b>"})
    lost = {"set_snippet", "get_snippet"} if is_performed else {"set_snippet"}

    def spoil(call, code, turn):
        return NoResponse(why="cut") if call in lost and ("set_snippet", code) in shelf.calls else None

    shelf.calls.clear()
    if is_performed:
        shelf.after = spoil
    else:
        shelf.before = spoil
    assert awning("publish", "apply")[0] == Exit.PARTLY
    shelf.before = shelf.after = lambda call, code, turn: None
    assert verify("--api-only")[1]["lv"] == kind


def test_page_that_is_no_html_is_unreadable(website, verify):
    website.headers["Content-Type"] = "application/json"
    assert verify() == (Exit.PARTLY, dict.fromkeys(LIVE, "unreadable"))


def test_redirect_is_followed(website, verify):
    website.bodies["/shop/lv/"] = (301, "/lv/")
    website.bodies["/lv/"] = page("<b>lv ā</b>")
    assert verify() == (0, LIVE)


def test_page_in_another_charset_is_read(website, verify):
    website.headers["Content-Type"] = "text/html"
    website.bodies["/shop/lv/"] = page('<meta charset="windows-1257"><b>lv ā</b>').encode("windows-1257")
    assert verify() == (0, LIVE)


def test_profile_gives_the_pattern_of_pages(website, verify, workspace):
    pattern = "http://{website}/{language}/a/"
    (workspace / "pyproject.toml").write_text(
        f'[tool.awning]\nlanguages = ["lv", "en"]\n[tool.awning.profiles.default]\npage = "{pattern}"\n'
    )
    website.bodies = {path + "a/": body for path, body in website.bodies.items()}
    assert verify() == (0, LIVE)


@pytest.mark.parametrize("pattern", ["http://{shop}/", "ftp://{website}/", "https://{website", "{website}"])
def test_wrong_pattern_is_a_usage_error(pattern, website, awning, workspace):
    (workspace / "pyproject.toml").write_text(
        f'[tool.awning]\nlanguages = ["lv", "en"]\n[tool.awning.profiles.default]\npage = "{pattern}"\n'
    )
    code, _, err = awning("publish", "verify")
    assert code in {Exit.USAGE, Exit.FINDINGS}
    assert "page" in err
    assert website.requests == []


def test_only_cells_that_are_not_right_are_listed(website, awning):
    website.bodies["/shop/lv/"] = page()
    _, out, _ = awning("publish", "verify", "--cache", "0")
    first, last = out.splitlines()
    assert first.startswith("hidden       shop lv  - the page shows no snippet of ours; http://127.0.0.1")
    assert last == "2 live, 1 hidden"
    assert len(awning("publish", "verify", "--verbose")[1].splitlines()) == 4


ADDRESS_OF = [
    (USUAL, "https://shop.example", "lv", "https://shop.example/lv/"),
    (USUAL, "https://shop.example/a/", None, "https://shop.example/a/"),
    ("https://{website}/{language}/shop/", "https://shop.example/", "lv", "https://shop.example/lv/shop/"),
    ("https://{website}/{language}/shop/", "https://shop.example/", None, "https://shop.example/shop/"),
    ("{url}{language}/product/1", "http://127.0.0.1:8433/1/", "lv", "http://127.0.0.1:8433/1/lv/product/1"),
    ("https://other.example/", "https://shop.example/", "lv", "https://other.example/"),
    (USUAL, "", "lv", None),
    (USUAL, "shop.example", "lv", None),
    *((USUAL, address, "lv", None) for address in ("ftp://shop.example/", "http://user:pw@127.0.0.1/")),
    *((USUAL, address, "lv", None) for address in ("//x", "http://[", "javascript:1")),
    (USUAL, "https://shop.example/a b", "lv", None),
]


@pytest.mark.parametrize(("pattern", "website", "language", "address"), ADDRESS_OF)
def test_address_of_a_page(pattern, website, language, address):
    assert page_address(pattern, website, language) == address


REDIRECTS = [
    ("https://shop.example/", "/lv/", "https://shop.example/lv/"),
    ("https://shop.example/", "http://other.example/", "http://other.example/"),
    ("http://127.0.0.1:1/", "http://localhost:2/", "http://localhost:2/"),
    ("https://shop.example/", "http://127.0.0.1/", None),
    ("https://shop.example/", "http://localhost/", None),
    ("https://shop.example/", "http://[::1]/", None),
    ("https://shop.example/", "ftp://shop.example/", None),
    ("https://shop.example/", "javascript:1", None),
    ("https://shop.example/", "https://user:pw@shop.example/", None),
    ("https://shop.example/", "http://[", None),
]


@pytest.mark.parametrize(("url", "location", "target"), REDIRECTS)
def test_redirect_is_followed_only_where_it_may_lead(url, location, target):
    if target is None:
        with pytest.raises(PageUnreadable, match="it redirects to"):
            redirect_target(url, location)
    else:
        assert redirect_target(url, location) == target


def test_api_only_excludes_the_browser(website, awning):
    assert awning("publish", "verify", "--api-only", "--browser")[0] == Exit.USAGE


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def simulated(running, workspace, awning, monkeypatch):
    """The simulated service with one app on one website, which is in the inventory."""
    running.service.reset()
    running.service.assumptions.take_set("observed")
    app_id, key = running.service.register_app({"app_title": "Test"})
    website = running.service.create_website(languages=("lv", "de"))
    monkeypatch.setenv("AWNING_AUTH_CODE", running.service.install(app_id, website.id))
    monkeypatch.setenv("AWNING_API_KEY", key)
    monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
    awning("instances", "add", "--name", "site")
    return running


@pytest.mark.parametrize("assumptions", ["documented", "observed", "hostile"])
def test_pages_of_the_simulated_shop_are_live(assumptions, simulated, awning, verify, rebuild):
    simulated.service.assumptions.take_set(assumptions)
    rebuild(
        {None: "<script>window.all = 1</script>", "lv": "<script>window.lv = '{{svc_language}}'</script>"}
    )
    assert awning("publish", "apply")[0] == 0
    assert verify() == (0, {None: "live", "lv": "live"})
    rebuild({None: "<script>window.all = 1</script>", "lv": "<script>window.lv = 2</script>"})
    awning("publish", "apply")
    assert verify() == (0, {None: "live", "lv": "live"})


def test_head_snippet_must_be_on_the_page_too(website, verify, awning, rebuild, workspace):
    (workspace / "pyproject.toml").write_text(
        '[tool.awning]\nlanguages = ["lv", "en"]\n[tool.awning.profiles.default]\nhead_snippets = true\n'
    )
    rebuild({"lv": "<b>lv ā</b>"}, {"lv": "<style>b { color: red }</style>"})
    assert awning("publish", "apply")[0] == 0
    assert verify()[1]["lv"] == "hidden"
    website.bodies["/shop/lv/"] = "<style> b { color: red }</style>" + page("<b>lv ā</b>")
    assert verify()[1]["lv"] == "live"


@pytest.fixture
def two_heads(website, awning, rebuild, dist):
    """Two more releases, 2 and 3, which differ in their body and head snippets. The service has no calls for heads."""
    heads = {n: f"<!--awning {str(n) * 12}--><script>head({n})</script>" for n in (2, 3)}
    for n, head in heads.items():
        rebuild({"lv": f"<b>lv {n}</b>"}, {None: head})
        (dist / "manifest.json").write_text(json.dumps({"app_default_head_snippet": head}))
        assert awning("publish", "apply")[0] == 0
    return heads


def test_head_snippet_of_an_older_release_is_named_on_a_live_page(website, awning, two_heads):
    website.bodies["/shop/lv/"] = two_heads[2] + page("<b>lv 3</b>")
    sentence = "the head snippet is that of release 2, not of release 3"
    cells = json.loads(awning("publish", "verify", "--cache", "0", "--json")[1])["cells"]
    assert [(cell["kind"], cell["head"]) for cell in cells if cell["language"] == "lv"] == [
        ("live", sentence)
    ]
    _, out, err = awning("publish", "verify", "--cache", "0", "--verbose")
    assert f"live         shop lv  - {sentence}; " in out
    assert f"on 1 page, {sentence}: pages show that of the submitted manifest. Submit the manifest" in err


def test_manifest_of_the_release_on_the_page_is_advised_after_a_rollback(website, awning, two_heads):
    _, out, _ = awning("publish", "rollback", "--to", "2", "--accept-newer-data")
    assert "to release 2: 1 cell\n" in out
    website.bodies["/shop/lv/"] = two_heads[3] + page("<b>lv 2</b>")
    assert (
        "the head snippet is that of release 3, not of release 2: pages show that of the submitted manifest. "
        "Build the sources of release 2 and submit their manifest: awning manifest submit\n"
    ) in awning("publish", "verify", "--cache", "0")[2]


@pytest.mark.parametrize("head", [3, None])
def test_own_head_snippet_and_no_head_snippet_are_not_named(head, website, awning, two_heads):
    website.bodies["/shop/lv/"] = two_heads.get(head, "") + page("<b>lv 3</b>")
    _, out, err = awning("publish", "verify", "--cache", "0", "--json")
    assert (err, '"head"' in out) == ("", False)


def test_head_snippets_that_differ_by_their_stamp_alone_are_looked_for_once(
    website, awning, rebuild, dist, state_of, monkeypatch
):
    for n in (2, 3, 4):
        rebuild({"lv": f"<b>lv {n}</b>"})
        head = f"<!--awning {str(n) * 12}--><script>head()</script>"
        (dist / "manifest.json").write_text(json.dumps({"app_default_head_snippet": head}))
        assert awning("publish", "apply")[0] == 0
    wanted, has = [], PageContent.has
    monkeypatch.setattr(PageContent, "has", lambda page, parts: wanted.append(parts) or has(page, parts))
    with closing(Releases.open(state_of())) as releases:
        content = read_page(page("<b>lv 4</b>").encode(), "utf-8")
        assert ManifestHeads(releases).difference(4, content) is None
    assert len([parts for parts in wanted if parts]) == 2, "once as the release's own, once as any release's"


def test_release_of_a_body_snippet_is_looked_up_once(website, awning, verify, rebuild, monkeypatch):
    rebuild({"lv": "<b>same</b>", "en": "<b>same</b>"})
    assert awning("publish", "apply")[0] == 0
    website.bodies |= {"/shop/lv/": page("<b>same</b>"), "/shop/en/": page("<b>same</b>")}
    asked, newest_with = [], Releases.newest_with
    monkeypatch.setattr(
        Releases, "newest_with", lambda self, sha256: asked.append(sha256) or newest_with(self, sha256)
    )
    assert verify() == (0, LIVE)
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("words", [(), ("--browser",)])
def test_damaged_source_map_does_not_end_a_verification(
    words, website, awning, verify, rebuild, dist, state_of, monkeypatch
):
    rebuild({"lv": "<b>lv ā</b>", "en": "<b>en</b>"})
    (dist / "maps").mkdir()
    (dist / "maps/app.map").write_text('{"version": 3}')
    assert awning("publish", "apply")[0] == 0
    with closing(sqlite3.connect(state_of().path / "state.sqlite")) as connection:
        connection.execute("UPDATE release_text SET text = 'x' WHERE text = '{\"version\": 3}'")
        connection.commit()

    @contextmanager
    def opener(*_):
        yield lambda *_: BrowserView(rendered=0, widgets=0)

    monkeypatch.setattr(sys.modules["awning.cli.publish.verify"], "find_part", lambda *_: lambda *_: opener())
    assert verify(*words) == (0, LIVE)


def test_redirect_into_a_private_network_is_unreadable(website, awning):
    website.bodies["/shop/lv/"] = (302, "http://169.254.169.254/latest/")
    code, out, _ = awning("publish", "verify", "--json")
    (cell,) = [cell for cell in json.loads(out)["cells"] if cell["language"] == "lv"]
    assert (code, cell["kind"]) == (Exit.PARTLY, "unreadable")
    assert "its host 169.254.169.254 is not at a public address" in cell["detail"]


def test_browser_opens_no_page_of_a_private_network(website, awning, verify, monkeypatch):
    def refuse(host, **_):
        raise HostRefused(host)

    opened = []

    @contextmanager
    def opener(*_):
        yield lambda address, _snippets: opened.append(address)

    monkeypatch.setattr(sys.modules["awning.cli.publish.verify"], "find_part", lambda *_: lambda *_: opener())
    monkeypatch.setattr("awning.publish.verify.verification.check_host", refuse)
    assert verify("--browser")[0] == Exit.FINDINGS
    what = "the page could not be opened, or a widget failed or broke a rule"
    assert awning("publish", "verify", "--browser")[2] == f"on 3 pages, {what}: exit code 1\n"
    assert opened == []


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (BrowserView(rendered=5, widgets=5), "5 of 5 widgets render"),
        (BrowserView(rendered=1, widgets=2), "1 of 2 widgets render"),
        (
            BrowserView(rendered=0, widgets=0, raw=("a", "b")),
            "0 of 0 widgets render, 2 raw and not counted (a, b)",
        ),
        (
            BrowserView(rendered=0, widgets=5, errors=("x",)),
            "the snippet is there, but none of its 5 widgets renders",
        ),
        (
            BrowserView(rendered=0, widgets=1, errors=("x",), disabled=("c",)),
            "the snippet is there, but its widget does not render, 1 disabled (c)",
        ),
        (
            BrowserView(rendered=3, widgets=5, rules=("init-once",)),
            "the snippet is there, but only 3 of 5 widgets render",
        ),
    ],
)
def test_view_of_a_browser_is_a_sentence(view, text):
    assert ", ".join(view.sentences()) == text
