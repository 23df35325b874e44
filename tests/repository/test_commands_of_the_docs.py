"""The commands that the docs show exist: the verb, its subcommands and each of its options."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from awning.cli.main import awning

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md")),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "reference" not in page.parts),
    *sorted((ROOT / "src/awning/workspace/scaffold").rglob("*.md")),
    *sorted((ROOT / "src/awning/workspace/scaffold").rglob("*.yml")),
]
FENCE = re.compile(r"^(`{3,})[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`([^`\n]+)`")
COMMAND = re.compile(
    r"^(?:[-$] |run: |[A-Z_]+=\S+ |\()*(?:\.venv/bin/)?(?:awning|python3 build\.py) (?P<line>[a-z-].*)",
    re.MULTILINE,
)
PASSED_ON = {"test"}
"""Verbs that pass unknown options to another program."""


def codes(text: str) -> Iterator[str]:
    """The code of a page: its blocks, and what is in backticks."""
    yield from (block[2] for block in FENCE.finditer(text))
    yield from INLINE.findall(FENCE.sub("", text))


def commands(text: str) -> Iterator[str]:
    """The words after `awning` on each line of code, without a comment, a redirection or another command."""
    lines = (line.strip() for line in re.sub(r"\s*\\\n\s+", " ", text).splitlines())
    for match in COMMAND.finditer("\n".join(lines)):
        yield re.split(r"\s{2,}|\s#\s|\s?[|<>&]|[)\"]?$", match["line"])[0]


def problems(line: str) -> list[str]:
    """What is wrong with the words of one command: a verb, a subcommand or an option that is not there."""
    try:
        words = shlex.split(line, comments=True)
    except ValueError:
        words = line.split()
    command: click.Command = awning
    context = click.Context(awning, info_name="awning")
    options: set[str] = set()
    for word in words:
        options |= {
            option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)
        }
        if isinstance(command, click.Group) and not word.startswith("-"):
            below = command.get_command(context, word.rstrip(",.;:"))
            if below is None:
                return [] if command.invoke_without_command else [f"{command.name} has no {word!r}: {line}"]
            command = below
            context = click.Context(command, parent=context, info_name=word)
        elif word.startswith("--") and len(word) > 2 and words[0] not in PASSED_ON:
            name = word.split("=")[0].rstrip(",.;:)]")
            known = (
                options
                | {"--help", "--version"}
                | {o for p in command.params for o in (*p.opts, *p.secondary_opts)}
            )
            if name not in known:
                return [f"{command.name} has no {name}: {line}"]
    return []


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.relative_to(ROOT).as_posix())
def test_commands_of_the_docs_exist(document):
    text = document.read_text(encoding="utf-8")
    parts = codes(text) if document.suffix == ".md" else [text]
    assert [problem for part in parts for line in commands(part) for problem in problems(line)] == []


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("```\nawning biuld\n```", "has no 'biuld'"),
        ("Run `awning build --jsn` now", "build has no --jsn"),
        ("`$ awning publish aply --waves 10%`", "publish has no 'aply'"),
        ("```\nNAME=x awning publish apply \\\n    --wave 10%  then more\n```", "apply has no --wave"),
        ("```yaml\n  - awning check --format sarif > reports/check.sarif || true\n```", None),
        ("`awning test -k sold_out --headed`, `awning build`.", None),
        ("awning is a toolkit, and `awning` is its name", None),
    ],
)
def test_wrong_commands_are_found(text, problem):
    listed = [problem for part in codes(text) for line in commands(part) for problem in problems(line)]
    assert (problem is None and listed == []) or (problem is not None and problem in listed[0])
