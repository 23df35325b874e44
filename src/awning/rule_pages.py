"""Finds the pages of the rules: in `docs/rules` of a checkout, or inside the package in a wheel.

Each page explains a rule, with a wrong and a right example. Each function raises ConfigurationError when the folder
with the pages is missing.
"""

import re
from pathlib import Path

from awning.errors import ConfigurationError

_SENTENCE = re.compile(r".*?[.!?](?=\s|$)", re.DOTALL)


def rule_ids() -> frozenset[str]:
    """Return the ids of all rules that have a page."""
    return frozenset(page.stem for page in pages_root().glob("*.md"))


def rule_page(rule: str) -> str | None:
    """Return the page as Markdown; None when there is no such rule."""
    return (pages_root() / f"{rule}.md").read_text(encoding="utf-8") if rule in rule_ids() else None


def first_sentence(rule: str) -> str:
    """Return the first sentence of the page as plain text; the id when there is no page."""
    _, _, text = (rule_page(rule) or "").partition("\n\n")
    sentence = _SENTENCE.match(text)
    return " ".join(sentence[0].replace("`", "").split()) if sentence else rule


def pages_root(package: Path = Path(__file__).parent) -> Path:
    """Return the folder with the pages. `package` is awning's own folder. Raises ConfigurationError without one."""
    for candidate in (package / "_rules", package.parent.parent / "docs" / "rules"):
        if candidate.is_dir():
            return candidate
    raise ConfigurationError(
        f"the pages of the rules are missing from {package}",
        hint="install awning again: the installation is incomplete",
    )
