"""Workers that are processes, asked at the same moment: each instance is installed once, each cell is written once."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from kept_in import both

from awning_harness.service import serve

START = [sys.executable, "-c", "from awning.cli import main; main()", "host", "--port", "0", "--json"]


@contextmanager
def workers(world, running, count):
    environ = {
        **os.environ,
        "AWNING_BASE_URL": running.apps_url,
        "AWNING_API_KEY": world.api_key,
        "AWNING_APP_SECRET": world.settings().app_secret.reveal(),
        "AWNING_STATE_DIR": str(world.state),
        "AWNING_DATABASE_URL": world.database.reveal() if world.database else "",
    }
    command = [*START, "--dist", str(world.dist), "--workers", str(count)]
    with subprocess.Popen(
        command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield json.loads(process.stdout.readline())["url"]
            process.send_signal(signal.SIGTERM)
            _, log = process.communicate(timeout=60)
            assert (process.returncode, "Traceback" in log) == (0, False), log
        finally:
            process.kill()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def status(url):
    try:
        with urllib.request.build_opener(NoRedirect).open(url, timeout=60) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        error.close()
        return error.code


@both
def test_a_person_who_clicks_six_times_installs_once(world, ask):
    with serve(world.service) as running, workers(world, running, 3) as url:
        codes = [world.new_code() for _ in range(2)]
        visits = [url + ask("/install", code) for code in codes for _ in range(6)]
        with ThreadPoolExecutor(len(visits)) as pool:
            assert set(pool.map(status, visits)) == {302}
        calls = Counter((call.operation, call.instance_id) for call in world.service.log.all())
    assert sorted(code for code, _ in world.inventory()) == sorted(codes)
    assert {count for (name, _), count in calls.items() if name == "installed"} == {1}
    assert {count for (name, _), count in calls.items() if name == "set_snippet"} == {3}, "website, lv, en"
    assert len(calls) >= 2 * 3
