"""The vectors for other languages: their hashes are right, and the verdicts of awning agree."""

import hashlib
import hmac
import json
import re
from pathlib import Path

import pytest

from awning.client import Secret
from awning.signed_requests import verify_request
from awning.signed_requests.query import read_query, write_query

DOCS = Path(__file__).parents[2] / "docs"
DOCUMENT = json.loads((DOCS / "verification-vectors.json").read_text(encoding="utf-8"))
VECTORS = {vector["name"]: vector for vector in DOCUMENT["vectors"]}


def test_vectors_have_unique_names():
    assert len(VECTORS) == len(DOCUMENT["vectors"])


@pytest.mark.parametrize("name", VECTORS)
def test_verdict_agrees_with_the_vector(name):
    vector = VECTORS[name]
    verdict = verify_request(vector["query"], Secret(DOCUMENT["secret"]))
    assert verdict.authentic is vector["authentic"], verdict.reason


@pytest.mark.parametrize("name", [name for name, vector in VECTORS.items() if vector["authentic"]])
def test_hash_of_a_vector_is_that_of_its_signed_text(name):
    vector = VECTORS[name]
    digest = hmac.new(DOCUMENT["secret"].encode(), vector["signed"].encode(), hashlib.sha256).hexdigest()
    assert re.search(r"(?:^|&)hash=([0-9a-f]{64})(?:&|$)", vector["query"])[1] == digest


PAGE = (DOCS / "verification.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\|.*\| `(.+?)` \| `(.+?)` \|$", PAGE, re.MULTILINE))
IN_SENTENCES = {
    "a leading question mark",
    "a return address",
    "more than 64 brackets",
    "the hash stands first",
    "the text as received",
}
"""Vectors whose rule is a sentence of the page and not a row of its table."""


def test_documentation_names_the_vectors_file():
    assert "verification-vectors.json" in PAGE


@pytest.mark.parametrize("received", ROWS)
def test_rule_of_the_page_is_what_awning_does(received):
    assert write_query(read_query(received.encode())).decode() == ROWS[received]


def test_page_has_a_rule_for_each_authentic_vector():
    without_rule = {
        name
        for name, vector in VECTORS.items()
        if vector["authentic"] and ROWS.get(vector["query"].rpartition("&hash=")[0]) != vector["signed"]
    }
    assert without_rule == IN_SENTENCES
