"""What a failing test of a widget says and leaves behind."""

import json
import os
import re
from pathlib import Path
from zipfile import ZipFile

import playwright
import pytest
from nested_runs import run_pytest
from warm_python import AWNING, run_warm

from awning.errors import ConfigurationError
from awning.workspace.scaffolding import make_workspace
from awning_harness.evidence import EvidenceOptions
from awning_harness.runs.command import check_browser_options

OWN_TESTS = """\
def test_of_the_author(storefront):
    visit = storefront.product("P1", language="en", theme="dark")
    visit.select("L/Blue")
    assert "nothing of the kind" in visit.text()


def test_of_the_author_with_a_closed_page(storefront):
    visit = storefront.product("P1", language="en")
    visit.page.context.close()
    assert visit is None


def test_of_the_author_in_a_frame(widget):
    visit = widget.show("P1", language="en", theme="dark")
    visit.select("L/Blue")
    assert "nothing of the kind" in visit.text()


def test_that_passes(storefront):
    assert storefront.product("P3", language="en").text() == "In stock"
"""

OF_A_STATE = "widgets-stock-note-widget-toml-test-shows-its-state-in-stock-en-chromium"
IN_A_THEME = (
    "widgets-stock-note-widget-toml-test-every-shop-few-left-en-narrow-observed-forced-colors-chromium"
)
OF_THE_AUTHOR = "widgets-stock-note-test-own-py-test-of-the-author-chromium"
OF_A_CLOSED_PAGE = "widgets-stock-note-test-own-py-test-of-the-author-with-a-closed-page-chromium"
IN_A_FRAME = "widgets-stock-note-test-own-py-test-of-the-author-in-a-frame-chromium"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    """A workspace with a state and a test that fail, and a test that passes."""
    root: Path = tmp_path_factory.mktemp("evidence") / "app"
    make_workspace(root, slot="after-price")
    folder = root / "widgets" / "stock-note"
    (folder / "test_own.py").write_text(OWN_TESTS)
    states = (folder / "states.toml").read_text()
    (folder / "states.toml").write_text(
        re.sub(r"shows = .*", 'shows = { en = ["Bananas"] }', states, count=1)
    )
    with (folder / "style.css").open("a") as style:
        style.write("\n.note { min-width: 310px }\n")  # wider than the place of the theme `narrow`
    (root / "test-results" / "of-an-earlier-run").mkdir(parents=True)
    return root


@pytest.fixture(scope="module")
def report(processes, workspace) -> str:
    """pytest's output for the workspace, in two processes."""
    options = ["--screenshot=only-on-failure", "--tracing=retain-on-failure", "-p", "no:cacheprovider", "-n2"]
    chosen = [
        "-k",
        "author or passes or (in-stock and en and shows_its_state) or (every_shop and few-left-en-narrow)",
    ]
    return run_warm(["-m", "pytest", *options, *chosen], workspace).stdout


def results(workspace: Path) -> set[str]:
    return {path.name for path in (workspace / "test-results").iterdir() if path.is_dir()}


def test_a_states_failure_names_its_line_and_what_the_block_shows(report):
    assert (
        'widgets/stock-note/states.toml:8: the state "in-stock" (en): '
        "the block does not show 'Bananas'; it shows: 'In stock'\n"
        '    shows = { en = ["Bananas"] }\n'
    ) in report


def test_report_has_no_line_of_awning_and_no_address_of_an_object(report):
    assert " object at 0x" not in report
    assert "awning_harness" not in report


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:8420/_awning/state/stock-note/in-stock/en",
        "http://127.0.0.1:8420/1/en/product/1?theme=dark",
        "http://127.0.0.1:8420/1/en/product/2?theme=narrow&assumptions=observed",
    ],
)
def test_report_says_where_awning_dev_shows_the_page(report, address):
    assert f"again    awning dev, then {address}\n" in report


def test_failure_names_its_replay_and_no_report_that_the_run_does_not_write(report):
    places = re.findall(r"^replay .*\((.*)\)$", report, re.MULTILINE)
    assert {*places} == {"replay.json"}


def test_frame_of_a_failed_test_has_the_sections_of_a_page(report):
    start = re.escape("_ test_of_the_author_in_a_frame[chromium] _")
    section = re.search(rf"{start}(.*?)^files ", report, re.MULTILINE | re.DOTALL)
    assert section
    for part in (
        "-- the block shows --",
        "Only 1 left",
        "deliver    after-price",
        "1/en/product/1?theme=dark",
    ):
        assert part in section[1]


def test_report_names_the_variant_of_each_update(report):
    """P1 is in stock as S/Red, which the page chooses itself; the tests of the author choose L/Blue."""
    chosen = re.findall(r"deliver    after-price-updated +#\d +live, (.*)$", report, re.MULTILINE)
    assert {"S/Red", "L/Blue"} <= set(chosen)


def test_report_shows_the_events_of_the_page(report):
    assert re.search(r"^ +\d+ ms  deliver    after-price +#1 +live$", report, re.MULTILINE)
    assert re.search(
        r"^ +\d+ ms  content    after-price +#1 .*Only 1 left</div></div>$", report, re.MULTILINE
    )


def test_page_that_a_test_closed_costs_only_its_evidence(report):
    assert "assert <page en/product/1> is None" in report
    assert "5 failed, 1 passed" in report


@pytest.mark.usefixtures("report")
def test_only_failed_tests_of_this_run_leave_files(workspace):
    assert results(workspace) == {OF_A_STATE, IN_A_THEME, OF_THE_AUTHOR, OF_A_CLOSED_PAGE, IN_A_FRAME}


@pytest.mark.usefixtures("report")
def test_page_that_a_test_closed_has_a_replay_alone(workspace):
    left = sorted(file.name for file in (workspace / "test-results" / OF_A_CLOSED_PAGE).iterdir())
    assert left == ["replay.json", "step-0.png"]


@pytest.mark.usefixtures("report")
def test_files_of_a_check_are_of_the_page_that_failed_it(workspace):
    assert "theme-narrow" in (workspace / "test-results" / IN_A_THEME / "page.html").read_text()


@pytest.mark.usefixtures("report")
@pytest.mark.parametrize("test", [OF_A_STATE, OF_THE_AUTHOR, IN_A_FRAME])
def test_failed_test_leaves_a_picture_the_page_its_events_and_a_trace(workspace, test):
    folder = workspace / "test-results" / test
    assert (folder / "screenshot.png").read_bytes().startswith(b"\x89PNG")
    assert "Simulated shop" in (folder / "page.html").read_text()
    assert "deliver    after-price" in (folder / "events.txt").read_text()
    with ZipFile(folder / "trace.zip") as trace:
        assert any(name.endswith(".trace") for name in trace.namelist())


@pytest.mark.usefixtures("processes")
def test_awning_test_keeps_a_picture_of_a_failure_without_being_asked(tmp_path):
    root = tmp_path / "app"
    make_workspace(root, slot="after-price")
    (root / "widgets" / "stock-note" / "test_own.py").write_text(OWN_TESTS)
    done = run_warm([*AWNING, "test", "widgets/stock-note/test_own.py::test_of_the_author"], root)
    assert done.returncode == 1, done.stderr
    left = {file.name for file in (root / "test-results" / OF_THE_AUTHOR).iterdir()}
    pictures = {name for name in left if name.startswith("step-")}
    assert left - pictures == {"screenshot.png", "page.html", "events.txt", "replay.json"}
    assert pictures


@pytest.mark.parametrize(
    ("option", "when_failed", "when_passed"),
    [
        ("on", True, True),
        ("off", False, False),
        ("only-on-failure", True, False),
        ("retain-on-failure", True, False),
    ],
)
def test_files_are_kept_as_the_options_of_pytest_playwright_say(option, when_failed, when_passed):
    options = EvidenceOptions(
        folder=Path(), screenshot=option, trace=option, video=option, is_full_page=False, has_report=False
    )
    keepers = {
        "only-on-failure": [options.has_screenshot],
        "retain-on-failure": [options.has_trace, options.has_video],
    }
    for keeps in keepers.get(option) or [options.has_screenshot, options.has_trace, options.has_video]:
        assert (keeps(failed=True), keeps(failed=False)) == (when_failed, when_passed)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--browser=firefox"], "awning tests in Chromium, not in firefox"),
        (["--browser", "webkit"], "awning tests in Chromium, not in webkit"),
        (["-x", "--video=on"], "--video needs Playwright's ffmpeg, which is not installed"),
        (["--video", "retain-on-failure"], "--video needs Playwright's ffmpeg, which is not installed"),
    ],
)
def test_an_option_that_awning_cannot_keep_is_refused(options, message, tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    with pytest.raises(ConfigurationError, match=message):
        check_browser_options(options, is_remote=False)


def test_video_of_a_browser_elsewhere_needs_no_ffmpeg_here(tmp_path, monkeypatch):
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    check_browser_options(["--video=on"], is_remote=True)


@pytest.mark.usefixtures("processes")
def test_video_is_accepted_where_playwrights_ffmpeg_is(tmp_path, monkeypatch):
    listed = json.loads((Path(playwright.__file__).parent / "driver/package/browsers.json").read_text())
    revision = next(each["revision"] for each in listed["browsers"] if each["name"] == "ffmpeg")
    folder = tmp_path / f"ffmpeg-{revision}"
    folder.mkdir()
    (folder / "ffmpeg-linux").touch()
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path))
    check_browser_options(["--video=on"], is_remote=False)


@pytest.mark.usefixtures("processes")
def test_video_without_ffmpeg_ends_the_run_before_its_tests(tmp_path):
    root = tmp_path / "app"
    make_workspace(root, slot="after-price")
    environ = {**os.environ, "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path)}
    done = run_warm(["-m", "pytest", "--video=on", "-p", "no:cacheprovider"], root, environ)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "--video needs Playwright's ffmpeg, which is not installed" in done.stderr


@pytest.mark.parametrize("options", [[], ["--browser", "chromium"], ["--video=off"]])
def test_other_options_are_pytests(options):
    check_browser_options(options, is_remote=False)


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("folder", ["widgets", ".."])
def test_a_folder_with_sources_is_not_emptied(tmp_path, folder):
    root = tmp_path / "app"
    make_workspace(root, slot="after-price")
    before = sorted(root.rglob("*"))
    code, output = run_pytest(root, f"--output={folder}")
    assert (code, "has sources" in output) == (pytest.ExitCode.USAGE_ERROR, True)
    assert sorted(path for path in root.rglob("*") if "__pycache__" not in path.parts) == before


@pytest.mark.usefixtures("processes")
def test_a_file_in_the_place_of_the_results_costs_only_the_files(tmp_path):
    root = tmp_path / "app"
    make_workspace(root, slot="after-price")
    (root / "widgets" / "stock-note" / "test_own.py").write_text(OWN_TESTS)
    (root / "test-results").write_text("in the way")
    test = "widgets/stock-note/test_own.py::test_of_the_author"
    _, output = run_pytest(root, "--screenshot=only-on-failure", test)
    assert "1 failed" in output
    assert "evidence is missing" in output
