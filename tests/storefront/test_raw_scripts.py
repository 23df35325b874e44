"""A widget whose script calls svcPlugins itself is built and shown like any other, beside one that exports a slot."""

from project import Project

from awning_harness.storefront import FixedSnippets, FixedSource

RAW = """
// no `export default` here
let shown = 0;
svcPlugins.subscribeEvent("svc-content-after-price", (_event, init, param) => {
  const block = init();
  block.setContent(`<p data-raw>${param.item.id} ${++shown}</p>`);
});
"""


def test_a_raw_script_is_bundled_and_runs_on_the_page(tmp_path, browser, served):
    project = Project(tmp_path / "shop").add_widget("plain", view_html_j2="<p data-plain>plain</p>")
    project.add_widget("raw", widget_ts=RAW).build()
    with served(FixedSource(snippets=(FixedSnippets(body=project.dist("body.html")),))) as url:
        page = browser.new_page()
        page.goto(f"{url}/en/product/1", wait_until="load")
        page.wait_for_selector("[data-raw]")
        assert page.locator("[data-raw]").all_inner_texts() == ["1 1"]
        assert page.locator("[data-plain]").all_inner_texts() == ["plain"]
        page.close()
