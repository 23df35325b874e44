"""The reserved key of the app data: read in any shape, changed alone, kept by everything else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.data_schema import (
    disabled_widgets,
    keep_reserved,
    read_app_schema,
    stopped_widgets,
    with_disabled,
    without_reserved,
)
from awning.data_schema.misfits import app_misfits

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = st.sampled_from(["_awning", "disabled", "bar", "note"])
DATA = st.dictionaries(NAMES, JSON | st.fixed_dictionaries({"disabled": JSON}), max_size=4)
WIDGETS = st.sets(st.sampled_from(["bar", "note", "saving"]))

SHAPES = [
    ({"_awning": {"disabled": ["bar", "note"]}}, ("bar", "note")),
    ({"_awning": {"disabled": ["bar", 5, None, ["note"]]}}, ("bar",)),
    ({"_awning": {"disabled": "bar"}}, ()),
    ({"_awning": {"disabled": {"bar": 1}}}, ()),
    ({"_awning": {}}, ()),
    ({"_awning": ["bar"]}, ()),
    ({"_awning": None}, ()),
    ({}, ()),
    ([], ()),
    ("text", ()),
    (None, ()),
]


@pytest.mark.parametrize(("data", "widgets"), SHAPES)
def test_only_a_list_of_texts_disables(data, widgets):
    assert disabled_widgets(data) == widgets


@pytest.mark.parametrize(("data", "widgets"), SHAPES)
def test_widget_that_the_shop_has_switched_off_is_stopped_like_a_disabled_one(data, widgets):
    assert stopped_widgets(data) == widgets
    if isinstance(data, dict):
        parts = {"bar2": {"enabled": False}, "note2": {"enabled": 0}, "saving": {}, "text": False}
        assert stopped_widgets({**data, **parts}) == (*widgets, "bar2")


@given(DATA, WIDGETS)
def test_change_reads_back_and_changes_nothing_else(data, widgets):
    changed = with_disabled(data, widgets)
    assert disabled_widgets(changed) == tuple(sorted(widgets))
    assert without_reserved(changed) == without_reserved(data)


@given(DATA)
def test_enabling_every_widget_leaves_no_empty_key(data):
    assert with_disabled(with_disabled({"bar": {}}, ["bar"]), []) == {"bar": {}}
    assert with_disabled(data, []).get("_awning") not in ({}, {"disabled": []})


@given(DATA, DATA)
def test_new_data_get_the_reserved_key_that_is_stored(new, stored):
    merged = keep_reserved(new, stored)
    assert without_reserved(merged) == without_reserved(new)
    assert merged.get("_awning", "none") == stored.get("_awning", "none")


def test_reserved_key_fits_every_schema():
    schema = read_app_schema({"properties": {"bar": {"type": "object"}}})
    codes = [misfit.path for misfit in app_misfits({"_awning": 5, "bar": {}, "none": {}}, schema)]
    assert codes == [("none",)]
