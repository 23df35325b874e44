"""The examples of docs/ that name their file are files of a workspace that builds without diagnostics."""

import re
from pathlib import Path

import pytest
from command_line import run_awning

from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import make_workspace

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("forms.md", "widget.md")

EXAMPLE = re.compile(
    r"^```\w+\n(?://|#|\{#|<!--) (?P<path>widgets/\S+)(?: #\}| -->)?\n(?P<text>.*?)^```",
    re.MULTILINE | re.DOTALL,
)
WIDGET = 'title = "Example"\nslot = "{slot}"\n'


@pytest.fixture(params=PAGES)
def root(request, tmp_path) -> Path:
    """A new workspace with the files of one page."""
    workspace = tmp_path / "app"
    make_workspace(workspace)
    examples = EXAMPLE.findall((DOCS / request.param).read_text(encoding="utf-8"))
    assert examples
    for path, text in examples:
        file = workspace / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if not file.parent.name.startswith("_") and not (file.parent / "widget.toml").exists():
            (file.parent / "widget.toml").write_text(WIDGET.format(slot="after-price"))
        if "export default afterCart" in text:
            (file.parent / "widget.toml").write_text(WIDGET.format(slot="after-cart"))
    return workspace


def test_examples_of_the_docs_build_without_diagnostics(root, tmp_path, monkeypatch, capsys):
    assert build_workspace(read_workspace(root), out=tmp_path / "out")
    monkeypatch.chdir(root)
    code, out, _ = run_awning(capsys, "check")
    assert code == 0, out
