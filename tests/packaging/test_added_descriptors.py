"""A rule, a check and a key of widget.toml are added to a copy of the sources, in two files each, and found everywhere.

Each is used as an author would: in a workspace, from the command line.
"""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from awning_copy import ROOT, copy_sources

COPIED = ("src", "harness", "packaging", "docs")
PAGES_BESIDE = ("CONTRIBUTING.md", "CHANGELOG.md")
Patch = dict[str, Callable[[str], str]]
Run = Callable[..., subprocess.CompletedProcess[str]]


def written(text: str) -> Callable[[str], str]:
    return lambda _: text


def before(mark: str, added: str) -> Callable[[str], str]:
    """Put a text before the last place of another."""

    def change(text: str) -> str:
        start, found, end = text.rpartition(mark)
        assert found
        return f"{start}{added}{found}{end}"

    return change


RULE: Patch = {
    "src/awning/rules/pages/no-alert.md": written("""\
---
severity: warning
reported by: check, emulator
---

A script calls `alert`.

It stops the page until somebody answers ([the check](../../../../docs/check.md)).

Wrong:

```js
alert("Sold out");
```

Right:

```js
console.log("Sold out");
```

`--fix` writes `console.log` for `alert`.
"""),
    "src/awning/check/rules/no_alert.py": written('''\
"""Finds calls of `alert`, which stop the page."""

from collections.abc import Iterator

from awning.check.rule import Finding, Fix, Inspected, ScriptRule


def _check(file: Inspected) -> Iterator[Finding]:
    for call in file.calls("alert"):
        if call.name == "alert":
            fix = Fix(start=call.node.start, end=call.node.start + len("alert"), text="console.log")
            yield Finding(offset=call.node.start, message="alert stops the page", fix=fix)


NO_ALERT = ScriptRule(id="no-alert", hint="show it in the block", check=_check)
'''),
}

CHECK: Patch = {
    "src/awning/contract/conformance.py": before(
        "    }\n)\n",
        """\
        "has-no-marquee": WidgetCheck(
            defect="The block has a text that moves",
            hint="no `marquee`",
        ),
""",
    ),
    "harness/awning_harness/conformance/checks/moving.py": written('''\
"""The check of texts that move."""

from awning.workspace import WidgetState
from awning_harness.conformance.state_case import StateCase
from awning_harness.frames.widget import WidgetBench


def test_has_no_marquee(widget: WidgetBench, state: WidgetState) -> None:
    """The block has a text that moves."""
    visit = StateCase.of(widget, state).open()
    assert not visit.evaluate("document.querySelector('marquee') !== null")
'''),
}

KEY: Patch = {
    "src/awning/workspace/shapes.py": lambda text: text.replace(
        'WIDGET = TableShape(\n    what="widget.toml",\n    keys=(\n',
        'WIDGET = TableShape(\n    what="widget.toml",\n    keys=(\n'
        '        Key(name="owner", kind=TEXT, about="Who answers questions about the widget."),\n',
    ),
    "src/awning/workspace/model.py": lambda text: text.replace(
        "    budget: int | None = None\n", "    owner: str | None = None\n    budget: int | None = None\n", 1
    ),
}


@pytest.mark.parametrize("patch", [RULE, CHECK, KEY], ids=["rule", "check", "key"])
def test_each_takes_two_files(patch):
    assert len(patch) <= 2


@pytest.fixture(scope="module")
def copy(processes, tmp_path_factory) -> Path:
    """The patched copy of the sources."""
    folder = copy_sources(tmp_path_factory.mktemp("copy"), COPIED)
    (folder / "jsrc").symlink_to(ROOT / "jsrc")
    for name in PAGES_BESIDE:
        (folder / name).write_text("# A page\n")
    for path, change in {**RULE, **CHECK, **KEY}.items():
        file = folder / path
        old = file.read_text(encoding="utf-8") if file.exists() else ""
        new = change(old)
        assert new != old
        file.write_text(new, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def workspace(copy, run, tmp_path_factory) -> Path:
    """A workspace with a widget that uses all three."""
    root = tmp_path_factory.mktemp("shop") / "app"
    done = run("new", str(root), "--slot", "after-price", cwd=root.parent)
    assert done.returncode == 0, done.stderr
    return root


@pytest.fixture(scope="module")
def run(copy) -> Run:
    """Runs `awning` from the copy; with `python`, a program that is given to Python."""

    def start(*arguments: str, cwd: Path, python: bool = False) -> subprocess.CompletedProcess[str]:
        program = () if python else ("-c", "from awning.cli import main; main()")
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(str(copy / name) for name in COPIED[:3])}
        command = [sys.executable, *program, *arguments]
        return subprocess.run(command, cwd=cwd, env=variables, capture_output=True, text=True, check=False)

    return start


def widget_of(workspace: Path) -> Path:
    [toml] = (workspace / "widgets").glob("*/widget.toml")
    return toml.parent


@pytest.fixture
def edited(workspace):
    """Replaces a file of the widget, or adds to it, until the test ends."""
    originals: dict[Path, str] = {}

    def edit(name: str, change: Callable[[str], str]) -> None:
        file = widget_of(workspace) / name
        originals.setdefault(file, file.read_text(encoding="utf-8"))
        file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")

    yield edit
    for file, text in originals.items():
        file.write_text(text, encoding="utf-8")


def findings(run: Run, workspace: Path) -> list[dict]:
    return json.loads(run("check", "--format", "json", cwd=workspace).stdout)["findings"]


def test_explain_has_all(run, copy):
    listed = run("explain", cwd=copy).stdout.split()
    assert {"no-alert", "has-no-marquee"} <= set(listed)
    page = run("explain", "no-alert", cwd=copy).stdout
    assert page.startswith("# no-alert\n\nA script calls `alert`.\n")
    assert "(docs/check.md)" in page
    assert "Severity: warning. Reported by: `awning check`, `build` and `dev`; the emulator" in page
    assert (
        "# has-no-marquee\n\nThe block has a text that moves.\n"
        in run("explain", "has-no-marquee", cwd=copy).stdout
    )
    assert 'did you mean "no-alert"?' in run("explain", "no-alrt", cwd=copy).stderr


def test_rule_is_reported_silenced_and_fixed(run, workspace, edited):
    edited("widget.ts", lambda text: f'{text}alert("a");\n')
    [finding] = findings(run, workspace)
    assert (finding["rule"], finding["severity"], finding["message"], finding["docs"]) == (
        "no-alert",
        "warning",
        "alert stops the page",
        "docs/rules/no-alert.md",
    )
    sarif = json.loads(run("check", "--format", "sarif", cwd=workspace).stdout)
    [rule] = sarif["runs"][0]["tool"]["driver"]["rules"]
    assert (rule["id"], rule["shortDescription"]["text"]) == ("no-alert", "A script calls alert.")

    edited("widget.ts", lambda text: text.replace("alert(", "/* awning-ignore no-alert: a trial */ alert("))
    assert findings(run, workspace) == []
    edited("widget.ts", lambda text: text.replace("ignore no-alert", "ignore no-alrt"))
    assert {each["rule"]: each["hint"] for each in findings(run, workspace)}["bad-suppression"] == (
        'did you mean "no-alert"?'
    )
    edited("widget.ts", lambda text: text.replace("/* awning-ignore no-alrt: a trial */ ", ""))
    run("check", "--fix", cwd=workspace)
    assert 'console.log("a");' in (widget_of(workspace) / "widget.ts").read_text()


def test_key_is_read_checked_and_in_the_schema(run, copy, workspace, edited):
    edited("widget.toml", lambda text: f'owner = "Ilze"\n{text}')
    assert run("build", cwd=workspace).returncode == 0
    schema = json.loads((workspace / ".awning/types/widget.schema.json").read_text())
    assert schema["properties"]["owner"]["description"] == "Who answers questions about the widget."
    read = "from awning.workspace import read_workspace; from pathlib import Path"
    shown = run("-c", f"{read}; print(read_workspace(Path()).widgets[0].owner)", cwd=workspace, python=True)
    assert shown.stdout == "Ilze\n", shown.stderr

    edited("widget.toml", lambda text: text.replace('"Ilze"', "3"))
    [finding] = findings(run, workspace)
    assert (finding["rule"], finding["line"]) == ("wrong-type", 1)
    edited("widget.toml", lambda text: text.replace("owner = 3", 'ownr = "Ilze"'))
    [finding] = findings(run, workspace)
    assert (finding["rule"], finding["hint"]) == ("unknown-key", 'did you mean "owner"?')


def test_check_runs_and_can_be_switched_off(run, workspace, edited):
    command = ("-m", "pytest", "-p", "no:cacheprovider", "-k", "has_no_marquee or keeps_to_its_place")
    done = run(*command, cwd=workspace, python=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "\nhas-no-marquee " in done.stdout, "the table has no row"
    checks = json.loads((workspace / "test-results/checks.json").read_text())["checks"]
    assert {each["outcome"] for each in checks if each["check"] == "has-no-marquee"} == {"passed"}

    edited("widget.toml", lambda text: f'{text}\n[checks]\nhas-no-marquee = "it is a fair"\n')
    done = run(*command, cwd=workspace, python=True)
    assert "off: stock-note has-no-marquee: it is a fair" in done.stdout, done.stdout + done.stderr
    schema_of = "from awning.workspace.schemas import editor_schemas as all; import json"
    shown = run(
        "-c", f"{schema_of}; print(json.dumps(all()['widget.schema.json']))", cwd=workspace, python=True
    )
    assert "has-no-marquee" in json.loads(shown.stdout)["properties"]["checks"]["properties"]
    edited("widget.toml", lambda text: text.replace("no-marquee =", "no-marquees ="))
    [finding] = findings(run, workspace)
    assert (finding["rule"], finding["hint"]) == ("unknown-key", 'did you mean "has-no-marquee"?')


def test_reference_and_site_have_all(run, copy, tmp_path):
    done = run(str(copy / "packaging/make_reference.py"), str(tmp_path / "made"), cwd=copy, python=True)
    assert done.returncode == 0, done.stderr
    rules = (tmp_path / "made/rules.md").read_text()
    assert (
        "| [`no-alert`](../../src/awning/rules/pages/no-alert.md) | warning | A script calls alert. |"
        in rules
    )
    assert "`--fix` writes `console.log` for `alert`." in rules.partition("## Fixes")[2]
    assert (
        "| `has-no-marquee` | The block has a text that moves | no `marquee` |"
        in (tmp_path / "made/checks.md").read_text()
    )
    assert (
        "| `owner` | a string that is not empty | Who answers questions about the widget. |"
        in (tmp_path / "made/workspace-files.md").read_text()
    )

    stage = "import docs_site, pathlib, sys; docs_site.stage(pathlib.Path(sys.argv[1]))"
    (tmp_path / "site").mkdir()
    done = run("-c", stage, str(tmp_path / "site"), cwd=copy, python=True)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "site/rules/no-alert.md").read_text()
    assert page.startswith("---\norphan: true\n---\n# no-alert\n")
    assert "([the check](../check.md))" in page
