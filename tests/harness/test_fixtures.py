"""The fixtures beside `storefront`: what each gives a test, and that no test sees what another one changed."""

import re
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from nested_runs import run_pytest
from playwright.sync_api import Error, expect

from awning.client import apps, decode_app_data
from awning.errors import ServiceError
from awning.workspace.scaffolding import make_workspace
from awning_harness.fixtures.browser_thread import BrowserThread, open_storefront_in_thread
from awning_harness.service.assumptions import UnknownAnswer
from awning_harness.service.faults.faults import BadFault
from awning_harness.testing import Storefront

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.unit("free-shipping-bar")


@pytest.fixture
def anyio_backend():
    return "asyncio"


@pytest.mark.visit("C1", language="en")
def test_visit_opens_the_cart_that_the_marker_names(visit):
    assert "€11.20 more" in visit.text()


@pytest.mark.visit(state="high-threshold", language="en")
def test_visit_opens_the_state_that_the_marker_names(visit):
    assert "€936.20 more" in visit.text()


def test_visit_without_a_marker_is_the_page_of_the_widgets_slot(visit):
    assert (visit.slot, visit.text() != "") == ("after-cart", True)


@pytest.mark.visit("P2", language="de")
@pytest.mark.unit("app")
def test_visit_opens_a_product_with_the_options_of_the_storefront(visit):
    assert visit.path == "de/product/2"


@pytest.mark.visit("C1", page="checkout")
def test_visit_opens_a_cart_on_another_page(visit):
    assert visit.slot == "after-checkout"


@pytest.mark.visit("C1", language="en")
def test_storefront_says_what_opens_a_state_by_its_name():
    with pytest.raises(TypeError, match=r'@pytest.mark.visit\(state="reached"\)'):
        Storefront.state(None, "reached", language="en")


def test_app_data_is_that_of_the_opened_shop(app_data, storefront, visit):
    app_data({"threshold": 100})
    assert "€36.20 more" in storefront.cart("C1", language="en").text()
    app_data.raw("not json")
    assert "€11.20 more" in storefront.cart("C1", language="en").text()


def test_instance_is_the_one_whose_pages_are_opened(instance, storefront):
    assert instance is storefront.installed_app


def test_client_reads_what_the_fixture_stored(apps_client, instance, app_data, service):
    app_data({"threshold": 7})
    data = decode_app_data(apps_client.run(apps.get_data(instance.code)))
    assert data == {"free-shipping-bar": {"threshold": 7}}
    apps_client.run(apps.set_snippet(instance.code, "<p>hello</p>", "lv"))
    assert service.service.snippet(instance.auth_code, language="lv") == "<p>hello</p>"
    assert [request.operation for request in service.requests()] == ["get_data", "set_snippet"]


@pytest.mark.anyio
async def test_asynchronous_client_reads_the_same(async_apps_client, instance, app_data):
    app_data({"threshold": 8})
    data = decode_app_data(await async_apps_client.run(apps.get_data(instance.code)))
    assert data == {"free-shipping-bar": {"threshold": 8}}


@pytest.mark.anyio
@pytest.mark.visit("C1", language="en")
async def test_asynchronous_visit_is_awaited(async_visit):
    assert "€11.20 more" in await async_visit.text()
    assert await async_visit.block.count() == 1
    await async_visit.run(lambda visit: expect(visit.block).to_contain_text("more"))


@pytest.mark.anyio
async def test_asynchronous_storefront_opens_pages(async_storefront):
    visit = await async_storefront.cart("P3x3", language="en")
    assert "Shipping is free" in await visit.text()


@pytest.mark.anyio
async def test_problem_of_a_page_fails_an_asynchronous_test(awning_browser_thread, awning_shop, request):
    async def complain():
        async with open_storefront_in_thread(
            awning_browser_thread, awning_shop, "app", request.node
        ) as storefront:
            visit = await storefront.cart("C1")
            await visit.evaluate("console.error('a complaint')")

    with pytest.raises(pytest.fail.Exception, match="the console has errors: a complaint"):
        await complain()


@pytest.mark.parametrize("turn", ["first", "second"])
def test_no_test_sees_the_service_of_another(service, apps_client, instance, turn):
    """Each of two turns finds the service in its initial state, then changes its clock, assumptions and faults."""
    assert abs(service.clock.now() - datetime.now(UTC)) < timedelta(hours=1)
    assert service.requests() == ()
    assert service.service.assumptions["unset-snippet"] == "null"
    assert apps_client.run(apps.get_data(instance.code)) is None
    service.clock.advance(timedelta(days=400))
    service.assume("hostile")
    service.assume("unset-snippet", "empty")
    service.faults({"fault": "status", "status": 400, "route": "get_data"})
    with pytest.raises(ServiceError):
        apps_client.run(apps.get_data(instance.code))


def test_unknown_faults_routes_and_assumptions_are_refused_with_names(service):
    with pytest.raises(BadFault, match=r"there are delay|did you mean"):
        service.faults({"fault": "statue", "status": 503})
    with pytest.raises(BadFault, match='unknown route "set_snippets"'):
        service.faults({"fault": "status", "status": 503, "route": "set_snippets"})
    with pytest.raises(UnknownAnswer, match='did you mean "hostile"'):
        service.assume("hostil")


def test_built_has_the_snippets_of_the_widget(built):
    html = built.html("lv")
    assert "initContentHandler" not in html
    assert html == built.path("lv").read_text("utf-8")
    assert 500 < built.gzip("lv") < len(html)
    assert built.html(place="head") == ""
    with pytest.raises(LookupError, match=r"not built in 'fr'; it is built in de, en, lv"):
        built.html("fr")


@pytest.mark.usefixtures("processes")
def test_examples_of_the_docs_pass_in_a_workspace(tmp_path):
    root = tmp_path / "app"
    make_workspace(root, languages=("en", "lv", "de"))
    widget = root / "widgets" / "free-shipping-bar"
    shutil.copytree(ROOT / "widgets" / "free-shipping-bar", widget)
    text = (ROOT / "docs" / "fixtures.md").read_text(encoding="utf-8")
    examples = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    for number, example in enumerate(examples):
        (widget / f"test_example_{number}.py").write_text(example, encoding="utf-8")
    code, output = run_pytest(root, "-q", *widget.glob("test_example_*.py"))
    assert (code, "7 passed" in output) == (0, True), output


@pytest.mark.usefixtures("processes")
@pytest.mark.anyio
async def test_thread_whose_browser_does_not_start_says_so_to_each_test(tmp_path):
    thread = BrowserThread(shop=None, launch={"executable_path": str(tmp_path / "no-browser")})
    for _ in range(2):
        with pytest.raises(Error, match="no-browser"):
            await thread.run(lambda tabs: tabs)
    thread.stop()
