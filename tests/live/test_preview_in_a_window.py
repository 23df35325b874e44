"""`awning preview --headed`: a page with each save. Without a display, the window is a headless page here."""

import asyncio
import threading
from contextlib import asynccontextmanager, suppress
from time import monotonic

import pytest
from live_shop import CHECKOUT, JQUERIES, Reply, live_shop, product_page, trusting_page
from playwright.async_api import Error

from awning_harness.browser import ensure_browser
from awning_harness.live import command, foreign_page, window


@pytest.fixture
def shop():
    with live_shop() as running:
        yield running


@pytest.fixture
def user(monkeypatch):
    """Plays the user in the window: `user.append` takes coroutines of the opened page, in their order."""
    acts, open_preview = [], command.open_preview

    async def play(opened):
        try:
            for act in acts:
                await act(opened.page)
        finally:
            await close(opened.page)

    @asynccontextmanager
    async def played(*arguments, headed, follows):
        async with open_preview(*arguments, headed=headed, follows=follows) as opened:
            playing = asyncio.ensure_future(play(opened))
            yield opened
            await playing

    launch = foreign_page.launch
    monkeypatch.setattr(foreign_page, "launch", lambda *arguments, headed: launch(*arguments, headed=False))
    monkeypatch.setattr(command, "open_preview", played)
    monkeypatch.setattr(command, "ensure_window", lambda environ: ensure_browser(print, environ))
    return acts


async def close(page):
    """Close a page, as often as needed: Chromium drops a close that comes while the page begins to load again."""
    while not page.is_closed():
        with suppress(TimeoutError):
            await asyncio.wait_for(page.close(), 2)


@pytest.fixture
def failed_builds(monkeypatch):
    """A queue of the builds that failed, after they were reported."""
    failed, report = asyncio.Queue(), window.TurnReport.print

    def print_turn(self, turn):
        report(self, turn)
        if turn.built is None:
            failed.put_nowait(turn)

    monkeypatch.setattr(window.TurnReport, "print", print_turn)
    return failed


@pytest.mark.usefixtures("processes")
def test_preview_in_a_window_shows_each_save(shop, awning, project, user, failed_builds):
    project.add_widget("note")

    async def save(page):
        await page.get_by_text("Hello en").wait_for()
        project.add_file("widgets/note/messages/en.toml", 'hello = "Saved"\n')
        await page.get_by_text("Saved").wait_for()

    async def break_and_mend(page):
        project.add_file("widgets/note/view.html.j2", "{% if %}\n")
        await failed_builds.get()
        assert "Saved" in await page.inner_text("body")
        project.add_file("widgets/note/view.html.j2", '<p>{{ t("hello") }} again</p>\n')
        await page.get_by_text("Saved again").wait_for()

    user += [save, break_and_mend]
    address = shop.add("/product", product_page())
    result = awning("preview", address, "--allow-private", "--headed")
    assert result.code == 0, result.out + result.err
    assert result.out.startswith(f"added to {address}\nnote: rendered after")


NONCES = {"Content-Security-Policy": "default-src 'none'; script-src 'nonce-n'; style-src 'nonce-n'"}
WAYS = {
    "plain": Reply(product_page(head="<style>html { scroll-behavior: smooth }</style>")),
    "nonces": Reply(product_page(nonce="n"), headers=NONCES),
    "deep": Reply(product_page(body="<div><section>SNIPPET</section></div>")),
    "trusted types": trusting_page("shop awning"),
}
FIELD = "<label>Engraving <input id=engraving></label>" + "<br>" * 200


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("way", WAYS)
def test_preview_in_a_window_redraws_a_save_in_place(shop, awning, project, user, way):
    project.add_widget(
        "note", view_html_j2='<p class="a">{{ t("hello") }}</p>\n', style_css=".a { color: rgb(1, 2, 3) }\n"
    )
    reply = WAYS[way]
    html = reply.body.replace("</article>", f"{FIELD}</article>").replace("SNIPPET", deployed(project))
    address = shop.add("/kept", Reply(html, headers=reply.headers))

    async def save(page):
        await page.get_by_text("Hello en").wait_for()
        await page.locator("#engraving").fill("For Anna")
        await page.evaluate(SCROLL)
        project.add_file("widgets/note/messages/en.toml", 'hello = "Saved"\n')
        await page.get_by_text("Saved", exact=True).wait_for()
        project.add_file("widgets/note/style.css", ".a { color: rgb(4, 5, 6) }\n")
        await wait_for(page, f"{COLOUR} == 'rgb(4, 5, 6)'")
        assert await page.input_value("#engraving") == "For Anna"
        await wait_for(page, "scrollY === window.mine")  # anchored later
        assert await page.locator(".a").count() == 1
        assert await page.get_by_text("Rated 4.8 of 5").count() == 1

    user.append(save)
    result = awning("preview", address, "--allow-private", "--headed")
    assert result.code == 0, result.out + result.err
    assert shop.requests.count(("GET", "/kept")) == 1
    assert "loads again" not in result.err


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("jquery", JQUERIES)
def test_preview_in_a_window_redraws_a_cart_that_the_shop_has_replaced(shop, awning, project, user, jquery):
    project.add_widget("note").add_widget(
        "basket", slot="after-cart", messages_en_toml='hello = "In the cart"\n'
    )
    address = shop.add_busy_page("/busy", CHECKOUT, jquery=jquery)

    async def buy_and_save(page):
        await page.get_by_text("0 blankets").wait_for()
        await page.evaluate("window.mine = 1")
        for count, text in enumerate(("Saved once", "Saved twice"), 1):
            await page.get_by_role("button", name="Add").click()
            await page.get_by_text(f"{count} blankets").wait_for()
            project.add_file("widgets/basket/messages/en.toml", f'hello = "{text}"\n')
            await page.get_by_text(text).wait_for()
        for text in ("Saved twice", "Gift wrap for 2 euros", "Rated 4.8 of 5", "Hello en"):
            assert await page.get_by_text(text).count() == 1, text
        project.add_file("widgets/basket/view.html.j2", "{% if false %}Nothing{% endif %}\n")
        await page.get_by_text("Saved twice").wait_for(state="detached")
        await page.get_by_role("button", name="Add").click()
        await page.get_by_text("3 blankets").wait_for()
        project.add_file("widgets/basket/view.html.j2", "<p>Again</p>\n")
        await page.get_by_text("Again").wait_for()
        assert await page.evaluate("[window.mine, jQuery.fn.jquery, document.cookie]") == [1, jquery, ""]

    user.append(buy_and_save)
    result = awning("preview", address, "--allow-private", "--headed")
    assert result.code == 0, result.out + result.err
    assert shop.requests.count(("GET", "/busy")) == 1
    assert "loads again" not in result.err


async def wait_for(page, condition):
    """Wait for a condition. Playwright's own way evaluates a text, which a policy of the page may refuse."""
    end, seen = monotonic() + 20, None
    while monotonic() < end:
        with suppress(Error):  # the page is loaded again
            if await page.evaluate(condition):
                return
            seen = await page.evaluate(SEEN)
        await asyncio.sleep(0.02)
    pytest.fail(f"it never comes that {condition}; last seen: {seen}")


SCROLL = """async () => {
  scrollTo({ top: 700, behavior: "instant" });
  // The field was filled, and a page may still scroll to it smoothly.
  while (scrollY !== window.mine) {
    window.mine = scrollY;
    await new Promise((done) => setTimeout(done, 100));
  }
}"""
SEEN = "[scrollY, document.documentElement.scrollHeight, window.mine, document.body.innerText.slice(0, 200)]"
COLOUR = "getComputedStyle(document.querySelector('.a')).color"


def deployed(project):
    project.build()
    return (project.root / "dist/en/body.html").read_text().replace("{{svc_language}}", "en")


TWO_BLOCKS = """
import { afterPrice } from "awning";
import view from "./view.html.j2";
export default [afterPrice(({ t }) => view({ t })), afterPrice(({ t }) => view({ t }))];
"""
MESSAGES = "widgets/note/messages/en.toml"
REFUSALS = {
    "a new head": (
        "widgets/note/head.ts",
        "document.title = 'Saved'\n",
        "the head snippet changed",
        Reply(product_page()),
    ),
    "a new block": ("widgets/note/widget.ts", TWO_BLOCKS, "the app's blocks are new", Reply(product_page())),
    "trusted types": (
        MESSAGES,
        'hello = "Saved"\n',
        "the page takes no HTML (TypeError",
        trusting_page("shop"),
    ),
}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("kind", REFUSALS)
def test_preview_in_a_window_says_why_a_save_loads_the_page_again(shop, awning, project, user, kind):
    path, text, why, page = REFUSALS[kind]
    project.add_widget("note", head_ts="document.title = 'Before'\n")

    async def save(page):
        await page.locator("awning-inspector[data-revision]").wait_for(state="attached")
        await page.evaluate("window.mine = 1")
        project.add_file(path, text)
        await wait_for(page, "window.mine === undefined && document.readyState == 'complete'")

    user.append(save)
    result = awning("preview", shop.add("/again", page), "--allow-private", "--headed")
    assert f"the page loads again: {why}" in result.err, result.err
    assert shop.requests.count(("GET", "/again")) >= 2


@pytest.mark.usefixtures("processes")
def test_preview_in_a_window_opens_the_address_at_a_save_after_a_failure(shop, awning, project, user):
    project.add_widget("note")
    address = shop.add("/later", Reply("not yet", status=503))

    async def save(page):
        await page.get_by_text("not yet").wait_for()
        shop.add("/later", product_page())
        project.add_file("widgets/note/messages/en.toml", 'hello = "Saved"\n')
        await page.get_by_text("Saved").wait_for()

    user.append(save)
    result = awning("preview", address, "--allow-private", "--headed")
    assert "error: the page answers with HTTP 503" in result.out
    assert shop.requests.count(("GET", "/later")) > 1
    assert not [thread for thread in threading.enumerate() if thread.name == "saves"]


@pytest.mark.usefixtures("processes")
def test_preview_in_a_window_has_the_inspector(shop, awning, project, user):
    rows = []
    project.add_widget(
        "note",
        widget_ts='import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ data }) => view({ text: data.text }));\n",
        view_html_j2="<p>Told: {{ text }}</p>\n",
        data_schema_json='{"type": "object", "properties": {"text": {"type": "string", "default": "nobody"}}}',
    )
    for language in project.languages:
        (project.root / f"widgets/note/messages/{language}.toml").unlink()

    async def look(page):
        panel = page.locator("awning-inspector")
        await panel.get_by_role("button", name="awning").click()
        await panel.get_by_role("row").nth(3).wait_for()
        cells = "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
        rows.extend(await panel.locator("tbody tr").evaluate_all(cells))
        await panel.get_by_role("tab", name="Widgets").click()
        row = panel.get_by_role("row").filter(has=page.get_by_role("rowheader", name="note"))
        assert "after-price" in await row.inner_text()
        await panel.get_by_role("tab", name="App data").click()
        field = panel.get_by_label("text")
        await field.fill("all")
        await field.press("Tab")
        await page.get_by_text("Told: all").wait_for()
        assert not [name for name in await page.evaluate("Object.keys(window)") if name.startswith("awning")]

    user.append(look)
    policy = {"Content-Security-Policy": "default-src 'none'; script-src 'nonce-n'; style-src 'nonce-n'"}
    address = shop.add("/inspected", Reply(product_page(nonce="n"), headers=policy))
    awning("preview", address, "--allow-private", "--headed")
    seen = {tuple(cells[1:4]) for cells in rows}
    assert {
        ("after-price", "note", "subscribed"),
        ("after-price", "the shop", "fired"),
        ("after-price", "another app 1", "changed its block"),
        ("after-price", "note", "changed its block"),
    } <= seen
