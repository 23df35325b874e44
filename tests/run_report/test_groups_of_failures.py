"""Of the failures that have one cause, the first is shown in full, and each other one as a line."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from awning_harness.checks.outcomes import SITUATION
from awning_harness.run_report.failures import FailedTest
from awning_harness.run_report.groups import group_failures
from awning_harness.visit.pages.causes import (
    NEVER_ENDS,
    NOT_EMPTY,
    Cause,
    CauseKind,
    layout_cause,
    plain_error,
    plain_message,
    problem_cause,
)
from awning_harness.visit.pages.problems import PageProblem, ProblemKind, cause_of

THROWS = problem_cause(["note TypeError: x is undefined\n    at http://127.0.0.1:41/assets/a.js:1:7"])
THROWS_ELSEWHERE = problem_cause(["note TypeError: y is null"])
LEAK = PageProblem(ProblemKind.GLOBAL, "dataLayer (widgets/note/head.ts:2)")
LEAK_AS_RULE = PageProblem(ProblemKind.RULE, f"global-leaked (svc-content-after-price): {LEAK.text}")
NO_BLOCK = Cause(CauseKind.BLOCK, "no block")
AS_ITS_STATE = (
    "compare the line of `states.toml` that the failure shows with what the block shows; if the block shows "
    "what was right before a step, keep no value between two calls"
)

POLICY = "following Content Security Policy"
BY_LISTENER = "a listener in the widget's script instead of `onclick`, no `eval`"
KEPT_VALUE = "compute everything in each call of the render function; keep no value between two calls"


def failure(
    check: str,
    cause: Cause | None,
    *,
    state: str = "any",
    language: str | None = "en",
    errors: tuple[str, ...] = (),
    place: int = 0,
    widget: str = "note",
    why: str = "it fails",
) -> FailedTest:
    own = {"check": check, "widget": widget, "state": state, "language": language}
    return FailedTest(
        test=f"widgets/{widget}/widget.toml::{check}[{state}-{language}]",
        text=f'widgets/{widget}/states.toml:1: the state "{state}" ({language}): {why}',
        properties={name: value for name, value in own.items() if value},
        cause=cause,
        errors=frozenset(errors),
        place=place,
    )


def own_test(name: str, *, cause: Cause | None = None, errors: tuple[str, ...] = ()) -> FailedTest:
    return FailedTest(
        test=f"widgets/note/test_note.py::{name}", text="assert 1", cause=cause, errors=frozenset(errors)
    )


def names(failures: list[FailedTest]) -> list[list[list[str]]]:
    """Return for each group the names of its first test, of those with the same cause, and of those that may follow."""
    return [
        [[each.test.partition("::")[2] for each in part] for part in ([group.first], group.same, group.after)]
        for group in group_failures(failures)
    ]


GROUPS = {
    "an exception is one fault in every check, and the check of the plain page is first": (
        [
            failure("late-events", THROWS, place=1),
            failure("shows-its-state", THROWS, place=2),
            own_test("test_own", cause=THROWS),
        ],
        [[["shows-its-state[any-en]"], ["late-events[any-en]", "test_own"], []]],
    ),
    "the first of a check is the first that was collected": (
        [failure("shows-its-state", THROWS, state="b", place=2), failure("shows-its-state", THROWS, place=1)],
        [[["shows-its-state[any-en]"], ["shows-its-state[b-en]"], []]],
    ),
    "a leaked global is one fault in the check for it and in the others": (
        [
            failure("keeps-to-its-place", cause_of([LEAK])),
            failure("shows-its-state", cause_of([LEAK_AS_RULE, LEAK])),
            failure("keyboard", cause_of([LEAK])),
        ],
        [[["shows-its-state[any-en]"], ["keeps-to-its-place[any-en]", "keyboard[any-en]"], []]],
    ),
    "two exceptions are two faults": (
        [failure("shows-its-state", THROWS), failure("shows-its-state", THROWS_ELSEWHERE, state="b")],
        [[["shows-its-state[any-en]"], [], []], [["shows-its-state[b-en]"], [], []]],
    ),
    "a page that has the exception may fail otherwise because of it": (
        [
            failure("shows-its-state", THROWS, state="b"),
            failure("focus", Cause(CauseKind.OTHER, "lost"), errors=(THROWS.text,)),
            own_test("test_own", errors=(THROWS.text,)),
        ],
        [[["shows-its-state[b-en]"], [], ["focus[any-en]", "test_own"]]],
    ),
    "a state without its block fails in other checks because of that": (
        [
            failure("shows-its-state", NO_BLOCK),
            failure("focus", Cause(CauseKind.OTHER, "lost")),
            failure("keyboard", Cause(CauseKind.OTHER, "Tab"), language=None),
        ],
        [[["shows-its-state[any-en]"], [], ["keyboard[any-None]", "focus[any-en]"]]],
    ),
    "a block that must be empty is one defect of the plain page and of the page in every shop": (
        [failure("shows-its-state", NOT_EMPTY), failure("every-shop", NOT_EMPTY, state="b")],
        [[["shows-its-state[any-en]"], ["every-shop[b-en]"], []]],
    ),
    "other states and languages fail for their own reasons": (
        [
            failure("shows-its-state", NO_BLOCK, language="lv"),
            failure("focus", Cause(CauseKind.OTHER, "lost")),
            failure("focus", Cause(CauseKind.OTHER, "typed"), state="b", language="lv"),
        ],
        [
            [["shows-its-state[any-lv]"], [], []],
            [["focus[any-en]"], [], []],
            [["focus[b-lv]"], [], []],
        ],
    ),
    "a text that is missing explains nothing": (
        [
            failure("shows-its-state", Cause(CauseKind.OTHER, "does not show …")),
            failure("is-accessible", Cause(CauseKind.OTHER, "color-contrast")),
        ],
        [[["shows-its-state[any-en]"], [], []], [["is-accessible[any-en]"], [], []]],
    ),
    "two checks with the same message have two faults": (
        [failure("focus", Cause(CauseKind.OTHER, "lost")), failure("growth", Cause(CauseKind.OTHER, "lost"))],
        [[["focus[any-en]"], [], []], [["growth[any-en]"], [], []]],
    ),
    "an element that is too wide is one fault in every check, and explains nothing else": (
        [
            failure("every-shop", layout_cause("div.row")),
            failure("odd-payloads", layout_cause("p.offer")),
            failure("is-as-wide-as-its-place-on-a-phone", layout_cause("div.row")),
            failure("focus", Cause(CauseKind.OTHER, "lost")),
        ],
        [
            [["is-as-wide-as-its-place-on-a-phone[any-en]"], ["every-shop[any-en]"], []],
            [["focus[any-en]"], [], []],
            [["odd-payloads[any-en]"], [], []],
        ],
    ),
    "a raw value is one fault on the plain page and in every shop": (
        [
            failure("every-shop", Cause(CauseKind.VALUE, "NaN")),
            failure("odd-payloads", Cause(CauseKind.OTHER, "with nulls the block shows a raw value: …")),
            failure("raw-values", Cause(CauseKind.VALUE, "NaN"), state="b"),
            failure("shows-its-state", Cause(CauseKind.OTHER, "does not show …")),
        ],
        [
            [["shows-its-state[any-en]"], [], []],
            [["raw-values[b-en]"], ["every-shop[any-en]"], []],
            [["odd-payloads[any-en]"], [], []],
        ],
    ),
    "what fails on an ordinary page comes before an error of a variation": (
        [
            failure("odd-payloads", THROWS),
            failure("every-shop", THROWS_ELSEWHERE),
            failure("growth", Cause(CauseKind.OTHER, "more timers")),
            failure("update-order", Cause(CauseKind.OTHER, "differs")),
            own_test("test_own"),
        ],
        [
            [["update-order[any-en]"], [], []],
            [["growth[any-en]"], [], []],
            [["test_own"], [], []],
            [["odd-payloads[any-en]"], [], []],
            [["every-shop[any-en]"], [], []],
        ],
    ),
    "the widgets are in the order in which their tests were collected, not in that in which they failed": (
        [failure("focus", THROWS, widget="other", place=9), failure("weight", THROWS, place=2)],
        [[["weight[any-en]"], [], []], [["focus[any-en]"], [], []]],
    ),
    "a comparison with a snapshot comes last": (
        [
            failure("looks-as-before", Cause(CauseKind.OTHER, "moved")),
            failure("early-updates", Cause(CauseKind.OTHER, "differs")),
            own_test("test_own"),
        ],
        [[["early-updates[any-en]"], [], []], [["test_own"], [], []], [["looks-as-before[any-en]"], [], []]],
    ),
    "what a state does not show comes before an error on the pages of other checks": (
        [
            failure("hostile-texts", layout_cause("div.row")),
            failure("late-events", THROWS),
            failure("shows-its-state", Cause(CauseKind.OTHER, "does not show …"), state="b"),
            failure("shows-its-state", Cause(CauseKind.OTHER, "shows …"), errors=(THROWS.text,)),
        ],
        [
            [["shows-its-state[b-en]"], [], []],
            [["late-events[any-en]"], [], ["shows-its-state[any-en]"]],
            [["hostile-texts[any-en]"], [], []],
        ],
    ),
    "two widgets have two faults": (
        [failure("focus", THROWS), failure("focus", THROWS, widget="other")],
        [[["focus[any-en]"], [], []], [["focus[any-en]"], [], []]],
    ),
    "tests of an author without a cause stay alone": (
        [own_test("test_a"), own_test("test_b")],
        [[["test_a"], [], []], [["test_b"], [], []]],
    ),
}


@pytest.mark.parametrize(("failures", "groups"), GROUPS.values(), ids=GROUPS.keys())
def test_failures_are_grouped_by_their_cause(failures, groups):
    assert names(failures) == groups


def test_others_are_a_line_for_each_check_that_counts_its_further_situations():
    failures = [failure("every-shop", THROWS, state=f"s{n}", place=n) for n in range(7)]
    (group,) = group_failures(
        [*failures, failure("focus", Cause(CauseKind.OTHER, "x"), errors=(THROWS.text,))]
    )
    assert group.lines() == [
        "and 6 more tests fail for the same reason:",
        "  every-shop: s1 en, s2 en, s3 en, s4 en and 2 more",
        "and 1 more test fails on a page with this fault, so perhaps because of it:",
        "  focus: it fails: any en",
    ]


def test_others_have_their_messages_when_the_texts_in_these_differ():
    cause = Cause(CauseKind.OTHER, "… is not shown")
    messages = [
        "'Sold out' is not shown",
        "'3 for 2' is not shown",
        "'3 for 2' is not shown",
        "'3 for 2' is not shown; 'undefined €'",
    ]
    (group,) = group_failures(
        failure("shows-its-state", cause, state=f"s{n}", place=n, why=why) for n, why in enumerate(messages)
    )
    assert group.lines() == [
        "and 3 more tests fail with a message of the same kind:",
        "  shows-its-state: '3 for 2' is not shown: s1 en, s2 en",
        "  shows-its-state: '3 for 2' is not shown; 'undefined €': s3 en",
    ]


def test_comparison_advises_to_update_snapshots_only_when_no_other_check_of_its_state_fails():
    moved = Cause(CauseKind.OTHER, "moved")
    alone, accompanied = failure("looks-as-before", moved), failure("looks-as-before", moved, state="b")
    groups = group_failures(
        [alone, accompanied, failure("focus", Cause(CauseKind.OTHER, "lost"), state="b", language="lv")]
    )
    mending = {each.test: each.mending[0] for group in groups for each in (group.first, *group.same)}
    assert "--update-snapshots" in mending[alone.test]
    assert mending[accompanied.test].startswith("another check of this state fails, too: mend that first")


def test_sentence_of_a_comparison_is_what_differs():
    compared = failure("looks-as-before", Cause(CauseKind.OTHER, "moved"))
    text = 'widgets/note/snapshots/any.en.txt: the state "any" (en) does not look as it did:\n    p.note moved 4 px'
    assert replace(compared, text=text).sentence == "p.note moved 4 px"


def test_others_with_the_same_message_fail_for_the_same_reason():
    cause = Cause(CauseKind.OTHER, "lost")
    (group,) = group_failures(failure("focus", cause, state=state) for state in "ab")
    assert group.lines() == ["and 1 more test fails for the same reason:", "  focus: b en"]


@pytest.mark.parametrize(
    ("failed", "mending"),
    [
        (
            failure("weight", Cause(CauseKind.OTHER, "heavy")),
            ["smaller texts and pictures", "more: awning explain weight"],
        ),
        (
            replace(
                failure("weight", Cause(CauseKind.BLOCK, "no such option")),
                text='widgets/note/states.toml:1: the state "any" cannot occur: it has no option "x"',
            ),
            ["correct the state's payload or step; awning dev shows its page up to there"],
        ),
        *(
            (
                failure(check, Cause(CauseKind.OTHER, "differs")),
                [f"{KEPT_VALUE}; {of_a_script}", f"more: awning explain {check}"],
            )
            for check, of_a_script in {
                "early-updates": "in a script that calls `svcPlugins`, keep the update until the base event, or "
                "ignore it",
                "updates-shown": "read `item` and `cart`, which have the selection",
            }.items()
        ),
        (
            failure("growth", Cause(CauseKind.OTHER, "more intervals")),
            [
                (
                    "begin a timer, an observer or a listener once, outside of the render function, or end the "
                    "former one first; attach the handlers of the block with `live`"
                ),
                "more: awning explain growth",
            ],
        ),
        (failure("every-shop", NOT_EMPTY), [AS_ITS_STATE, "more: awning explain shows-its-state"]),
        (failure("weight", THROWS), ["awning dev shows the error with its place in your files"]),
        (
            failure("failing-hosts", THROWS),
            [
                "`catch` with a content for it, and look at the answer before using it",
                "more: awning explain failing-hosts",
            ],
        ),
        (
            replace(failure("failing-hosts", problem_cause([NEVER_ENDS])), text=NEVER_ENDS),
            ["mend the loop; awning dev cannot show such a page either"],
        ),
        (
            failure("weight", problem_cause(["init-once (svc-content-after-price)"])),
            ["awning explain init-once"],
        ),
        (
            failure(
                "keeps-to-its-place",
                cause_of([replace(LEAK, text=f"{LEAK.text}, gtag")]),
            ),
            [
                (
                    "keep the name in a module, a function or a block; if the page needs it, allow it in widget.toml: "
                    '[globals] with dataLayer = "the reason"'
                ),
                "awning explain global-leaked",
            ],
        ),
        *(
            (
                failure("shows-its-state", cause_of([PageProblem(ProblemKind.RULE, broken)])),
                [
                    (
                        "keep the name in a module, a function or a block; if the page needs it, allow it in "
                        f'widget.toml: [globals] with {key} = "the reason"'
                    ),
                    "awning explain global-leaked",
                ],
            )
            for broken, key in {
                "global-leaked (svc-content-after-price)": "NAME",
                "global-leaked (svc-content-after-price): $fbq (widgets/note/head.ts:2)": '"$fbq"',
            }.items()
        ),
        *(
            (
                replace(
                    failure(
                        "every-shop", problem_cause([f"Evaluating a string violates the {POLICY} directive"])
                    ),
                    properties=properties,
                ),
                [f"use what this policy allows: {BY_LISTENER}{page}"],
            )
            for properties, page in (
                (
                    {"check": "every-shop", "policy": "trusted-types"},
                    "; awning dev shows the page with ?csp=trusted-types",
                ),
                ({"check": "every-shop"}, ""),
            )
        ),
        (own_test("test_own", cause=THROWS), ["awning dev shows the error with its place in your files"]),
        (own_test("test_own"), []),
        (failure("weight", None), []),
    ],
)
def test_failure_says_how_to_mend_it(failed, mending):
    assert failed.mending == mending


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (
            "note TypeError: x\n    at http://127.0.0.1:1/a.js:1:2",
            "note TypeError: x\n    at <anonymous>:3:4",
        ),
        ("Uncaught TypeError: x", "TypeError: x"),
        ("unhandled rejection: Error: x", "Error: x"),
        ("https://a.localhost:1/x failed", "https://b.localhost:2/x failed"),
        (
            "It violates the directive 'script-src 'self' 'nonce-SB-B6hvnqHKbeOpp''. A ('nonce-...') is needed.",
            (
                "It violates the directive 'script-src 'self' http://shop.localhost:1 'nonce-IoxwNTH82f39Op8z''. "
                "A ('nonce-...') is needed."
            ),
        ),
    ],
)
def test_error_has_the_same_text_on_every_page(first, second):
    assert plain_error(first) == plain_error(second)


def test_explanation_of_an_assert_has_signs_for_the_line_breaks_of_a_text():
    source = ">       assert visit.text() == 'In stock\\nSell'"
    lines = [source, "E       AssertionError: assert 'In stock\\nBuy' == 'In stock\\nSell'"]
    report = SimpleNamespace(nodeid="a.py::b", longreprtext="\n".join(lines), user_properties=())
    failed = FailedTest.of(report)
    explained = "AssertionError: assert 'In stock⏎Buy' == 'In stock⏎Sell'"
    assert failed.text.split("\n") == [source, f"E       {explained}"]
    assert failed.sentence == explained


def test_message_has_the_same_text_in_every_state():
    assert plain_message("the block is 12 px wider: 'Only 3 left'") == plain_message(
        "the block is 7.5 px wider: 'Nur \"3\" da'"
    )


def test_failure_names_every_property_of_its_situation():
    failed = replace(failure("every-shop", None), properties={name: name.upper() for name in SITUATION})
    assert failed.situation == ", ".join(name.upper() for name in SITUATION)
    assert "PREFERENCE" in failed.situation
