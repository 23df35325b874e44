"""The whole way in a browser: submit, approve, install on two websites, see the widget, open settings, uninstall.

The app is a few lines of standard library, written from the specification: it checks each signature on the raw
query string, calls `installed`, `set_data` and `set_snippet`, and returns by the return link.
"""

import hashlib
import hmac
import json
import threading
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qsl, urlencode, urlsplit
from urllib.request import Request, urlopen

import pytest
from manifests import mandatory_manifest

from awning_harness.service import serve

SECRET = "planted-canary-app-secret"
SNIPPET = '<p id="block" data-language="{{svc_language}}">{{svc_app_data}}</p>'


class AppHandler(BaseHTTPRequestHandler):
    """The app's server."""

    def do_GET(self):
        query = urlsplit(self.path).query
        fields = dict(parse_qsl(query))
        if not self.authentic(query):
            self.send_error(403)
            return
        if self.path.startswith("/settings"):
            self.call(fields["authCode"], "set_data", {"data": "changed"})
            self.page("<h1>Settings of the app</h1>")
            return
        if "authCode" in fields:
            self.call(fields["authCode"], "installed")
            self.call(fields["authCode"], "set_data", {"data": "first"})
            self.call(fields["authCode"], "set_snippet", {"snippet": SNIPPET, "language": None})
        callback = fields.pop("callback")
        fields.pop("hash")
        self.send_response(302)
        self.send_header("Location", f"{callback}?{urlencode(fields)}")
        self.end_headers()

    def authentic(self, query):
        remaining = "&".join(pair for pair in query.split("&") if not pair.startswith("hash="))
        digest = hmac.new(SECRET.encode(), remaining.encode(), hashlib.sha256).hexdigest()
        return hmac.compare_digest(digest, dict(parse_qsl(query))["hash"])

    def call(self, code, operation, payload=None):
        url = f"{self.server.apps_url}/apps/{operation}/?{urlencode({'authCode': code})}"
        body = b"" if payload is None else json.dumps(payload).encode()
        with urlopen(Request(url, body, {"Authorization": f"ApiKey {self.server.api_key}"})) as answer:
            assert json.load(answer)["error"] is False

    def page(self, html):
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(html.encode())

    def log_message(self, *arguments):
        pass


@contextmanager
def app_server():
    with ThreadingHTTPServer(("127.0.0.1", 0), AppHandler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def page(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


@pytest.fixture
def world():
    with serve() as running, app_server() as app:
        app.apps_url = running.apps_url
        yield running, app


def manifest(app):
    url = f"http://127.0.0.1:{app.server_port}"
    return {
        **mandatory_manifest("Tried in Chromium"),
        "app_install_url": f"{url}/install",
        "app_settings_url": f"{url}/settings",
        "app_default_snippet": '<p id="block">default</p>',
        "app_secret": SECRET,
    }


def submit(page, running, app):
    page.goto(f"{running.portal_url}/apps/")
    page.get_by_label("Manifest, as JSON").fill(json.dumps(manifest(app)))
    page.get_by_role("button", name="Submit").click()
    app.api_key = page.get_by_role("status").locator("code").inner_text()
    page.get_by_role("button", name="Approve").click()


def make_website(page, running, name, languages):
    page.goto(running.portal_url)
    page.get_by_label("Brand name").fill(name)
    page.get_by_label("Languages").fill(languages)
    page.get_by_role("button", name="Make it").click()
    return page.url


def block(page, running, website_id, language):
    """The content of the app on a page of the storefront: language and data, or None."""
    assert page.goto(f"{running.storefront_url}/{website_id}/{language}/cart").ok
    block = page.locator("#block")
    return (block.get_attribute("data-language"), block.inner_text()) if block.count() else None


def test_an_app_is_submitted_installed_configured_and_removed(page, world):
    running, app = world
    submit(page, running, app)
    websites = [make_website(page, running, "First", "lv en"), make_website(page, running, "Second", "de")]
    for website in websites:
        page.goto(website)
        page.get_by_role("button", name="Install").click()
        assert "asks for full access" in page.get_by_role("main").inner_text()
        page.get_by_role("button", name="Accept").click()
        assert page.get_by_role("status").inner_text() == "Installed."
    assert [block(page, running, *where) for where in ((1, "lv"), (1, "en"), (2, "de"))] == [
        ("lv", "first"),
        ("en", "first"),
        ("de", "first"),
    ]
    page.goto(websites[0])
    page.get_by_role("button", name="Settings").click()
    assert page.get_by_role("heading").inner_text() == "Settings of the app"
    assert block(page, running, 1, "en") == ("en", "changed")
    assert block(page, running, 2, "de") == ("de", "first")
    page.goto(websites[0])
    page.get_by_role("button", name="Uninstall").click()
    assert "not installed" in page.get_by_role("main").inner_text()
    assert block(page, running, 1, "en") is None
    assert block(page, running, 2, "de") == ("de", "first")
    with running.service.database.reading() as db:
        assert [tuple(row) for row in db.execute("SELECT instance_id FROM app_data")] == [(2,)]


def test_declining_leaves_no_instance(page, world):
    running, app = world
    submit(page, running, app)
    website = make_website(page, running, "Shop", "en")
    page.get_by_role("button", name="Install").click()
    page.get_by_role("button", name="Decline").click()
    assert page.url == website
    assert running.service.page_snippets(1, "en") == ()


WIDER = """[...document.querySelectorAll('html, main, section, td, th')]
    .filter(it => it.scrollWidth > it.clientWidth).map(it => it.outerHTML.slice(0, 80))"""


def test_nothing_is_wider_than_its_box_on_a_phone(page, world):
    running, app = world
    submit(page, running, app)
    make_website(page, running, "Leinenwäsche-und-Heimtextilien-Manufaktur", "lv en")
    email = "wholesale.and.partners@reseller.example.com"
    running.service.resellers.create(email=email, password="pw", websites=2, ai_pricing="priced")
    running.service.resellers.spend(1, running.service.resellers.sites(1)[0].id, 1)
    page.set_viewport_size({"width": 390, "height": 800})
    for path in ("/", "/websites/1/", "/apps/", "/apps/1/", "/resellers/", "/resellers/1/", "/assumptions/"):
        page.goto(running.portal_url + path)
        assert page.evaluate(WIDER) == [], path


def test_long_request_path_is_shown_whole_on_a_phone(page, world):
    running, _ = world
    path = "/v1/" + "/".join(["an", "unknown", "address"] * 8)
    urlopen_quietly(running.apps_url.removesuffix("/v1") + path)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{running.portal_url}/requests/")
    assert page.evaluate(WIDER) == []
    assert path in page.get_by_role("row").last.inner_text()
    assert page.get_by_role("cell").count() == 3, (
        "what an unknown call has no app, website and fault for takes no room"
    )


def urlopen_quietly(url):
    with suppress(HTTPError), urlopen(url):
        pass
