"""Ctrl-C, SIGTERM, and a window that is closed, keep what was recorded until then."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import pytest
from live_shop import Reply, live_shop, product_page

from awning_harness.browser import ensure_browser
from awning_harness.live import record_command

pytestmark = pytest.mark.usefixtures("processes")
AWNING = Path(sys.executable).with_name("awning")
SAYS_SO = "<script>addEventListener('load', () => setTimeout(() => fetch('/delivered'), 100))</script>"


@pytest.fixture
def shop():
    with live_shop() as running:
        yield running


def interrupted(shop, folder, page, kill=os.killpg, number=signal.SIGINT):
    """Interrupt a long visit after its page was shown, as a terminal does. Returns the exit code and the output."""
    delivered = Event()

    def learn():
        delivered.set()
        return Reply("")

    shop.add("/delivered", learn)
    visit = folder.parent / "visit.toml"
    address = shop.add("/page", page)
    visit.write_text(f'[[page]]\nurl = "{address}"\nsteps = ["wait 50 seconds"]\n')
    arguments = ("record", address, "--allow-private", "--visit", visit, "-o", folder)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    process = subprocess.Popen([AWNING, *arguments], start_new_session=True, **pipes)
    assert delivered.wait(60)
    kill(process.pid, number)
    said, _ = process.communicate(timeout=60)
    return process.returncode, said


@pytest.mark.parametrize(
    ("kill", "number", "ends"),
    [(os.killpg, signal.SIGINT, 130), (os.kill, signal.SIGTERM, -signal.SIGTERM)],
    ids=["Ctrl-C", "SIGTERM"],
)
def test_interrupted_visit_keeps_its_events(shop, tmp_path, kill, number, ends):
    folder = tmp_path / "recorded"
    code, said = interrupted(shop, folder, product_page(body=SAYS_SO), kill, number)
    assert (code, "exception" in said.lower()) == (ends, False), said
    [event] = json.loads((folder / "events.json").read_text())
    assert (event["item"]["name"], event["item"]["id"]) == ("***", "9001")
    assert json.loads((folder / "visit.json").read_text())["errors"] == ["the visit was interrupted"]


def test_interrupted_visit_without_events_leaves_an_earlier_recording(shop, tmp_path):
    folder = tmp_path / "recorded"
    folder.mkdir()
    (folder / "visit.json").write_text("earlier")
    assert interrupted(shop, folder, f"<p>no shop{SAYS_SO}")[0] == 130
    assert (folder / "visit.json").read_text() == "earlier"


@pytest.mark.parametrize("ends", ["window", "browser"])
def test_closed_window_keeps_its_events(shop, awning, tmp_path, monkeypatch, ends):
    opened = record_command.open_foreign_page

    @asynccontextmanager
    async def used(*arguments, headed):
        async with opened(*arguments, headed=False) as foreign:

            async def close():
                await foreign.page.wait_for_event(
                    "request", lambda request: request.url.endswith("/delivered")
                )
                await (foreign.page if ends == "window" else foreign.browser).close()

            closing = asyncio.ensure_future(close())
            yield foreign
            await closing

    monkeypatch.setattr(record_command, "open_foreign_page", used)
    monkeypatch.setattr(record_command, "ensure_window", lambda environ: ensure_browser(print, environ))
    shop.add("/delivered", "")
    later = SAYS_SO.replace("100", "2500")
    address = shop.add("/page", product_page(body=later))
    result = awning("record", address, "--headed", "--allow-private", "-o", tmp_path / "recorded", "--json")
    assert (result.code, result.json["events"], result.json["errors"]) == (0, 1, []), result.err
