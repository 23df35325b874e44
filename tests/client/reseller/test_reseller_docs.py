"""The variables that docs/reseller.md names exist. Subcommands and fields are in the generated reference."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "reseller.md").read_text("utf-8")


def test_documented_variables_are_read_by_the_code():
    awning = ROOT / "src" / "awning"
    files = [
        *(awning / "cli" / "reseller").glob("*.py"),
        *(awning / "client").rglob("*.py"),
        awning / "publish/operator.py",
    ]
    source = "".join(path.read_text("utf-8") for path in files)
    names = {name.removesuffix("_FILE") for name in re.findall(r"AWNING_[A-Z_]+", TEXT)}
    assert [name for name in sorted(names) if name not in source] == []
