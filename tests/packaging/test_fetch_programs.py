"""The pinned packages are cached unchanged or not at all, and each error has a hint."""

import base64
import hashlib
import io
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from fetch_programs import REGISTRY, FetchError, cache_folder, fetch, load_pins, registry

BINARY = b"#!/bin/sh\necho this is the binary\n" * 2000
FILES = {"esbuild": BINARY, "lib.dom.d.ts": b"interface Node {}", "LICENSE": b"as you like"}
PACKAGE = {
    "bin/esbuild": BINARY,
    "bin/lib.dom.d.ts": FILES["lib.dom.d.ts"],
    "LICENSE": FILES["LICENSE"],
    "package.json": b"{}",
}
PROGRAM = load_pins().ESBUILD


def tarball(files: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in files.items():
            info = tarfile.TarInfo(f"package/{name}")
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return file.getvalue()


TARBALL = tarball(PACKAGE)
PATH = PROGRAM.tarball_for("linux-x64")


def pinned(content: bytes = TARBALL, files: dict[str, bytes] = FILES):
    pins = load_pins()
    hashes = {name: hashlib.sha256(text).hexdigest() for name, text in files.items()}
    return pins.Pin(
        platform="linux-x64",
        integrity="sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode(),
        sha256=hashlib.sha256(pins.listing(hashes).encode()).hexdigest(),
    )


def fetched(environ: dict[str, str], pin=None, **options) -> dict[str, bytes]:
    """The files of the package by path."""
    folder = fetch(PROGRAM, pin or pinned(), environ, **options)
    assert (folder / "esbuild").stat().st_mode & 0o111
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture
def environ(tmp_path, monkeypatch):
    """Environment variables that name a registry, which is a folder with a tarball, and an empty cache."""
    monkeypatch.setenv("NO_PROXY", "*")
    file = tmp_path / "registry" / PATH
    file.parent.mkdir(parents=True)
    file.write_bytes(TARBALL)
    return {
        "npm_config_registry": (tmp_path / "registry").as_uri(),
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
        "HOME": str(tmp_path),
    }


def in_cache(tmp_path: Path) -> set[str]:
    return {path.name for path in (tmp_path / "cache").rglob("*") if path.is_file()}


@contextmanager
def serving(*answers: tuple[int, bytes], wants: str | None = None) -> Iterator[tuple[str, list[str]]]:
    """A registry over HTTP that gives these answers in turn, then the last one again.

    A request whose Authorization header is not `wants` gets 401.
    """
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            status, body = answers[min(len(asked), len(answers) - 1)]
            asked.append(self.path)
            if self.headers["Authorization"] != wants:
                status, body = 401, b""
            self.send_response(status)
            self.send_header("Content-Length", str(len(body) + (7 if status == 206 else 0)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}", asked
        finally:
            server.shutdown()
            thread.join()


def test_binary_and_the_files_beside_it_are_fetched_and_cached(environ, tmp_path):
    assert fetched(environ) == FILES
    assert in_cache(tmp_path) == {path.rpartition("/")[2] for path in FILES}


def test_cached_package_is_used_without_a_request(environ):
    fetched(environ)
    assert fetched(environ | {"npm_config_registry": "http://127.0.0.1:9"}) == FILES


@pytest.mark.parametrize(
    ("name", "content"),
    [("esbuild", b""), ("esbuild", BINARY + b"x"), ("lib.dom.d.ts", b"x"), ("more.d.ts", b"")],
    ids=["empty", "long", "types", "more"],
)
def test_damaged_cached_package_is_replaced(environ, tmp_path, name, content):
    (fetch(PROGRAM, pinned(), environ) / name).write_bytes(content)
    assert fetched(environ) == FILES
    assert in_cache(tmp_path) == {path.rpartition("/")[2] for path in FILES}


def test_changed_tarball_is_refused(environ, tmp_path):
    file = tmp_path / "registry" / PATH
    content = bytearray(TARBALL)
    content[-9] ^= 1
    file.write_bytes(content)
    with pytest.raises(FetchError, match="not the pinned file, so it was not used") as raised:
        fetched(environ)
    assert "What to do" in str(raised.value)
    assert in_cache(tmp_path) == set()


@pytest.mark.parametrize(
    "files",
    [FILES | {"esbuild": b"x"}, FILES | {"lib.dom.d.ts": b"x"}, {"esbuild": BINARY}],
    ids=["binary", "types", "more files"],
)
def test_package_with_other_files_than_the_pinned_ones_is_refused(environ, files):
    with pytest.raises(FetchError, match="not the pinned ones"):
        fetched(environ, pinned(files=files))


@pytest.mark.parametrize(
    ("answers", "asked"),
    [
        ([(503, b"busy"), (200, TARBALL)], 2),
        ([(429, b""), (502, b""), (200, TARBALL)], 3),
        ([(206, TARBALL[:50]), (200, TARBALL)], 2),
    ],
    ids=["busy", "twice", "cut short"],
)
def test_temporary_failure_is_retried(environ, answers, asked):
    with serving(*answers) as (url, log):
        assert fetched(environ | {"npm_config_registry": url}, pause_s=0) == FILES
    assert log == [f"/{PATH}"] * asked


@pytest.mark.parametrize(("status", "asked"), [(404, 1), (401, 1), (500, 3)])
def test_permanent_failure_has_a_hint(environ, tmp_path, status, asked):
    with serving((status, b"no")) as (url, log), pytest.raises(FetchError) as raised:
        fetched(environ | {"npm_config_registry": url}, pause_s=0)
    assert str(status) in str(raised.value)
    assert "npm_config_registry names a mirror" in str(raised.value)
    assert len(log) == asked
    assert in_cache(tmp_path) == set()


def test_network_error_has_a_hint_and_hides_the_password(environ):
    mirror = "http://someone:hunter2@127.0.0.1:9/npm/"
    with pytest.raises(FetchError, match="HTTPS_PROXY") as raised:
        fetched(environ | {"npm_config_registry": mirror}, pause_s=0)
    assert "hunter2" not in str(raised.value)
    assert "http://127.0.0.1:9/npm/@esbuild/linux-x64/-/linux-x64-" in str(raised.value)


def test_mirror_can_require_a_password(environ):
    basic = base64.b64encode(b"someone:hunter 2").decode()
    with serving((200, TARBALL), wants=f"Basic {basic}") as (url, _):
        mirror = url.replace("://", "://someone:hunter%202@")
        assert fetched(environ | {"npm_config_registry": mirror}) == FILES


def test_concurrent_installations_all_get_the_package(environ, tmp_path):
    packages: list[dict[str, bytes]] = []
    threads = [threading.Thread(target=lambda: packages.append(fetched(environ))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert packages == [FILES] * 8
    assert in_cache(tmp_path) == {path.rpartition("/")[2] for path in FILES}


def test_package_is_in_a_folder_until_the_process_ends_when_the_cache_cannot_be_written(
    environ, tmp_path, capsys, monkeypatch
):
    at_the_end = []
    monkeypatch.setattr("atexit.register", lambda *call, **named: at_the_end.append(partial(*call, **named)))
    (tmp_path / "cache").write_text("a file where a folder should be")
    folder = fetch(PROGRAM, pinned(), environ)
    assert (folder / "esbuild").read_bytes() == BINARY
    assert "the cache cannot be written" in capsys.readouterr().err
    for end in at_the_end:
        end()
    assert not folder.exists()


def test_registry_defaults_to_npm():
    assert registry({}) == REGISTRY
    assert registry({"NPM_CONFIG_REGISTRY": "https://mirror.example/npm/"}) == "https://mirror.example/npm"


@pytest.mark.parametrize(
    ("system", "environ", "folder"),
    [
        ("linux", {"HOME": "/h"}, "/h/.cache/awning"),
        ("linux", {"HOME": "/h", "XDG_CACHE_HOME": "/x"}, "/x/awning"),
        ("darwin", {"HOME": "/h"}, "/h/Library/Caches/awning"),
        ("win32", {"LOCALAPPDATA": "/l", "USERPROFILE": "/u"}, "/l/awning"),
    ],
)
def test_cache_folder_follows_the_system(system, environ, folder):
    assert cache_folder(environ, system) == Path(folder)


@pytest.mark.parametrize(
    ("program", "tarball", "binary"),
    [
        ("esbuild", "@esbuild/win32-x64/-/win32-x64-{}.tgz", "esbuild.exe"),
        ("TypeScript", "@typescript/typescript-win32-x64/-/typescript-win32-x64-{}.tgz", "tsc.exe"),
    ],
)
def test_pins_name_the_files_of_the_registry(program, tarball, binary):
    [pinned] = [pinned for pinned in load_pins().PROGRAMS if pinned.name == program]
    assert pinned.tarball_for("win32-x64") == tarball.format(pinned.version)
    assert pinned.binary_for("win32-x64") == binary
