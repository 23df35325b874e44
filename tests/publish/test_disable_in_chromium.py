"""A disabled widget is absent from the shop's pages, and its neighbour stays. Enabling it brings it back."""

import pytest
from command_line import call_awning
from project import Project

from awning_harness.service import serve

MANIFEST = {"app_type": "APP", "app_title": "Test", "app_secret": "planted-canary-s3cret"}


def awning(*words):
    result = call_awning(*words)
    assert result.code == 0, result.err


@pytest.fixture
def shop_page(workspace, browser, monkeypatch):
    """Publish an app of two widgets to a website. Yields a tab; its `shop_url` is the page of a product."""
    project = Project(workspace, languages=("en",))
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["en"]\nkill_switch = true\n')
    project.add_widget("first", view_html_j2="<p data-first>one</p>")
    project.add_widget("second", view_html_j2="<p data-second>two</p>").build()
    with serve() as running:
        app_id, key = running.service.register_app(MANIFEST)
        website = running.service.create_website(languages=("en",))
        monkeypatch.setenv("AWNING_AUTH_CODE", running.service.install(app_id, website.id))
        monkeypatch.setenv("AWNING_API_KEY", key)
        monkeypatch.setenv("AWNING_BASE_URL", running.apps_url)
        awning("instances", "add", "--name", "site")
        awning("publish", "apply", "--pace", "0")
        page = browser.new_page()
        page.shop_url = f"{running.storefront_url}/{website.id}/en/product/1"
        yield page
        page.close()


def blocks(page):
    page.goto(page.shop_url, wait_until="load")
    page.wait_for_selector("[data-second]")
    return page.locator("[data-first], [data-second]").all_inner_texts()


def test_disabled_widget_is_absent_and_its_neighbour_is_not(shop_page):
    assert blocks(shop_page) == ["one", "two"]
    awning("publish", "disable", "first", "--pace", "0")
    assert blocks(shop_page) == ["two"]
    awning("publish", "enable", "first", "--pace", "0")
    assert blocks(shop_page) == ["one", "two"]
