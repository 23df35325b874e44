"""Joins of branches: allowed differences at their ends, and the messages about others."""

import pytest

from awning.template.html.html_context import START, HtmlContext, HtmlRefusal, finish, join
from awning.template.html.tokenizer import advance
from awning.template.html.values import output


def read(template: str, context: HtmlContext = START) -> HtmlContext:
    """The context after a text with § for values."""
    for number, piece in enumerate(template.split("§")):
        if number:
            context, _hole = output(context)
        context, _emitted = advance(context, piece)
    return context


def joined(before: str, arms: list[str], after: str) -> str | None:
    """Read a text, branches after it, and a text after their join. Returns the rule that refuses them, or None."""
    try:
        start = read(before)
        ends = [read(arm, start) for arm in arms]
        context = ends[0]
        for end in ends[1:]:
            context = join(context, end)
        finish(read(after, context))
    except HtmlRefusal as fault:
        return fault.rule
    return None


ACCEPTED = [
    ("<p>", ["a", "<b>c</b>"], "</p>"),
    ("<option", [" selected", ""], ">§"),
    ("<option ", ["selected", ""], ">§"),
    ("<option ", ["selected", "disabled", ""], " value=§>"),
    ("<option ", ["selected", "disabled"], "/>"),
    ("<p ", ["hidden\n", ""], "title='§'>"),
    ("<p", [" class='a'", ""], " title='§'>"),
    ("<p ", ["class='a'", ""], "title='§'>"),
    ("<p class=", ["a", "b", "§"], ">"),
    ("<p class='", ["a", "§", ""], " c'>"),
    ("<p ", ["data-a='§'", "id=§ "], ">"),
    ("<br", ["/", ""], ">"),
    ("<a href='", ["/a", "/b"], "/§?§#§'>"),
    ("<a href='", ["/a", "?b=1"], "§'>"),
    ("<a href='", ["http", "https"], "'>"),
    ("<a href='", ["https://a.example", ""], "/x/§'>"),
    ("<a href='", ["§", "/a/§"], "?x=§'>"),
    ("<a href='/x", ["?a=§", ""], "'>"),
    ("<img srcset='", ["/a 1x,", ""], " /b/§ 2x'>"),
    ("<p style='", ["color:red", ""], "'>"),
    ("<p style='", ["color:red", ""], ";width:§px'>"),
    ("<p style='color:", ["red", "blue", "§"], ";width:§'>"),
    ("<p style='margin-", ["left", "right"], ":§px'>"),
    ("<style>", ["a{b:c}", ""], "d{e:§}</style>"),
    ("<textarea>", ["a", "§"], "</textarea>"),
    ("<!-- ", ["a", ""], " -->"),
    ("<img src='", ["data:image/png;base64,§", "/x/§"], "'>"),
]

REFUSED = [
    ("", ["<p>", "<p"], ">", "template-branch-mismatch"),
    ("<", ["b", "i"], ">", "template-branch-mismatch"),
    ("<h", ["1", "2"], ">", "template-branch-mismatch"),
    ("<p ", ["a='", ""], ">", "template-branch-mismatch"),
    ("<p class=", ["a", ""], ">", "template-branch-mismatch"),
    ("<p class=", ["§", ""], ">", "template-branch-mismatch"),
    ("<p ", ["class=a", ""], ">", "template-branch-mismatch"),
    ("<p title=", ["'a", '"a'], "", "template-branch-mismatch"),
    ("<p ", ["title='", "id='"], "§'>", "template-branch-mismatch"),
    ("<option ", ["selected", ""], "=x>", "template-branch-mismatch"),
    ("<option ", ["selected", "disabled"], "=x>", "template-branch-mismatch"),
    ("<option ", ["selected", ""], " =x>", "template-malformed-markup"),
    ("<option", [" selected", ""], "s>", "template-branch-mismatch"),
    ("<a ", ["href", "title"], "='§'>", "template-branch-mismatch"),
    ("<a href='", ["java", "x"], "script:§'>", "template-url-value"),
    ("<a href='java", ["&#115;", "&#115"], "cript:§'>", "template-branch-mismatch"),
    ("<img src='data:image/", ["png", "svg+xml"], ",§'>", "template-branch-mismatch"),
    ("<p style='", ["color:red", ""], ":§'>", "template-style-value"),
    ("<p style='", ["a:'", "a:"], "", "template-branch-mismatch"),
    ('<p style="a:', ["'x", "y"], "'\">", "template-branch-mismatch"),
    ("<p style='a:", ["url(", "b("], "§)'>", "template-branch-mismatch"),
    ("<p style='", ["behavior", "width"], ":§'>", "template-style-value"),
    ("", ["<textarea>", ""], "", "template-branch-mismatch"),
    ("", ["<svg>", ""], "", "template-branch-mismatch"),
    ("<svg><path", ["/", ""], "></svg>", "template-branch-mismatch"),
    ("", ["<select>", ""], "", "template-branch-mismatch"),
    ("<!--", ["a", ""], "-->", "template-branch-mismatch"),
    ("<img src='data:image/svg+xml,", ["a", "b"], "§'>", "template-url-value"),
    ("", ["<!--", ""], "-->", "template-branch-mismatch"),
    ("<textarea>", ["<", ""], "</textarea>", "template-branch-mismatch"),
]  # fmt: skip


@pytest.mark.parametrize(("before", "arms", "after"), ACCEPTED)
def test_compatible_branches_are_joined(before: str, arms: list[str], after: str) -> None:
    assert joined(before, arms, after) is None
    assert joined(before, arms[::-1], after) is None


@pytest.mark.parametrize(("before", "arms", "after", "rule"), REFUSED)
def test_incompatible_branches_are_refused(before: str, arms: list[str], after: str, rule: str) -> None:
    assert joined(before, arms, after) == rule
    assert joined(before, arms[::-1], after) == rule


def test_message_about_branches_names_both_ends() -> None:
    with pytest.raises(HtmlRefusal) as caught:
        join(read("<p title='a"), read("<p title='a'>"))
    assert caught.value.message == (
        "one branch ends inside the single-quoted value of title of <p>, the other in text"
    )


def test_an_unquoted_value_gets_the_hint_to_quote() -> None:
    with pytest.raises(HtmlRefusal) as caught:
        join(read("<p class="), read("<p class=§"))
    assert "quote the attribute" in caught.value.hint


def test_loop_body_is_read_until_its_context_is_stable() -> None:
    start = read("<a href='")
    again = join(start, read("/§", start))
    assert join(again, read("/§", again)) == again
    assert output(again)[1].escaper == "escapeUrlRest"


def test_join_is_commutative_and_idempotent() -> None:
    ends = [read(text) for text in ("<a href='/x", "<a href='?y", "<a href='§", "<a href='", "<a href='z")]
    for a in ends:
        assert join(a, a) == a
        for b in ends:
            assert join(a, b) == join(b, a)
