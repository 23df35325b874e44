"""The command `awning dev`."""

import json
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from warm_python import AWNING, WarmProcess

from awning.workspace.scaffolding import make_workspace
from awning_harness.dev.address import DEFAULT_PORT

pytestmark = pytest.mark.usefixtures("processes")


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [*AWNING, "dev", *arguments]
    running = WarmProcess(command, cwd=folder)
    out, err = running.communicate(60)
    return subprocess.CompletedProcess(command, running.wait(), out, err)


@contextmanager
def started(
    folder: Path, *arguments: str, port: int | None = 0, is_forked: bool = True
) -> Iterator[subprocess.Popen[str] | WarmProcess]:
    """The dev server of a workspace, by default on a free port, while the block runs."""
    command = [*AWNING, "dev", *([] if port is None else ["--port", str(port)]), *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    running = (
        WarmProcess(command, cwd=folder)
        if is_forked
        else subprocess.Popen([sys.executable, *command], cwd=folder, text=True, **pipes)
    )
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost.example.com"])
def test_only_loopback_host_names_are_accepted(workshop, host):
    done = run(workshop.root, "--host", host)
    assert done.returncode == 2
    assert "name of this machine" in done.stderr
    assert "hint:" in done.stderr


def test_a_taken_port_is_reported_with_a_hint(workshop):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = run(workshop.root, "--port", port)
    assert done.returncode == 2
    assert f"port {port} cannot be used" in done.stderr
    assert "without --port" in done.stderr


@contextmanager
def taken(port: int) -> Iterator[None]:
    """Keep the port in use during the block, unless another program already uses it."""
    with ExitStack() as stack:
        with suppress(OSError):
            stack.enter_context(socket.create_server(("127.0.0.1", port)))
        yield


def test_taken_default_port_is_replaced_by_the_next_free_one_aloud(workshop):
    with taken(DEFAULT_PORT), started(workshop.root, port=None) as running:
        said = running.stderr.readline()
        shop = next(line for line in running.stdout if "Shop" in line)
    port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", shop)[1])
    assert port > DEFAULT_PORT
    assert said == f"port {DEFAULT_PORT} is taken: this shop is on port {port}\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--listen", "0.0.0.0"], "no host name is allowed"),
        (["--listen", "::1"], "--listen ::1 is not an IPv4 address"),
        (["--listen", "localhost"], "--listen localhost is not an IPv4 address"),
        (["--listen", "192.0.2.1", "--allow-host", "box.example"], "192.0.2.1 is no address of this machine"),
        (["--listen", "0.0.0.0", "--allow-host", "http://box"], '"http://box" is not a host name'),
    ],
)
def test_listening_elsewhere_needs_an_address_of_this_machine_and_a_name(workshop, arguments, said):
    done = run(workshop.root, *arguments)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr
    assert "hint:" in done.stderr


def test_addresses_and_builds_are_lines_of_json(workshop):
    (workshop.root / "widgets/hello/style.css").write_text("p { colr: red; }\n", encoding="utf-8")
    with started(workshop.root, "--json") as running:
        addresses, built = (json.loads(running.stdout.readline()) for _ in range(2))
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/_awning/gallery", addresses["gallery_url"])
    assert {"schema_version", "shop_url", "pages_url"} <= addresses.keys()
    assert built["ok"] is False or built["diagnostics"]


def test_allowed_names_are_answered_and_no_others(workshop):
    with started(workshop.root, "--listen", "0.0.0.0", "--allow-host", "box.example") as running:
        shop = next(line.split()[1] for line in running.stdout if "Shop" in line)
        assert shop.startswith("http://box.example:")
        shop = shop.replace("box.example", "127.0.0.1")
        assert answer_to("box.example", shop) == 200
        assert answer_to("localhost", shop) == 200
        assert answer_to("other.example", shop) == 421


def test_address_of_the_shop_is_the_one_that_it_listens_on(workshop):
    with started(workshop.root, "--listen", "127.0.0.2") as running:
        shop = next(line.split()[1] for line in running.stdout if "Shop" in line)
        assert shop.startswith("http://127.0.0.2:")
        assert answer_to("127.0.0.2", shop) == 200


def answer_to(host: str, url: str) -> int:
    """The status of the response to a request with this Host header."""
    try:
        with urlopen(Request(url, headers={"Host": host})) as answer:
            return answer.status
    except HTTPError as error:
        error.close()
        return error.code


def test_outside_a_workspace_it_fails_with_a_message(tmp_path):
    done = run(tmp_path)
    assert done.returncode == 2
    assert "no workspace here" in done.stderr


def test_workspace_that_nothing_can_build_ends_the_server(workshop, monkeypatch):
    monkeypatch.setenv("AWNING_ESBUILD", str(workshop.root / "missing"))
    done = run(workshop.root, "--port", "0")
    assert done.returncode == 2
    assert "AWNING_ESBUILD" in done.stderr


def test_index_waits_for_the_first_build(workshop):
    with started(workshop.root) as running:
        index = next(line.split()[2] for line in running.stdout if "All pages" in line)
        with urlopen(index) as answer:
            assert "Not built yet" not in answer.read().decode()


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
def test_dev_prints_its_address_and_ends_cleanly_when_interrupted(workshop):
    with started(workshop.root, is_forked=False) as running:
        for line in running.stdout:
            if "Ctrl-C" in line:
                break
            address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        with socket.create_connection(("127.0.0.1", int(address[1]))) as wire:
            wire.sendall(b"GET /_awning/stream?language=lv HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert wire.recv(15) == b"HTTP/1.1 200 OK"
            running.send_signal(signal.SIGINT)
            assert running.wait(120) == 130
        assert "Traceback" not in running.stderr.read()


def test_check_findings_are_printed_with_the_build_and_with_each_save(tmp_path):
    make_workspace(tmp_path / "app")
    script = tmp_path / "app/widgets/stock-note/widget.ts"
    right = script.read_text(encoding="utf-8")
    script.write_text(right.replace("view({", "view({ first: 1,"), encoding="utf-8")
    with started(tmp_path / "app") as running:
        lines = iter(running.stderr.readline, "")
        finding = next(line for line in lines if not line.startswith("built"))
        assert 'warning[template-variables]: the template reads no "first"' in finding
        assert next(line for line in lines if line.startswith("built in"))
        script.write_text(right.replace("view({", "view({ second: 1,"), encoding="utf-8")
        finding = next(line for line in lines if not line.startswith("shown"))
        assert 'warning[template-variables]: the template reads no "second"' in finding
        assert next(line for line in lines if line.startswith("built in"))
        script.write_text(f"{right}\neval(location.hash);\n", encoding="utf-8")
        assert "error[no-eval]" in next(line for line in lines if not line.startswith("shown"))
        assert next(
            line for line in lines if line.endswith(" ms (widgets/stock-note/widget.ts), with errors\n")
        )


def test_an_empty_text_is_reported_and_the_next_save_is_shown(tmp_path):
    make_workspace(tmp_path / "app")
    view = tmp_path / "app/widgets/stock-note/view.html.j2"
    right = view.read_text(encoding="utf-8")
    with started(tmp_path / "app") as running:
        lines = iter(running.stderr.readline, "")
        assert next(lines).startswith("built in")
        for text in ('<img alt="" title>', "<b>two</b>", '<img alt="">'):
            view.write_text(right + text, encoding="utf-8")
            assert next(line for line in lines if line.startswith("built in"))


def test_second_start_shows_the_build_of_the_last_run_unless_a_file_has_changed(tmp_path):
    make_workspace(tmp_path / "app")
    view = tmp_path / "app/widgets/stock-note/view.html.j2"

    def start():
        """The first line in the terminal, and the first product page."""
        with started(tmp_path / "app") as running:
            shop = next(line.split()[1] for line in running.stdout if "Shop" in line)
            with urlopen(f"{shop}product/1") as answer:
                return running.stderr.readline(), re.sub(r"awning-snippet \d+", "", answer.read().decode())

    first, page = start()
    assert first.startswith("built in")
    assert "widgets/stock-note/view.html.j2" in page, "it is a dev build"
    assert not (tmp_path / "app" / "dist").exists()
    again, same_page = start()
    assert again == "the build of the last run is shown\n"
    assert same_page == page
    view.write_text(view.read_text(encoding="utf-8") + "<b>changed</b>", encoding="utf-8")
    changed, changed_page = start()
    assert changed.startswith("built in")
    assert "<b>changed</b>" in changed_page
