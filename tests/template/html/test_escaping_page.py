"""The page about escaping names every function, and no other."""

import re
from pathlib import Path

from awning.jsrc import jsrc_root

PAGE = Path(__file__).parents[3] / "docs" / "escaping.md"


def test_docs_name_every_escaper() -> None:
    index = (jsrc_root() / "runtime" / "escape" / "index.ts").read_text(encoding="utf-8")
    escapers = {name for name in re.findall(r"\bescape[A-Z]\w+", index) if "Markup" not in name}
    assert set(re.findall(r"`(escape[A-Z]\w+)`", PAGE.read_text(encoding="utf-8"))) == escapers
