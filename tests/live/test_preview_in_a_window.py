"""`awning preview --headed`: each save loads the page again. Without a display, the window is a headless page here."""

import asyncio
import threading
from contextlib import asynccontextmanager

import pytest
from live_shop import Reply, live_shop, product_page

from awning_harness.browser import ensure_browser
from awning_harness.live import command, foreign_page


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
            await opened.page.close()

    @asynccontextmanager
    async def played(*arguments, headed):
        async with open_preview(*arguments, headed=headed) as opened:
            playing = asyncio.ensure_future(play(opened))
            yield opened
            await playing

    launch = foreign_page.launch
    monkeypatch.setattr(foreign_page, "launch", lambda *arguments, headed: launch(*arguments, headed=False))
    monkeypatch.setattr(command, "open_preview", played)
    monkeypatch.setattr(command, "ensure_window", lambda environ: ensure_browser(print, environ))
    return acts


@pytest.fixture
def failed_builds(monkeypatch):
    """A queue of the builds that failed, after they were reported."""
    failed, report = asyncio.Queue(), command.TurnReport.print

    def print_turn(self, turn):
        report(self, turn)
        if turn.built is None:
            failed.put_nowait(turn)

    monkeypatch.setattr(command.TurnReport, "print", print_turn)
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
    assert not [thread for thread in threading.enumerate() if "_follow" in thread.name]


@pytest.mark.usefixtures("processes")
def test_preview_in_a_window_has_the_inspector(shop, awning, project, user):
    rows = []
    project.add_widget("note")

    async def look(page):
        panel = page.locator("awning-inspector")
        await panel.get_by_role("button", name="awning").click()
        await panel.get_by_role("row").nth(3).wait_for()
        cells = "(rows) => rows.map((row) => [...row.cells].map((cell) => cell.textContent.trim()))"
        rows.extend(await panel.locator("tbody tr").evaluate_all(cells))

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
