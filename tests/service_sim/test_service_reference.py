"""The docs agree with the tables."""

from pathlib import Path

from awning_harness.service.control.api import control_calls
from awning_harness.service.reference import reference

DOCS = Path(__file__).parents[2] / "docs"


def test_the_reference_page_is_current():
    again = "run: python -m awning_harness.service.reference > docs/service-reference.md"
    assert (DOCS / "service-reference.md").read_text("utf-8") == reference(), again


def test_every_control_call_is_in_the_docs():
    text = (DOCS / "service.md").read_text("utf-8")
    for call in control_calls():
        assert f"`{call}`" in text
