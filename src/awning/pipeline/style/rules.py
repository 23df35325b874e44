"""CSS as a tree of rules: a prelude, and what stands between its braces."""

import re
from dataclasses import dataclass, field

from awning.pipeline.style.tokens import Token, tokens


@dataclass(slots=True)
class Rule:
    """A statement: `prelude { inside }`, or `prelude;` when `block` is False."""

    prelude: list[Token] = field(default_factory=list)
    inside: list[Token] = field(default_factory=list)
    block: bool = False

    @property
    def at(self) -> str:
        """The at-rule's name in lower case without vendor prefix: `@keyframes`; empty for a style rule."""
        first = next((token for token in self.prelude if token.kind not in ("space", "comment")), None)
        if first is None or first.kind != "at":
            return ""
        return re.sub(r"^@-\w+-", "@", first.text.lower())

    @property
    def text(self) -> str:
        return joined(self.prelude) + (f"{{{joined(self.inside)}}}" if self.block else ";")


def joined(parts: list[Token]) -> str:
    return "".join(token.text for token in parts)


def rules(css: str) -> list[Rule]:
    """The statements of a style sheet, in order. White space and comments in front belong to the next one."""
    return split(list(tokens(css)))


def split(parts: list[Token]) -> list[Rule]:
    found: list[Rule] = []
    rule = Rule()
    index = 0
    while index < len(parts):
        token = parts[index]
        if token.text == "{" and token.kind == "other":
            end = _closing(parts, index)
            rule.inside, rule.block = parts[index + 1 : end], True
            found.append(rule)
            rule, index = Rule(), end
        elif token.text == ";" and token.kind == "other":
            found.append(rule)
            rule = Rule()
        else:
            rule.prelude.append(token)
        index += 1
    if any(token.kind not in ("space", "comment") for token in rule.prelude):
        found.append(rule)
    return found


def _closing(parts: list[Token], start: int) -> int:
    """The index of the brace that closes the one at `start`; the end when there is none."""
    depth = 0
    for index in range(start, len(parts)):
        if parts[index].kind == "other":
            depth += {"{": 1, "}": -1}.get(parts[index].text, 0)
            if depth == 0:
                return index
    return len(parts)
