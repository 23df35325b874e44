"""The pages of docs/reference are current: making them again from the code changes nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from awning.rules import rule_ids

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/reference"
AGAIN = "run: .venv/bin/python packaging/make_reference.py"


def texts(folder: Path) -> dict[str, str]:
    return {
        file.relative_to(folder).as_posix(): file.read_text("utf-8") for file in sorted(folder.rglob("*.md"))
    }


@pytest.fixture(scope="module")
def generated(processes, tmp_path_factory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("reference")
    command = [sys.executable, ROOT / "packaging/make_reference.py", folder]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return texts(folder)


def test_reference_pages_are_current(generated):
    written = texts(PAGES)
    assert sorted(written) == sorted(generated), AGAIN
    assert [page for page in generated if written[page] != generated[page]] == [], AGAIN


def test_verb_that_the_environment_does_not_have_is_named(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "packaging")
    from reference.command_line import verbs_not_installed  # noqa: PLC0415 - it is in no package

    assert verbs_not_installed(["dev", "gallery", "nowhere"]) == ["nowhere"]


def test_reference_has_verbs_keys_fixtures_exports_and_rules(generated):
    assert "`--allow-errors`" in generated["cli/build.md"]
    assert "`after-price`" not in generated["cli/build.md"]
    assert "AWNING_PUBLISH_PLAN_ONLY" in generated["cli/README.md"]
    assert "- `isolation`: " in generated["workspace-files.md"]
    assert "Gives [`Storefront`](#storefront)." in generated["pytest.md"]
    assert "@pytest.mark.allow_problems(*parts, reason)" in generated["pytest.md"]
    assert "`--pseudo`" in generated["pytest.md"]
    assert "### afterPrice" in generated["runtime.md"]
    for rule in rule_ids():
        assert f"- [`{rule}`](" in generated["rules.md"]
