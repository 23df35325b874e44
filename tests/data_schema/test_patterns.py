"""Patterns are JavaScript's, and no match takes longer than its limit."""

import sys
from threading import Thread

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.data_schema import patterns as engine
from awning.data_schema.limits import text_problem
from awning.data_schema.misfits import misfits
from awning.data_schema.patterns import LIMIT_S, WHOLE_S, Match, Patterns, pattern_fault, slow_text
from awning.data_schema.schema_reader import read_schema
from awning.data_schema.words import sentence_for


@pytest.mark.parametrize(
    ("pattern", "text", "result"),
    [
        ("^a+$", "aa", Match.YES),
        ("^a+$", "ab", Match.NO),
        ("b", "abc", Match.YES),
        ("^(?!foo)[a-z]+$", "foobar", Match.NO),
        ("(?<=a)b", "ab", Match.YES),
        ("^a{2,1001}$", "a" * 1001, Match.YES),
        ("^(?<n>a)\\k<n>$", "aa", Match.YES),
        ("^\\p{Lu}", "Ābols", Match.YES),
        ("^.$", "😀", Match.YES),
        ("^.$", "\ud83d", Match.YES),
        ("^a.b$", "a\0b", Match.YES),
        ("^a$", "a\n", Match.NO),
        ("^\\d$", "\u0661", Match.NO),
        ("", "", Match.YES),
        ("(", "a", Match.UNKNOWN),
        ("\\Z", "Z", Match.UNKNOWN),
        ("^(a+)+$", "a" * 30 + "!", Match.SLOW),
        ("^(a|aa)+$", "a" * 2000 + "!", Match.SLOW),
    ],
)
def test_pattern_is_matched_as_javascript_does(pattern, text, result):
    assert Patterns().match(pattern, text) is result


def test_engine_works_after_a_match_ran_out():
    patterns = Patterns()
    assert patterns.match("^(a+)+$", "a" * 40 + "!") is Match.SLOW
    assert patterns.match("^(a+)+$", "aaa") is Match.YES


def test_threads_share_the_engine():
    results = []

    def run():
        patterns = Patterns()
        results.extend(patterns.match("^[a-z]+$", "abc") for _ in range(50))
        results.append(patterns.match("^(a+)+$", "a" * 40 + "!"))

    threads = [Thread(target=run) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (results.count(Match.YES), results.count(Match.SLOW)) == (300, 6)


def test_all_matches_of_one_check_have_a_limit_together():
    part, _ = read_schema({"properties": {"x": {"items": {"type": "string", "pattern": "^(a+)+$"}}}})
    found = list(misfits({"x": ["a" * 40 + "!"] * 500}, part))
    assert {misfit.problem.code for misfit in found} == {"slow"}
    assert len(found) <= WHOLE_S / LIMIT_S + 1
    assert "takes too long" in sentence_for(found[0])


def test_many_ordinary_texts_are_all_compared():
    part, _ = read_schema({"properties": {"x": {"items": {"type": "string", "pattern": "^[a-z]+$"}}}})
    texts = ["abc"] * 20_000
    assert list(misfits({"x": texts}, part)) == []
    assert [misfit.path for misfit in misfits({"x": [*texts, "1"]}, part)] == [("x", 20_000)]


SLOW = (
    "^(a+)+$",
    "^(\\w+\\s?)+$",
    "(x+x+)+y",
    "^(([a-z])+.)+[A-Z]([a-z])+$",
    "(?:\\D+|<\\d+>)*[!?]",
    "^(?:a|b|ab)+$",
    "(\\w|\\d)+z",
    "^https?://(\\w+\\.?)+/x$",
    "^(?=(a+)+$)",
    "^((a{1,50}){1,50}){1,50}$",
    "^(?<n>b|(c+)+)$",
    "^(?:\\p{L}+\\p{L}*)+$",
    "^(\\u0061+)+$",
    "(?i:(a+)+)B$",
    "^[A-Z]{3}-(\\d+)*$",
    "^(?:\\[[^\\]]*\\]*)*$",
    "^(\\d+|\\d+,)*;$",
)
FAST = (
    "^[a-z]+$",
    "^\\d{2,1001}$",
    "^#[0-9a-f]{6}$",
    "^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$",
    "^(?!foo)[a-z-]{2,30}$",
    "^\\+?\\d[\\d \\-]{5,20}$",
    "^https?://[^\\s/]+(/[^\\s]*)?$",
    "^[A-Z]{2}\\d{2}(?: ?[A-Z0-9]{4}){2,7}$",
    "\\s+$",
    "^.*,.*,.*$",
    "^([a-z0-9]+(-[a-z0-9]+)*)?$",
    "^(foo|bar)(,(foo|bar))*$",
    "^(?:\\d{1,3}\\.){3}\\d{1,3}$",
    "[\\]]+(",
)


@pytest.mark.parametrize("pattern", SLOW)
def test_near_miss_shows_that_a_pattern_takes_too_long(pattern):
    assert pattern_fault(pattern) is None
    text = slow_text(pattern, None)
    assert Patterns().match(pattern, text) is Match.SLOW


@pytest.mark.parametrize("pattern", FAST)
def test_ordinary_pattern_is_not_refused(pattern):
    assert slow_text(pattern, None) is None


def test_longest_text_decides_whether_a_pattern_takes_too_long():
    assert slow_text("^(a+)+$", 10) is None
    assert len(slow_text("^(a+)+$", 60)) <= 60


PIECES = st.sampled_from(
    [
        *"ab().|*+?^$-[]{},:<>=!\\",
        "\\d",
        "\\w",
        "(?:",
        "(?=",
        "(?<!",
        "(?<n>",
        "\\p{L}",
        "[a-z]",
        "[^,]",
        "{2,3}",
        "\\u{61}",
        "\\k<n>",
        "\\x41",
        "é",
    ]
)


@settings(max_examples=volume("schema-patterns"))
@given(st.lists(PIECES, max_size=14).map("".join))
def test_text_that_the_search_finds_runs_out(pattern):
    text = slow_text(pattern, None) if pattern_fault(pattern) is None else None
    assert text is None or Patterns().match(pattern, text) is Match.SLOW


@pytest.mark.parametrize(
    "pattern", ["(?:" * 3000 + "a" + ")*" * 3000, "a" * 100_000, "[" + "a-z" * 9000 + "]+$"]
)
def test_search_ends_for_a_large_pattern(pattern):
    read_schema({"properties": {"x": {"type": "string", "pattern": pattern}}})


def test_machine_without_an_engine_refuses_no_text_and_says_so_once(monkeypatch):
    monkeypatch.setitem(sys.modules, "quickjs", None)
    engine._engine.cache_clear()
    pattern_fault.cache_clear()
    try:
        slow = {"type": "string", "pattern": "^(a+)+$"}
        part, problems = read_schema({"properties": {"x": slow, "y": slow}})
        assert [(problem.where, problem.warning) for problem in problems] == [
            (("properties", "x", "pattern"), True)
        ]
        assert "not checked on this machine" in problems[0].message
        assert list(misfits({"x": "a" * 40 + "!"}, part)) == []
    finally:
        engine._engine.cache_clear()
        pattern_fault.cache_clear()


def test_text_may_be_checked_on_its_own():
    assert text_problem("b", {"pattern": "^a$"}, Patterns()).code == "pattern"
