"""Default snippets from a source URL: they are fetched when the cache is filled, and stay when that fails."""

import contextlib
import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import URLError
from urllib.request import Request

import pytest

from awning_harness.service.defaults import _CheckedRedirects


@pytest.fixture
def source():
    """An app's server with the responses `answers`, by path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = self.server.answers.get(self.path, (404, b"not here"))
            if callable(body):
                body(self)
                return
            self.send_response(status)
            if status == 302:
                self.send_header("Location", body.decode())
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.answers = {}
        server.over = threading.Event()
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def page_snippet(service, source):
    """`page_snippet(later)` returns a page's head and body snippet, after `later` seconds on the service's clock."""
    url = f"http://127.0.0.1:{source.server_port}"
    manifest = {
        "app_default_snippet": "manifest's",
        "app_default_snippet_source_url": f"{url}/body",
        "app_default_head_snippet": "manifest's head",
        "app_default_head_snippet_source_url": f"{url}/head",
    }
    app_id, _ = service.register_app(manifest)
    website = service.create_website()
    service.install(app_id, website.id)

    def page(later=0):
        service.clock.advance(timedelta(seconds=later))
        (snippets,) = service.page_snippets(website.id, "lv")
        return snippets.head, snippets.body

    return page


def test_source_overrides_the_manifest_and_is_read_again_when_the_cache_expires(source, page_snippet):
    source.answers = {"/body": (200, "ā 1".encode()), "/head": (200, b"h")}
    assert page_snippet() == ("h", "ā 1")
    source.answers["/body"] = (200, b"2")
    assert page_snippet(later=50) == ("h", "ā 1")
    assert page_snippet(later=10) == ("h", "2")


def test_failing_source_keeps_the_shown_snippet(source, page_snippet):
    source.answers = {"/body": (200, b"1"), "/head": (200, b"")}
    assert page_snippet() == ("", "1")
    source.answers = {"/body": (500, b"broken"), "/head": (200, b"\xff")}
    assert page_snippet(later=60) == ("", "1")


def test_source_that_always_fails_keeps_the_snippet_of_the_manifest(page_snippet):
    assert page_snippet() == ("manifest's head", "manifest's")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://127.0.0.1/", "http://127.0.0.1:1/", "http://[", "data:,x"]
)
def test_only_http_is_fetched(service, url):
    app_id, _ = service.register_app({"app_default_snippet_source_url": url, "app_default_snippet": "own"})
    service.install(app_id, service.create_website().id)
    assert service.page_snippets(1, "lv")[0].body == "own"


def dripping(head):
    """A response that never ends and never pauses for long, in its headers or in its body."""

    def drip(request):
        begun = (
            b"HTTP/1.1 200 OK\r\nX-Slow: " if head else b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"
        )
        with contextlib.suppress(OSError):
            request.wfile.write(begun)
            while not request.server.over.wait(0.02):
                request.wfile.write(b"x")
        request.close_connection = True

    return drip


@pytest.mark.parametrize("head", [True, False], ids=["head", "body"])
def test_slow_source_times_out(source, page_snippet, head, monkeypatch):
    """Without a limit the slow body comes after half an hour. The other source answers within it on a busy machine."""
    monkeypatch.setattr("awning_harness.service.defaults.FETCH_TIMEOUT_S", 1.0)
    source.answers = {"/body": (200, dripping(head)), "/head": (200, b"h")}
    assert page_snippet() == ("h", "manifest's")


@pytest.mark.parametrize(
    ("location", "body"),
    [
        ("/moved", "moved"),
        ("http://127.0.0.1:{port}/moved", "moved"),
        ("//127.0.0.1:{port}/moved", "moved"),
        ("ftp://127.0.0.1:{port}/moved", "manifest's"),
        ("file:///etc/hostname", "manifest's"),
        ("data:,moved", "manifest's"),
        ("/body", "manifest's"),
    ],
)
def test_a_redirect_is_followed_only_to_an_http_address(source, page_snippet, location, body):
    to = location.format(port=source.server_port).encode()
    source.answers = {"/body": (302, to), "/moved": (200, b"moved"), "/head": (200, b"")}
    assert page_snippet() == ("", body)


def test_a_redirect_from_another_host_to_loopback_is_refused():
    elsewhere = Request("https://shop.example/snippet")
    with pytest.raises(URLError):
        _CheckedRedirects().redirect_request(elsewhere, None, 302, "", {}, "http://127.0.0.1:8430/")


def test_a_source_that_is_too_large_is_refused(source, page_snippet):
    source.answers = {"/body": (200, b"x" * (1024 * 1024 + 1)), "/head": (200, b"x" * 1024 * 1024)}
    head, body = page_snippet()
    assert len(head) == 1024 * 1024
    assert body == "manifest's"
