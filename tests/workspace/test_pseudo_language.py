"""The pseudo-language: readable, longer and bracketed texts with the same arguments."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.contract import is_language_code
from awning.workspace.messages import arguments, pseudo_code, pseudo_message, pseudo_text, pseudo_workspace
from awning.workspace.reader import read_workspace


@pytest.mark.parametrize(
    ("text", "pseudo"),
    [("Arrives {date}", "⟦Ååŕŕîvéš {date}⟧"), ("{count}", "⟦{count}⟧"), ("", ""), (" ", " ")],
)
def test_text_is_accented_and_bracketed(text, pseudo):
    assert pseudo_text(text) == pseudo


def test_arguments_tags_and_references_are_unchanged():
    pseudo = pseudo_text('Only <b class="few">{count}</b> left &amp; going')
    assert re.findall(r"<.*?>|\{.*?\}|&.*?;", pseudo) == ['<b class="few">', "{count}", "</b>", "&amp;"]
    assert not re.search(r"Only|left|going", pseudo)


@given(st.text(alphabet=st.sampled_from("abcdefghij klmnopqrstuvwxyzABCāšžёя0123,.!"), min_size=12))
def test_pseudo_text_is_about_a_third_longer(text):
    pseudo = pseudo_text(text)
    if text.strip():
        assert 1.3 <= len(pseudo) / len(text) <= 1.4


@given(st.text(max_size=200))
def test_any_text_keeps_its_arguments_and_gains_no_markup(text):
    pseudo = pseudo_text(text)
    assert arguments(pseudo) == arguments(text)
    assert sorted(c for c in pseudo if c in "<>&\"'{}") == sorted(c for c in text if c in "<>&\"'{}")


def test_plural_forms_are_kept():
    assert pseudo_message({"one": "{count} day", "other": "{count} days"}) == {
        "one": "⟦{count} ðåý⟧",
        "other": "⟦{count} ðåýš⟧",
    }


@pytest.mark.parametrize(("language", "code"), [("en", "en-XA"), ("pt-BR", "pt-XA"), ("zh_Hant", "zh-XA")])
def test_code_of_the_pseudo_language_is_valid(language, code):
    assert pseudo_code(language) == code
    assert is_language_code(code)


def test_pseudo_workspace_has_only_the_pseudo_language(project):
    project.add_widget("note", messages_en_toml='hello = "Hello"\n')
    workspace = pseudo_workspace(read_workspace(project.root))
    assert workspace.languages == ("en-XA",)
    assert [(w.languages, w.messages) for w in workspace.widgets] == [
        (("en-XA",), {"en-XA": {"hello": "⟦Ĥéļļö⟧"}})
    ]
