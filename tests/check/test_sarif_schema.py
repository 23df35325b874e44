"""The SARIF output is valid by the JSON Schema of the standard.

`sarif-2.1.0-rtm.5.json.gz` is that schema, unchanged: that of the JSON Schema Store (Apache-2.0), from the npm package
`@microsoft/jest-sarif` 1.0.0-beta.0.
"""

import gzip
import json
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft4Validator, ValidationError

from awning.check.files import check_text
from awning.check.formats import FORMATS
from awning.contract import Dialect

SCHEMA = Path(__file__).with_name("sarif-2.1.0-rtm.5.json.gz")
CORPUS = Path(__file__).parent / "corpus"


@cache
def sarif() -> Draft4Validator:
    schema = json.loads(gzip.decompress(SCHEMA.read_bytes()))
    Draft4Validator.check_schema(schema)
    return Draft4Validator(schema, format_checker=Draft4Validator.FORMAT_CHECKER)


@cache
def found_in_the_corpus():
    """Return what is found in the first file of each rule."""
    first = {path.name.partition("--")[0]: path for path in sorted(CORPUS.iterdir(), reverse=True)}
    found = (check_text(path.name, path.read_text(encoding="utf-8"), Dialect()) for path in first.values())
    return [diagnostic for report in found for diagnostic in report.diagnostics]


def test_findings_of_each_rule_are_valid():
    diagnostics = found_in_the_corpus()
    assert len({diagnostic.rule for diagnostic in diagnostics}) > 8
    sarif().validate(json.loads(FORMATS["sarif"](diagnostics)))


def test_no_findings_are_valid():
    sarif().validate(json.loads(FORMATS["sarif"]([])))


def test_the_schema_refuses_a_wrong_document():
    document = json.loads(FORMATS["sarif"](found_in_the_corpus()[:1]))
    document["runs"][0]["results"][0]["level"] = "bad"
    with pytest.raises(ValidationError, match="'bad' is not one of"):
        sarif().validate(document)
