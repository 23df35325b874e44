"""The rules: each is one file in `pages/`, named after the rule's id. README.md describes such a file.

Diagnostics take their severity from it. `awning explain`, SARIF, comments that silence a rule, the reference and the
docs' site read it, too.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PAGES = Path(__file__).with_name("pages")

REPORTERS = {
    "check": "`awning check`, `build` and `dev`",
    "emulator": "the emulator, in `awning dev` and `awning test`",
    "public pages": "`awning publish verify --browser`",
    "every verb": "every verb",
}
"""What can report a rule, in words. Other reporters are single verbs."""

_SENTENCE = re.compile(r".*?[.!?](?=\s|$)", re.DOTALL)
_EXAMPLES = re.compile(r"^(Wrong|Right)\b[^\n]*:$(?P<fences>(?:\n+```.*?\n```$)+)", re.DOTALL | re.MULTILINE)
_FENCE = re.compile(r"^```(\w*)\n(.*?)\n?^```$", re.DOTALL | re.MULTILINE)
_FIX = re.compile(r"^`--fix` .*?(?=\n\n|\Z)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A file that breaks a rule or keeps it. `kind` is the language of its fence, such as `js`."""

    kind: str
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule. `severities` has the usual severity first, `text` is Markdown without the rule's name."""

    id: str
    severities: tuple[str, ...]
    reporters: tuple[str, ...]
    is_found_in_libraries: bool
    """Whether the most used libraries break it, so that an error in one of them is right."""
    text: str

    @property
    def severity(self) -> str:
        return self.severities[0]

    @property
    def meaning(self) -> str:
        """The first sentence as plain text."""
        sentence = _SENTENCE.match(self.text)
        return " ".join(sentence[0].replace("`", "").split()) if sentence else self.id

    @property
    def fix(self) -> str | None:
        """What `awning check --fix` does, as Markdown; None if it does nothing."""
        paragraph = _FIX.search(self.text)
        return " ".join(paragraph[0].split()) if paragraph else None

    @property
    def wrong(self) -> Sequence[Example]:
        """The files of the first wrong example."""
        return self._examples("Wrong")

    @property
    def right(self) -> Sequence[Example]:
        """The files of the first right example."""
        return self._examples("Right")

    def _examples(self, verdict: str) -> Sequence[Example]:
        for match in _EXAMPLES.finditer(self.text):
            if match[1] == verdict:
                fences = _FENCE.finditer(match["fences"])
                return [Example(kind=kind, code=code) for kind, code in (fence.groups() for fence in fences)]
        return []

    @property
    def page(self) -> str:
        """The page that explains the rule, as Markdown."""
        severity = " or ".join(self.severities)
        reporters = "; ".join(REPORTERS.get(name, f"`awning {name}`") for name in self.reporters)
        return f"# {self.id}\n\n{self.text}\nSeverity: {severity}. Reported by: {reporters}.\n"


_LINK = re.compile(r"\[([^\]\n]+)\]\((?:\.\./)*(docs/[^)\s]+)?[^)\s]*\)")
"""A link of a rule's page. It is shown as its text and the path of a page of docs/. Another target is a rule."""


def without_links(page: str) -> str:
    """Return a page for readers that cannot follow its links: each becomes its text, with the page of docs/."""
    return _LINK.sub(lambda link: f"{link[1]} ({link[2]})" if link[2] else link[1], page)


def page_file(rule: str) -> Path | None:
    """Return the file of a rule's page; None if there is no such rule."""
    return PAGES / f"{rule}.md" if rule in rule_ids() else None


@cache
def rule_ids() -> frozenset[str]:
    """Return the ids of all rules."""
    return frozenset(page.stem for page in PAGES.glob("*.md"))


@cache
def find_rule(rule: str) -> Rule | None:
    """Return the rule with this id; None if there is none."""
    return _read(PAGES / f"{rule}.md") if rule in rule_ids() else None


def all_rules() -> Sequence[Rule]:
    """Return all rules, sorted by id."""
    return [_read(PAGES / f"{rule}.md") for rule in sorted(rule_ids())]


def _read(page: Path) -> Rule:
    """Return the rule of a page. Raises ValueError or KeyError if its header is malformed."""
    _, header, text = page.read_text(encoding="utf-8").split("---\n", 2)
    facts = dict(line.split(": ", 1) for line in header.splitlines())
    rule = Rule(
        id=page.stem,
        severities=tuple(facts.pop("severity").split(", ")),
        reporters=tuple(facts.pop("reported by").split(", ")),
        is_found_in_libraries=facts.pop("found in libraries", "no") == "yes",
        text=text.lstrip("\n"),
    )
    if facts:
        raise ValueError(f"{page.name}: a rule has no {', '.join(facts)}")
    return rule
