"""A slot is a row, and a step is a row with a function: a copy of the repository that has one more of each knows it."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from awning_copy import ROOT, copy_sources
from tests.harness.new_descriptors import INSERTED, add_descriptors

pytestmark = pytest.mark.usefixtures("processes")

COPIED = ("src", "harness", "jsrc")
ABOUT_CURRENCY = "The currency, and how prices are displayed."
SLOT, STEP = "after-order", "clear-cart"

NUMBER = """\
import { afterOrder } from "awning";
import view from "./view.html.j2";

export default afterOrder(({ order, t }) => view({ t, number: order.NAME }));
"""
VIEW = '<form><button type="button">{{ t("note") }}</button>{{ number }}</form>'
UNESCAPED = """\
import { afterOrder } from "awning";

export default afterOrder(({ order }) => `<p>${order.number}</p>`);
"""
STATES = """
[[state]]
name = "pressed"
title = "The button of the form is pressed"
payload = "C1"
steps = ['submit "form"']
shows = { en = ["Thank you"] }
"""
CLEARED = """
[[state]]
name = "cleared"
title = "The shopper has cleared the cart"
payload = "C1"
steps = ["clear-cart"]
empty = true
"""


@dataclass(frozen=True)
class Copy:
    """A copy of the repository's packages, in which programs are run."""

    root: Path

    def run(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(str(self.root / name) for name in ("src", "harness"))
        return subprocess.run(
            [sys.executable, *words],
            cwd=cwd or self.root,
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    def awning(self, *words: str, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        return self.run("-c", "from awning.cli import main; main()", *words, cwd=cwd)


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Copy:
    """A copy with the slot and the steps, and with the files that are written from the tables."""
    root = copy_sources(tmp_path_factory.mktemp("copy"), COPIED)
    add_descriptors(root)
    written = Copy(root).run("-m", "awning.contract.descriptions", "types")
    assert written.returncode == 0, written.stderr
    return Copy(root)


@pytest.fixture(scope="module")
def app(copy, tmp_path_factory) -> Path:
    """A workspace whose widget is in the new slot."""
    root = tmp_path_factory.mktemp("app") / "app"
    made = copy.awning("new", str(root), "--slot", SLOT, "--languages", "en lv")
    assert made.returncode == 0, made.stderr
    script = root / "widgets" / "order-note" / "widget.ts"
    script.write_text(NUMBER.replace("NAME", "number"), encoding="utf-8")
    script.with_name("view.html.j2").write_text(VIEW, encoding="utf-8")
    return root


def files_below(folder: Path) -> set[str]:
    files = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder.parent).as_posix() for path in files}


def is_same_file(one: Path, other: Path) -> bool:
    return one.is_file() and other.is_file() and one.read_bytes() == other.read_bytes()


def test_slot_is_at_most_eight_files_and_a_step_two(copy):
    changed = {
        path
        for name in COPIED
        for path in files_below(ROOT / name) | files_below(copy.root / name)
        if not is_same_file(ROOT / path, copy.root / path)
    }
    steps = {path for path in INSERTED if "steps" in path}
    assert steps == {"src/awning/workspace/steps.py", "jsrc/visit/page_steps.ts", "jsrc/visit/block_steps.ts"}
    assert len(changed - steps) <= 8, sorted(changed - steps)


def test_slot_and_step_are_known_everywhere(copy):
    look = copy.run(str(Path(__file__).with_name("look_at_descriptors.py")), SLOT, STEP)
    assert look.returncode == 0, look.stderr
    known = json.loads(look.stdout)
    shop = known.pop("shop")
    assert '<div class="placeholder-after-order">' in shop
    assert (
        'awningStorefront.host(".placeholder-after-order","svc-content-after-order",{"order":{"number":'
        in shop
    )
    assert known == {
        "events": [
            *("svc-content-after-price", "svc-content-after-price-updated", "svc-content-after-cart"),
            *("svc-content-after-checkout", "svc-content-after-checkout-updated", "svc-content-after-order"),
        ],
        "function": True,
        "channel": True,
        "payloads page": [
            f"Slots: `after-cart`, `after-checkout`, `{SLOT}`. {ABOUT_CURRENCY} Type `Currency`.",
            f"Slots: `{SLOT}`. The order that was just finished. Type `Order`.",
        ],
        "inspector": True,
        "gallery": ["svc-content-after-order", ["order", "currency", "page"]],
        "step": STEP,
        "steps of the cart": [STEP],
        "explored": True,
    }


def test_widget_in_the_slot_is_checked_typed_and_built(copy, app):
    check = copy.awning("check", "--format", "json", cwd=app)
    assert json.loads(check.stdout)["findings"] == [], check.stdout
    built = copy.awning("build", cwd=app)
    assert built.returncode == 0, built.stderr
    assert '"svc-content-after-order"' in (app / "dist" / "body.html").read_text(encoding="utf-8")
    types = (app / ".awning" / "types" / "types" / "events.ts").read_text(encoding="utf-8")
    assert '"content-after-order": { param: OrderParam<Order, Currency, Page>; update: never };' in types


def test_field_that_the_payload_lacks_is_a_type_error(copy, app):
    script = app / "widgets" / "order-note" / "widget.ts"
    text = script.read_text(encoding="utf-8")
    script.write_text(NUMBER.replace("NAME", "nummer"), encoding="utf-8")
    findings = json.loads(copy.awning("check", "--format", "json", cwd=app).stdout)["findings"]
    script.write_text(text, encoding="utf-8")
    assert findings
    assert all("nummer" in finding["message"] for finding in findings)


def test_check_runs_a_script_of_the_slot_with_its_payload(copy, tmp_path):
    script = tmp_path / "widget.ts"
    script.write_text(UNESCAPED, encoding="utf-8")
    findings = json.loads(copy.awning("check", "--format", "json", str(script), cwd=tmp_path).stdout)[
        "findings"
    ]
    assert [finding["rule"] for finding in findings] == ["raw-html"]
    assert "order.number" in findings[0]["message"]


@pytest.mark.parametrize(("event", "count"), [("after-order", 0), ("after-order-updated", 1)])
def test_script_may_subscribe_to_exactly_the_events_of_the_slot(copy, tmp_path, event, count):
    script = tmp_path / "script.js"
    script.write_text(
        f'svcPlugins.subscribeEvent("svc-content-{event}", function () {{}});\n', encoding="utf-8"
    )
    findings = json.loads(copy.awning("check", "--format", "json", str(script), cwd=tmp_path).stdout)[
        "findings"
    ]
    assert [finding["rule"] for finding in findings] == ["unknown-event"] * count


def test_states_of_the_slot_and_with_the_steps_pass_in_a_browser(copy, app):
    added = copy.awning("add", "widget", "cart-note", "--slot", "after-cart", cwd=app)
    assert added.returncode == 0, added.stderr
    for name, state in (("order-note", STATES), ("cart-note", CLEARED)):
        with (app / "widgets" / name / "states.toml").open("a", encoding="utf-8") as file:
            file.write(state)
    done = copy.awning("test", "-n", "0", "-q", "-k", "shows_its_state or breaks_no_rule", cwd=app)
    assert done.returncode == 0, done.stdout + done.stderr
    for name in ("pressed-en", "cleared-en", "note-en"):
        assert name in copy.awning("test", "--collect-only", "-q", "-k", "shows_its_state", cwd=app).stdout
