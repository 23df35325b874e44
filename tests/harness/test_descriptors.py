"""A widget in the new slot, with the new steps, in a copy of awning that has one more row of each kind."""

import json
from pathlib import Path
from typing import Any

import pytest
from awning_copy import patched_copy, run_python
from new_rows import SLOT

pytestmark = pytest.mark.usefixtures("processes")

NUMBER = """\
import { afterOrder } from "awning";
import view from "./view.html.j2";

export default afterOrder(({ order, t }) => view({ t, number: order.NAME }));
"""
VIEW = """\
<form><button type="button">{{ t("note") }}</button>{% if number is not blank %}{{ number|pprint }}{% endif %}</form>
"""
UNESCAPED = """\
import { afterOrder } from "awning";

export default afterOrder(({ order }) => `<p>${order.number}</p>`);
"""
STATES = """
[[state]]
name = "pressed"
title = "The button of the form is pressed"
payload = "C1"
steps = ['double-click "button"']
shows = { en = ["Thank you", "<100017>"] }
"""
CLEARED = """
[[state]]
name = "cleared"
title = "The shopper has cleared the cart"
payload = "C1"
steps = ["clear-cart"]
empty = true
"""


def awning(root: Path, *words: str, cwd: Path, fails: bool = False) -> str:
    return run_python(root, "-c", "from awning.cli import main; main()", *words, cwd=cwd, fails=fails)


def findings_of(root: Path, *words: str, cwd: Path) -> list[dict[str, Any]]:
    return json.loads(awning(root, "check", "--format", "json", *words, cwd=cwd, fails=True))["findings"]


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    return patched_copy(tmp_path_factory.mktemp("copy"))


@pytest.fixture(scope="module")
def app(copy, tmp_path_factory) -> Path:
    """A workspace whose widget is in the new slot."""
    folder = tmp_path_factory.mktemp("app")
    awning(copy, "new", "app", "--slot", SLOT, "--languages", "en lv", cwd=folder)
    root = folder / "app"
    script = root / "widgets" / "order-note" / "widget.ts"
    script.write_text(NUMBER.replace("NAME", "number"), encoding="utf-8")
    script.with_name("view.html.j2").write_text(VIEW, encoding="utf-8")
    return root


def test_widget_in_the_slot_is_checked_typed_and_built(copy, app):
    assert findings_of(copy, cwd=app) == []
    awning(copy, "build", cwd=app)
    assert '"svc-content-after-order"' in (app / "dist" / "body.html").read_text(encoding="utf-8")
    types = (app / ".awning" / "types" / "types" / "events.ts").read_text(encoding="utf-8")
    assert '"content-after-order": { param: OrderParam<Order, Currency, Page>; update: never };' in types


def test_field_that_the_payload_lacks_is_a_type_error(copy, app):
    script = app / "widgets" / "order-note" / "widget.ts"
    text = script.read_text(encoding="utf-8")
    script.write_text(NUMBER.replace("NAME", "nummer"), encoding="utf-8")
    findings = findings_of(copy, cwd=app)
    script.write_text(text, encoding="utf-8")
    assert findings
    assert all("nummer" in finding["message"] for finding in findings)


def test_check_runs_a_script_of_the_slot_with_its_payload(copy, tmp_path):
    script = tmp_path / "widget.ts"
    script.write_text(UNESCAPED, encoding="utf-8")
    [finding] = findings_of(copy, str(script), cwd=tmp_path)
    assert finding["rule"] == "raw-html"
    assert "order.number" in finding["message"]


@pytest.mark.parametrize(("event", "count"), [("after-order", 0), ("after-order-updated", 1)])
def test_script_may_subscribe_to_exactly_the_events_of_the_slot(copy, tmp_path, event, count):
    script = tmp_path / "script.js"
    script.write_text(
        f'svcPlugins.subscribeEvent("svc-content-{event}", function () {{}});\n', encoding="utf-8"
    )
    findings = findings_of(copy, str(script), cwd=tmp_path)
    assert [finding["rule"] for finding in findings] == ["unknown-event"] * count


def test_states_of_the_slot_and_with_the_steps_pass_in_a_browser(copy, app):
    awning(copy, "add", "widget", "cart-note", "--slot", "after-cart", cwd=app)
    for name, state in (("order-note", STATES), ("cart-note", CLEARED)):
        with (app / "widgets" / name / "states.toml").open("a", encoding="utf-8") as file:
            file.write(state)
    output = awning(copy, "test", "-n", "0", "-v", "-k", "shows_its_state", cwd=app)
    for name in ("pressed-en", "cleared-en", "note-en"):
        assert name in output
