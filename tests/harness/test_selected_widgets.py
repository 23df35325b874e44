"""`awning test` builds what the selected tests need, and reports a failed build once."""

import re
import subprocess
from pathlib import Path

import pytest
from warm_python import AWNING, run_warm

from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import add_widget, make_workspace
from awning_harness.runs.command import check_paths, select_widgets

BROKEN_LINE = "{{ x|nofilter }}"


@pytest.fixture(scope="module")
def root(tmp_path_factory) -> Path:
    """A workspace with a correct widget and one that does not build."""
    root = tmp_path_factory.mktemp("asked") / "app"
    make_workspace(root)
    add_widget(root, "other", slot="after-cart", languages=("en", "lv"))
    (root / "widgets" / "other" / "view.html.j2").write_text(BROKEN_LINE)
    return root


def run(root: Path, program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return run_warm([*{"awning": AWNING, "pytest": ("-m", "pytest")}[program], *words], root)


@pytest.mark.usefixtures("processes")
def test_broken_widget_does_not_stop_tests_of_another_widget(root):
    done = run(root, "awning", "test", "widgets/stock-note", "-k", "breaks_no_rule or declarations")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b[2-9] passed", done.stdout)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("words", "end"),
    [
        (("awning", "test"), "1 error\n  hint: no test was run, because not every chosen widget builds\n"),
        (("pytest", "-q", "-p", "no:cacheprovider"), ""),
    ],
    ids=["awning", "pytest"],
)
def test_failed_build_is_reported_once_with_its_place(root, words, end):
    done = run(root, *words)
    output = done.stdout + done.stderr
    assert output.endswith(end)
    assert done.returncode == 1
    assert output.count("widgets/other/view.html.j2:1:6: error[template-filter]") == 1
    assert len(output.splitlines()) < 10, output


@pytest.mark.parametrize(
    ("words", "chosen"),
    [
        ((), ()),
        (("-k", "sold_out"), ()),
        (("-k", "widgets/other"), ()),
        (("-x", "widgets/other"), ("other",)),
        (("widgets/other",), ("other",)),
        (("widgets/other/widget.toml::test_shows_its_state", "-x"), ("other",)),
        (("widgets/other", "widgets/stock-note"), ("other", "stock-note")),
        (("widgets/other", "widgets"), ()),
    ],
)
def test_the_paths_of_a_run_select_the_widgets(root, words, chosen):
    assert select_widgets(read_workspace(root), words, root) == chosen


@pytest.mark.parametrize(
    "words", [("widgets/othr",), ("widgets/other", "widgets/othr::test"), ("-x", "widgets/othr")]
)
def test_missing_path_is_reported_with_a_suggestion(root, words):
    with pytest.raises(ConfigurationError, match=r"^widgets/othr does not exist$") as raised:
        check_paths(words, root)
    assert raised.value.hint == 'did you mean "widgets/other"?'


@pytest.mark.parametrize("file", ["widget.ts", "messages/en.toml", "widget.ts::test_shows_its_state"])
def test_file_without_tests_is_reported_with_the_folder_of_its_widget(root, file):
    path = f"widgets/other/{file}"
    with pytest.raises(ConfigurationError, match=r"has no tests of its own$") as raised:
        check_paths((path,), root)
    assert raised.value.hint == "name the widget's folder: awning test widgets/other"


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("widgets/stock-note/test_stock_note.py",),
        ("widgets/stock-note/widget.toml::test_shows_its_state",),
        ("pyproject.toml",),
        ("-k", "no/path"),
        ("--junitxml=out/a.xml",),
        ("widgets/other::no_such_test",),
        ("--pyargs", "a.b", "c.d"),
    ],
)
def test_other_arguments_are_left_to_pytest(root, words):
    check_paths(words, root)


@pytest.mark.usefixtures("processes")
def test_a_widget_whose_folder_is_a_link_is_selected_and_collected(tmp_path):
    make_workspace(tmp_path / "app")
    elsewhere = tmp_path / "elsewhere"
    linked = tmp_path / "app" / "widgets" / "stock-note"
    linked.rename(elsewhere)
    linked.symlink_to(elsewhere)
    workspace = read_workspace(tmp_path / "app")
    assert select_widgets(workspace, ["widgets/stock-note"], tmp_path / "app") == ("stock-note",)
    done = run(tmp_path / "app", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider", "widgets")
    assert "widgets/stock-note/widget.toml::test_shows_its_state[" in done.stdout, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("word", "known"), [("shop-7", "shop-07"), ("Shop-07", "shop-07"), ("shop-3", "shop-37")]
)
def test_the_hint_for_a_name_is_the_one_that_differs_least(word, known):
    assert did_you_mean(word, ["shop-37", "shop-07", "other"]) == f'did you mean "{known}"?'
