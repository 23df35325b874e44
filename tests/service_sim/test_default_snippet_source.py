"""Default snippets from a source URL: fetched when the cache is filled, kept when that fails."""

import threading
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest


@pytest.fixture
def source():
    """An app's server: what `answers` says, by path."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = self.server.answers.get(self.path, (404, b"not here"))
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.answers = {}
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def shown(service, source):
    """What the page shows, after the clock has gone on by some seconds."""
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


def test_a_source_overrides_the_manifest_and_changes_when_the_cache_expires(source, shown):
    source.answers = {"/body": (200, "ā 1".encode()), "/head": (200, b"h")}
    assert shown() == ("h", "ā 1")
    source.answers["/body"] = (200, b"2")
    assert shown(later=50) == ("h", "ā 1")
    assert shown(later=10) == ("h", "2")


def test_a_source_that_fails_leaves_what_was_shown(source, shown):
    source.answers = {"/body": (200, b"1"), "/head": (200, b"")}
    assert shown() == ("", "1")
    source.answers = {"/body": (500, b"broken"), "/head": (200, b"\xff")}
    assert shown(later=60) == ("", "1")


def test_a_source_that_never_worked_leaves_the_manifests_own(shown):
    assert shown() == ("manifest's head", "manifest's")


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "ftp://127.0.0.1/", "http://127.0.0.1:1/", "http://[", "data:,x"]
)
def test_only_http_is_fetched(service, url):
    app_id, _ = service.register_app({"app_default_snippet_source_url": url, "app_default_snippet": "own"})
    service.install(app_id, service.create_website().id)
    assert service.page_snippets(1, "lv")[0].body == "own"


def test_a_source_that_is_too_large_is_not_taken(source, shown):
    source.answers = {"/body": (200, b"x" * (1024 * 1024 + 1)), "/head": (200, b"x" * 1024 * 1024)}
    head, body = shown()
    assert len(head) == 1024 * 1024
    assert body == "manifest's"
