"""What a test says about an exception: the author's file and line, on every kind of page that tests open.

The fixture `report` runs pytest once over a workspace whose widgets throw. Its tests write the errors to files.
"""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from warm_python import run_warm

from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import add_widget, make_workspace

SCRIPT = """\
import { afterPrice } from "awning";
import view from "./view.html.j2";
const signs = "𝄞𝄞";

export default afterPrice(({ t }: any) => {
  setTimeout(() => { throw new TypeError(`${signs} ${t("note")}`); }, 0);
  /* 𝄞 */ void Promise.reject(new Error("nobody handles this"));
  return view({ t, signs, broken: 5 });
});
"""
VIEW = """\
<div class="note 𝄞">
  <p>{{ signs }}</p>
  <p>{{ t("note") }}: {% for each in broken %}{{ each }}{% endfor %}</p>
</div>
"""
FIRST_LINES = {
    (
        "at widgets/stock-note/widget.ts:6:28",
        'setTimeout(() => { throw new TypeError(`${signs} ${t("note")}`); }, 0);',
        "^",
    ),
    (
        "at widgets/stock-note/widget.ts:7:32",
        '/* 𝄞 */ void Promise.reject(new Error("nobody handles this"));',
        "^",
    ),
    (
        "at widgets/stock-note/view.html.j2:3:26",
        '<p>{{ t("note") }}: {% for each in broken %}{{ each }}{% endfor %}</p>',
        "^",
    ),
}
"""The lines after the message of each error: the first place in a file of the author, its source line, and a mark."""
RAW = """\
svcPlugins.subscribeEvent("svc-content-after-price", (_event, initContentHandler) => {
  initContentHandler().setContent("<p>text</p>");
  const broken: any = undefined;
  broken.of_a_raw_script();
});
export {};
"""
OWN = """\
import json
import pytest

PAGES = {
    "plain": {}, "crowded": {"theme": "crowded"}, "nonce": {"csp": "nonce"}, "trusted": {"csp": "trusted-types"},
}

@pytest.mark.allow_problems("", reason="the test reads them")
@pytest.mark.parametrize(("page", "language"), [*((page, "en") for page in PAGES), ("plain", "lv")])
@pytest.mark.parametrize("opener", ["storefront", "widget"])
def test_errors(request, opener, page, language):
    opened = request.getfixturevalue(opener)
    name = f"{opener}-{page}-{language}.json"
    if language == "lv":
        language = opened.with_pseudo_language()
    show = opened.product if opener == "storefront" else opened.show
    visit = show("P1", language=language, **PAGES[page])
    visit.settle()
    (request.config.rootpath / name).write_text(json.dumps(visit.errors))
"""
KINDS = [
    f"{opener}-{page}-{language}"
    for opener in ("storefront", "widget")
    for page, language in (
        ("plain", "en"),
        ("crowded", "en"),
        ("nonce", "en"),
        ("trusted", "en"),
        ("plain", "lv"),
    )
]
CHOSEN = "test_errors or (shows_its_state and in-stock) or (language and in-stock) or weight"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Path:
    root: Path = tmp_path_factory.mktemp("places") / "app"
    make_workspace(root, slot="after-price", languages=("en", "lv"))
    folder = root / "widgets/stock-note"
    for language, text in (("en", "A note"), ("lv", "Piezīme")):
        (folder / f"messages/{language}.toml").write_text(f'note = "{text}"\n', "utf-8")
    (folder / "widget.ts").write_text(SCRIPT, "utf-8")
    (folder / "view.html.j2").write_text(VIEW, "utf-8")
    (folder / "test_own.py").write_text(OWN)
    add_widget(root, "raw-note", slot="after-price", languages=("en", "lv"))
    for path in (root / "widgets/raw-note").glob("*.j2"):
        path.unlink()
    (root / "widgets/raw-note/widget.ts").write_text(RAW)
    return root


@pytest.fixture(scope="module")
def report(processes, workspace) -> str:
    build_workspace(read_workspace(workspace), out=workspace / "built", for_tests=True)
    options = [
        "-p",
        "no:cacheprovider",
        "--screenshot=only-on-failure",
        "--awning-report",
        "--awning-built=built",
    ]
    return run_warm(["-m", "pytest", *options, "-k", CHOSEN, "widgets"], workspace).stdout


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_of_a_page_has_the_authors_place(report, workspace, kind):
    errors = json.loads((workspace / f"{kind}.json").read_text())
    assert not [text for text in errors if re.search(r"<anonymous>|/product/|snippet/|awning's", text)]
    first = {tuple(re.sub(r" {2,}", "", line) for line in text.split("\n")[1:4]) for text in errors}
    assert first == FIRST_LINES


def test_errors_of_every_page_are_the_same_apart_from_texts(report, workspace):
    stacks = {
        kind: sorted(
            "\n".join(text.split("\n")[1:]) for text in json.loads((workspace / f"{kind}.json").read_text())
        )
        for kind in KINDS
    }
    assert all(stack == stacks[KINDS[0]] for stack in stacks.values())


def failure_of(report, name):
    match = re.search(
        rf"^_+ {re.escape(name)}\S* _+\n(.*?)(?=^_+ test_|^=====)", report, re.MULTILINE | re.DOTALL
    )
    return match[1]


RAW_STACK = """\
    at widgets/raw-note/widget.ts:4:10
        broken.of_a_raw_script();
               ^
"""


def test_failure_shows_the_line_of_a_raw_script(report):
    text = failure_of(report, "test_shows_its_state[in-stock-en")
    assert "unhandled-error (svc-content-after-price)\n  TypeError: Cannot read properties" in text
    assert RAW_STACK in text
    assert re.search(r"^ +\d+ ms  exception .* \(at widgets/raw-note/widget.ts:4:10\)$", text, re.MULTILINE)
    assert "widgets/raw-note/widget.ts:4:10 is where it is thrown" in text


def test_states_in_all_languages_and_checks_with_one_fault_are_one_failure(report, workspace):
    page = BeautifulSoup((workspace / "test-results/report.html").read_text("utf-8"), "html.parser")
    failures = {failure.h3.text.split(":")[0]: failure for failure in page.select(".failure")}
    assert len(page.select(".failure")) == 2
    assert RAW_STACK in failures["raw-note"].pre.text
    assert "widgets/stock-note/" in failures["stock-note"].pre.text
