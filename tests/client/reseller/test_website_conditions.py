"""`--where` conditions: their results, and errors for any other text."""

from datetime import UTC, datetime, timedelta, timezone
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.client.reseller.selection import (
    FIELD_VALUES,
    WEBSITE_FIELDS,
    WebsiteSelection,
    compile_condition,
)
from awning.errors import ConfigurationError

ROW = {
    **dict.fromkeys(WEBSITE_FIELDS),
    "id": 7, "brandname": "Rīgas Shop", "plan": "premium", "premium": True, "enabled": True, "status": 1,
    "ai_limit": 1000, "ai_spent": 900, "ai_extra": 0, "created": datetime(2026, 3, 10, 12, tzinfo=UTC),
    "url": "https://shop.example", "owner_country": "LV",
}  # fmt: skip


def holds(text, zone=UTC):
    return compile_condition(text, WEBSITE_FIELDS, zone, FIELD_VALUES)(ROW)


@pytest.mark.parametrize(
    "text",
    [
        "premium",
        "premium and ai_spent > 0.8 * ai_limit",
        "not premium or id == 7",
        "not (premium and enabled and ai_extra)",
        "plan in ('premium', 'premiumpro')",
        'plan not in ["free"]',
        "'rīgas' in brandname",
        "'nope' not in brandname",
        "100 <= ai_spent < 1000",
        "ai_limit - ai_spent == 100",
        "-ai_limit < 0",
        "ai_limit / 3 > 333 and ai_limit % 3 == 1",
        "created >= '2026-03-10' and created < '2026-03-10T12:00:01'",
        "accessed == null and accessed is None",
        "created != null",
        "enabled == true",
        "   premium  ",
        "ai_extra_until < '2026-01-01' or premium",
        "not (accessed < '2030-01-01')",
        "not (accessed >= '1990-01-01')",
        "not (ai_limit / ai_extra > 0)",
        "true",
        "premium and true",
        "url == 'https://shop.example'",
        "created in ('2026-01-01', '2026-03-10T12:00')",
        "created not in ('2026-01-01', '2026-03-10')",
        "accessed in ('2026-01-01', null) and ai_limit in (5, 1000.0)",
    ],
)
def test_condition_is_true(text):
    assert holds(text) is True


@pytest.mark.parametrize(
    "text", ["not premium", "ai_spent > ai_limit", "plan == 'free'", "accessed > '2020-01-01'", "ai_extra"]
)
def test_condition_is_false(text):
    assert holds(text) is False


def test_date_without_offset_is_in_the_time_zone_of_the_service():
    east = timezone(timedelta(hours=2))
    assert holds("created == '2026-03-10 14:00:00'", east)
    assert holds("created == '2026-03-10T12:00:00Z'", east)


@pytest.mark.parametrize(
    ("text", "what", "column"),
    [
        ("premum", 'no field "premum"', 0),
        ("premium and ai_spend > 1", 'no field "ai_spend"', 12),
        ("premium and", "not complete", 11),
        ("'ü' in url and", "not complete", 14),
        ("id == 5 or (id == 6", "not a condition", 11),
        ("", "the condition is empty", None),
        ("id = 7", "not a condition", None),
        ("id; id", "not a condition", None),
        ("__import__('os')", "not part of a condition", 0),
        ("id.real", "not part of a condition", 0),
        ("().__class__", "not part of a condition", 0),
        ("brandname[0]", "not part of a condition", 0),
        ("2 ** 99", "only + - * / %", 0),
        ("1 << 9", "only + - * / %", 0),
        ("[i for i in brandname]", "not part of a condition", 0),
        ("lambda: 1", "not part of a condition", 0),
        ("f'{id}'", "not part of a condition", 0),
        ("id if id else id", "not part of a condition", 0),
        ("(id := 3)", "not part of a condition", 1),
        ("{1: 2}", "not part of a condition", 0),
        ("b'x' == id", "not part of a condition", 0),
        ("1j == id", "not part of a condition", 0),
        ("~id", "not part of a condition", 0),
        ("premium and brandname * 9999999999", "needs numbers", 12),
        ("'a' + 'b' == brandname", "needs numbers", 0),
        ("brandname < 5", "cannot be compared", 0),
        ("brandname == 5", "cannot be compared", 0),
        ("status != '4'", "cannot be compared", 0),
        ("premium == 'true'", "cannot be compared", 0),
        ("id in ('7', '8')", "cannot be compared", 0),
        ("plan == ['free']", "before a list comes", 0),
        ("brandname < (5, 6)", "before a list comes", 0),
        ("created in ('soon', '2026-01-01')", '"soon" is not a date', 0),
        ("plan == 'free' or 'premium'", "compared with nothing", 18),
        ("not ('free', 'premium')", "compared with nothing", 4),
        ("'premium'", "compared with nothing", 0),
        ("plan == 'free' or 1", "compared with nothing", 18),
        ("plan == 'free' or not 0", "compared with nothing", 22),
        ("-1", "compared with nothing", 0),
        ("premium or 1 < 2", "compared with nothing", 11),
        ("'a' == 'a'", "compared with nothing", 0),
        ("created < 5", "compared with a text", 0),
        ("created < 'soon'", '"soon" is not a date', 0),
        ("id in 7", "after `in`", 0),
        ("'ü' in url and nix", 'no field "nix"', 15),
        ("-" * 1999 + "1", "too deeply", None),
        ("x" * 2001, "longer than", None),
        ("id == 1\0", "", None),
        ("  ", "the condition is empty", None),
        ("plan == 'premum'", 'no "premum"', 8),
        ("'gold' != plan", 'no "gold"', 0),
        ("plan in ('free', 'premum')", 'no "premum"', 17),
    ],
)  # fmt: skip
def test_invalid_condition_is_reported_at_its_column(text, what, column):
    with pytest.raises(ConfigurationError) as raised:
        holds(text)
    assert what in raised.value.message
    if column is not None:
        assert raised.value.message.splitlines()[2].index("^") == column + 2


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("'üü' in url and &&", "'üü' in url and &&", 16),
        ("(premium and\n 'ü' == && )", " 'ü' == && )", 8),
        ("('üü' in url and\r\n'ü' == nix)", "'ü' == nix)", 7),
        ("(premium and\n id) and", " id) and", 8),
    ],
)
def test_invalid_condition_is_marked_in_its_line_and_under_its_character(text, line, column):
    with pytest.raises(ConfigurationError) as raised:
        holds(text)
    assert raised.value.message.splitlines()[1:] == [f"  {line}", f"  {' ' * column}^"]


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("premum", 'did you mean "premium"?'),
        ("brandname == Shop", 'a text is written in quotes: "Shop"'),
        ("plan == 'premum'", 'did you mean "premium"?'),
        ("premium & enabled", "joined by `and`"),
        ("premium && enabled", "joined by `and`"),
        ("premium || enabled", "joined by `and` and `or`"),
        ("!premium", "`not`"),
        ("id <> 3", "`!=`"),
        ("id = 3", "`==` compares"),
        ("created < 2026-01-01", 'in quotes: "2026-01-31"'),
        ("ai_spent > 80%", "0.8 * ai_limit"),
        ("", "leave out --where"),
        ("premium and", "such as premium and"),
        ("premium premium", "such as premium and"),
        ("(premium", "never closed"),
        ("premium)", "no parenthesis is open"),
        ("brandname == 'Shop", "no quote at its end"),
        ("__import__('os')", "such as premium and"),
        ("ai_spent > 'x'", "a number is not"),
        ("brandname + 1 > 2", "such as ai_spent + ai_extra"),
        ("ai_spent ** 2", "such as 0.8 * ai_limit"),
        ("created > 5", 'such as "2026-01-31"'),
        ("id in 5", 'such as plan in ("free", "premium")'),
    ],
)
def test_misspelling_gets_a_suggestion(text, hint):
    with pytest.raises(ConfigurationError) as raised:
        holds(text)
    assert hint in raised.value.hint


@pytest.mark.parametrize(
    "text", ["'prem' in plan", "plan not in ('free', 'premiumpro')", "'premium' == plan"]
)
def test_texts_that_a_plan_can_have_are_accepted(text):
    assert holds(text) is True


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("new == 5", [5]),
        ("new == 'premium'", ["premium"]),
        ("new in ('premium', 5)", [5, "premium"]),
        ("new > 3", [5]),
        ("new > 'a'", ["premium"]),
        ("new != 5", [None, "premium", {"a": 1}, True]),
    ],
)
def test_values_of_another_type_are_unequal_where_a_field_has_several(text, values):
    holds = compile_condition(text, ["new"], mixed=frozenset({"new"}))
    assert [new for new in (None, 5, "premium", {"a": 1}, True) if holds({"new": new})] == values


def test_settings_are_neither_less_nor_greater_than_others():
    holds = compile_condition("new > old", ["new", "old"], mixed=frozenset({"new", "old"}))
    assert [holds({"new": new, "old": {"a": 1}}) for new in ({"a": 2}, 5, None)] == [False] * 3


@pytest.mark.parametrize(
    ("sort", "values"),
    [("owner_name", ["", "", "Anna", "Zoe"]), ("-owner_name", ["Zoe", "Anna", "", ""]),
     ("ai_extra_until", [None, None, 3, 7]), ("-ai_extra_until", [7, 3, None, None])],
)  # fmt: skip
def test_empty_values_are_the_smallest(sort, values):
    name = sort.removeprefix("-")
    websites = [SimpleNamespace(**{**ROW, name: value}) for value in (values[2], *values[:2], values[3])]
    assert [
        getattr(website, name) for website in WebsiteSelection(None, sort, UTC).select(websites)
    ] == values


WORDS = st.sampled_from(
    [*WEBSITE_FIELDS, "and", "or", "not", "in", "is", "(", ")", "[", "]", ",", "<", ">=", "==", "!=", "+", "-", "*",
    "/", "%", "**", ".", "'a'", '"2026-01-01"', "1", "0", "0.5", "null", "lambda", ":", "=", "\n", "\\", "#", "if",
    "else"] )  # fmt: skip


@settings(max_examples=volume("where-soup"), deadline=None)
@given(st.one_of(st.lists(WORDS, max_size=14).map(" ".join), st.text(max_size=30)))
def test_any_condition_text_selects_or_is_refused(text):
    try:
        message = None if holds(text) in {True, False} else "neither"
    except ConfigurationError as error:
        message = error.message
    assert message is None or message.startswith("--where")
