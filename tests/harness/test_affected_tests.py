"""`awning test --affected`: what it chooses when files differ, against an oracle: what differs between two builds."""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from author import Author
from click.testing import CliRunner
from project import Project
from volumes import volume

from awning.errors import ConfigurationError, Faulty
from awning.pipeline.build_session import build_session
from awning.pipeline.phases import BuildOptions, run_phases
from awning.pipeline.stage import MIGRATIONS
from awning.workspace.reader import read_workspace
from awning_harness.runs import command
from awning_harness.runs.choice import choose_tests
from awning_harness.runs.run_plan import ChosenTests
from awning_harness.runs.selection import compare

INCLUDING = '<p class="text">{{ t("hello") }}</p>{% include "row.html.j2" %}\n'
IMPORTING = """\
import {{ afterPrice }} from "awning";
import view from "./view.html.j2";
{}
"""
BY_LANGUAGE = IMPORTING.format(
    """declare function require(path: string): unknown;
const named = (language: string) => require("../lends/data/" + language + ".json");
export default afterPrice(({ t, page }) => view({ t, name: named(page.language) }));"""
)
STATE = '[[state]]\nname = "any"\ntitle = "Any"\npayload = "P1"\n'
TEST = "def test_own(): pass\n"
IDENTITY = ("-c", "user.name=Anna", "-c", "user.email=anna@example.com", "-c", "init.defaultBranch=main")
ALL = "all"
NOT_ASYNCHRONOUS = {
    *("asks", "counts", "includes", "includes-too", "lends", "linked", "styled", "styled-shortly", "tested")
}
"""All but `borrows`, which imports from another widget and so may already be asynchronous."""


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *IDENTITY, *arguments], cwd=folder, check=True, capture_output=True)


def make_ten_widgets(root: Path) -> None:
    """Make a workspace in a repository. Each widget reads from outside of its folder in a way of its own."""
    project = Project(root)
    project.add_widget("includes", view_html_j2=INCLUDING)
    project.add_widget("includes-too", view_html_j2=INCLUDING, style_css=".text { color: red }\n")
    project.add_widget("styled", style_css='@import "../_shared/tokens.css";\n')
    project.add_widget("styled-shortly", style_css='@import "../_shared/theme";\n')
    project.add_widget(
        "counts",
        widget_ts=IMPORTING.format(
            'import rates from "../_shared/rates.json";\nimport { sum } from "../_shared/sum";\n'
            "export default afterPrice(({ t }) => view({ t, rates: sum(rates.a) }));"
        ),
    )
    project.add_widget(
        "borrows",
        widget_ts=IMPORTING.format(
            'import { tool } from "../lends/tool";\nexport default afterPrice(({ t }) => view({ t, tool }));'
        ),
    )
    project.add_widget("lends", tool_ts="export const tool = 1;\n", unread_ts="export const unread = 1;\n")
    project.add_widget(
        "linked", view_html_j2='{{ t("hello") }}{% include "maybe.html.j2" ignore missing %}\n'
    )
    project.add_file("widgets/lends/extra.css", ".text { top: 1px }\n")
    project.add_file("widgets/lends/data/en.json", '"a"')
    project.add_widget(
        "asks",
        near_json='{"text": "near"}\n',
        picture_svg="<svg/>\n",
        data_schema_json='{"x-version": 2, "properties": {"days": {"type": "integer"}}}\n',
        data_migrate_ts='import { days } from "../_shared/days";\nexport const migrate = () => ({ days });\n',
    )
    project.add_file(
        "widgets/asks/states.toml", f'{STATE}[state.fetch]\n"https://a.example.com/near" = "near.json"\n'
    )
    project.add_file("widgets/asks/snapshots/any.json", "{}\n")
    project.add_widget("tested", style_css='@import "../lends/extra.css";\n')
    project.add_file("widgets/tested/test_tested.py", f"import numbers_of_tests\n{TEST}")
    project.add_file("widgets/tested/numbers_of_tests.py", "ONE = 1\n")
    project.add_file("widgets/asks/test_names.py", 'def test_own(): assert "asks"\n')
    project.add_file("widgets/_shared/row.html.j2", "<i>row</i>\n")
    project.add_file("widgets/_shared/alone.html.j2", "<i>alone</i>\n")
    project.add_file("widgets/_shared/tokens.css", ".text { margin: 0 }\n")
    project.add_file("widgets/_shared/theme.css", ".text { padding: 0 }\n")
    project.add_file("widgets/_shared/rates.json", '{"a": 1}\n')
    project.add_file("widgets/_shared/late.ts", "export const late = 1;\n")
    project.add_file("widgets/_shared/sum.ts", "export const sum = (a: number) => a + 1;\n")
    project.add_file("widgets/_shared/days.ts", "export const days = 1;\n")
    project.add_file("design/linked.css", ".text { color: blue }\n")
    project.add_file("widgets/lends/legal.md", "Terms\n")
    (root / "widgets/linked/style.css").symlink_to("../../design/linked.css")
    project.add_file("README.md", "Read me\n")
    project.add_file("docs/guide.md", "A guide\n")
    project.add_file("widgets/asks/README.md", "Read me\n")
    project.add_file("tests/test_app.py", TEST)
    project.add_file("tests/data/numbers.csv", "1\n")
    project.add_file(".gitignore", ".awning/\n*.log\n")
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "Base")


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """The ten widgets, and what the oracle knows of them."""
    root = tmp_path_factory.mktemp("affected") / "shop"
    make_ten_widgets(root)
    return root, oracle(root)


@pytest.fixture
def shop(base, tmp_path) -> Path:
    return Path(shutil.copytree(base[0], tmp_path / "shop", symlinks=True))


def oracle(root: Path) -> dict[str, object]:
    """Return, by widget, what its tests look at: its bundled code, its states and texts, and files beside it.

    Empty if the widgets do not build, because then each run fails.
    """
    try:
        workspace = read_workspace(root, environ={})
    except Faulty:
        return {}
    with build_session(root, lasts=False, writes=False) as session:
        session.sources.look()
        options = BuildOptions(only=tuple(widget.name for widget in workspace.widgets), rules=False)
        build = run_phases(workspace, options, os.environ, session)
    if build.assembled is None:
        return {}
    looked_at: dict[str, object] = {}
    for widget in workspace.widgets:
        planned = [each for each in build.sources.planned_snippets if each.unit == widget.name]
        entries = [entry for each in planned for entry in (each.entry, *each.style_entries)]
        codes = [build.bundle.outputs[entry].code for entry in entries if entry in build.bundle.outputs]
        beside = [
            *widget.folder.glob("snapshots/*"),
            *widget.folder.glob("*.py"),
            *widget.folder.glob("near*"),
        ]
        files = {file.name: file.read_bytes() for file in beside}
        if widget.name in build.sources.migrating:
            codes.append(build.bundle.outputs[MIGRATIONS].code)
        looked_at[widget.name] = (codes, widget.states, widget.messages, widget.data_schema, files)
    return looked_at


def write(path: str, text: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)

    return change


def add(path: str, text: str) -> Callable[[Path], None]:
    return lambda root: write(path, (root / path).read_text() + text)(root)


def remove(path: str) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        file = root / path
        shutil.rmtree(file) if file.is_dir() and not file.is_symlink() else file.unlink()

    return change


def rename(path: str, new: str) -> Callable[[Path], None]:
    return lambda root: (root / path).rename(root / new) and None


def both(*changes: Callable[[Path], None]) -> Callable[[Path], None]:
    def change(root: Path) -> None:
        for each in changes:
            each(root)

    return change


def committed(change: Callable[[Path], None], *, staged: bool = False) -> Callable[[Path], None]:
    def commit(root: Path) -> None:
        change(root)
        git(root, "add", "--all")
        if not staged:
            git(root, "commit", "--quiet", "-m", "Change")

    return commit


SHARED_TEST = "widgets/tested/test_tested.py"
ROWS: dict[str, tuple[Callable[[Path], None], set[str] | str]] = {
    "a template": (add("widgets/includes/view.html.j2", "<b>more</b>\n"), {"includes"}),
    "a style": (add("widgets/includes-too/style.css", ".text { margin: 1px }\n"), {"includes-too"}),
    "a committed style": (
        committed(add("widgets/includes-too/style.css", ".text { margin: 1px }\n")),
        {"includes-too"},
    ),
    "a staged style": (
        committed(add("widgets/includes-too/style.css", ".text { margin: 1px }\n"), staged=True),
        {"includes-too"},
    ),
    "a new style": (write("widgets/lends/style.css", ".text { margin: 0 }\n"), {"lends"}),
    "a deleted style": (remove("widgets/includes-too/style.css"), {"includes-too"}),
    "messages in one language": (write("widgets/counts/messages/lv.toml", 'hello = "Labdien"\n'), {"counts"}),
    "a data schema": (write("widgets/tested/data.schema.json", '{"type": "object"}\n'), {"tested"}),
    "states": (write("widgets/tested/states.toml", STATE), {"tested"}),
    "the settings of a widget": (
        write("widgets/tested/widget.toml", 'title = "Another"\nslot = "after-price"\n'),
        {"tested"},
    ),
    "the answer of a state": (write("widgets/asks/near.json", '{"text": "far"}\n'), {"asks"}),
    "a picture that nothing imports": (write("widgets/asks/picture.svg", "<svg></svg>\n"), {"asks"}),
    "a snapshot": (write("widgets/asks/snapshots/any.json", "[]\n"), {"asks"}),
    "a shared template": (add("widgets/_shared/row.html.j2", "!\n"), {"includes", "includes-too"}),
    "a shared template that gets a button": (
        add("widgets/_shared/row.html.j2", "<button>x</button>\n"),
        {"includes", "includes-too"},
    ),
    "a deleted shared template": (
        both(
            remove("widgets/_shared/row.html.j2"),
            write("widgets/includes/row.html.j2", "own"),
            write("widgets/includes-too/row.html.j2", "own"),
        ),
        {"includes", "includes-too"},
    ),
    "a template beside the shared one": (write("widgets/includes/row.html.j2", "<i>own</i>\n"), {"includes"}),
    "a shared template that nothing includes": (add("widgets/_shared/alone.html.j2", "!\n"), set()),
    "a shared style": (add("widgets/_shared/tokens.css", ".text { top: 0 }\n"), {"styled"}),
    "a shared style without its ending": (add("widgets/_shared/theme.css", ".text { top: 0 }\n"), {"styled-shortly"}),
    "a shared style for an older import": (
        write("widgets/_shared/theme/index.css", ".text { left: 0 }\n"),
        set(),
    ),
    "a shared table": (write("widgets/_shared/rates.json", '{"a": 2}\n'), {"counts"}),
    "a deleted shared table": (
        both(remove("widgets/_shared/rates.json"), write("widgets/counts/widget.ts", IMPORTING.format(
            "export default afterPrice(({ t }) => view({ t, rates: 1 }));"
        ))),
        {"asks", "counts", "styled", "styled-shortly"},
    ),
    "a shared script": (write("widgets/_shared/sum.ts", "export const sum = (a: number) => a + 2;\n"), {"counts"}),
    "a shared script of a migration": (write("widgets/_shared/days.ts", "export const days = 2;\n"), {"asks"}),
    "a shared script that nothing imports": (write("widgets/_shared/late.ts", "export const late = 2;\n"), set()),
    "a shared script that becomes asynchronous": (
        write("widgets/_shared/late.ts", "export const late = async () => 1;\n"),
        NOT_ASYNCHRONOUS,
    ),
    "a new shared script": (
        both(
            write("widgets/_shared/more.ts", "export const more = 2;\n"),
            write(
                "widgets/lends/widget.ts",
                IMPORTING.format(
                    'import { more } from "../_shared/more";\nexport default afterPrice(({ t }) => view({ t, more }));'
                ),
            ),
        ),
        {"lends"},
    ),
    "a new shared script that is asynchronous": (
        write("widgets/_shared/more.ts", "export const more = async () => 1;\n"),
        NOT_ASYNCHRONOUS,
    ),
    "a deleted shared script": (
        both(remove("widgets/_shared/sum.ts"), write("widgets/counts/widget.ts", IMPORTING.format(
            "export default afterPrice(({ t }) => view({ t, rates: 1 }));"
        ))),
        {"asks", "counts", "styled", "styled-shortly"},
    ),
    "a broken shared style": (add("widgets/_shared/theme.css", ".text {{ \n"), ALL),
    "a script of another widget": (write("widgets/lends/tool.ts", "export const tool = 2;\n"), {"lends", "borrows"}),
    "a style of another widget": (write("widgets/lends/extra.css", ".text { top: 2px }\n"), {"lends", "tested"}),
    "a script that only its widget has": (write("widgets/lends/unread.ts", "export {};\n"), {"lends"}),
    "the target of a link": (write("design/linked.css", ".text { color: green }\n"), {"linked"}),
    "a link": (
        both(remove("widgets/linked/style.css"), write("widgets/linked/style.css", ".text { color: green }\n")),
        {"linked"},
    ),
    "an include that gets its file": (write("widgets/_shared/maybe.html.j2", "<i>there</i>\n"), {"linked"}),
    "a renamed file": (
        both(
            rename("widgets/lends/tool.ts", "widgets/lends/tools.ts"),
            write(
                "widgets/borrows/widget.ts",
                IMPORTING.format(
                    'import { tool } from "../lends/tools";\nexport default afterPrice(({ t }) => view({ t, tool }));'
                ),
            ),
        ),
        {"lends", "borrows", "tested"},
    ),
    "a deleted widget": (remove("widgets/tested"), set()),
    "a renamed widget": (rename("widgets/styled", "widgets/styled-again"), {"styled-again"}),
    "a new widget": (
        lambda root: shutil.copytree(root / "widgets/lends", root / "widgets/new") and None,
        {"new"},
    ),
    "documentation": (both(add("README.md", "more\n"), add("docs/guide.md", "more\n")), set()),
    "prose beside a widget": (add("widgets/asks/README.md", "more\n"), set()),
    "an ignored file": (write("widgets/asks/debug.log", "text\n"), set()),
    "pyproject.toml": (add("pyproject.toml", "# more\n"), ALL),
    "manifest.toml": (add("manifest.toml", "# more\n"), ALL),
    "the store": (write("storefront/store.toml", "# as shipped\n"), ALL),
    "a conftest.py at the root": (write("conftest.py", "\n"), ALL),
    "a conftest.py of all widgets": (write("widgets/conftest.py", "\n"), ALL),
    "requirements": (write("requirements.txt", "awning==2\n"), ALL),
    "a lock": (write("uv.lock", "\n"), ALL),
    "the settings of tests": (write("pytest.ini", "[pytest]\n"), ALL),
    "the packages of scripts": (write("package-lock.json", "{}\n"), ALL),
    "the workflow": (write(".github/workflows/widgets.yml", "on: push\n"), ALL),
}  # fmt: skip


@pytest.mark.parametrize("name", ROWS)
def test_every_widget_that_differs_is_chosen(base, shop, name):
    change, expected = ROWS[name]
    before = base[1]
    git(shop, "branch", "before")
    change(shop)
    comparison = compare(shop, "before")
    choice = choose_tests(shop, comparison.paths, contents_before=comparison.contents_before)
    after = before if choice.everything else oracle(shop)
    names = set(after) or set(before)
    differing = {widget for widget in names if before.get(widget) != after.get(widget)}
    chosen = names if choice.everything else {path.split("/")[1] for path in choice.folders}
    assert differing <= chosen
    assert (ALL if choice.everything else chosen) == expected, choice
    if not choice.everything:
        assert set(choice.left_out) == names - expected
        assert bool(choice.app) == bool(expected or name == "a deleted widget")


@pytest.mark.parametrize(
    ("path", "text", "folders", "files"),
    [
        (SHARED_TEST, "def test_own(): assert 1\n", [], [SHARED_TEST]),
        ("widgets/tested/numbers_of_tests.py", "ONE = 2\n", [], [SHARED_TEST]),
        ("widgets/tested/conftest.py", "\n", ["widgets/tested"], []),
        ("widgets/asks/test_asks.py", TEST, [], ["widgets/asks/test_asks.py"]),
        ("tests/test_app.py", "def test_own(): assert 1\n", ["tests"], ["tests/test_app.py"]),
        ("tests/conftest.py", "\n", ["tests"], []),
        ("tests/data/numbers.csv", "2\n", ["tests"], []),
        ("tools/generate.py", "\n", [], []),
        ("widgets/notes.txt", "\n", [], []),
        ("widgets/asks/README.md", "\n", [], []),
    ],
)
def test_python_files_reach_the_tests_that_import_them(shop, path, text, folders, files):
    write(path, text)(shop)
    choice = choose_tests(shop, compare(shop, None).paths)
    assert (choice.everything, [*choice.folders], [*choice.files]) == ("", folders, files)
    assert (choice.app, bool(choice.unread)) == ("", not folders and not files)


@pytest.mark.parametrize(
    ("settings", "text", "path"),
    [
        ("requirements.txt", "-r tools/base.list\n", "tools/base.list"),
        ("pytest.ini", "[pytest]\naddopts = -p lib.plugin\n", "lib/plugin.py"),
        ("pytest.ini", "[pytest]\naddopts = --settings=tools/settings.yaml\n", "tools/settings.yaml"),
    ],
)
def test_file_that_settings_name_reaches_everything(shop, settings, text, path):
    write(settings, text)(shop)
    write(path, "\n")(shop)
    committed(lambda _: None)(shop)
    write(path, "\n\n")(shop)
    choice = choose_tests(shop, compare(shop, "HEAD").paths)
    assert choice.everything == f"{path} differs, which {settings} names"


@pytest.mark.parametrize("name", ["near.md", ".near.json", "near.py"])
def test_answer_of_a_state_reaches_its_widget_whatever_its_name(shop, name):
    states = shop / "widgets/asks/states.toml"
    states.write_text(states.read_text().replace("near.json", name))
    write(f"widgets/asks/{name}", "{}\n")(shop)
    committed(lambda _: None)(shop)
    write(f"widgets/asks/{name}", "[]\n")(shop)
    assert "widgets/asks" in choose_tests(shop, compare(shop, "HEAD").paths).folders


READING = {
    "by its unit": 'import pytest\n@pytest.mark.unit("lends")\ndef test_own(storefront): pass\n',
    "in the whole app": 'import pytest\n@pytest.mark.unit("app")\ndef test_own(storefront): pass\n',
    "by a computed unit": "import pytest\n@pytest.mark.unit(name())\ndef test_own(storefront): pass\n",
    "by a path": 'def test_own(): open("../lends/tool.ts")\n',
    "among all": 'from pathlib import Path\ndef test_own(): [*Path("widgets").glob("*")]\n',
    "through a module": "from pages import lent\ndef test_own(): pass\n",
    "with a syntax error": "def test_own(lends: pass\n",
}


@pytest.mark.parametrize("how", READING)
def test_test_that_reads_another_widget_is_chosen(shop, how):
    test = "widgets/asks/test_asks.py"
    write(test, READING[how])(shop)
    write("lib/pages.py", 'lent = "widgets/lends/tool.ts"\n')(shop)
    committed(lambda _: None)(shop)
    write("widgets/lends/tool.ts", "export const tool = 3;\n")(shop)
    assert test in choose_tests(shop, compare(shop, "HEAD").paths).files


NAMING = {
    "its name": ('def test_own(): open("guide.md")\n', "it names guide.md (docs/guide.md differs)"),
    "its folder": ('def test_own(): open("docs/other.md")\n', "it names docs/ (docs/guide.md differs)"),
    "an import": ("import pages\ndef test_own(): pass\n", "it imports lib/pages.py, which names docs/ "),
    "a package": (
        "from lib.pages import x\ndef test_own(): pass\n",
        "it imports lib/pages.py, which names docs/ ",
    ),
    "a plugin": (
        'pytest_plugins = "pages"\ndef test_own(): pass\n',
        "it imports lib/pages.py, which names docs/ ",
    ),
    "a program": ('def test_own(): run("lib/pages.py")\n', "it imports lib/pages.py, which names docs/ "),
    "a module of a package": ("import inner\ndef test_own(): pass\n", None),
    "a module of another package": ("from awning import pages\ndef test_own(): pass\n", None),
    "a word": ('def test_own(): assert "pages of all"\n', None),
}


@pytest.mark.parametrize("how", NAMING)
def test_reason_for_a_test_is_what_it_names_or_how_it_comes_to_it(tmp_path, how):
    project = Project(tmp_path)
    for path, text in {
        "tests/test_names.py": NAMING[how][0],
        "lib/pages.py": 'folder = "docs"\n',
        "package/__init__.py": "",
        "package/inner.py": 'folder = "docs"\n',
    }.items():
        project.add_file(path, text)
    reason = choose_tests(tmp_path, ["docs/guide.md"]).files.get("tests/test_names.py")
    expected = NAMING[how][1]
    assert reason is None if expected is None else (reason or "").startswith(expected), reason


def test_reasons_name_the_files_and_the_widget_that_a_test_names(shop):
    write("widgets/asks/test_other.py", 'def test_own(): open("lends")\n')(shop)
    choice = choose_tests(shop, ["widgets/lends/tool.ts", "widgets/lends/view.html.j2"])
    assert choice.folders["widgets/lends"] == "tool.ts, view.html.j2 differ"
    assert choice.folders["widgets/borrows"] == "it reads widgets/lends/tool.ts"
    assert choice.app == "widgets/lends/tool.ts, widgets/lends/view.html.j2 differ"
    assert choice.files == {"widgets/asks/test_other.py": "it names the widget lends"}


def test_shared_script_reaches_everything_when_it_is_not_known_what_it_was(shop, tmp_path):
    """That is so with --watch, and for a file that is reached through a link."""
    assert choose_tests(shop, ["widgets/_shared/late.ts"]).everything
    (shop / "widgets/_shared").rename(tmp_path / "shared")
    (shop / "widgets/_shared").symlink_to(tmp_path / "shared")
    assert compare(shop, "HEAD").contents_before(["widgets/_shared/late.ts"]) is None


def test_contents_before_are_those_of_the_commit(shop):
    write("widgets/_shared/late.ts", "export const late = 2;\n")(shop)
    contents = compare(shop, "HEAD").contents_before(["widgets/_shared/late.ts", "widgets/_shared/new.ts"])
    assert contents == {"widgets/_shared/late.ts": b"export const late = 1;", "widgets/_shared/new.ts": None}
    assert compare(shop, "HEAD").contents_before(["widgets/_shared"]) is None


def test_reason_of_a_widget_has_its_own_files_and_those_that_it_reads(shop):
    differing = ["widgets/includes/view.html.j2", "widgets/_shared/row.html.j2", "widgets/lends/tool.ts"]
    choice = choose_tests(shop, differing)
    folders = choice.folders
    assert choice.unread == ()
    assert folders["widgets/includes"] == "view.html.j2 differs; it reads widgets/_shared/row.html.j2"
    assert folders["widgets/includes-too"] == "it reads widgets/_shared/row.html.j2"


def test_reasons_of_all_tests_are_named_up_to_ten(shop):
    both = ["manifest.toml", "storefront/store.toml", "widgets/asks/view.html.j2"]
    expected = "manifest.toml differs; storefront/store.toml differs, which is of the simulated shop"
    assert choose_tests(shop, both).everything == expected
    many = choose_tests(shop, [f"requirements/{number}.txt" for number in range(12)]).everything
    assert many.endswith("requirements/9.txt differs; and 2 more")
    lent = choose_tests(shop, [f"widgets/lends/{number}.ts" for number in range(12)]).folders
    assert lent["widgets/lends"].endswith("9.ts and 2 more differ")


def test_test_that_names_no_file_that_differs_is_left_out(shop):
    test = "widgets/asks/test_asks.py"
    write(test, '"""Lends of widgets."""\ndef test_own(visit): visit.shows("lend", "tool.ts")\n')(shop)
    committed(lambda _: None)(shop)
    write("widgets/lends/tool.ts", "export const tool = 3;\n")(shop)
    choice = choose_tests(shop, compare(shop, "HEAD").paths)
    assert (test in choice.files, "asks" in choice.left_out) == (False, True)


@pytest.mark.parametrize("change", [write("widgets/lends/data/en.json", '"b"'), remove("widgets/lends/data")])
def test_file_with_a_name_that_is_made_at_run_time_is_known_to_be_read(shop, change):
    write("widgets/asks/widget.ts", BY_LANGUAGE)(shop)
    committed(lambda _: None)(shop)
    change(shop)
    choice = choose_tests(shop, compare(shop, "HEAD").paths)
    assert choice.everything or "widgets/asks" in choice.folders


def test_widget_elsewhere_in_the_repository_is_reached_through_its_link(tmp_path):
    root = tmp_path / "apps/shop"
    make_ten_widgets(root)
    shutil.rmtree(root / ".git")
    (root / "widgets/tested").rename(tmp_path / "tested")
    (root / "widgets/tested").symlink_to("../../../tested")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "Base")
    assert choose_tests(root, compare(root, "HEAD").paths).is_empty
    (tmp_path / "tested/view.html.j2").write_text("<p>changed</p>")
    assert [*choose_tests(root, compare(root, "HEAD").paths).folders] == ["widgets/tested"]
    git(tmp_path, "checkout", "--quiet", ".")
    (tmp_path / "tested/messages/en.toml").unlink()
    paths = compare(root, "HEAD").paths
    assert "widgets/tested/messages/en.toml" in paths
    git(tmp_path, "checkout", "--quiet", ".")
    (tmp_path / "uv.lock").write_text("")
    assert choose_tests(root, compare(root, "HEAD").paths).everything == "../../uv.lock differs"


def test_widget_outside_of_the_repository_is_always_tested(shop, tmp_path):
    (shop / "widgets/tested").rename(tmp_path / "tested")
    (shop / "widgets/tested").symlink_to(tmp_path / "tested")
    committed(lambda _: None)(shop)
    assert [*choose_tests(shop, compare(shop, "HEAD").paths).folders] == ["widgets/tested"]


def test_file_at_which_git_does_not_look_is_taken_to_differ(shop):
    git(shop, "update-index", "--assume-unchanged", "widgets/asks/near.json")
    git(shop, "update-index", "--skip-worktree", "widgets/lends/tool.ts")
    folders = choose_tests(shop, compare(shop, "HEAD").paths).folders
    assert {*folders} == {"widgets/asks", "widgets/lends", "widgets/borrows"}


def test_names_that_are_no_text_are_chosen_and_printed_with_escapes(shop, tmp_path):
    (shop / "widgets/asks/tests").mkdir()
    for name in (b"\xff", b"two\nlines"):
        (shop / os.fsdecode(name + b".md")).write_text("")
        (shop / "widgets/asks/tests" / os.fsdecode(b"test_" + name + b".py")).write_text(TEST)
    choice = choose_tests(shop, compare(shop, "HEAD").paths)
    choice.write(tmp_path / "choice")
    assert ChosenTests.read(tmp_path / "choice") == choice
    assert (len(choice.files), len(choice.unread)) == (2, 2)
    lines = [*choice.lines()]
    assert any("\\udcff.md" in line for line in lines)
    assert all(line.isprintable() for line in lines)


def test_repository_in_a_widget_counts_as_its_files(shop):
    git(shop, "init", "--quiet", "widgets/asks/inner")
    write("widgets/asks/inner/a.css", "\n")(shop)
    assert "widgets/asks" in choose_tests(shop, compare(shop, "HEAD").paths).folders


def test_git_runs_no_program_of_the_repository(shop, tmp_path):
    marker = tmp_path / "marker"
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {marker}\ncat\n")
    program.chmod(0o755)
    (shop / ".gitattributes").write_text("*.css filter=evil diff=evil\n")
    for setting in (
        "filter.evil.clean",
        "diff.evil.textconv",
        "diff.evil.command",
        "core.fsmonitor",
        "diff.external",
    ):
        git(shop, "config", setting, str(program))
    add("widgets/includes-too/style.css", ".text { top: 0 }\n")(shop)
    assert "widgets/includes-too/style.css" in compare(shop, "HEAD").paths
    assert not marker.exists()


def test_hook_of_a_linked_worktree_compares_with_its_branch(shop, tmp_path, monkeypatch):
    tree = tmp_path / "tree"
    git(shop, "worktree", "add", "--quiet", "-b", "topic", str(tree))
    add("widgets/asks/view.html.j2", "more\n")(tree)
    monkeypatch.setenv("GIT_DIR", str(shop / ".git/worktrees/tree"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(shop / ".git/worktrees/tree/index.lock"))
    assert compare(tree / "widgets", None).paths == ("asks/view.html.j2",)


def test_branch_is_compared_with_where_it_left_the_default_branch(shop):
    git(shop, "checkout", "--quiet", "-b", "topic")
    committed(add("widgets/lends/view.html.j2", "topic\n"))(shop)
    git(shop, "checkout", "--quiet", "main")
    committed(add("widgets/asks/view.html.j2", "main\n"))(shop)
    git(shop, "checkout", "--quiet", "topic")
    comparison = compare(shop, None)
    assert comparison.base.startswith("the merge base with main (")
    assert comparison.paths == ("widgets/lends/view.html.j2",)
    git(shop, "branch", "--move", "main", "elsewhere")
    assert compare(shop, None).base.startswith("HEAD (")


def test_remote_default_branch_comes_before_local_ones(shop, tmp_path):
    git(shop, "branch", "--move", "main", "trunk")
    git(tmp_path, "clone", "--quiet", str(shop), "clone")
    git(tmp_path / "clone", "checkout", "--quiet", "-b", "main")
    assert compare(tmp_path / "clone", None).base.startswith("the merge base with origin/trunk (")


def test_everything_differs_from_a_repository_without_commits(tmp_path):
    make_ten_widgets(tmp_path / "shop")
    shutil.rmtree(tmp_path / "shop/.git")
    git(tmp_path / "shop", "init", "--quiet")
    comparison = compare(tmp_path / "shop", None)
    assert comparison.base == "the empty repository"
    assert choose_tests(tmp_path / "shop", comparison.paths).everything


@pytest.mark.parametrize(
    "revision", ["nowhere", "-x", "--help", "", "HEAD..HEAD", "HEAD:README.md", "a b", "x\ny"]
)
def test_revision_that_names_no_commit_is_refused(shop, revision):
    with pytest.raises(ConfigurationError, match="git knows no commit"):
        compare(shop, revision)


def test_shallow_clone_without_the_commit_is_refused_with_what_to_do(shop, tmp_path):
    committed(add("README.md", "more\n"))(shop)
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{shop}", "clone")
    clone = tmp_path / "clone"
    git(clone, "checkout", "--quiet", "--detach")
    for reference in ("refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/heads/main"):
        git(clone, "update-ref", "--no-deref", "-d", reference)
    for revision in (None, "main"):
        with pytest.raises(ConfigurationError) as refused:
            compare(clone, revision)
        assert "`fetch-depth: 0`" in str(refused.value.hint)


def test_folder_without_a_repository_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="git finds none") as refused:
        compare(tmp_path, None)
    assert refused.value.exit_code == 2


@pytest.mark.parametrize("seed", range(volume("affected-edits")))
def test_widget_that_differs_after_any_edits_is_chosen(tmp_path, seed):
    project = Project(tmp_path / "shop")
    author = Author(project, seed)
    for _ in range(8):
        author.edit()
        before, files = oracle(project.root), project.tree("widgets")
        author.edit()
        after, now = oracle(project.root), project.tree("widgets")
        paths = [f"widgets/{path}" for path in {*files, *now} if files.get(path) != now.get(path)]
        if before and after:
            choice = choose_tests(
                project.root,
                paths,
                contents_before=lambda asked, files=files: {
                    path: files.get(path.removeprefix("widgets/")) for path in asked
                },
            )
            differing = {f"widgets/{name}" for name in after if before.get(name) != after[name]}
            assert choice.everything or differing <= {*choice.folders}
        author.mend()


CHOICE = ChosenTests(
    root="/shop",
    compared="3 files differ from HEAD (1a)",
    folders={"widgets/a": "style.css differs"},
    files={"tests/test_a.py": "it differs"},
    left_out=("b", "c"),
    has_app_tests=True,
    unread=("README.md",),
)


def test_plan_says_what_runs_and_what_is_left_out_and_why():
    assert [*CHOICE.lines()] == [
        "3 files differ from HEAD (1a)",
        "test widgets/a: style.css differs",
        "test tests/test_a.py: it differs",
        "no test reads README.md",
        "left out, because nothing that differs reaches them: b, c, the other tests outside of widgets/",
    ]
    many = replace(CHOICE, files={f"tests/test_{name}.py": "it names docs/" for name in "abcd"})
    together = "test tests/test_a.py, tests/test_b.py, tests/test_c.py, tests/test_d.py: it names docs/"
    assert together in [*many.lines()]
    everything = ChosenTests(root="/shop", everything="pyproject.toml differs")
    assert [*everything.lines()] == ["test all: pyproject.toml differs"]
    assert [*everything.within(["widgets/a"]).lines()] == [
        "only widgets/a is looked at",
        "test all of it: pyproject.toml differs",
    ]


@pytest.mark.parametrize(
    ("paths", "lines"),
    [
        (
            ["widgets"],
            [
                "3 files differ from HEAD (1a); only widgets is looked at",
                "test widgets/a: style.css differs",
                "left out, because nothing that differs reaches them: b, c",
            ],
        ),
        (
            ["/shop/widgets/a", "widgets/b/"],
            [
                "3 files differ from HEAD (1a); only widgets/a, widgets/b is looked at",
                "test widgets/a: style.css differs",
                "left out, because nothing that differs reaches them: b",
            ],
        ),
        (
            ["widgets/b", "tests/other"],
            [
                "3 files differ from HEAD (1a); only widgets/b, tests/other is looked at",
                "no test runs, because nothing that differs reaches widgets/b, tests/other",
            ],
        ),
    ],
)
def test_plan_is_limited_to_paths_and_says_so(paths, lines):
    limited = CHOICE.within(paths)
    assert [*limited.lines()] == lines
    assert limited.is_empty == ("no test runs" in lines[-1])


def test_choice_within_a_folder_of_a_chosen_widget_has_the_widget():
    assert CHOICE.within(["widgets/a/states"]).folders == CHOICE.folders


@pytest.fixture
def verb(shop, monkeypatch):
    """`verb(*words)`: the exit code, standard error, and the arguments that pytest would get."""

    def run(*words):
        calls = []

        def run_tests(_root, arguments, variables, **_options):
            calls.append((arguments, variables))
            return 0

        monkeypatch.chdir(shop)
        monkeypatch.setattr(command, "run_tests", run_tests)
        monkeypatch.setattr(command, "choose_browser", lambda *_, **__: {"AWNING_BROWSER": "x"})
        result = CliRunner().invoke(command.test, words, catch_exceptions=True)
        return result, calls

    return run


@pytest.mark.parametrize(
    ("words", "compared", "rest"),
    [
        (("--affected",), "the merge base with main (", ()),
        (("--affected", "-k", "text"), "the merge base with main (", ("-k", "text")),
        (("--affected", "HEAD", "-x"), "HEAD (", ("-x",)),
        (("--affected=HEAD", "widgets/asks"), "HEAD (", ("widgets/asks",)),
        (("--affected", "widgets/asks"), "the merge base with main (", ("widgets/asks",)),
    ],
)
def test_revision_is_told_from_paths_and_options(shop, verb, words, compared, rest):
    add("widgets/asks/view.html.j2", "more\n")(shop)
    result, ((arguments, variables),) = verb(*words)
    assert result.exit_code == 0
    assert f"awning: 1 file differs from {compared}" in result.stderr
    assert arguments[: len(rest)] == rest
    assert [argument.partition("=")[0] for argument in arguments[len(rest) :]] == [
        "-p", "awning_harness.runs.chosen_tests", "--awning-chosen",
    ]  # fmt: skip
    assert variables


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--affected=--help",), '"--help" is no revision'),
        (("--affected", "widgets"), "is a revision and a path"),
        (("--affected=HEAD", "--awning-dist=dist"), "--awning-dist tests another build"),
    ],
)
def test_doubtful_arguments_are_refused(shop, verb, words, message):
    git(shop, "branch", "widgets")
    result, calls = verb(*words)
    assert message in str(result.exception)
    assert calls == []


def test_no_browser_is_looked_for_when_nothing_is_reached(shop, verb):
    add("README.md", "more\n")(shop)
    result, ((_, variables),) = verb("--affected")
    assert (result.exit_code, variables) == (0, {})
    assert "awning: no test reads README.md\n" in result.stderr
