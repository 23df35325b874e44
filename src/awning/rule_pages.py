"""Finds the pages of the rules: what each asks for, with a wrong and a right example.

In a checkout they are in `docs/rules`, in a wheel inside the package. The only place that knows this.
"""

import re
from pathlib import Path

from awning.errors import ConfigurationError

_SENTENCE = re.compile(r".*?[.!?](?=\s|$)", re.DOTALL)


def rule_ids() -> frozenset[str]:
    """Every rule that has a page."""
    return frozenset(page.stem for page in pages_root().glob("*.md"))


def rule_page(rule: str) -> str | None:
    """The page as Markdown; None where there is no such rule."""
    return (pages_root() / f"{rule}.md").read_text(encoding="utf-8") if rule in rule_ids() else None


def first_sentence(rule: str) -> str:
    """What breaks the rule, as plain text; its id where there is no page."""
    _, _, text = (rule_page(rule) or "").partition("\n\n")
    found = _SENTENCE.match(text)
    return " ".join(found[0].replace("`", "").split()) if found else rule


def pages_root(package: Path = Path(__file__).parent) -> Path:
    """The folder with a page for each rule. `package` is awning's own folder."""
    for candidate in (package / "_rules", package.parent.parent / "docs" / "rules"):
        if candidate.is_dir():
            return candidate
    raise ConfigurationError(
        f"the pages of the rules are missing from {package}",
        hint="install awning again: the installation is incomplete",
    )
