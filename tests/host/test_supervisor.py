"""The supervisor of worker processes, while a worker starts slowly: signals, and workers that have ended."""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager, suppress
from json import loads

import pytest

pytestmark = pytest.mark.usefixtures("processes")

SOON_S = 30
"""Half of the minute that a worker has for its start."""
PROGRAM = """
import os, time
from pathlib import Path

if __name__ == "__main__":
    from awning.cli import main
    from awning.host.serving import SERVER

    if "ANSWERS_WITHIN_S" in os.environ:
        SERVER["timeout_worker_healthcheck"] = float(os.environ["ANSWERS_WITHIN_S"])
    main()
else:  # a worker, before it can answer
    with Path("starting").open("a") as file:
        file.write(f"{os.getpid()}\\n")
    while Path("held").exists():
        time.sleep(0.05)
"""
"""A server whose workers start no further while there is a file `held`."""


@pytest.fixture
def held(tmp_path):
    file = tmp_path / "held"
    file.touch()
    return file


@pytest.fixture
def starting(tmp_path):
    """Return the process numbers of the workers that have begun to start, and wait until there are so many."""

    def read(count):
        until = time.monotonic() + SOON_S
        while True:
            with suppress(FileNotFoundError):
                numbers = (tmp_path / "starting").read_text().splitlines()
                if len(numbers) >= count:
                    return [int(number) for number in numbers]
            assert time.monotonic() < until, "no worker starts"
            time.sleep(0.02)

    return read


@contextmanager
def server(world, tmp_path, **environ):
    """A server with two workers. Yields its process; at the end, all its processes are killed."""
    (tmp_path / "server.py").write_text(PROGRAM)
    command = [sys.executable, "server.py", "host", "--port", "0", "--json", "--workers", "2"]
    environ = {
        **os.environ,
        "AWNING_BASE_URL": "http://127.0.0.1:9/v1",
        "AWNING_API_KEY": world.api_key,
        "AWNING_APP_SECRET": world.settings().app_secret.reveal(),
        "AWNING_STATE_DIR": str(world.state),
        "AWNING_DATABASE_URL": "",
        **environ,
    }
    with subprocess.Popen(
        [*command, "--dist", str(world.dist)],
        cwd=tmp_path,
        env=environ,
        stdout=subprocess.PIPE,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.usefixtures("held")
@pytest.mark.parametrize(
    ("send", "number"), [(os.kill, signal.SIGTERM), (os.killpg, signal.SIGINT)], ids=["terminated", "ctrl-c"]
)
def test_signal_ends_the_server_while_its_workers_start(world, tmp_path, starting, send, number):
    """Ctrl-C reaches all processes, also the workers."""
    with server(world, tmp_path) as process:
        starting(2)
        time.sleep(1)  # the supervisor has asked a worker, and waits for the answer
        send(process.pid, number)
        assert process.wait(SOON_S) == 0


@pytest.mark.usefixtures("held")
def test_worker_that_dies_while_it_starts_is_replaced_at_once(world, tmp_path, starting):
    with server(world, tmp_path):
        first, *_ = starting(2)
        time.sleep(1)
        os.kill(first, signal.SIGKILL)
        assert len(starting(3)) == 3


@pytest.mark.usefixtures("held")
def test_worker_that_does_not_answer_in_time_is_replaced(world, tmp_path, starting):
    with server(world, tmp_path, ANSWERS_WITHIN_S="2"):
        first, *_ = starting(4)
        with pytest.raises(ProcessLookupError):
            os.kill(first, 0)


def test_signal_ends_a_restart_whose_new_worker_starts_slowly(world, tmp_path, starting):
    with server(world, tmp_path) as process:
        url = loads(process.stdout.readline())["url"]
        with urllib.request.urlopen(url + "/healthz") as answer:
            assert answer.status == 200
        (tmp_path / "held").touch()
        process.send_signal(signal.SIGHUP)
        starting(3)
        process.send_signal(signal.SIGTERM)
        assert process.wait(SOON_S) == 0
