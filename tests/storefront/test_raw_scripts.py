"""A widget whose script calls svcPlugins itself is built and shown like any other, beside one that exports a slot."""

import socket
import threading
from contextlib import contextmanager

import uvicorn
from project import Project

from awning_harness.storefront import FixedSnippets, FixedSource, storefront_app

RAW = """
// no `export default` here
let shown = 0;
svcPlugins.subscribeEvent("svc-content-after-price", (_event, init, param) => {
  const block = init();
  block.setContent(`<p data-raw>${param.item.id} ${++shown}</p>`);
});
"""


@contextmanager
def shop(body, assets):
    app = storefront_app(FixedSource(snippets=(FixedSnippets(body=body),)), assets=assets)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", lifespan="off", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/1"
        server.should_exit = True
        thread.join(10)


def test_a_raw_script_is_bundled_and_runs_on_the_page(tmp_path, browser, assets):
    project = Project(tmp_path / "shop").add_widget("plain", view_html_j2="<p data-plain>plain</p>")
    project.add_widget("raw", widget_ts=RAW).build()
    with shop(project.dist("body.html"), assets) as url:
        page = browser.new_page()
        page.goto(f"{url}/en/product/1", wait_until="load")
        page.wait_for_selector("[data-raw]")
        assert page.locator("[data-raw]").all_inner_texts() == ["1 1"]
        assert page.locator("[data-plain]").all_inner_texts() == ["plain"]
        page.close()
