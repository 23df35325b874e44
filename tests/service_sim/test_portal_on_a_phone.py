"""The portal's pages in a browser as wide as a phone.

`tests/host/test_the_whole_way_in_chromium.py` goes through the portal in a browser, `test_portal_flow.py` without one.
"""

from contextlib import suppress
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from manifests import mandatory_manifest

from awning_harness.service import serve


@pytest.fixture
def running():
    with serve() as running:
        yield running


@pytest.fixture
def page(browser):
    context = browser.new_context(viewport={"width": 390, "height": 800})
    yield context.new_page()
    context.close()


WIDER = """[...document.querySelectorAll('html, main, section, td, th')]
    .filter(it => it.scrollWidth > it.clientWidth).map(it => it.outerHTML.slice(0, 80))"""


def test_nothing_is_wider_than_its_box_on_a_phone(page, running):
    running.service.register_app(mandatory_manifest("Tried in Chromium"))
    name = "Leinenwäsche-und-Heimtextilien-Manufaktur"
    running.service.create_website(languages=("lv", "en"), brandname=name)
    email = "wholesale.and.partners@reseller.example.com"
    running.service.resellers.create(email=email, password="pw", websites=2, ai_pricing="priced")
    running.service.resellers.spend(1, running.service.resellers.sites(1)[0].id, 1)
    for path in ("/", "/websites/1/", "/apps/", "/apps/1/", "/resellers/", "/resellers/1/", "/assumptions/"):
        page.goto(running.portal_url + path)
        assert page.evaluate(WIDER) == [], path


def test_long_request_path_is_shown_whole_on_a_phone(page, running):
    path = "/v1/" + "/".join(["an", "unknown", "address"] * 8)
    urlopen_quietly(running.apps_url.removesuffix("/v1") + path)
    page.goto(f"{running.portal_url}/requests/")
    assert page.evaluate(WIDER) == []
    assert path in page.get_by_role("row").last.inner_text()
    assert page.get_by_role("cell").count() == 3, (
        "what an unknown call has no app, website and fault for takes no room"
    )


def urlopen_quietly(url):
    with suppress(HTTPError), urlopen(url):
        pass
