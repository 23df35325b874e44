"""docs/reseller.md covers every subcommand, field and variable."""

import re
from pathlib import Path

import click

from awning.cli.reseller import reseller
from awning.client.reseller.selection import WEBSITE_FIELDS

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "reseller.md").read_text("utf-8")


def commands(group, path="awning reseller"):
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, f"{path} {name}")
        else:
            yield f"{path} {name}"


def test_documented_subcommands_are_the_existing_ones():
    documented = {re.match(r"\| `(awning reseller [a-z -]+[a-z])", line) for line in TEXT.splitlines()}
    assert {match[1].strip() for match in documented if match} == set(commands(reseller))


def test_every_website_field_is_documented():
    assert [name for name in WEBSITE_FIELDS if f"`{name}`" not in TEXT] == []


def test_documented_variables_are_read_by_the_code():
    awning = ROOT / "src" / "awning"
    files = [*(awning / "cli" / "reseller").glob("*.py"), *(awning / "client").rglob("*.py")]
    source = "".join(path.read_text("utf-8") for path in files)
    names = {name.removesuffix("_FILE") for name in re.findall(r"AWNING_[A-Z_]+", TEXT)}
    assert [name for name in sorted(names) if name not in source] == []
