"""Restricts a style sheet to one widget: its rules apply inside the widget's own element.

The sheet is put inside `.aw-1a2b3c { ... }`. A rule without `&` is then a rule for what is inside the element. What
cannot be nested goes outside: it is split off from conditions such as `@media`, with the condition around it. That is
every at-rule whose block has no rules for elements, also one that is not known (`at_rule_findings` warns of it).

The names of `@keyframes` get the class as a prefix, where they are defined and where the sheet uses them (`keyframes`).
Other names are the page's: fonts, custom properties, counter styles, layers, containers and the like (docs/widget.md).

`:root`, `:scope` and `:host` at the start of a selector would match nothing inside. They become `&`, which is the
widget's own element. A list such as `:is(:root, .dark)` becomes `:is(&, & .dark)`, because a selector with `&` gets no
other prefix.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from awning.diagnostics import Diagnostic
from awning.pipeline.style.css import (
    CONDITIONS,
    Component,
    Components,
    Rule,
    divided,
    joined,
    rules,
    split,
    style_diagnostic,
    walk,
    without_depth,
)
from awning.pipeline.style.keyframes import Keyframes
from awning.pipeline.style.order import ordered
from awning.pipeline.style.selectors import ALTERNATIVES, own_element_length, trimmed

_FIRST = ("@charset", "@import", "@namespace")
_OUTSIDE = (
    "@font-face",
    "@keyframes",
    "@property",
    "@counter-style",
    "@font-feature-values",
    "@font-palette-values",
    "@color-profile",
    "@function",
    "@page",
    "@position-try",
    "@view-transition",
)
"""The at-rules for the whole page, whose blocks have no rules for elements."""
_WITH_RULES = (*CONDITIONS, "@scope", "@document")


def scope(css: str, root: str, keyframes: Keyframes) -> str:
    """Return the style sheet with its rules inside the class `root`. The rules inside keep their line numbers.

    `keyframes` are those of all style sheets of the widget.
    """
    sheet = rules(ordered(without_depth(css)))
    scoped = _Scope(root, keyframes)
    outside = "".join(scoped.outside(rule) for rule in sheet)
    inside = "".join(map(scoped.wrapped, _parts(sheet))).rstrip()
    return f"{inside}{outside}"


def _parts(sheet: list[Rule]) -> Iterator[list[Rule]]:
    """Divide a sheet behind each layer without a name: no statement before it can keep its place in the order."""
    part: list[Rule] = []
    for rule in sheet:
        part.append(rule)
        if _LAYER_WITHOUT_NAME.search(joined(rule.prelude) + (rule.block.text if rule.block else "")):
            yield part
            part = []
    yield part


_LAYER_WITHOUT_NAME = re.compile(r"@layer\s*\{", re.IGNORECASE)
_ONE_CLASS = ":nth-child(n)"
"""Matches every element, and weighs as much as a class."""


def _stays_first(rule: Rule) -> bool:
    return rule.at in _FIRST or (rule.at == "@layer" and not rule.block)


@dataclass(frozen=True, slots=True)
class _Scope:
    root: str
    keyframes: Keyframes

    def wrapped(self, part: list[Rule]) -> str:
        """Return the rules inside of the class, behind the statements that stay first."""
        inside = "".join(map(self.nested, part))
        return (
            f"{self.first(part)}.{self.root}{{{inside}}}" if inside.strip() else f"{self.first(part)}{inside}"
        )

    def first(self, sheet: list[Rule]) -> str:
        """Return the statements that stay first, each with the conditions around it.

        The layers of blocks before the last one are named between them: the order of layers is that of their names.
        """
        statements = [self._first(rule) for rule in sheet]
        while statements and not statements[-1][1]:
            statements.pop()
        return "".join(text for text, _ in statements)

    def _first(self, rule: Rule) -> tuple[str, bool]:
        """Return the statements that stay first and the names of layers in a rule, and whether they are needed.

        A layer without rules for elements is only named there, because an empty block cannot be nested.
        """
        if _stays_first(rule):
            return rule.ended.strip(), True
        if rule.at not in CONDITIONS or not rule.block:
            return "", False
        inner = [self._first(child) for child in split(rule.block.inside)]
        text = "".join(text for text, _ in inner)
        prelude = joined(rule.prelude).strip()
        if text:
            return f"{prelude}{{{text}}}", any(needed for _, needed in inner)
        if rule.at != "@layer" or len(rule.words) == 1:
            return "", False
        return f"{prelude};", not self.nested(rule).strip()

    def outside(self, rule: Rule) -> str:
        """Return the part of a statement that cannot be nested, with the `@media` around it; empty without one."""
        if not rule.at or _stays_first(rule):
            return ""
        if not rule.block:
            return rule.ended.strip()
        match rule.at:
            case "@keyframes":
                return f"{self.keyframes.defined(rule, self.root)}{self._inside(rule.block)}"
            case "@scope":
                return f"{self._scope_prelude(rule)}{self._scope_block(rule.block)}"
            case "@document":
                inner = scope(joined(rule.block.inside), self.root, self.keyframes)
            case at if at in CONDITIONS:
                inner = "".join(self.outside(child) for child in split(rule.block.inside))
            case _:
                return self.keyframes.used(rule, self.root).strip()
        return f"{self._before_block(rule).strip()}{{{inner}}}" if inner else ""

    def nested(self, rule: Rule) -> str:
        if _stays_first(rule):
            return rule.lines
        if rule.at in CONDITIONS and rule.block:
            inner = "".join(self.nested(child) for child in split(rule.block.inside))
            closed = f"{self._before_block(rule)}{rule.block.opening}{inner}{rule.block.closing}"
            return closed if inner.strip() else rule.lines
        if rule.at:
            return rule.lines
        if not rule.block:
            return rule.ended
        own = ",".join(
            self._restricted(selector) or _own_selector(selector) for selector in divided(rule.prelude)
        )
        return f"{own}{self._inside(rule.block)}"

    def _restricted(self, selector: Components) -> str:
        """Return a selector with `&` that would match elements everywhere on the page, kept to the class.

        A selector with `&` gets no other prefix. If `&` is in `:not()` only, the class stands before the selector. One
        that begins with a combinator is relative to the parent all the same (CSS Nesting, 3.1). In `:is(&, .b)`, `.b`
        gets a condition. Returns an empty string for any other selector.
        """
        if not any(part.is_literal("&") for part in walk(selector)):
            return ""
        if _begins_at_parent(selector):
            within = self._within(selector)
            return within if within != joined(selector) else ""
        bare = trimmed(selector)
        if bare and any(bare[0].is_literal(mark) for mark in ">+~|"):
            return ""
        return f"{joined(selector[: len(selector) - len(bare)])}.{self.root} {joined(bare)}"

    def _within(self, parts: Components) -> str:
        """Return a selector, with a condition in each alternative without `&` if others have it: inside of the class.

        Its weight stays. As in `.a:is(body.dark *)`, the elements around it may be the page's.
        """
        return "".join(
            self._list_within(part)
            if part.kind == "function"
            and part.value.lower() in ALTERNATIVES
            and _begins_at_parent(part.inside)
            else part.text
            for part in parts
        )

    def _list_within(self, pseudo: Component) -> str:
        alternatives = (self._alternative_within(each) for each in divided(pseudo.inside))
        return f"{pseudo.opening}{','.join(alternatives)}{pseudo.closing}"

    def _alternative_within(self, selector: Components) -> str:
        bare = [part for part in selector if not part.is_blank]
        if not bare or _begins_at_parent(selector):
            return self._within(selector)
        return f"{selector[0].source[selector[0].start : bare[-1].end]}:where(.{self.root} *)"

    def _inside(self, block: Component) -> str:
        statements = split(block.inside)
        inner = "".join(self._statement(rule) for rule in statements)
        rest = block.source[statements[-1].end if statements else block.inner[0] : block.end]
        return f"{block.opening}{inner}{rest}"

    def _statement(self, rule: Rule) -> str:
        """Return a statement in the block of a rule, with the names of key frames in its animations."""
        if rule.block and rule.at == "@scope":
            return f"{self._before_block(rule)}{self._scope_block(rule.block)}"
        if rule.block:
            selectors = [] if rule.at else divided(rule.prelude)
            prelude = ",".join(self._restricted(each) or joined(each) for each in selectors)
            return f"{prelude or self._before_block(rule)}{self._inside(rule.block)}"
        return self.keyframes.used(rule, self.root)

    def _before_block(self, rule: Rule) -> str:
        return self.keyframes.condition(rule, self.root)

    def _scope_block(self, block: Component) -> str:
        """Return the block of `@scope`, with its own declarations in a rule: the bundler damages them without one."""
        return f"{block.opening}{''.join(map(self._scope_statement, split(block.inside)))}{block.closing}"

    def _scope_statement(self, rule: Rule) -> str:
        if rule.declared:
            return f":where(:scope){_ONE_CLASS}{{{self.keyframes.used(rule, self.root)}}}"
        if rule.at == "@keyframes" and rule.block:
            return f"{self.keyframes.defined(rule, self.root)}{self._inside(rule.block)}"
        if rule.at in (*CONDITIONS, "@scope") and rule.block:
            return f"{self._before_block(rule)}{self._scope_block(rule.block)}"
        if rule.block and not rule.at:
            return f"{','.join(map(_heavier, divided(rule.prelude)))}{self._inside(rule.block)}"
        return self._statement(rule)

    def _scope_prelude(self, rule: Rule) -> str:
        """Return `@scope (.aw .start) to (.end)`: the start is inside of the widget; without one, it is the widget."""
        words = rule.words
        start = next((word for word in words[1:2] if word.kind == "() block"), None)
        if start is None:
            return f"{words[0].text} (.{self.root}){joined(rule.prelude).strip().removeprefix(words[0].text)}"
        selectors = (self._start_selector(selector) for selector in divided(start.inside))
        before = start.source[words[0].start : start.start]
        return f"{before}({', '.join(selectors)}){start.source[start.end : rule.prelude[-1].end]}"

    def _start_selector(self, selector: Components) -> str:
        selector = trimmed(selector)
        own = own_element_length(selector)
        rest = joined(selector[own:]).rstrip()
        return f".{self.root}{rest}" if own else f".{self.root} {rest}"


def _heavier(selector: Components) -> str:
    """Return a selector of `@scope` with the weight of a class, which other rules get from the widget's class."""
    bare = trimmed(selector)
    at = 1 if bare and any(bare[0].is_literal(mark) for mark in ">+~") else 0
    while at < len(bare) and bare[at].is_blank:
        at += 1
    if at == len(bare):
        return joined(selector)
    while at < len(bare) and (bare[at].kind == "ident" or any(map(bare[at].is_literal, "*|&"))):
        at += 1
    begin = len(selector) - len(bare) + at
    return f"{joined(selector[:begin])}{_ONE_CLASS}{joined(selector[begin:])}"


def _begins_at_parent(parts: Components) -> bool:
    """Return whether a selector has `&` outside of `:not()`."""
    return any(
        part.is_literal("&")
        or (not (part.kind == "function" and part.value.lower() == "not") and _begins_at_parent(part.inside))
        for part in parts
    )


def _own_selector(selector: Components) -> str:
    """Return the selector, with `&` in place of a leading `:root`, `:scope` or `:host`."""
    bare = trimmed(selector)
    own = own_element_length(bare)
    if not own:
        return joined(selector)
    before, pseudo, after = joined(selector[: len(selector) - len(bare)]), bare[1], joined(bare[own:])
    if pseudo.kind != "function":
        return f"{before}&{after}"
    if pseudo.value.lower() not in ALTERNATIVES:  # :host(.dark)
        return f"{before}&:is({joined(pseudo.inside)}){after}"
    alternatives = (
        f"{'' if own_element_length(trimmed(each)) else '& '}{_own_selector(trimmed(each))}"
        for each in divided(pseudo.inside)
    )
    return f"{before}:{pseudo.opening}{','.join(alternatives)}{pseudo.closing}{after}"


def at_rule_findings(path: str, css: str) -> Iterator[Diagnostic]:
    """Yield a warning for each at-rule that is not known, and for each that browsers ignore where it stands."""
    for rule, is_nested in _at_rules(rules(css)):
        if rule.at not in (*_FIRST, *_OUTSIDE, *_WITH_RULES):
            message = f"{rule.words[0].text} is not a known at-rule"
            hint = (
                "check the spelling; it is kept as it is, outside of the widget's rules, for the whole page"
            )
        elif is_nested and rule.at not in (*CONDITIONS, "@scope"):
            message = f"{rule.words[0].text} inside of a rule is ignored by browsers"
            hint = "move it to the top of the style sheet"
        else:
            continue
        yield style_diagnostic(
            path,
            rule.words[0],
            rule="style-warning",
            message=message,
            hint=hint,
        )


def _at_rules(statements: list[Rule], *, nested: bool = False) -> Iterator[tuple[Rule, bool]]:
    """Yield the at-rules where rules may stand, each with whether it is inside of a rule for elements."""
    for rule in statements:
        if rule.at:
            yield rule, nested
        if rule.block and (not rule.at or rule.at in _WITH_RULES):
            yield from _at_rules(split(rule.block.inside), nested=nested or not rule.at)
