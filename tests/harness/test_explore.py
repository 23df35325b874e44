"""`awning test --explore`: a lost update is found and becomes a test that fails; a correct widget passes."""

import re
import subprocess
import sys

import pytest

from awning.workspace.scaffolding import make_workspace
from awning_harness.explore.explored import play
from awning_harness.explore.machine import World, machine_of
from awning_harness.explore.schedule import LostPage

LOSES_THE_THIRD_UPDATE = """\
import { afterPrice } from "awning";

let updates = 0;
let kept = "";
export default afterPrice(({ variant }) => {
  if (variant && ++updates <= 3) kept = variant.id;
  return `<p>${kept || "none"}</p>`;
});
"""
"""Only three updates have an effect. The page itself updates twice at the beginning, so a second choice is lost."""

DEPENDS_ON_THE_LAST = """\
import { afterPrice } from "awning";

export default afterPrice(({ variant }) => `<p>${variant ? variant.id : "none"}</p>`);
"""

LOSES_THE_THIRD_UPDATE_LATER = """\
import { afterPrice } from "awning";

let updates = 0;
let kept = "";
export default afterPrice(({ variant }) => {
  if (variant && ++updates <= 3) kept = variant.id;
  setTimeout(() => document.querySelector("p.own")?.replaceChildren(kept), 60_000);
  return `<p class="own">${variant ? variant.id : "none"}</p>`;
});
"""
"""After a minute, only the first three updates have an effect."""

THROWS_TWICE = """\
import { afterPrice } from "awning";

export default afterPrice(({ variant }) => {
  if (variant) for (let n = 0; n < 2; n++) setTimeout(fail);
  return "<p>text</p>";
});

function fail(): void {
  throw new TypeError("no luck");
}
"""
"""A widget whose updates throw twice. It throws on every page, because the page itself updates at the beginning."""

LOOPS_WHEN_PRESSED_TWICE = """\
import { afterPrice, live } from "awning";

let presses = 0;
const press = (): void => {
  if (++presses === 2) for (;;);
};
export default afterPrice(live(() => '<button type="button">more</button>', { on: { "click button": press } }));
"""

LEADS_TO_THE_CART = """\
import { afterPrice, live } from "awning";

const go = (): void => location.assign("../cart");
export default afterPrice(live(() => '<button type="button">to the cart</button>', { on: { "click button": go } }));
"""

LEAVES = """\
import { afterPrice } from "awning";

let updates = 0;
export default afterPrice(({ variant }) => {
  STATEMENT;
  return variant ? variant.id : `${updates}`;
});
"""

LEAVES_BY_ITSELF = {
    "at once": ("location.assign('../cart')", []),
    "once in a session": (
        "if (!sessionStorage.left) location.assign('../cart'); sessionStorage.left = 1",
        [],
    ),
    "after two updates": ("if (variant && ++updates > 2) location.assign('../cart')", ["select"]),
    "after a minute": ("setTimeout(() => location.assign('../cart'), 60_000)", ["settle", "wait"]),
}
"""What a widget does in each event, and the calls of the shortest schedule. The page itself updates twice."""

REPORT_OF_THE_LOOP = """\
the page does not respond: a script on it never ends
    at widgets/stock-note/widget.ts:5:24
        if (++presses === 2) for (;;);
                             ^

The shortest schedule that breaks it, as a test to paste beside the widget:
"""

STORE = """async () => {
  localStorage.left = sessionStorage.left = 1;
  document.cookie = "left=1; path=/";
  addEventListener("pagehide", () => { document.cookie = "late=1; path=/"; });
  await Promise.all([caches.open("left"), new Promise((done) => { indexedDB.open("left").onsuccess = done; })]);
}"""
"""JavaScript that stores something in each kind of storage, and sets another cookie when the page ends."""

STORED = """async () => {
  const databases = (await indexedDB.databases()).map(({ name }) => name);
  return [localStorage.left, sessionStorage.left, document.cookie, ...databases, ...(await caches.keys())].join("");
}"""
"""JavaScript that returns what STORE has stored."""

REPORT_OF_THE_EXCEPTION = """\
TypeError: no luck
    at widgets/stock-note/widget.ts:9:9
        throw new TypeError("no luck");
              ^

The shortest schedule that breaks it, as a test to paste beside the widget:
"""


@pytest.fixture
def root(tmp_path):
    """A workspace with one widget without states and settings."""
    make_workspace(tmp_path / "app", languages=("en",))
    folder = tmp_path / "app" / "widgets" / "stock-note"
    for file in (*folder.glob("test_*.py"), folder / "states.toml", folder / "data.schema.json"):
        file.unlink(missing_ok=True)
    return tmp_path / "app"


def run(root, *words):
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def explore(root, script, *, count, seed):
    (root / "widgets/stock-note/widget.ts").write_text(script)
    return run(
        root, "widgets/stock-note/widget.toml", "-k", "test_explored", f"--explore={count}", f"--seed={seed}"
    )


def pasted(output):
    """Return the test function that the output of a failure shows, to be pasted."""
    match = re.search(r"^def test_explored\(widget\):\n(?:    .*\n)+", output, re.MULTILINE)
    assert match, output
    return match[0]


@pytest.mark.usefixtures("processes")
def test_lost_update_becomes_the_shortest_test_that_fails_when_pasted(root):
    code, output = explore(root, LOSES_THE_THIRD_UPDATE, count=30, seed=1)
    assert code == 1
    test = pasted(output)
    calls = re.findall(r"^    visit\.(\w+)", test, re.MULTILINE)
    assert calls == ["select", "select", "settle"], test
    (root / "widgets/stock-note/test_pasted.py").write_text(test)
    code, output = run(root, "widgets/stock-note/test_pasted.py")
    assert (code, "assert text == fresh.text()" in output) == (1, True), output
    (root / "widgets/stock-note/widget.ts").write_text(DEPENDS_ON_THE_LAST)
    assert run(root, "widgets/stock-note/test_pasted.py")[0] == 0


@pytest.mark.usefixtures("processes")
def test_update_that_is_lost_only_later_becomes_a_test_that_waits(root):
    code, output = explore(root, LOSES_THE_THIRD_UPDATE_LATER, count=30, seed=1)
    assert code == 1
    test = pasted(output)
    assert re.findall(r"^    visit\.(\w+)", test, re.MULTILINE) == ["select", "select", "settle", "wait"], (
        test
    )
    assert re.findall(r"^    fresh\.(.*)", test, re.MULTILINE)[-1] == "wait(minutes=10)", test
    (root / "widgets/stock-note/test_pasted.py").write_text(test)
    code, output = run(root, "widgets/stock-note/test_pasted.py")
    assert (code, "assert text == fresh.text()" in output) == (1, True), output


@pytest.mark.usefixtures("processes")
def test_exception_is_shown_once_with_the_line_of_the_author(root):
    code, output = explore(root, THROWS_TWICE, count=1, seed=1)
    assert (code, f"_\n{REPORT_OF_THE_EXCEPTION}" in output) == (1, True), output
    assert pasted(output).endswith("    assert visit.problems() == []\n")


@pytest.mark.usefixtures("processes")
def test_loop_without_end_becomes_the_shortest_test_that_fails_when_pasted(root):
    (root / "conftest.py").write_text(
        "import awning_harness.pages.tabs\n\nawning_harness.pages.tabs.LOAD_TIMEOUT_MS = 1500\n"
    )
    code, output = explore(root, LOOPS_WHEN_PRESSED_TWICE, count=30, seed=1)
    assert (code, f"_\n{REPORT_OF_THE_LOOP}" in output) == (1, True), output
    test = pasted(output)
    assert re.findall(r"^    visit\.(\w+)", test, re.MULTILINE) == ["step", "step"], test
    (root / "widgets/stock-note/test_pasted.py").write_text(test)
    code, output = run(root, "widgets/stock-note/test_pasted.py")
    assert code == 1
    assert "Stuck: the page does not respond" in output
    assert "at widgets/stock-note/widget.ts:5:24" in output


@pytest.mark.usefixtures("processes")
def test_button_that_leads_to_another_page_ends_the_schedule_without_a_failure(root):
    code, output = explore(root, LEADS_TO_THE_CART, count=20, seed=3)
    assert code == 0, output


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("when", LEAVES_BY_ITSELF)
def test_page_that_leaves_by_itself_becomes_the_shortest_test_that_fails_when_pasted(root, when):
    statement, calls = LEAVES_BY_ITSELF[when]
    code, output = explore(root, LEAVES.replace("STATEMENT", statement), count=10, seed=1)
    assert (code, "\nthe page was left for en/cart" in output) == (1, True), output
    assert "Played again" not in output
    test = pasted(output)
    assert re.findall(r"^    visit\.(\w+)", test, re.MULTILINE) == calls, test
    (root / "widgets/stock-note/test_pasted.py").write_text(test)
    code, output = run(root, "widgets/stock-note/test_pasted.py")
    assert (code, "PageLeft: the page was left for en/cart" in output) == (1, True), output


@pytest.mark.unit("free-shipping-bar")
def test_closed_page_is_reported_with_the_schedule(widget):
    workspace = widget.shop.workspace
    [bar] = [each for each in workspace.widgets if each.name == "free-shipping-bar"]

    class Closed(machine_of(widget, World.of(bar, "after-cart", workspace.store))):
        def teardown(self):
            widget.tab.page.close()
            super().teardown()

    with pytest.raises(LostPage, match="the page is closed") as lost:
        play(Closed, count=3, seeded_with=1)
    assert lost.value.schedule.lines("visit")[-1] == "visit.settle()"
    widget.visit = None


@pytest.mark.unit("free-shipping-bar")
def test_what_a_page_stores_does_not_reach_the_next_schedule(widget):
    workspace = widget.shop.workspace
    [bar] = [each for each in workspace.widgets if each.name == "free-shipping-bar"]
    stored = []

    class Storing(machine_of(widget, World.of(bar, "after-cart", workspace.store))):
        def teardown(self):
            stored.append(self.visit.evaluate(STORED))
            self.visit.evaluate(STORE)
            super().teardown()

    play(Storing, count=3, seeded_with=1)
    assert (len(stored) >= 3, set(stored)) == (True, {""})


@pytest.mark.unit("free-shipping-bar")
def test_same_seed_plays_the_same_schedules(widget):
    workspace = widget.shop.workspace
    [bar] = [each for each in workspace.widgets if each.name == "free-shipping-bar"]
    base = machine_of(widget, World.of(bar, "after-cart", workspace.store))

    def schedules(seed):
        played = []

        class Recorded(base):
            def teardown(self):
                super().teardown()
                played.append(self.schedule.lines("visit"))

        play(Recorded, count=3, seeded_with=seed)
        return played

    first = schedules(7)
    assert len(first) == 3
    assert schedules(7) == first != schedules(8)


@pytest.mark.usefixtures("processes")
def test_widget_that_depends_on_the_last_update_passes(root):
    code, output = explore(root, DEPENDS_ON_THE_LAST, count=6, seed=1)
    assert (code, "1 passed" in output) == (0, True), output


@pytest.mark.usefixtures("processes")
def test_nothing_is_explored_unless_it_is_asked_for(root):
    code, output = run(root, "widgets/stock-note/widget.toml", "--collect-only")
    assert (code, "test_explored" in output) == (0, False), output
