"""From a shopper's page to the publisher: a failed and a rendered widget, `awning host`, the author's line."""

import json
import os
import signal
import subprocess
import sys
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from urllib.request import Request, urlopen

import pytest
from project import Project

from awning.publish.health.reports import HealthReports
from awning.publish.release.build_files import read_files
from awning.publish.release.releases import Releases
from awning.publish.state.store import StateDir

pytestmark = pytest.mark.usefixtures("processes")

BEACON = "https://app.test/health/report"
SETTINGS = f'[tool.awning]\nlanguages = ["en"]\nbeacon = "{BEACON}"\nbeacon_sample_rate = 1\n'
FAILS = """\
import { afterPrice } from "awning";

export default afterPrice(async ({ item }) => {
  await new Promise((done) => setTimeout(done));
  throw new RangeError(`no ${item.name}`);
});
"""
STUB = """<script>var svcPlugins = { subscribeEvent: (name, callback) => name.endsWith("price")
  && callback({}, () => ({ setContent() {} }), { item: { name: "mug" }, page: { language: "en" } }) };</script>"""


@pytest.fixture
def project(tmp_path):
    project = Project(tmp_path / "shop", languages=("en",)).add_file("pyproject.toml", SETTINGS)
    project.add_widget("fails", widget_ts=FAILS).add_widget("note").build()
    with closing(Releases.open(StateDir(tmp_path / "state"))) as releases:
        releases.create(read_files(project.root / "dist"), operator="test")
    return project


@contextmanager
def running_host(project, state):
    """Run `awning host`; yields the address for reports. What it has received is written when the block ends."""
    environ = {
        **{name: value for name, value in os.environ.items() if not name.startswith("AWNING_")},
        "AWNING_BASE_URL": "http://127.0.0.1:9/v1",
        "AWNING_API_KEY": "SVC-00000000000000000000000000000000",
        "AWNING_APP_SECRET": "planted-canary-app-secret",
        "AWNING_STATE_DIR": str(state),
    }
    command = [sys.executable, "-c", "from awning.cli import main; main()", "host", "--port", "0", "--json"]
    with subprocess.Popen(
        command, cwd=project.root, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            yield json.loads(process.stdout.readline())["reports_url"]
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=30)
        finally:
            process.kill()


def test_reports_of_a_page_are_counted_and_lead_to_the_authors_line(project, browser, tmp_path):
    with running_host(project, tmp_path / "state") as reports_url:
        page = browser.new_page()

        def forward(route):
            body = route.request.post_data_buffer
            with urlopen(Request(reports_url, body, {"Content-Type": "text/plain"})) as answer:
                route.fulfill(status=answer.status)

        html = f"<!doctype html>\n<title>Shop</title>{STUB}\n{project.dist('body.html')}"
        page.route("https://shop.test/", lambda route: route.fulfill(body=html, content_type="text/html"))
        page.route(BEACON, forward)
        page.goto("https://shop.test/")
        page.wait_for_function("() => performance.getEntriesByType('resource').length == 2")
        page.close()
    with closing(HealthReports.open(StateDir(tmp_path / "state"))) as health:
        shares = health.widget_shares(datetime.now(UTC) - timedelta(hours=1))
        (failure,) = health.failures()
    counts = {key: (share.failed, share.rendered, share.rate) for key, share in shares.items()}
    assert counts == {(1, "fails"): (1, 0, 1.0), (1, "note"): (0, 1, 0.0)}
    assert (failure.message, failure.event) == ("RangeError: no mug", "svc-content-after-price")
    assert str(failure.place) == "widgets/fails/widget.ts:5:9"
