"""docs/service.md names every control call."""

from pathlib import Path

from awning_harness.service.control.api import control_calls

DOCS = Path(__file__).parents[2] / "docs"


def test_every_control_call_is_in_the_docs():
    text = (DOCS / "service.md").read_text("utf-8")
    for call in control_calls():
        assert f"`{call}`" in text
