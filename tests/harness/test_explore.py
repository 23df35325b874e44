"""`awning test --explore`: a lost update is found and becomes a test that fails; a correct widget passes.

Pages in memory show which schedule becomes the test: some two hundred are played until the shortest is found.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from nested_runs import run_pytest, with_short_limits

from awning.contract import Dialect
from awning.workspace.scaffolding import add_widget, make_workspace
from awning.workspace.store.store_files import shipped_store
from awning_harness.explore import explored
from awning_harness.explore.machine import LATER, NOW, SETTLE, World, machine_of
from awning_harness.explore.schedule import Call, ExploredFailure, LostPage, Schedule
from awning_harness.visit.steps.failures import PageLeft, StepFailed

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
const button = '<button type="button">to the cart</button>';
export default afterPrice(live(({ variant }) => `${button}${variant?.id}`, { on: { "click button": go } }));
"""

LEAVES_ONCE_IN_A_SESSION = """\
import { afterPrice } from "awning";

export default afterPrice(({ variant }) => {
  if (!sessionStorage.left) location.assign("../cart");
  sessionStorage.left = 1;
  return variant ? variant.id : "none";
});
"""

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
    at widgets/throws/widget.ts:9:9
        throw new TypeError("no luck");
              ^

The shortest schedule that breaks it, as a test to paste beside the widget:
"""


EXPLORED = {
    "leads-on": LEADS_TO_THE_CART,
    "leaves": LEAVES_ONCE_IN_A_SESSION,
    "lost": LOSES_THE_THIRD_UPDATE,
    "mended": DEPENDS_ON_THE_LAST,
    "throws": THROWS_TWICE,
}


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    """A workspace of widgets without states and settings."""
    root = tmp_path_factory.mktemp("explored") / "app"
    make_workspace(root, languages=("en",))
    for name in EXPLORED:
        add_widget(root, name, slot="after-price", languages=("en",))
    for name, script in {"stock-note": LOOPS_WHEN_PRESSED_TWICE, **EXPLORED}.items():
        folder = root / "widgets" / name
        for file in (*folder.glob("test_*.py"), folder / "states.toml", folder / "data.schema.json"):
            file.unlink(missing_ok=True)
        (folder / "widget.ts").write_text(script)
    shorter = "import awning_harness.explore.explored\n\nawning_harness.explore.explored.LONGEST = 3\n"
    (root / "widgets/stock-note/conftest.py").write_text(shorter + with_short_limits(""))
    return root


@pytest.fixture(scope="module")
def outcome(processes, root):
    """The exit code and the output of one exploration of three widgets."""
    names = ("throws", "leads-on", "leaves")
    paths = [f"widgets/{name}/widget.toml" for name in names]
    return run_pytest(root, "-n0", "-rA", *paths, "-k", "test_explored", "--explore=6", "--seed=3")


def pasted(output):
    """Return the test function that the output of a failure shows, to be pasted."""
    match = re.search(r"^def test_explored\(widget\):\n(?:    .*\n)+", output, re.MULTILINE)
    assert match, output
    return match[0]


@dataclass
class PageInMemory:
    """A page whose block shows what a function returns for its updates and the minutes that have passed.

    `leaves` tells, for the same values, whether the page goes to the cart.
    """

    shows: Callable[[Sequence[str], int], str]
    leaves: Callable[[Sequence[str], int], bool]
    updates: list[str] = field(default_factory=lambda: ["S/Red", "S/Red"])
    """The variants of the updates. The page itself updates twice at the beginning."""
    minutes: int = 0
    slot = "after-price"
    event = "svc-content-after-price"
    block_count = 1

    def __post_init__(self):
        self.frame = SimpleNamespace(wait_for_timeout=lambda _: None)
        self._go()

    def select(self, variant):
        if variant == self.updates[-1]:
            raise StepFailed("it is selected")
        self.updates.append(variant)
        self._go()

    def wait(self, *, minutes):
        self.minutes += minutes
        self._go()

    def settle(self):
        """Nothing is pending on this page."""

    def evaluate(self, _script, *_arguments):
        return [], []

    def problems(self):
        return []

    def text(self):
        return self.shows(self.updates, self.minutes)

    def _go(self):
        if self.leaves(self.updates, self.minutes):
            raise PageLeft("the page was left for en/cart")


def play_in_memory(shows, leaves=lambda _updates, _minutes: False):
    """Play 30 schedules of up to six actions on pages in memory. Raises ExploredFailure."""
    bench = SimpleNamespace(
        shop=SimpleNamespace(
            workspace=SimpleNamespace(store=shipped_store()), set_data=lambda *_: None, dialect=Dialect()
        ),
        show=lambda _name, **_options: PageInMemory(shows, leaves),
        tab=SimpleNamespace(forget=lambda: None),
        installed_app=None,
        unit="stock-note",
        visit=None,
    )
    world = World(slot="after-price", names=("P1",), languages=("en",), data=(None,), answers={})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explored, "LONGEST", 6)
        explored.play(machine_of(bench, world), count=30, seeded_with=1)


def last(updates, _minutes):
    return updates[-1]


BROKEN = {
    "a lost update": (lambda updates, _: updates[:3][-1], ["select", "select", "settle"]),
    "an update that is lost later": (
        lambda updates, minutes: updates[:3][-1] if minutes else updates[-1],
        ["select", "select", "settle", "wait"],
    ),
}
"""What a block shows of its updates, and the calls of the shortest schedule that shows the fault."""

LEAVES_BY_ITSELF = {
    "at once": (lambda _updates, _minutes: True, []),
    "after two updates": (lambda updates, _: len(updates) > 2, ["select"]),
    "after a minute": (lambda _, minutes: minutes >= 1, ["settle", "wait"]),
}
"""When a page goes to the cart, and the calls of the shortest schedule."""


def calls_of(failure, page="visit"):
    return re.findall(rf"^    {page}\.(\w+)", failure.test, re.MULTILINE)


@pytest.mark.parametrize("fault", BROKEN)
def test_block_that_differs_from_a_fresh_page_becomes_the_shortest_test(fault):
    shows, calls = BROKEN[fault]
    with pytest.raises(ExploredFailure, match="and on a fresh page 'S/Red'") as failed:
        play_in_memory(shows)
    assert calls_of(failed.value) == calls, failed.value.test
    assert calls_of(failed.value, "fresh") == calls[2:], failed.value.test
    assert failed.value.test.endswith("    assert text == fresh.text()")


@pytest.mark.parametrize("when", LEAVES_BY_ITSELF)
def test_page_that_leaves_by_itself_becomes_the_shortest_test(when):
    leaves, calls = LEAVES_BY_ITSELF[when]
    with pytest.raises(ExploredFailure, match=r"^the page was left for en/cart") as failed:
        play_in_memory(last, leaves)
    assert calls_of(failed.value) == calls, failed.value.test


def test_block_that_depends_on_the_last_update_passes():
    play_in_memory(last)


LOST_UPDATE = ExploredFailure(
    "the block shows another text",
    Schedule(
        before=(),
        show=(show := Call(name="show", arguments=("P1",), options={"slot": "after-price", "now": NOW})),
        calls=(
            *(Call(name="select", arguments=(variant,)) for variant in ("S/Blue", "L/Blue")),
            SETTLE,
            LATER,
        ),
    ),
    [
        "text = visit.text()",
        *Schedule(
            before=(), show=show, calls=(Call(name="select", arguments=("L/Blue",)), SETTLE, LATER)
        ).lines("fresh"),
        "assert text == fresh.text()",
    ],
)
"""The test of a lost update, as it is shown to be pasted."""


def test_pasted_tests_fail_until_their_widget_is_mended(root, outcome):
    pages_left = outcome[1].partition("\nthe page was left for en/cart")[2]
    tests = {"lost": LOST_UPDATE.test, "mended": LOST_UPDATE.test, "leaves": pasted(pages_left)}
    files = [f"widgets/{name}/test_pasted_{name}.py" for name in tests]
    for file, test in zip(files, tests.values(), strict=True):
        (root / file).write_text(test + "\n")
    _, output = run_pytest(root, "-n0", *files)
    assert "assert text == fresh.text()" in output
    assert "PageLeft: the page was left for en/cart" in output
    assert "2 failed, 1 passed" in output


def test_exception_is_shown_once_with_the_line_of_the_author(outcome):
    _, output = outcome
    assert f"_\n{REPORT_OF_THE_EXCEPTION}" in output, output
    assert pasted(output.partition("TypeError: no luck")[2]).endswith("    assert visit.problems() == []\n")


def test_page_that_leaves_once_in_a_session_becomes_the_test_of_its_page(outcome):
    before, _, after = outcome[1].partition("\nthe page was left for en/cart")
    assert after, before
    assert "Played again" not in before + after
    test = pasted(after)
    assert re.findall(r"^    visit\.(\w+)", test, re.MULTILINE) == [], test


def test_correct_widget_passes_also_when_its_button_leads_to_another_page(outcome):
    code, output = outcome
    assert (code, "2 failed, 1 passed" in output) == (1, True), output
    assert re.search(r"^PASSED widgets/leads-on/", output, re.MULTILINE), output


@pytest.mark.usefixtures("processes")
def test_loop_without_end_becomes_the_shortest_test(root):
    options = ("-k", "test_explored", "--explore=30", "--seed=1")
    code, output = run_pytest(root, "widgets/stock-note/widget.toml", *options)
    assert (code, f"_\n{REPORT_OF_THE_LOOP}" in output) == (1, True), output
    test = pasted(output)
    assert re.findall(r"^    visit\.(\w+)", test, re.MULTILINE) == ["step", "step"], test


@pytest.mark.unit("free-shipping-bar")
def test_closed_page_is_reported_with_the_schedule(widget):
    workspace = widget.shop.workspace
    [bar] = [each for each in workspace.widgets if each.name == "free-shipping-bar"]

    class Closed(machine_of(widget, World.of(bar, "after-cart", workspace.store))):
        def teardown(self):
            widget.tab.page.close()
            super().teardown()

    with pytest.raises(LostPage, match="the page is closed") as lost:
        explored.play(Closed, count=3, seeded_with=1)
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

    explored.play(Storing, count=3, seeded_with=1)
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

        explored.play(Recorded, count=3, seeded_with=seed)
        return played

    first = schedules(7)
    assert len(first) == 3
    assert schedules(7) == first != schedules(8)


@pytest.mark.usefixtures("processes")
def test_nothing_is_explored_unless_it_is_asked_for(root):
    code, output = run_pytest(root, "widgets/stock-note/widget.toml", "--collect-only")
    assert (code, "test_explored" in output) == (0, False), output
