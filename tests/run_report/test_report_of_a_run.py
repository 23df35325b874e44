"""`report.html` of a run: checks, failures with their pictures, every state, and the sizes of the build.

One run over a workspace, whose snapshots are stored before a widget changes.
"""

import os
import re
import shutil
from dataclasses import dataclass
from importlib.resources import files as package_files
from pathlib import Path
from types import SimpleNamespace

import pytest
from bs4 import BeautifulSoup
from nested_runs import run_pytest

from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import add_widget, make_workspace
from awning_harness.run_report.failures import FailedTest
from awning_harness.run_report.plan import RunPlan
from awning_harness.run_report.recorder import chosen_part
from awning_harness.run_report.recorder import pytest_configure as register_recorder
from awning_harness.run_report.writing import write_report
from awning_harness.runs.run_plan import ChosenTests

STATES = '[[state]]\nname = "any"\ntitle = "<Any> state"\npayload = "P1"\n'
OFF = '\n[checks]\nis-accessible = "the shop\'s own colours are used"\n'


@dataclass(frozen=True, kw_only=True)
class Run:
    """The workspace after the run, its output, and the report."""

    root: Path
    output: str
    report: BeautifulSoup


def run(root: Path, *options: str) -> str:
    return run_pytest(root, "-q", "-k", "looks_as_before or accessible", *options, "widgets")[1]


@pytest.fixture(scope="module")
def tested(processes, tmp_path_factory) -> Run:
    root = tmp_path_factory.mktemp("report") / "app"
    make_workspace(root, slot="after-price", languages=("en", "lv"))
    add_widget(root, "note", slot="after-price", languages=("en", "lv"), bare=True)
    (root / "widgets/note/widget.toml").write_text((root / "widgets/note/widget.toml").read_text() + OFF)
    (root / "widgets/note/states.toml").write_text(
        '[[state]]\nname = "any"\ntitle = "<Any> state"\npayload = "P1"\n'
    )
    run(root, "--update-snapshots", "-k", "looks_as_before")
    style = root / "widgets/stock-note/style.css"
    style.write_text(style.read_text() + "\n.note { padding-top: 30px; }\n")
    build_workspace(read_workspace(root), out=root / "dist", environ=os.environ)
    built = root / "build-of-the-run"
    build_workspace(read_workspace(root), out=built, environ=os.environ)
    output = run(root, f"--awning-built={built}", "--awning-report")
    page = root / "test-results/report.html"
    return Run(root=root, output=output, report=BeautifulSoup(page.read_text("utf-8"), "html.parser"))


def test_table_has_each_check_of_each_widget(tested):
    rows = [
        [cell.get_text(" ", strip=True) for cell in row.select("th, td")]
        for row in tested.report.select(".matrix tr")
    ]
    table = {row[0]: row[1:] for row in rows}
    assert table["Check"] == ["note", "stock-note"]
    assert table["looks-as-before"][0] == "2"
    assert re.fullmatch(r"\d+ of \d+ failed", table["looks-as-before"][1])
    assert table["is-accessible"][0] == "off"
    assert "note, is-accessible: off, because the shop's own colours are used" in tested.report.get_text()


def test_headline_says_that_a_part_of_the_tests_ran(tested):
    verdict = tested.report.select_one(".verdict")
    assert re.search(r"\d+ checks? passed, 1 is off, in 2 widgets$", verdict.span.text)
    assert verdict.select("span")[1].text == "A part of the tests ran: -k 'looks_as_before or accessible'"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        ([], None),
        (["widgets", "-x", "--ff"], None),
        (["-k", "red", "-m", "not slow"], "-k red -m 'not slow'"),
        (["--lf", "--lfnf=none"], "--lf"),
        (["--lf"], None),
        (["--sw"], None),
        (["--ignore=widgets/a", "--ignore-glob=*_slow.py"], "--ignore widgets/a --ignore-glob '*_slow.py'"),
        (["--splits=4", "--group=1"], "--shard 1/4"),
        (["--deselect=a::b"], "--deselect a::b"),
        (
            ["widgets/a/widget.toml::test_x", "widgets/a/test_a.py"],
            "widgets/a/widget.toml::test_x widgets/a/test_a.py",
        ),
    ],
)
def test_part_of_a_run_has_the_options_that_chose_it(pytestconfig, arguments, part):
    config = type(pytestconfig).fromdictargs({}, arguments)
    assert chosen_part(config) == part


@pytest.mark.parametrize(
    ("arguments", "saved", "part"),
    [
        (["--lf"], {"cache/lastfailed": {"widgets/a/test_a.py::test_x": True}}, "--lf"),
        (["--ff"], {"cache/lastfailed": {"widgets/a/test_a.py::test_x": True}}, None),
        (["--lf"], {"cache/lastfailed": {}}, None),
        (["--sw"], {"cache/stepwise": {"last_failed": "widgets/a/test_a.py::test_x"}}, "--stepwise"),
        (["--sw-skip"], {"cache/stepwise": {"last_failed": "widgets/a/test_a.py::test_x"}}, "--stepwise"),
        (["--sw", "--sw-reset"], {"cache/stepwise": {"last_failed": "widgets/a/test_a.py::test_x"}}, None),
        (["--sw"], {"cache/stepwise": {"last_failed": None}}, None),
        (["--sw"], {"cache/stepwise": "of an older pytest"}, None),
    ],
)
def test_part_of_a_run_has_an_option_about_the_last_run_only_with_a_failure_in_it(
    pytestconfig, arguments, saved, part
):
    config = type(pytestconfig).fromdictargs({}, arguments)
    config.cache = SimpleNamespace(get=saved.get)
    assert chosen_part(config) == part


def test_part_of_a_run_is_kept_from_its_beginning(pytestconfig):
    config = type(pytestconfig).fromdictargs({}, ["--lf", "--awning-report"])
    saved = {"cache/lastfailed": {"widgets/a/test_a.py::test_x": True}}
    config.cache = SimpleNamespace(get=saved.get)
    register_recorder(config)
    saved.clear()
    assert config.pluginmanager.get_plugin("awning-run-recorder").plan.options == "--lf"


@pytest.mark.parametrize(
    ("path", "part"),
    [
        ("widgets", None),
        ("widgets/a", None),
        ("widgets/a/", None),
        ("widgets/a/../a", None),
        ("widgets/a/tests", "widgets/a/tests"),
        ("widgets/a/widget.toml", "widgets/a/widget.toml"),
    ],
)
def test_part_of_a_run_has_a_path_inside_a_widget(pytestconfig, tmp_path, monkeypatch, path, part):
    (tmp_path / "widgets/a/tests").mkdir(parents=True)
    (tmp_path / "widgets/a/widget.toml").touch()
    monkeypatch.chdir(tmp_path)
    config = type(pytestconfig).fromdictargs({}, [path])
    assert chosen_part(config) == part


@pytest.fixture(scope="module")
def chosen(tested) -> BeautifulSoup:
    """The report of a run that a plan and `-k` have limited to a part of one widget's tests."""
    choice = ChosenTests(
        root=str(tested.root),
        compared="1 file differs from HEAD (1a)",
        folders={"widgets/note": "<b>.css differs"},
        left_out=("stock-note",),
    )
    choice.write(tested.root / "choice.json")
    options = ("-p", "awning_harness.runs.chosen_tests", "--awning-chosen=choice.json", "--output=chosen")
    built = tested.root / "build-of-the-run"
    run(tested.root, *options, f"--awning-built={built}", "--awning-report", "-k", "raw_values")
    return BeautifulSoup((tested.root / "chosen/report.html").read_text("utf-8"), "html.parser")


def test_report_of_one_widget_names_how_many_there_are(chosen):
    verdict = chosen.select_one(".verdict")
    assert verdict.strong.text == "Every chosen test passed"
    assert verdict.span.text.endswith("in 1 of 2 widgets")


def test_plan_of_the_run_is_below_the_verdict(chosen):
    verdict = chosen.select_one(".verdict")
    assert verdict.code.text.startswith("--affected -k ")
    assert [line.text for line in verdict.select(".plan li")] == [
        "1 file differs from HEAD (1a)",
        "test widgets/note: <b>.css differs",
        "left out, because nothing that differs reaches them: stock-note",
    ]


def test_failure_has_its_sentence_and_its_pictures(tested):
    failure = next(
        part for part in tested.report.select(".failure") if "en" in part.select_one(".where").text
    )
    assert failure.h3.text == "stock-note: looks-as-before"
    assert "its height was" in failure.pre.text
    assert "[gw" not in failure.pre.text
    assert [caption.text for caption in failure.select(":scope > .comparison figcaption")] == [
        "Before",
        "After",
        "Difference",
    ]


def test_failure_has_the_lines_of_the_stored_snapshot_beside_those_of_the_run(tested):
    failure = next(
        part for part in tested.report.select(".failure") if "en" in part.select_one(".where").text
    )
    assert [heading.text for heading in failure.select(":scope > h4")] == ["Elements and boxes"]
    stored, present = (pre.text for pre in failure.select(":scope > .snapshot")[0].select("pre"))
    assert "div.note" in stored
    assert stored != present
    marked = [mark.text.split()[0] for mark in failure.select(":scope > .snapshot mark")]
    assert "div.note" in marked


def test_failure_without_a_stored_picture_has_the_present_one_and_says_so(tested):
    places = [
        where.parent.get_text(" ", strip=True)
        for where in tested.report.select(".failure .where")
        if where.text.startswith("in-stock, lv")
    ]
    assert places
    assert "Before No stored picture: --pictures=all stores those of every language After" in places[0]


def test_every_state_has_a_picture_in_the_first_language(tested):
    pictured = [figure for figure in tested.report.select(".states figure") if figure.img]
    captions = [figure.small.get_text(" ", strip=True) for figure in pictured]
    assert "any · en" in captions
    assert not [figure.img["alt"] for figure in pictured if not figure.img["alt"].endswith(", in en")]
    assert [
        figure.small.text
        for figure in tested.report.select(".states figure")
        if "Shows nothing" in figure.text
    ]
    states = (tested.root / "widgets/stock-note/states.toml").read_text()
    assert len(captions) == 1 + states.count("[[state]]") - states.count("empty = true")
    assert "<Any> state" in tested.report.select_one(".states").get_text()


def test_failed_state_is_there_once_with_its_languages(tested):
    figures = tested.report.select(".states figure")
    captions = [figure.small.get_text(" ", strip=True) for figure in figures]
    names = [caption.partition(" ·")[0] for caption in captions]
    assert sorted(set(names)) == sorted(names)
    failed = next(
        figure
        for figure in tested.report.select(".states figure")
        if figure.small.text.startswith("in-stock · ")
    )
    assert [small.text for small in failed.select("small.failed")] == ["1 failed in en", "1 failed in lv"]


def test_failure_has_the_title_of_its_state(tested):
    titles = {title.text for title in tested.report.select(".failure .state-title")}
    states = (tested.root / "widgets/stock-note/states.toml").read_text()
    assert titles
    assert [title for title in titles if f'title = "{title}"' not in states] == []


def test_sizes_of_the_build_are_below_the_tests(tested):
    headings = [heading.text for heading in tested.report.select("h2")]
    assert headings[:4] == ["Failures", "States", "Checks", "Sizes"]
    assert "The app" in headings


def test_report_needs_no_network(tested):
    addresses = [
        element.get("src") or element.get("href") for element in tested.report.select("[src], link[href]")
    ]
    assert addresses
    assert [address for address in addresses if not address.startswith("data:image/png;base64,")] == []


@pytest.mark.usefixtures("chosen")
def test_report_of_dist_has_the_tests_of_the_same_build_alone_and_not_those_of_a_part(tested):
    report = (tested.root / "test-results/report.html").read_bytes()
    assert (tested.root / "dist/report.html").read_bytes() == report
    assert "report: dist/report.html, the same page" in tested.output


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_report_can_be_read_by_everybody_at_any_width(tested, browser, width, scheme):
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto((tested.root / "test-results/report.html").as_uri())
    page.evaluate((package_files("axe_playwright_python") / "axe.min.js").read_text("utf-8") + ";0")
    results = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    scroll_width = page.evaluate("document.documentElement.scrollWidth")
    page.close()
    assert [violation["id"] for violation in results["violations"]] == []
    assert scroll_width == width


def test_run_without_a_check_leaves_a_report_when_a_test_fails(tested, tmp_path):
    built, plan = tested.root / "build-of-the-run", RunPlan()
    assert [*write_report(tested.root, built, tmp_path, [], plan)] == []
    failure = FailedTest(test="widgets/note/test_own.py::test_own", text="assert 3 == 4")
    [line] = write_report(tested.root, built, tmp_path, [failure], plan)
    assert line.startswith("report: ")
    report = BeautifulSoup((tmp_path / "report.html").read_text("utf-8"), "html.parser")
    assert report.select_one(".verdict").get_text(" ", strip=True) == "1 test failed no check ran"
    assert report.select_one(".failure pre").text == "assert 3 == 4"
    assert report.select_one("#states, #checks, [href='#states'], [href='#checks']") is None


@pytest.mark.usefixtures("processes")
def test_run_that_does_not_reach_its_end_leaves_no_report(tested, tmp_path):
    root = shutil.copytree(tested.root, tmp_path / "app")
    broken = root / "widgets/note/test_broken.py"
    broken.write_text("import nothing_of_this_name\n")
    output = run(
        root,
        f"--awning-built={root / 'build-of-the-run'}",
        "--awning-report",
        "--output=broken",
        "--continue-on-collection-errors",
        "-k",
        "accessible and stock-note and sold-out",
    )
    interrupted = run(
        root,
        f"--awning-built={root / 'build-of-the-run'}",
        "--awning-report",
        "--output=interrupted",
    )
    broken.unlink()
    assert "report: broken/report.html" in output
    assert "report: none, because the run did not reach its end" in interrupted
    assert not (root / "interrupted/report.html").exists()
