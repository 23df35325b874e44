"""The command `awning dev`."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

import pytest

from awning.workspace.scaffolding import make_workspace

AWNING = [sys.executable, "-c", "import sys; from awning.cli import main; main(sys.argv[1:])", "dev"]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*AWNING, *arguments], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )


@contextmanager
def started(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The dev server of a workspace on a free port, while the block runs."""
    running = subprocess.Popen(
        [*AWNING, "--port", "0"], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield running
    finally:
        running.terminate()
        try:
            running.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            running.kill()
            running.communicate()


@pytest.mark.parametrize("host", ["0.0.0.0", "example.com", "192.168.0.1", "localhost.example.com"])
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
    assert "--port 0" in done.stderr


def test_outside_a_workspace_it_fails_with_a_message(tmp_path):
    done = run(tmp_path)
    assert done.returncode == 2
    assert "no workspace here" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to a process")
def test_dev_prints_its_address_and_ends_cleanly_when_interrupted(workshop):
    with started(workshop.root) as running:
        for line in running.stdout:
            if "Ctrl-C" in line:
                break
            address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        with socket.create_connection(("127.0.0.1", int(address[1]))) as wire:
            wire.sendall(b"GET /_awning/stream?language=lv HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert wire.recv(15) == b"HTTP/1.1 200 OK"
            running.send_signal(signal.SIGINT)
            assert running.wait(20) == 130
        assert "Traceback" not in running.stderr.read()


def test_check_findings_are_printed_with_the_build_and_with_each_save(tmp_path):
    make_workspace(tmp_path / "app")
    script = tmp_path / "app/widgets/stock-note/widget.ts"
    right = script.read_text(encoding="utf-8")
    script.write_text(right.replace("view({", "view({ first: 1,"), encoding="utf-8")
    with started(tmp_path / "app") as running:
        lines = iter(running.stderr.readline, "")
        assert 'warning[template-variables]: the template reads no "first"' in next(lines)
        assert next(line for line in lines if line.startswith("built in"))
        script.write_text(right.replace("view({", "view({ second: 1,"), encoding="utf-8")
        assert 'warning[template-variables]: the template reads no "second"' in next(lines)
        assert next(line for line in lines if line.startswith("built in"))
        script.write_text(f"{right}\neval(location.hash);\n", encoding="utf-8")
        assert "error[no-eval]" in next(lines)
        assert next(line for line in lines if line.startswith("not built"))


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


def test_dev_pages_have_a_dev_build_and_dist_is_not_changed(tmp_path):
    make_workspace(tmp_path / "app")
    with started(tmp_path / "app") as running:
        shop = next(line.split()[1] for line in running.stdout if "Shop" in line)
        with urlopen(f"{shop}product/1") as answer:
            page = answer.read().decode()
        assert "widgets/stock-note/view.html.j2" in page
        assert not (tmp_path / "app" / "dist").exists()
