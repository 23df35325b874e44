"""A failure in Chromium leads to the author's line, wherever the page has the snippet."""

import json
from contextlib import closing
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser
from project import Project

from awning.publish.health.place import ReportedBuilds
from awning.publish.health.reports import FailurePlace
from awning.publish.release.build_files import read_files
from awning.publish.release.releases import Releases
from awning.publish.state.store import StateDir

ADDRESS = "https://app.test/health/report"
WIDGET = """\
import { afterPrice } from "awning";
import view from "./view.html.j2";
import { percent } from "../_shared/percent.ts";

export default afterPrice(({ item, t }) => {
  const text = `a line break
and another`;
  if (item.name === "in the widget") {
    throw new RangeError("out of range");
  }
  if (item.name === "in a shared file") return percent(null);
  return view({ t, text, item });
});
"""
SHARED = """\
export const percent = (part: { of: number } | null): string =>
  `${part!.of} %`;
"""
VIEW = "<p>ā 🎁</p>\n<p>\n  {{ item.brand.name }}\n</p>\n"
PLACES = {
    "in the widget": FailurePlace(path="widgets/note/widget.ts", line=9, column=11),
    "in a shared file": FailurePlace(path="widgets/_shared/percent.ts", line=2, column=12),
    "in the template": FailurePlace(path="widgets/note/view.html.j2", line=3, column=17),
}
STUB = """var svcPlugins = { subscribeEvent: (name, callback) => name.endsWith("price")
  && callback({}, () => ({ setContent() {} }), { item: ITEM, page: { language: "lv" } }) };"""


@dataclass
class Released:
    builds: ReportedBuilds
    project: Project


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    folder = tmp_path_factory.mktemp("shop")
    project = Project(folder / "shop")
    settings = f'[tool.awning]\nlanguages = ["en", "lv"]\nbeacon = "{ADDRESS}"\n'
    project.add_file("pyproject.toml", settings)
    project.add_file("widgets/_shared/percent.ts", SHARED)
    project.add_widget("note", widget_ts=WIDGET, view_html_j2=VIEW, style_css=".text { color: red }")
    project.add_widget("other").build()
    releases = Releases.open(StateDir(folder / "state"))
    releases.create(read_files(project.root / "dist"), operator="test")
    with closing(ReportedBuilds(releases)) as builds:
        yield Released(builds, project)


def report_of(browser: Browser, html: str) -> dict:
    """The report that a page sends."""
    page = browser.new_page()
    page.route("https://shop.test/", lambda route: route.fulfill(body=html, content_type="text/html"))
    page.route("https://app.test/**", lambda route: route.fulfill(status=204))
    with page.expect_request(ADDRESS) as sent:
        page.goto("https://shop.test/")
    report = json.loads(sent.value.post_data)
    page.close()
    return report


ON_PAGES = [
    *((name, "body.html", "") for name in PLACES),
    ("in the widget", "lv/body.html", "<p>one line</p>   "),
    ("in a shared file", "lv/body.html", "\n\n<script>var a = 1;\n</script>\n"),
    ("in the template", "body.html", "\n\n<script>var a = 1;\n</script>\n<p>one line</p>   "),
]
"""Where it fails, in which snippet, and what the page has before the snippet."""


@pytest.mark.parametrize(("name", "path", "before"), ON_PAGES)
def test_failure_leads_to_the_authors_line(released, browser, name, path, before):
    throws = "brand: { get name() { throw new TypeError('no brand'); } }"
    stub = STUB.replace("ITEM", f"{{ name: {json.dumps(name)}, {throws} }}")
    html = f"<!doctype html><script>{stub}</script>{before}{released.project.dist(path)}"
    report = report_of(browser, html)
    build = released.builds.find(report["build"])
    assert build.name.language == ("lv" if "lv" in path else None)
    place = released.builds.place(build, report["at"])
    assert (place.path, place.line) == (PLACES[name].path, PLACES[name].line)
    assert abs(place.column - PLACES[name].column) < 8


@pytest.mark.parametrize(
    "at",
    [
        [],
        [None],
        ["1:1"],
        ["1:1", "", "x", "1:", ":1", "1:1:1", "-1:5"],
        ["5:100", "9999999:1"],
        ["5:100", "5:9999999"],
        ["5:9999999", "5:1"],
        ["0:0", "0:0"],
    ],
)
def test_places_outside_the_script_are_unknown(released, at):
    record = released.project.build()
    build = released.builds.find(record.fingerprint[:12] + ".lv")
    place = released.builds.place(build, [text for text in at if text is not None])
    assert place is None or place.path.startswith("jsrc/runtime/beacon")


@pytest.mark.parametrize("build", ["", "x", "0" * 12 + ".lv", "%%%%%%%%%%%%.lv"])
def test_other_builds_are_unknown(released, build):
    assert released.builds.find(build) is None


def test_snippet_of_one_widget_leads_to_no_place(released):
    build = released.builds.find(released.project.build().fingerprint[:12] + ".-.")
    assert build is not None
    assert released.builds.place(build, ["1:300", "1:2000"]) is None


def test_newest_release_of_a_build_counts(released):
    """Two releases have the same snippets when only the manifest differs."""
    fingerprint = released.project.build().fingerprint
    manifest = released.project.root / "dist/manifest.json"
    manifest.write_text(manifest.read_text().replace("{", '{"app_description": "new",', 1))
    with closing(Releases.open(StateDir(released.project.root.parent / "state"))) as releases:
        second, _ = releases.create(read_files(released.project.root / "dist"), operator="test")
    assert released.builds.find(f"{fingerprint[:12]}...").release == second.number
    assert second.number > 1


def test_language_that_the_build_does_not_have_is_unknown(released):
    fingerprint = released.project.build().fingerprint[:12]
    assert released.builds.find(f"{fingerprint}.de") is None
    assert released.builds.find(f"{fingerprint}.lv").has_widget("note")
