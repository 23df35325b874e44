"""The site of the docs: every page is in it, links stay inside, a warning is an error. `.ci/run` builds the whole."""

import subprocess
import sys
from pathlib import Path

import docs_site
import pytest

from awning.rules import Rule

MAKE_REFERENCE = Path(docs_site.__file__).with_name("make_reference.py")

RULE = Rule(
    id="a-rule",
    severities=("error",),
    reporters=("check",),
    is_found_in_libraries=False,
    text="A rule: [the guide](../../../../docs/guide.md).\n\nWrong:\n",
)


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A small repository with docs, in the place of this one."""
    files = {
        "CONTRIBUTING.md": "# Contributing\n\n[the guide](docs/guide.md#more)\n",
        "CHANGELOG.md": "# Changelog\n",
        "src/code.py": "",
        "docs/index.md": "# Home\n\nAll about\nwidgets. Read on.\n\n"
        "## Guides\n\n- [A guide](guide.md)\n- [Contributing](../CONTRIBUTING.md)\n",
        "docs/guide.md": "# Guide\n\n```\ncode\n```\n\nSays more in [code](../src/code.py). Ends.\n\n## More\n\n"
        "[code](../src/code.py), [widgets](widgets/), [in](../CONTRIBUTING.md)\n\n"
        "```\n[not a link](../src/code.py)\n```\n",
        "docs/unnamed.md": "# A page that no list names\n",
        "docs/widgets/gift.md": "# Gift\n",
        "src/awning/rules/pages/a-rule.md": "",
        "docs/reference/rules.md": "# Rules\n\n[a rule](../../src/awning/rules/pages/a-rule.md)\n",
        "docs/reference/cli/README.md": "# Verbs\n",
        "docs/reference/cli/build.md": "# build\n",
    }
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    monkeypatch.setattr(docs_site, "ROOT", tmp_path)
    monkeypatch.setattr(docs_site, "DOCS", tmp_path / "docs")
    monkeypatch.setattr(docs_site, "PAGES", tmp_path / "src/awning/rules/pages")
    monkeypatch.setattr(docs_site, "all_rules", lambda: [RULE])
    return tmp_path


@pytest.fixture
def staged(repository, tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("staged")
    docs_site.stage(folder)
    return folder


def test_sections_of_the_home_page_are_the_navigation(staged):
    text = (staged / "index.md").read_text()
    assert ":caption: Guides\n\nguide\ncontributing\n" in text
    more = text.partition(":caption: More")[2]
    assert "unnamed" in more
    assert "guide\n" not in more


def test_pages_of_a_folder_are_below_its_own_page(staged):
    assert "\n../../reference/cli/build\n" in (staged / "reference/cli/README.md").read_text()
    listed = (staged / "widgets/README.md").read_text()
    assert listed.startswith("# Widgets\n"), "a folder without a page gets a list"
    assert ":hidden:" not in listed
    assert "[widgets](widgets/README.md)" in (staged / "guide.md").read_text()
    assert "\n../widgets/gift\n" in (staged / "widgets/README.md").read_text()
    assert (staged / "rules/a-rule.md").read_text().startswith("---\norphan: true\n---\n")
    assert '<p class="wrong">Wrong</p>' in (staged / "rules/a-rule.md").read_text()
    assert "# a-rule\n\nA rule: [the guide](../guide.md)." in (staged / "rules/a-rule.md").read_text()
    assert "[a rule](../rules/a-rule.md)" in (staged / "reference/rules.md").read_text()


def test_list_for_language_models_has_a_row_for_each_page_of_the_navigation(staged):
    assert (staged / "llms.txt").read_text().splitlines() == [
        "# Home",
        "",
        "> All about widgets.",
        "",
        "## Guides",
        "",
        "- [Guide](_sources/guide.md): Says more in code (`src/code.py`).",
        "- [Contributing](_sources/contributing.md): the guide",
        "",
        "## More",
        "",
        "- [Changelog](_sources/changelog.md)",
        "- [Verbs](_sources/reference/cli/README.md)",
        "- [build](_sources/reference/cli/build.md)",
        "- [A page that no list names](_sources/unnamed.md)",
        "- [Rules](_sources/reference/rules.md): a rule",
        "- [Gift](_sources/widgets/gift.md)",
    ]


def test_links_stay_inside_the_site(staged):
    text = (staged / "guide.md").read_text()
    assert "code (`src/code.py`), [widgets](widgets/README.md), [in](contributing.md)" in text
    assert "[not a link](../src/code.py)" in text
    assert "[the guide](guide.md#more)" in (staged / "contributing.md").read_text()


@pytest.mark.usefixtures("processes")
def test_site_is_built_and_a_broken_link_fails_it(staged, tmp_path, capfd):
    out = tmp_path / "site"
    assert docs_site.build(staged, out) == 0
    assert {"index.html", "search.html", "unnamed.html", "searchindex.js"} <= {
        file.name for file in out.iterdir()
    }
    rows = (out / "llms.txt").read_text().splitlines()
    linked = [row.partition("](")[2].partition(")")[0] for row in rows if row.startswith("- ")]
    assert linked
    assert [page for page in linked if not (out / page).is_file()] == []
    assert "http" not in (out / "guide.html").read_text().partition("<head>")[2].partition("</head>")[0]
    assert docs_site.is_replaceable(out)
    (staged / "guide.md").write_text("# Guide\n\n[nowhere](nowhere.md)\n")
    assert docs_site.build(staged, tmp_path / "other") == 1
    assert "nowhere.md" in capfd.readouterr().err
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("out", [".", "docs", "docs/site", "src"])
def test_folder_with_sources_is_never_replaced(repository, monkeypatch, capsys, out):
    monkeypatch.setattr("sys.argv", ["docs_site.py", str(repository / out)])
    assert docs_site.main() == 2
    assert "would be replaced" in capsys.readouterr().err
    assert (repository / "docs/index.md").exists()


@pytest.mark.usefixtures("processes")
def test_reference_replaces_no_folder_with_other_files(tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    command = [sys.executable, MAKE_REFERENCE, tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, [path.name for path in tmp_path.iterdir()]) == (2, ["mine.txt"])
    assert "name a new folder" in done.stderr


def test_code_is_whole_on_a_phone(browser):
    """Code in a block, in a line and in a table ends inside the screen."""
    long = (
        "awning publish apply --waves 1%,10%,100% --gate-health 1% --gate-command ./look.sh # and a comment"
    )
    style = (docs_site.THEME / "_static/awning.css").read_text(encoding="utf-8")
    page = browser.new_page(viewport={"width": 390, "height": 800})
    page.set_content(
        f"<style>pre {{ overflow: auto }} {style}</style><article><pre>{long}\n  {'x' * 200}</pre>"
        f"<p><code>{'y' * 200}</code></p><table class=docutils><tr><td><code>{'z' * 200}</code></table></article>"
    )
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.evaluate("(pre => pre.scrollWidth - pre.clientWidth)(document.querySelector('pre'))") == 0
    page.close()
