"""What axe-core found in the widget's blocks: elements that break a rule of accessibility, and how to mend them."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

LONGEST_HTML = 120
_OWN_CLASS = re.compile(r"\s*\baw-[0-9a-f]+\b")
_EMPTY_CLASS = re.compile(r' class=" *"')
_HEADING = re.compile(r"Fix (?:any|all) of the following:\s*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Violation:
    """One element that breaks a rule. `themes` are the themes in which it breaks the rule.

    None in `themes` stands for the page as it is.
    """

    rule: str
    impact: str | None
    help: str
    url: str
    html: str
    fix: str
    themes: tuple[str | None, ...]

    @property
    def element(self) -> str:
        """The element's HTML without the classes that the build adds, cut to LONGEST_HTML characters."""
        html = _EMPTY_CLASS.sub("", _OWN_CLASS.sub("", " ".join(self.html.split())))
        return html if len(html) <= LONGEST_HTML else f"{html[: LONGEST_HTML - 1]}…"

    @property
    def where(self) -> str:
        """The themes in words; empty if the violation is already on the page as it is, without another theme."""
        names = [name for name in self.themes if name is not None]
        return (
            "" if None in self.themes else f" in the theme{'s' if len(names) > 1 else ''} {', '.join(names)}"
        )

    @property
    def what_to_do(self) -> str:
        return "; ".join(part.strip() for part in _HEADING.sub("", self.fix).splitlines() if part.strip())


def read_violations(examined: Iterable[Mapping[str, Any]]) -> tuple[Violation, ...]:
    """Return the violations in a widget's blocks, as `visit/examine.js` found them."""
    return tuple(Violation(**{**each, "themes": tuple(each["themes"])}) for each in examined)


def describe_violations(violations: Sequence[Violation]) -> str:
    """Return a text with the violations by rule: what the rule requires, then each element and how to fix it."""
    rules = dict.fromkeys(violation.rule for violation in violations)
    count = "1 element breaks" if len(violations) == 1 else f"{len(violations)} elements break"
    lines = [f"{count} a rule of accessibility"]
    for rule in rules:
        lines += _rule_lines([violation for violation in violations if violation.rule == rule])
    return "\n".join(lines)


def _rule_lines(violations: Sequence[Violation]) -> Iterable[str]:
    first = violations[0]
    yield f"    {first.rule} ({first.impact}): {first.help}"
    for violation in violations:
        yield f"        {violation.element}{violation.where}"
        yield f"            {violation.what_to_do}"
    yield f"        {first.url.split('?')[0]}"
