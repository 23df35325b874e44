"""Changes of values, and taking a change back beside what others wrote since."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.data_schema import ABSENT, are_same, take_back, value_at, value_changes

NAMES = st.sampled_from(["a", "b", "c"])
VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 1.0, "", "x"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=6,
)
DATA = st.dictionaries(NAMES, VALUES, max_size=3)
EACH = settings(max_examples=volume("app-data"), deadline=None)


def same(one, other):
    return are_same(one, other)


@EACH
@given(DATA, DATA)
def test_data_without_changes_are_the_same(old, new):
    assert same(old, new) is (not list(value_changes(old, new)))


@EACH
@given(DATA, DATA)
def test_change_is_taken_back_whole(before, written):
    back = take_back(written, [(before, written)])
    assert same(back.wanted, before)
    assert back.changed_since == ()


@EACH
@given(DATA, DATA, DATA)
def test_two_changes_are_taken_back_whether_the_last_was_written_or_not(before, first, second):
    for current in (second, first):
        back = take_back(current, [(before, first), (first, second)])
        assert back.changed_since == ()
        assert same(back.wanted, before)


@EACH
@given(DATA, DATA, DATA, VALUES)
def test_what_others_change_between_two_writes_stays(before, first, second, value):
    between = {**first, "other": value}
    written = {**second, "other": value}
    back = take_back(written, [(before, first), (between, written)])
    assert back.changed_since == ()
    assert same(back.wanted, {**before, "other": value})


@EACH
@given(DATA, DATA, VALUES)
def test_other_settings_stay(before, written, value):
    back = take_back({**written, "other": value}, [(before, written)])
    assert back.changed_since == ()
    assert same(back.wanted, {**before, "other": value})


@EACH
@given(DATA, DATA, DATA)
def test_each_setting_that_was_changed_and_is_another_one_now_is_named(before, written, current):
    back = take_back(current, [(before, written)])
    for change in value_changes(before, written):
        now = value_at(current, change.path)
        is_known = same(now, change.old) or same(now, change.new)
        assert (change.path in back.changed_since) is not is_known


@EACH
@given(DATA, DATA, DATA)
def test_taking_back_does_not_change_its_arguments(before, written, current):
    texts = [json.dumps(data) for data in (before, written, current)]
    take_back(current, [(before, written)])
    assert [json.dumps(data) for data in (before, written, current)] == texts


@pytest.mark.parametrize(
    ("old", "new", "changes"),
    [
        ({"w": {"a": 1}}, {"w": {"a": 1.0}}, []),
        ({"w": {"a": 1}}, {"w": {"a": True}}, [(("w", "a"), 1, True)]),
        ({}, {"w": {"a": 1}}, [(("w", "a"), ABSENT, 1)]),
        ({"w": {"a": {"b": 1}}}, {}, [(("w", "a", "b"), 1, ABSENT)]),
        ({}, {"w": {}}, [(("w",), ABSENT, {})]),
        ({"w": [1]}, {"w": [1, 2]}, [(("w",), [1], [1, 2])]),
        ({"_awning": {"disabled": ["w"]}}, {}, []),
        ("a text", {"w": 1}, [((), "a text", {"w": 1})]),
    ],
)
def test_changes_of_values(old, new, changes):
    assert [(change.path, change.old, change.new) for change in value_changes(old, new)] == changes


def test_reserved_key_stays_when_a_change_is_taken_back():
    back = take_back({"w": 2, "_awning": {"disabled": ["w"]}}, [({"w": 1}, {"w": 2})])
    assert back.wanted == {"w": 1, "_awning": {"disabled": ["w"]}}


@pytest.mark.parametrize(
    ("current", "changed"), [("new", ()), ("old", ()), ("other", ((),)), ({"w": 1}, ((),))]
)
def test_text_is_taken_back_whole(current, changed):
    back = take_back(current, [("old", "new")])
    assert (back.wanted, back.changed_since) == ("old", changed)


def test_reserved_key_comes_back_with_the_object_that_a_text_replaced():
    before = {"w": 1, "_awning": {"disabled": ["w"]}}
    assert take_back("a text", [(before, "a text")]).wanted == before
