"""A mistake in the author's files is reported with file, line, column, the line and, for some, a hint."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from volumes import volume

from awning.bundle.esbuild_messages import Location, read_diagnostics
from awning.diagnostics import Severity
from awning.errors import Faulty

FAULTS = [
    # id, source, rule, line, column, words of the message, words of the hint
    ("syntax", "const a = ;\n", "script-error", 1, 11, "Unexpected", ""),
    ("second line", "let a = 1;\nlet ä = (;\n", "script-error", 2, 10, "Unexpected", ""),
    ("after wide characters", "let š = '€€'; let = = 2;\n", "script-error", 1, 21, "", ""),
    ("relative import", 'import x from "./nope";\nx();\n', "unresolved-import", 1, 15, "./nope", "spelling"),
    (
        "package import",
        'import x from "lodash";\nx();\n',
        "unresolved-import",
        1,
        15,
        "lodash",
        "must contain all that it uses",
    ),
    (
        "awning module",
        'import x from "awning/nope";\nx();\n',
        "unresolved-import",
        1,
        15,
        "awning/nope",
        '"awning/types"',
    ),
    ("missing export", 'import { nope } from "awning";\nnope();\n', "missing-export", 1, 10, "nope", ""),
    ("await", "await x();\n", "script-error", 1, 1, "in which a snippet must run", "async function"),
    ("for await", "for await (const a of b) c(a);\n", "script-error", 1, 5, "must run", "async function"),
    ("node", 'import fs from "node:fs";\nfs();\n', "unresolved-import", 1, 16, "node:fs", "part of Node.js"),
    (
        "node by name",
        'import path from "path";\npath();\n',
        "unresolved-import",
        1,
        18,
        '"path"',
        "part of Node.js",
    ),
    ("return", "return 1;\nexport {};\n", "script-error", 1, 1, "return", "only a function"),
    ("word", "def f(x)\n", "script-error", 1, 5, "Expected", "misspelt word"),
    ("comma", "f({ a: 1 b: 2 });\n", "script-error", 1, 10, "Expected", "missing comma"),
    ("text", 'f("a);\n', "script-error", 1, 7, "Unterminated", "quote that opens it"),
    ("element", "f(<b>a</b>);\n", "script-error", 1, 13, "", "template"),
    ("curly quotes", "f(“a”);\n", "script-error", 1, 3, "Unexpected", "straight quotes"),
    ("export", "if (a) {\nexport const b = 1;\n", "script-error", 2, 1, "export", "not closed"),
    ("break", "break;\n", "script-error", 1, 1, 'Cannot use "break" here', "mend it there"),
    ("with", "with (a) b();\nexport {};\n", "script-error", 1, 1, "With", "because of"),
    ("constant", "const a = 1;\na = 2;\n", "script-error", 2, 1, "constant", "entry.ts:1:7"),
]


@pytest.mark.parametrize("fault", [fault[1:] for fault in FAULTS], ids=[fault[0] for fault in FAULTS])
def test_fault_is_reported_at_its_place(bundled, fault):
    source, rule, line, column, message, hint = fault
    with pytest.raises(Faulty) as raised:
        bundled({"entry.ts": source}, "entry.ts")
    [diagnostic] = [d for d in raised.value.diagnostics if d.severity is Severity.ERROR]
    assert (diagnostic.rule, diagnostic.place.path, diagnostic.place.line, diagnostic.place.column) == (
        rule,
        "entry.ts",
        line,
        column,
    )
    assert message in diagnostic.message
    assert hint in (diagnostic.hint or "")
    assert diagnostic.excerpt == source.splitlines()[line - 1]
    assert diagnostic.hint
    for advice in ("external", "platform", "bundle for node", "package.json", "output format"):
        assert advice not in diagnostic.hint, "esbuild's advice for other kinds of bundles"


def test_bracket_is_not_the_hint_for_other_mistakes(bundled):
    for source in (
        "await x();\n",
        'import "node:fs";\n',
        "break;\n",
        "return 1;\nexport {};\n",
        'import "./X";\n',
    ):
        with pytest.raises(Faulty) as raised:
            bundled({"entry.ts": source, "x.ts": ""}, "entry.ts")
        assert "bracket" not in raised.value.diagnostics[0].hint


def test_name_in_other_letters_is_no_file(bundled):
    files = {
        "entry.ts": 'import a from "./View.html.j2";\na();\n',
        "view.html.j2": "export default () => 1;\n",
    }
    with pytest.raises(Faulty) as raised:
        bundled(files, "entry.ts")
    diagnostic = raised.value.diagnostics[0]
    assert (diagnostic.rule, diagnostic.place.line, diagnostic.place.column) == ("unresolved-import", 1, 15)
    assert diagnostic.message == 'Could not resolve "./View.html.j2": no file has exactly this name'


def test_comma_at_the_end_of_json_is_an_error_of_the_json_file(bundled):
    files = {"entry.ts": 'import a from "./a.json";\na();\n', "a.json": '{"a": 1,}\n'}
    with pytest.raises(Faulty) as raised:
        bundled(files, "entry.ts")
    assert [(d.rule, str(d.place)) for d in raised.value.diagnostics] == [("json-syntax", "a.json:1:8")]


def test_place_is_the_authors_path(bundled):
    with pytest.raises(Faulty) as raised:
        bundled(
            {"stage/w/widget.ts": "(\n"},
            "stage/w/widget.ts",
            to_source=lambda p: p.replace("stage", "widgets"),
        )
    assert raised.value.diagnostics[0].place.path == "widgets/w/widget.ts"


def test_all_faults_of_all_entry_points_are_reported_at_once(bundled):
    files = {f"e{i}.ts": "const = 1;\n" for i in range(30)}
    with pytest.raises(Faulty) as raised:
        bundled(files, *files)
    assert {d.place.path for d in raised.value.diagnostics} == set(files)


def test_fault_in_a_file_of_many_entry_points_is_reported_once(bundled):
    files = {"shared.ts": "const = 1;\n"} | {f"e{i}.ts": 'import "./shared";\n' for i in range(5)}
    with pytest.raises(Faulty) as raised:
        bundled(files, *(name for name in files if name != "shared.ts"))
    assert len(raised.value.diagnostics) == 1


def test_warnings_come_with_the_outputs(bundled):
    result = bundled(
        {"style.css": "a { colr: red }\n", "e.ts": 'if (typeof a === "nul") b();\n'}, "style.css", "e.ts"
    )
    assert set(result.outputs) == {"style", "e"}
    reported = {(d.rule, d.severity, d.place.path, d.place.line, d.place.column) for d in result.diagnostics}
    assert reported == {
        ("style-warning", Severity.WARNING, "style.css", 1, 5),
        ("script-warning", Severity.WARNING, "e.ts", 1, 18),
    }
    [style] = [d for d in result.diagnostics if d.rule == "style-warning"]
    assert "[unsupported-css-property]" in style.message
    assert "color" in style.hint


@pytest.mark.parametrize(
    ("frames", "warnings"),
    [
        ("entry 0% { top: 0 } exit-crossing 99.5%, 50% { top: 1px }", 0),
        ("é-cover 0% { top: 0 }", 2),
        ("entry { top: 0 }", 1),
        ("from 0% { top: 0 }", 1),
    ],
)
def test_key_frames_in_the_range_of_a_timeline_are_valid(bundled, frames, warnings):
    assert len(bundled({"s.css": f"@keyframes a {{ {frames} }}"}, "s.css").diagnostics) == warnings


def test_a_style_sheet_imported_by_a_script_is_refused(bundled):
    files = {"e.ts": 'import "./s.css";\nconsole.log(1);\n', "s.css": "a { color: red }\n"}
    with pytest.raises(Faulty) as raised:
        bundled(files, "e.ts")
    [diagnostic] = raised.value.diagnostics
    assert (diagnostic.rule, diagnostic.place.path) == ("style-import", "e.ts")


def test_error_in_a_line_with_a_range_of_a_timeline_is_reported():
    location = {"file": "s.css", "line": 1, "column": 6, "lineText": "entry 10% {", "suggestion": ""}
    message = {"text": 'Expected "," but found "%"', "location": location, "id": "", "notes": []}
    reported = {each: len(read_diagnostics([message], each, str)) for each in Severity}
    assert (reported[Severity.ERROR], reported[Severity.WARNING]) == (1, 0)


@settings(max_examples=volume("bundle-columns"))
@given(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=40), st.data())
def test_column_in_bytes_becomes_a_column_in_characters(text, data):
    index = data.draw(st.integers(0, len(text)))
    where = Location(file="f", line=1, column=len(text[:index].encode()), text=text, suggestion="")
    assert where.place(str).column == index + 1
