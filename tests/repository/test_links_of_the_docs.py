"""The links of the docs lead to a file, and to a heading of it, as a forge names headings."""

import re
from functools import cache
from pathlib import Path

import pytest

from awning.rules import PAGES as RULES

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted(RULES.glob("*.md")),
]
FENCE = re.compile(r"^(`{3,}).*?^\1", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\((?P<target>[^)\s]+)\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors of a page's headings: lower case, hyphens for blanks, no punctuation; a repeated one is numbered."""
    seen: dict[str, int] = {}
    for heading in HEADING.findall(FENCE.sub("", page.read_text(encoding="utf-8"))):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        slug = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        seen[slug] = seen.get(slug, 0) + 1
    return frozenset(
        f"{slug}-{number}" if number else slug for slug, times in seen.items() for number in range(times)
    )


def broken(page: Path) -> list[str]:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    links = []
    for match in LINK.finditer(CODE.sub(lambda code: "x" * len(code[0]), text)):
        target = match["target"]
        path, _, anchor = target.partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        file = page.parent / path if path else page
        if not file.exists() or (anchor and file.suffix == ".md" and anchor not in anchors(file)):
            links.append(target)
    return links


@pytest.mark.parametrize("document", PAGES, ids=lambda document: document.relative_to(ROOT).as_posix())
def test_links_lead_to_files_and_headings(document):
    assert broken(document) == []


def test_a_link_to_nowhere_is_found(tmp_path):
    (tmp_path / "a.md").write_text(
        "# One `two`\n\n## One two\n[x](b.md) [y](#one-two-1) [z](#three) [w](a.md#one-two)\n"
    )
    assert broken(tmp_path / "a.md") == ["b.md", "#three"]
