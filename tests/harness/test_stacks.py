"""Stack traces with places in the author's files, without a browser: a table, and the place of a script on any page."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from project import Project
from vlq import place_of, utf16
from volumes import volume

from awning.pipeline.phases import build_workspace
from awning.pipeline.write.maps import BuiltScript
from awning_harness.visit.pages.causes import plain_error
from awning_harness.visit.pages.problems import PageProblem, ProblemKind, describe_first, page_problems
from awning_harness.visit.pages.stacks import (
    ScriptOnPage,
    first_author_place,
    headline_of,
    script_name,
    with_author_places,
    with_script_name,
)

SCRIPT = """\
import { afterPrice } from "awning";
import view from "./view.html.j2";
export default afterPrice(({ item }: any) => {
\tconst signs = `𝄞
  ${item.at_5}`;
  return view({ value: item.at_6 }) + signs;
});
"""
VIEW = '<p>{{ value }}</p>\n<b class="at-2"></b>\n'
NAME = script_name("note", "en")


@pytest.fixture(scope="module")
def script(tmp_path_factory) -> BuiltScript:
    project = Project(tmp_path_factory.mktemp("stacks") / "shop")
    project.add_widget("note", widget_ts=SCRIPT, view_html_j2=VIEW)
    build_workspace(project.read(), out=project.root / "built", for_tests=True)
    return BuiltScript.read(project.root / "built", "widgets/note/en/body.html")


def frame_at(script, mark, name=NAME, function="f"):
    line, column = place_of(script.code, mark)
    place = f"{name}:{line + 1}:{column + 1}"
    return f"    at {function} ({place})" if function else f"    at {place}"


def described(script, *lines):
    on_page = ScriptOnPage(script=script)
    return with_author_places("\n".join(lines), lambda name: on_page if name == NAME else None).split("\n")


@pytest.fixture(scope="module")
def runtime_frame(script) -> str:
    """A line of a stack trace: a call in awning's runtime."""
    lines = script.code.split("\n")
    places = (
        (n + 1, utf16(line[: m.start()]) + 1)
        for n, line in enumerate(lines)
        for m in re.finditer(r"\w+\(", line)
    )
    line, column = next(p for p in places if (q := script.place(*p)) and q.path.startswith("jsrc/"))
    return f"    at g ({NAME}:{line}:{column})"


AT_5 = ["    at widgets/note/widget.ts:5:10", "        ${item.at_5}`;", "               ^"]
ELSEWHERE = "    at h (https://cdn.example/a.js:1:2)"


def test_first_author_frame_has_its_source_line_and_a_caret(script):
    frames = [frame_at(script, "at_5"), frame_at(script, "at_6", function=None), frame_at(script, "at-2")]
    assert described(script, "Error: no", *frames) == [
        "Error: no",
        *AT_5,
        "    at widgets/note/widget.ts:6:29",
        "    at widgets/note/view.html.j2:2:1",
    ]


@pytest.mark.parametrize(
    "function", ["f", "new Thing", "async f", "Object.f [as g]", "async Promise.all", None]
)
def test_frame_is_recognized_whatever_its_function(script, function):
    assert described(script, "Error: no", frame_at(script, "at_5", function=function))[1:] == AT_5


def test_frame_of_an_asynchronous_anonymous_function_is_recognized(script):
    frame = frame_at(script, "at_5", function=None).replace("at ", "at async ")
    assert described(script, "Error: no", frame)[1:] == AT_5


def test_frames_of_the_runtime_and_of_callers_are_left_out(script, runtime_frame):
    own = frame_at(script, "at_5")
    assert described(script, "Error: no", runtime_frame, own, runtime_frame, ELSEWHERE) == [
        "Error: no",
        *AT_5,
    ]


def test_frame_of_another_script_that_the_author_calls_stays(script):
    assert described(script, "Error: no", ELSEWHERE, frame_at(script, "at_5")) == [
        "Error: no",
        ELSEWHERE,
        *AT_5,
    ]


def test_stack_without_the_authors_files_names_awning(script, runtime_frame):
    first, second, third = described(script, "Error: no", runtime_frame, ELSEWHERE)
    assert (first, third) == ("Error: no", ELSEWHERE)
    assert re.fullmatch(r"    at jsrc/\S+:\d+:\d+ \(awning's\)", second)


@pytest.mark.parametrize(
    "text",
    [
        "plain text",
        "Error: at nothing",
        f"Error: no\n    at f ({NAME}:900:1)",
        "Error: no\n    at f (<anonymous>:1:20)",
        "Error: no\n    at Array.map (<anonymous>)",
        f"Error: no\n    at f ({script_name('other', 'en')}:1:20)",
        "Error: no\n    at f (http://t3.localhost:1/x/en/product/1:1:20)",
        f"the file {NAME}:1:20 of a message",
    ],
)
def test_text_without_a_frame_in_the_apps_script_is_unchanged(script, text):
    assert described(script, *text.split("\n")) == text.split("\n")


def test_frames_of_playwright_are_left_out(script):
    frames = [
        "    at eval (eval at evaluate (:370:30), <anonymous>:1:189)",
        "    at UtilityScript.evaluate (<anonymous>:377:18)",
    ]
    assert described(script, "Error: no", *frames) == ["Error: no"]


TEXTS = st.text(st.sampled_from("a 𝄞ā\n\r<>&"), max_size=40)


@settings(max_examples=volume("scripts-on-pages"))
@given(before=TEXTS, after=TEXTS, mark=st.sampled_from(["at_5", "at_6", "at-2"]))
def test_place_on_a_page_is_that_in_the_script_whatever_is_before_it(script, before, after, mark):
    """The test counts lines and columns as HTML and ECMAScript define them, with other code than the tested one."""
    page = f"{before}<script>{script.code}</script>{after}"
    sent = page.replace("\r\n", "\n").replace("\r", "\n")
    at = sent.index(mark, sent.index("<script>"))
    line = len(sent[:at].split("\n"))
    column = utf16(sent[:at].split("\n")[-1]) + 1
    own_line, own_column = place_of(script.code, mark)
    expected = script.place(own_line + 1, own_column + 1)
    assert ScriptOnPage.within(page, script).place(line, column) == expected


def test_page_without_the_script_has_no_places(script):
    assert ScriptOnPage.within("<script>other()</script>", script) is None


def test_only_the_apps_script_gets_a_name(script):
    page = f"<script>f()</script><script nonce='a'>{script.code}</script><script>g()</script>"
    named = with_script_name(page, script, NAME)
    assert named == page.replace(script.code, f"{script.code}\n//# sourceURL={NAME}\n")
    assert with_script_name("<p></p>", script, NAME) == "<p></p>"


LINE = "    at widgets/note/widget.ts:12:7"


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (f"TypeError: e is not a function\n{LINE}", "TypeError at widgets/note/widget.ts:12:7"),
        (
            f"Uncaught TypeError: t is not a function\n{LINE}\n    at f (x:1:2)",
            "TypeError at widgets/note/widget.ts:12:7",
        ),
        (f"note RangeError: nein\n{LINE}", "RangeError at widgets/note/widget.ts:12:7"),
        (f"nothing of a type\n{LINE}", "error at widgets/note/widget.ts:12:7"),
        (
            "Uncaught TypeError: e is not a function\n    at f (<anonymous>:1:2405)",
            "TypeError: e is not a function",
        ),
        ("plain", "plain"),
    ],
)
def test_errors_of_one_line_have_one_cause_in_every_language(text, cause):
    assert plain_error(text) == cause


def trace_entry(kind, detail):
    return {
        "t": 0.0,
        "kind": kind,
        "event": "after-price",
        "subscriber": 1,
        "position": None,
        "detail": detail,
    }


def test_exception_that_is_reported_three_times_has_its_stack_in_the_failure():
    trace = [trace_entry("exception", "Error: no"), trace_entry("violation", "unhandled-error")]
    problems = page_problems(trace, [f"Error: no\n{LINE}"], ())
    assert describe_first(problems) == (
        "the widget breaks the rules of the service: unhandled-error (after-price)\n  Error: no\n" + LINE
    )


def test_several_errors_are_one_sentence_and_one_stack():
    problems = [PageProblem(ProblemKind.CONSOLE, f"Error: {n}\n{LINE}") for n in (1, 2)]
    assert describe_first(problems) == f"the console has errors: Error: 1; Error: 2\n{LINE}"


def test_message_of_several_lines_stays_above_its_stack():
    text = f"Error: one\ntwo\n{LINE}"
    assert (headline_of(text), first_author_place(text)) == ("Error: one\ntwo", "widgets/note/widget.ts:12:7")
