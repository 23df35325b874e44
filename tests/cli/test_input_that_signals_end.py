"""A verb that a program talks to ends at Ctrl-C and SIGTERM, though its input stays open."""

import json
import signal
import subprocess
import sys

import pytest
from project import Project

from awning.cli.termination import input_that_signals_end
from awning.errors import ConfigurationError

FIRST = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {
        "processId": None,
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(("verb", "number"), [("lsp", signal.SIGINT), ("mcp", signal.SIGTERM)])
def test_signal_ends_a_verb_whose_input_stays_open(tmp_path, verb, number):
    project = Project(tmp_path / "app", languages=("en",))
    text = json.dumps(FIRST).encode()
    message = b"Content-Length: %d\r\n\r\n%b" % (len(text), text) if verb == "lsp" else text + b"\n"
    command = (sys.executable, "-c", "from awning.cli import main; main()", verb)
    with subprocess.Popen(
        command, cwd=project.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdin.write(message)
        process.stdin.flush()
        assert process.stdout.readline()
        process.send_signal(number)
        try:
            code = process.wait(120)
        finally:
            process.kill()
        assert code == (130 if number == signal.SIGINT else -number)
        assert process.stderr.read().endswith(b"interrupted\n")


def test_closed_input_is_an_error_that_says_who_starts_the_verb(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(ConfigurationError, match="standard input is closed"), input_that_signals_end("x"):
        pass


WAITING = """
import os, signal, threading
from awning.cli.termination import input_that_signals_end

def send():
    signal.pthread_kill(threading.get_ident(), signal.SIGINT)

with input_that_signals_end("a test"):
    threading.Timer(0.2, send).start()
    print(os.read(0, 1))
"""


@pytest.mark.usefixtures("processes")
def test_signal_ends_input_for_which_the_main_thread_already_waits():
    with subprocess.Popen(
        (sys.executable, "-c", WAITING), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            code = process.wait(120)
        finally:
            process.kill()
        assert (code, process.stdout.read()) == (-signal.SIGINT, b"b''\n")
