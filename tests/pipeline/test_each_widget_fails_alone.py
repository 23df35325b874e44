"""The widgets of an app share one script. One that fails while it is loaded does not stop the others."""

from collections.abc import Iterator

import pytest
from frames import SmallPages, open_small_pages
from playwright.sync_api import Browser
from shop_scripts import SHOP

from awning.bundle.emulator import emulator_script
from awning.bundle.run import find_esbuild

IMPORT = 'import { afterPrice } from "awning";\n'
SHOWS = IMPORT + 'export default afterPrice(() => "shown");\n'

FAILING = {
    "throws": f'{IMPORT}throw new Error("top boom");\nexport default afterPrice(() => "never");\n',
    "reads what is not there": f'{IMPORT}document.querySelector("#no").id;\nexport default afterPrice(() => "");\n',
    "names what is not there": f"{IMPORT}export default afterPrice(rendr);\n",
    "exports no slot": "const slots = { note: ({ t }) => t('hello') };\nexport default slots.note;\n",
    "is a raw script": "svcPlugins.subscribeEvent(svcPlugins.no.such);\n",
}


@pytest.fixture(scope="session")
def small_pages(browser: Browser) -> Iterator[SmallPages]:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


@pytest.mark.parametrize("script", FAILING.values(), ids=FAILING)
def test_second_widget_renders_when_the_first_cannot_be_loaded(
    project, small_pages: SmallPages, script: str
) -> None:
    project.add_widget("broken", widget_ts=script).add_widget("sound", widget_ts=SHOWS).build()
    body = project.dist("en/body.html")
    code = body[body.index("<script>") + len("<script>") : body.rindex("</script>")]
    small = small_pages.load(SHOP, code, "product();")
    assert small.run("() => box().textContent") == "shown"
    assert small.errors == []
    assert len(small.console) == 1
    assert small.console[0].startswith("error: broken ")


def test_fragile_widget_that_app_data_turns_off_is_not_loaded(project, small_pages: SmallPages) -> None:
    schema = '{"properties": {"enabled": {"type": "boolean", "default": false}}}'
    project.add_widget("broken", widget_ts=FAILING["throws"], data_schema_json=schema)
    project.add_widget("sound", widget_ts=SHOWS).build()
    body = project.dist("en/body.html")
    code = body[body.rindex("<script>") + len("<script>") : body.rindex("</script>")]
    small = small_pages.load(SHOP, code, "product();")
    assert small.run("() => box().textContent") == "shown"
    assert (small.errors, small.console) == ([], [])


def test_widgets_that_cannot_fail_while_loaded_are_not_guarded(project, staged) -> None:
    project.add_widget("one").add_widget("two")
    assert "catch" not in staged("app/en/body")


def test_widget_alone_in_its_snippet_is_not_guarded(project, staged) -> None:
    project.add_widget("broken", widget_ts=FAILING["throws"]).add_widget("sound")
    assert "require(" not in staged("broken/en/body")
