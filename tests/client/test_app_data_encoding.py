"""Encoded app data survives every way in which the service inserts it, and never breaks out of the HTML."""

import html
import json

import pytest
from bs4 import BeautifulSoup
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.client import Secret, apps, decode_app_data, encode_app_data
from awning.errors import ConfigurationError

HOSTILE = st.sampled_from(
    [
        "</script>",
        "<!--",
        "{{svc_language}}",
        "{{svc_app_data}}",
        "&quot;",
        "'\"\\",
        "\u2028",
        "]]>",
        "\x7f",
        "\\u003c",
    ]
)
TEXT = st.one_of(HOSTILE, st.text(st.characters(exclude_categories=["Cs"])), st.lists(HOSTILE).map("".join))
SCALAR = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    TEXT,
)
INNER = st.recursive(
    SCALAR, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3), max_leaves=4
)
DATA = st.dictionaries(TEXT, INNER, max_size=3)


def substituted(data: str) -> str:
    """A page of the service that replaces the language placeholder last, which is the worst order."""
    snippet = '<i></i><script type="application/json">{{svc_app_data}}</script><b id="after"></b>'
    return snippet.replace("{{svc_app_data}}", data).replace("{{svc_language}}", "lv")


def inserted(page: str) -> str:
    tree = BeautifulSoup(page, "html.parser")
    assert [tag.name for tag in tree.find_all(True)] == ["i", "script", "b"]
    return tree.script.string


@settings(max_examples=volume("app-data"))
@given(DATA)
def test_encoded_data_is_read_back_under_every_insertion(data):
    encoded = encode_app_data(data)
    assert json.loads(inserted(substituted(encoded))) == data
    assert json.loads(json.loads(inserted(substituted(json.dumps(encoded))))) == data
    assert json.loads(html.unescape(inserted(substituted(html.escape(encoded))))) == data
    assert decode_app_data(encoded) == data


@settings(max_examples=volume("app-data"))
@given(DATA)
def test_encoded_data_has_no_special_characters(data):
    encoded = encode_app_data(data)
    assert encoded.isascii()
    assert encoded.isprintable()
    assert not set("<>&'") & set(encoded)
    assert "{{" not in encoded


def test_encoding_does_not_depend_on_the_order_of_keys():
    assert encode_app_data({"b": 1, "a": 2}) == encode_app_data({"a": 2, "b": 1}) == '{"a":2,"b":1}'


@pytest.mark.parametrize("stored", [None, "", [], {}, "[]", " [ ]\n", "null", '""', "{}"])
def test_empty_app_data_decodes_to_an_empty_object(stored):
    assert decode_app_data(stored) == {}


@pytest.mark.parametrize(
    ("stored", "read"), [("not JSON", "not JSON"), ({"a": 1}, {"a": 1}), ("3", 3), ([1], [1])]
)
def test_foreign_app_data_is_decoded_when_possible(stored, read):
    assert decode_app_data(stored) == read


NO_JSON_FORM = [float("nan"), {"a": float("inf")}, {1j: 2}, {"a": object()}]


@pytest.mark.parametrize("data", [*NO_JSON_FORM, "\ud800"])
def test_data_without_a_json_form_is_refused(data):
    with pytest.raises(ConfigurationError, match="this app data has no JSON form: "):
        encode_app_data(data)


def sent(data):
    return json.loads(apps.set_data(Secret("code"), data).body)["data"]


@settings(max_examples=volume("app-data"))
@given(DATA)
def test_object_is_sent_encoded(data):
    assert sent(data) == encode_app_data(data)


def test_list_is_sent_encoded():
    assert sent(["</script>"]) == r'["\u003c/script\u003e"]'


@pytest.mark.parametrize("text", ["", "not JSON", encode_app_data({"a": "</script>"})])
def test_string_is_sent_as_it_is(text):
    assert sent(text) == text


@pytest.mark.parametrize("data", NO_JSON_FORM)
def test_call_with_data_without_a_json_form_is_not_made(data):
    with pytest.raises(ConfigurationError, match="this app data has no JSON form: "):
        apps.set_data(Secret("code"), data)
