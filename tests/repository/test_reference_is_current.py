"""The pages of docs/reference are what the code says."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/reference"
AGAIN = "run: .venv/bin/python packaging/make_reference.py"


def texts(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in sorted(folder.rglob("*.md"))
    }


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("reference")
    command = [sys.executable, ROOT / "packaging/make_reference.py", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return texts(folder)


def test_reference_pages_are_current(made):
    written = texts(PAGES)
    assert sorted(written) == sorted(made), AGAIN
    assert [page for page in made if written[page] != made[page]] == [], AGAIN


def test_reference_has_verbs_keys_fixtures_exports_and_rules(made):
    assert "`--allow-errors`" in made["cli/build.md"]
    assert "`after-price`" not in made["cli/build.md"]
    assert "AWNING_PUBLISH_PLAN_ONLY" in made["cli/README.md"]
    assert "| `isolation` |" in made["workspace-files.md"]
    assert "Gives [`Storefront`](#storefront). |" in made["pytest.md"]
    assert "@pytest.mark.allow_problems(*parts, reason)" in made["pytest.md"]
    assert "`--pseudo`" in made["pytest.md"]
    assert "### afterPrice" in made["runtime.md"]
    for rule in (ROOT / "docs/rules").glob("*.md"):
        assert f"(../rules/{rule.name})" in made["rules.md"]
