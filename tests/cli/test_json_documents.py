"""All documents of `--json` have one form, and a terminal can show them."""

import json

import pytest

from awning.json_document import json_document, json_document_with_rows

TEXTS = [
    "plain",
    "číslo",
    "line\nbreak",
    "\x1b[2J",
    "\x9b2J",
    "\u202eabc",
    "\u2028",
    "\ud800",
    "\x7f",
    '"\\',
    *"\u200e\u200f\u061c\ufeff\U000e0041",
]


@pytest.mark.parametrize("text", TEXTS)
def test_document_reads_back_and_has_no_character_that_a_terminal_acts_on(text):
    written = json_document({"text": text, text: [text]}, indent=2)
    assert json.loads(written) == {"schema_version": 1, "text": text, text: [text]}
    assert all(character.isprintable() for character in written.replace("\n", ""))


def test_rows_are_the_last_field():
    parts = json_document_with_rows({"ok": True}, "rows", iter([{"a": 1}, {"a": "\x9b"}]))
    assert json.loads("".join(parts)) == {"schema_version": 1, "ok": True, "rows": [{"a": 1}, {"a": "\x9b"}]}
    assert "".join(json_document_with_rows({}, "rows", [])) == '{"schema_version": 1, "rows": []}'
