"""The whole flow in a browser: submit, install on two websites in two languages, configure, view, uninstall.

The build is that of the reference widgets. `awning host` runs in its own process. The service is simulated.
"""

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from awning.client import decode_app_data
from awning.pipeline.incremental import build
from awning.publish.inventory.inventory import Inventory
from awning.publish.state.store import StateDir
from awning_harness.service import serve

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).parents[2]
SECRET = "planted-canary-app-secret-of-the-whole-way"
BAR = ".bar .text"
PLACES = {"install_url": "https://app.example/install", "settings_url": "https://app.example/settings"}


@pytest.fixture(scope="module")
def dist(tmp_path_factory):
    out = tmp_path_factory.mktemp("built") / "dist"
    build(ROOT, out=out, types=False)
    return out


@pytest.fixture
def page(browser):
    context = browser.new_context(locale="en-GB")
    yield context.new_page()
    context.close()


@contextmanager
def host(running, dist, state, api_key, log):
    """Run `awning host`; yields its addresses."""
    command = [sys.executable, "-c", "from awning.cli import main; main()", "host", "--port", "0", "--json"]
    environ = {
        **os.environ,
        "AWNING_BASE_URL": running.apps_url,
        "AWNING_API_KEY": api_key,
        "AWNING_APP_SECRET": SECRET,
        "AWNING_STATE_DIR": str(state),
    }
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [*command, "--dist", str(dist)],
            cwd=ROOT,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        ) as process,
    ):
        try:
            yield json.loads(process.stdout.readline())
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == 0
        finally:
            process.kill()


def manifest(dist, addresses):
    fields = json.loads((dist / "manifest.json").read_text())
    return {
        **fields,
        "app_install_url": addresses["install_url"],
        "app_settings_url": addresses["settings_url"],
        "app_secret": SECRET,
    }


def submit(page, running, fields):
    """Submit a manifest for the first time. Returns the API key, with which the server starts, and the portal's address
    of the app.

    `resubmit` then sends the manifest with the addresses of the running server.
    """
    page.goto(f"{running.portal_url}/apps/")
    page.get_by_label("Manifest, as JSON").fill(json.dumps(fields))
    page.get_by_role("button", name="Submit", exact=True).click()
    return page.get_by_role("status").locator("code").inner_text(), page.url


def resubmit(page, running, fields):
    page.goto(f"{running.portal_url}/apps/1/")
    page.get_by_label("Submit a new version").fill(json.dumps(fields))
    page.get_by_role("button", name="Submit again").click()
    page.get_by_role("button", name="Approve").click()


def make_website(page, running, name, languages):
    page.goto(running.portal_url)
    page.get_by_label("Brand name").fill(name)
    page.get_by_label("Languages").fill(languages)
    page.get_by_role("button", name="Make it").click()
    return page.url


def install(page, website, language):
    page.goto(website)
    page.get_by_label("Your language").select_option(language)
    page.get_by_role("button", name="Install").click()
    # The first redirect led to the app's server and back. Now the service asks for permission.
    expect(page.get_by_role("main")).to_contain_text("asks for full access")
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("status")).to_have_text("Installed.")


def open_settings(page, website, language):
    page.goto(website)
    page.get_by_label("Your language").select_option(language)
    page.get_by_role("button", name="Settings").click()


def app_data_of(running, instance):
    with running.service.database.reading() as db:
        [(text,)] = db.execute("SELECT json FROM app_data WHERE instance_id = ?", (instance,)).fetchall()
    return decode_app_data(json.loads(text))


def instances_of(state):
    inventory = Inventory.open(StateDir(state))
    try:
        return len(inventory.all())
    finally:
        inventory.close()


def cart(page, running, website_id, language):
    page.goto(f"{running.storefront_url}/{website_id}/{language}/cart")
    return page.locator(BAR)


OUTER = "element => element.outerHTML"


def preview(page, state, language):
    """Return the HTML of the bar in the preview of the settings form."""
    page.get_by_label("Situācija").select_option(state)
    page.get_by_label("Valoda").select_option(language)
    bar = page.frame_locator("iframe >> nth=-1").locator(".bar")
    expect(bar).to_contain_text("Shipping is free for this order.")
    return bar.evaluate(OUTER)


def test_app_is_submitted_installed_configured_shown_and_uninstalled(page, dist, tmp_path):
    log, state = tmp_path / "host.log", tmp_path / "state"
    with serve() as running:
        api_key, _ = submit(page, running, manifest(dist, PLACES))
        with host(running, dist, state, api_key, log) as addresses:
            resubmit(page, running, manifest(dist, addresses))
            first = make_website(page, running, "Lina", "lv en")
            second = make_website(page, running, "Leinen", "de")
            install(page, first, "lv")
            install(page, second, "de")

            expect(cart(page, running, 1, "lv")).to_contain_text("Pievieno preces vēl par")
            expect(cart(page, running, 1, "en")).to_have_text("Add €11.20 more and shipping is free.")
            expect(cart(page, running, 2, "de")).to_contain_text("bis zum kostenlosen Versand")

            open_settings(page, first, "lv")
            expect(page.get_by_role("heading", level=1)).to_have_text("Iestatījumi: Lina")
            assert "hash=" not in page.url
            assert "authCode" not in page.url
            threshold = page.get_by_label("Piegāde ir bez maksas, sākot no šīs summas")
            threshold.fill("daudz")
            page.get_by_role("button", name="Saglabāt").click()
            expect(threshold).to_have_attribute("aria-invalid", "true")
            expect(page.get_by_role("alert")).to_contain_text("Ievadiet skaitli")
            threshold.fill("63,80")
            page.get_by_label("Rādīt piegādes laiku").uncheck()
            before_saving = preview(page, "free-shipping-bar/some-missing", "en")
            page.get_by_role("button", name="Saglabāt").click()
            expect(page.locator("p.notice")).to_contain_text("Saglabāts.")
            expect(threshold).to_have_value("63,8")
            assert app_data_of(running, 1)["free-shipping-bar"]["threshold"] == 63.8
            assert app_data_of(running, 2) != app_data_of(running, 1), "the other website's is its own"

            assert cart(page, running, 1, "en").locator("..").evaluate(OUTER) == before_saving
            expect(cart(page, running, 2, "de")).to_contain_text("bis zum kostenlosen Versand")

            open_settings(page, first, "en")
            seen = page.url
            page.get_by_text("Uninstall", exact=True).click()
            page.get_by_role("button", name="Uninstall from Lina").click()
            expect(page.get_by_role("heading", level=1)).to_have_text("Uninstalled")
            page.goto(first)
            expect(page.get_by_role("main")).to_contain_text("not installed")
            expect(cart(page, running, 1, "en")).to_have_count(0)
            expect(cart(page, running, 2, "de")).to_have_count(1)
            page.goto(seen)
            expect(page.get_by_role("heading", level=1)).to_have_text("This page is no longer open")
            assert instances_of(state) == 1, "the inventory has the second alone"
            with running.service.database.reading() as db:
                files = [
                    {row[0] for row in db.execute(f"SELECT instance_id FROM {table}")}
                    for table in ("app_data", "snippet")
                ]
            assert files == [{2}, {2}], "data and snippets of the first are cleared"
    log_text = log.read_text()
    assert "installed: @" in log_text
    for secret in (SECRET, api_key, "authCode", "hash="):
        assert secret not in log_text
    assert re.search(r"GET /settings/\*/ 200", log_text)
