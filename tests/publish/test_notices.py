"""The sentences about a data schema that changed without a higher version."""

import pytest

from awning.publish.schema_change import SchemaChange

MANY = tuple(range(1, 601))


@pytest.mark.parametrize(
    ("releases", "words"),
    [
        ((7,), "since release 7, which 5,000 instances have"),
        ((7, 9), "since releases 7, 9, which 5,000 instances have"),
        (MANY, "since releases 1, 2, 3 and 597 more, which 5,000 instances have"),
    ],
)
def test_sentence_names_a_few_settings_and_releases(releases, words):
    change = SchemaChange(instances=5000, releases=releases, settings=tuple(f"bar.s{n}" for n in MANY))
    warning, _hint = change.sentences()
    assert warning.startswith("warning: the schema of bar.s1, bar.s2, bar.s3 and 597 more changed")
    assert words in warning
