"""`awning check` and budgets: it builds nothing, and knows what the last build weighed."""

import pytest


@pytest.fixture
def heavy(shop):
    shop.add_widget(widget_toml='title = "Note"\nslot = "after-price"\nbudget = 100\n')
    return shop


def budgets(result):
    return [
        (one["severity"], one["path"], one["line"]) for one in result.findings if one["rule"] == "size-budget"
    ]


def test_nothing_is_said_before_the_first_build(heavy, check):
    result = check(cwd=heavy.root)
    assert (budgets(result), result.code) == ([], 0)


def test_what_is_built_and_too_heavy_is_an_error(heavy, check):
    check(cwd=heavy.root)
    heavy.build()
    result = check(cwd=heavy.root)
    assert (budgets(result), result.code) == ([("error", "widgets/note/widget.toml", 3)], 1)


def test_after_a_change_it_is_a_note(heavy, check):
    heavy.build()
    heavy.add_file("widgets/note/view.html.j2", '<p>{{ t("hello") }}</p>\n')
    result = check(cwd=heavy.root)
    assert (budgets(result), result.code) == ([("note", "widgets/note/widget.toml", 3)], 0)


def test_a_raised_budget_needs_no_build(heavy, check):
    heavy.build()
    heavy.add_file("widgets/note/widget.toml", 'title = "Note"\nslot = "after-price"\nbudget = 9000\n')
    assert budgets(check(cwd=heavy.root)) == []
