"""The names of `@keyframes`, which are those of the page: in a scoped style they get the widget's class as a prefix.

A name is used in `animation` and `animation-name`, in a custom property that one of them reads with `var()`, also as
the initial value of its `@property` and in `style(--by: spin)`, and in the result and the parameters of a function of
the page that one of them calls. In the
shorthand, a word is a keyword of another property first: in `animation: reverse reverse`, the second is the name (CSS
Animations 1, 3.10). Names are compared without their escapes; `"spin"` and `spin` are one name.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from awning.pipeline.style.css import (
    CONDITIONS,
    Component,
    Components,
    Rule,
    divided,
    joined,
    rules,
    split,
    walk,
)

_SHORTHANDS = frozenset({"animation", "-webkit-animation", "-moz-animation", "-o-animation"})
_NAMES = frozenset(f"{shorthand}-name" for shorthand in _SHORTHANDS)
_EASINGS = frozenset({"cubic-bezier", "steps", "linear", "frames"})
_MATH = frozenset({"calc", "min", "max", "clamp", "round", "mod", "rem", "abs", "random"})
_KEYWORDS: Mapping[str, str] = MappingProxyType(
    {
        keyword: longhand
        for longhand, keywords in {
            "duration": "auto",
            "timing-function": "linear ease ease-in ease-out ease-in-out step-start step-end",
            "iteration-count": "infinite",
            "direction": "normal reverse alternate alternate-reverse",
            "fill-mode": "none forwards backwards both",
            "play-state": "running paused",
        }.items()
        for keyword in keywords.split()
    }
)
"""The words of the shorthand that are no names, each with its longhand, which takes one of them."""
_NUMBERS: Mapping[str, str] = MappingProxyType({"number": "iteration-count", "dimension": "duration"})
_NEVER_NAMES = frozenset(
    {"none", "initial", "inherit", "unset", "revert", "revert-layer", "revert-rule", "default"}
)


@dataclass(frozen=True, slots=True)
class Keyframes:
    """The names that a style sheet defines, and the custom properties and functions that its animations read."""

    names: frozenset[str]
    read: frozenset[str]

    def defined(self, rule: Rule, root: str) -> str:
        """Return the prelude of `@keyframes` with the prefix in its name."""
        words = (
            _prefixed(part, root) if part.kind in {"ident", "string"} else part.text for part in rule.prelude
        )
        return "".join(words).strip()

    def used(self, rule: Rule, root: str) -> str:
        """Return a declaration, or an at-rule with declarations, with the prefix in the names of key frames.

        Comments in declarations are blank: the bundler would join the words around them, `spin/**/1s`.
        """
        changes = [(part, _prefixed(part, root)) for part in self.uses(rule)]
        if "/*" in rule.text:
            changes += [(part, "\n" * part.text.count("\n") or " ") for part in _comments(rule)]
        text = rule.text
        for part, new in sorted(changes, key=lambda change: -change[0].start):
            text = text[: part.start - rule.start] + new + text[part.end - rule.start :]
        return text

    def condition(self, rule: Rule, root: str) -> str:
        """Return what stands before the block of an at-rule, with the prefix in the names of key frames in queries."""
        names = {part: _prefixed(part, root) for part in self._queried(rule.prelude)}
        end, texts = rule.start, []
        for part, new in names.items():
            texts += [part.source[end : part.start], new]
            end = part.end
        return joined(rule.prelude) if not texts else "".join(texts) + rule.source[end : rule.prelude[-1].end]

    def uses(self, rule: Rule) -> list[Component]:
        """Return the parts of a declaration, `@property` or `@function` that name key frames, in their order."""
        if rule.at == "@property" and rule.block and len(rule.words) > 1:
            values = [each for each in split(rule.block.inside) if each.declared.lower() == "initial-value"]
            return [part for each in values for part in self._uses(each, rule.words[1].value)]
        if rule.at == "@function" and rule.block and len(rule.words) > 1:
            names = {"result": rule.words[1].value}
            values = [each for each in statements_in(split(rule.block.inside)) if each.declared]
            own = [] if names["result"] not in self.read else [rule.words[1]]
            defaults = [part for each in own for item in divided(each.inside) for part in _after_colon(item)]
            return [
                *(part for part in _named(defaults, set()) if part.value in self.names),
                *(
                    part
                    for each in values
                    for part in self._uses(each, names.get(each.declared, each.declared))
                ),
            ]
        return sorted(
            (*self._uses(rule, rule.declared), *self._queried(rule.prelude if rule.declared else ())),
            key=lambda part: part.start,
        )

    def _queried(self, parts: Components) -> list[Component]:
        """Return the names of key frames in queries of a custom property, `style(--by: spin)`."""
        if not (self.names and self.read):
            return []
        brackets = [part for part in walk(parts) if part.kind in {"function", "() block"}]
        return [
            name
            for part in brackets
            for first in [next((each.value for each in part.inside if not each.is_blank), "")]
            if first in self.read and (value := _after_colon(part.inside))
            for name in _named(value, set())
            if name.value in self.names
        ]

    def _uses(self, rule: Rule, name: str) -> list[Component]:
        """Return the parts that name key frames in a declaration of the value of a property."""
        custom = name.startswith("--") and name in self.read
        if not self.names or not (custom or name.lower() in _SHORTHANDS | _NAMES):
            return []
        colon = next(index for index, part in enumerate(rule.prelude) if part.is_literal(":"))
        is_list = name.lower() in _NAMES
        return [
            part
            for item in divided(rule.prelude[colon + 1 :])
            for part in _named(item, taken=set(_KEYWORDS.values()) if is_list else set())
            if part.value in self.names
        ]


def read_keyframes(sheets: Iterable[str]) -> Keyframes:
    """Return the names of key frames in a widget's style sheets, and the custom properties that can name them."""
    statements = [rule for sheet in sheets for rule in statements_in(rules(sheet))]
    names = frozenset(
        part.value
        for rule in statements
        if rule.at == "@keyframes" and rule.block
        for part in rule.words[1:]
        if part.kind in {"ident", "string"}
    )
    return Keyframes(names, _animated_properties(statements) if names else frozenset())


def _animated_properties(statements: list[Rule]) -> frozenset[str]:
    """Return the custom properties and functions that animations read, directly or through others."""
    reads: dict[str, set[str]] = {}
    for rule in statements:
        name = rule.declared
        if rule.at == "@function" and rule.block and len(rule.words) > 1:
            for each in statements_in(split(rule.block.inside)):
                name = each.declared if each.declared.startswith("--") else rule.words[1].value
                reads.setdefault(name, set()).update(_variables(each.prelude))
        elif name.startswith("--") or name.lower() in _SHORTHANDS | _NAMES:
            reads.setdefault(name if name.startswith("--") else "", set()).update(_variables(rule.prelude))
    known: set[str] = set()
    waiting = reads.get("", set())
    while waiting:
        known |= waiting
        waiting = {name for each in waiting for name in reads.get(each, ())} - known
    return frozenset(known)


def statements_in(sheet: list[Rule]) -> Iterator[Rule]:
    """Yield the statements of a style sheet and those in their blocks."""
    for rule in sheet:
        yield rule
        if rule.block and (not rule.at or rule.at in (*CONDITIONS, "@scope", "@document")):
            yield from statements_in(split(rule.block.inside))


def _comments(rule: Rule) -> Iterator[Component]:
    """Yield the comments in a declaration, or in the declarations in a block."""
    if rule.declared:
        yield from (part for part in walk(rule.prelude) if part.kind == "comment")
    elif rule.block:
        for inner in split(rule.block.inside):
            yield from _comments(inner)


def _after_colon(parts: Components) -> Components:
    """Return the value in `--by: spin`; nothing without a colon."""
    colon = next((index for index, part in enumerate(parts) if part.is_literal(":")), len(parts))
    return parts[colon + 1 :]


def _variables(parts: Components) -> Iterator[str]:
    for part in parts:
        words = [inner for inner in part.inside if not inner.is_blank]
        if part.kind == "function" and part.value.lower() == "var" and words:
            yield words[0].value
        elif part.kind == "function" and part.value.startswith("--"):
            yield part.value
        yield from _variables(part.inside)


def _named(item: Components, taken: set[str]) -> Iterator[Component]:
    """Yield the parts of one animation that are names. `taken` are the longhands that have a value already."""
    for part in item:
        word = part.value.lower()
        if part.is_literal("!"):
            return
        if part.kind == "string":
            yield part
        elif longhand := _longhand_of(part):
            taken.add(longhand)
        elif part.kind == "function" and word != "style":
            fallback = divided(part.inside)[1:] if word in {"var", "env"} else divided(part.inside)
            for inner in fallback:
                yield from _named(inner, set(taken))
        elif part.kind == "ident" and _KEYWORDS.get(word, "") not in {"", *taken}:
            taken.add(_KEYWORDS[word])
        elif part.kind == "ident" and word not in _NEVER_NAMES:
            yield part


def _longhand_of(part: Component) -> str:
    """Return the longhand of a number or of a function that is no name; empty for another part."""
    word = part.value.lower()
    if part.kind == "function" and word in _MATH:
        is_time = any(each.kind == "dimension" for each in walk(part.inside))
        return "duration" if is_time else "iteration-count"
    return "timing-function" if part.kind == "function" and word in _EASINGS else _NUMBERS.get(part.kind, "")


def _prefixed(part: Component, root: str) -> str:
    from tinycss2 import serialize_identifier  # noqa: PLC0415 - needed only where a style is read

    name = f"{root}-{part.value}"
    if part.kind == "ident":
        return str(serialize_identifier(name))
    return part.text[0] + root + "-" + part.text[1:]
