"""What is said before an apply of a data schema that changed without a higher version."""

import pytest

from awning.publish.notices import SchemaChange

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


@pytest.mark.parametrize(
    ("path", "is_about"),
    [
        (("bar", "rows"), True),
        (("bar", "rows", 3, "title"), True),
        (("bar", "rowsize"), False),
        (("bar", "texts", "en"), True),
        (("bar", "texts"), False),
        (("bar",), False),
        ((), False),
    ],
)
def test_schema_change_is_about_a_setting_and_what_is_in_it(path, is_about):
    change = SchemaChange(instances=1, releases=(1,), settings=("bar.rows", "bar.texts.en"))
    assert change.is_about(path) is is_about
