"""Finds start tags without end tag, and end tags without start tag, in the templates of a widget.

Browsers mend such markup without a word: an element then holds less or more than its author thinks.

A template is read as regions: the branches of an `if`, the body of a loop, a macro, an included template. What a region
leaves open, and which elements around it it closes, is its effect. Branches with different effects make elements that
are only perhaps open, or perhaps closed. Only what is wrong in every case, or wrong whenever a branch is taken, is
reported.

HTML's optional end tags are no mistakes, nor are elements that never have one (HTML, 13.1.2.4 Optional tags, 13.1.2
Elements). In SVG and MathML, `<path/>` closes itself; in HTML the slash has no meaning.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Self

from awning.check.markup_parts import Statement, Tag, Unreadable, parts_of
from awning.diagnostics import Diagnostic, Place
from awning.html_elements import ANNOTATION, CLOSED_BY, FOREIGN, HTML_INSIDE, OPTIONAL, VOID
from awning.workspace.document import excerpt_of
from awning.workspace.offsets import line_and_column

_HTML_INSIDE = frozenset({ANNOTATION}.union(*HTML_INSIDE.values()))

MOST_FAULTS = 20
"""The most faults that are reported for a template."""

MOST_LEVELS = 500
"""A template in which a region leaves more elements open is not checked."""

_LATER = {"elif", "else"}
_BRANCHING = {"if", "for"}
_BODIES = {"macro", "call", "set", "block"}
_INLINE = {"with", "autoescape", "filter"}
_NAME = re.compile(r"""["']([^"']+)["']""")


@dataclass(slots=True)
class _Open:
    """An open element. `names` are its names in different branches; `path` and `at` are its start tag's place.

    `certain` is whether it is open in every branch, `may_be_closed` whether a branch closes it. `is_named` is whether a
    diagnostic has named it.
    """

    names: frozenset[str]
    path: str
    at: int
    certain: bool = True
    may_be_closed: bool = False
    is_named: bool = False

    @property
    def is_optional(self) -> bool:
        return not self.names.isdisjoint(OPTIONAL)

    @property
    def is_due(self) -> bool:
        """Whether the element needs an end tag and has none so far."""
        return not (self.is_optional or self.may_be_closed)


@dataclass(frozen=True, slots=True)
class _Close:
    """An end tag. `certain` is whether every branch has it.

    `for_earlier_round` is whether it may close what an earlier round of its loop has opened. It is then no fault.
    """

    names: frozenset[str]
    path: str
    at: int
    certain: bool = True
    for_earlier_round: bool = False


@dataclass(slots=True)
class _Effect:
    """The elements around a region that it closes, and those that it leaves open."""

    closes: list[_Close] = field(default_factory=list)
    opens: list[_Open] = field(default_factory=list)

    @property
    def is_neutral(self) -> bool:
        """Whether the same elements are open before and after in every case, as with `</ul><ul>`."""
        if not all(close.certain for close in self.closes):
            return False
        if not all(element.certain and not element.may_be_closed for element in self.opens):
            return False
        return [close.names for close in self.closes] == [element.names for element in reversed(self.opens)]

    def repeated(self) -> "_Effect":
        """Return the effect of a loop with this body: a round may close what an earlier round leaves open."""
        if self.is_neutral:
            return self
        opened = frozenset[str]().union(*(element.names for element in self.opens))
        closed = frozenset[str]().union(*(close.names for close in self.closes))
        closes = [
            close
            if close.certain or opened.isdisjoint(close.names)
            else replace(close, for_earlier_round=True)
            for close in self.closes
        ]
        opens = [
            element
            if element.certain or closed.isdisjoint(element.names)
            else replace(element, may_be_closed=True)
            for element in self.opens
        ]
        return _Effect(closes, opens)


def markup_findings(
    folder: str, templates: Mapping[str, str], included: frozenset[str]
) -> Iterator[Diagnostic]:
    """Yield a warning for each tag in the templates in `folder` that has no counterpart.

    `templates` are the texts by path, those of the shared folder included. A template in `included` is a part of
    others: what it leaves open may be closed there.
    """
    reader = _Templates(templates)
    for path in sorted(templates):
        if path.startswith(folder):
            yield from reader.findings(path, is_part=path in included)


@dataclass(slots=True)
class _Templates:
    """The templates, each read once. `effects` are their effects by path, `macros` those of macros by name."""

    texts: Mapping[str, str]
    effects: dict[str, _Effect] = field(default_factory=dict)
    macros: dict[str, _Effect] = field(default_factory=dict)

    def findings(self, path: str, *, is_part: bool) -> list[Diagnostic]:
        faults: list[_Fault] = []
        try:
            effect = self._read(path, faults)
        except (Unreadable, RecursionError):
            return []
        if not is_part:
            faults += _left(effect)
        return [fault.diagnostic(self.texts) for fault in [*dict.fromkeys(faults)][:MOST_FAULTS]]

    def _read(self, path: str, faults: "list[_Fault]") -> _Effect:
        parts = list(parts_of(self.texts[path]))
        region = _Region(path=path, templates=self, faults=faults)
        end = region.read(parts, 0)
        if end < len(parts):
            raise Unreadable
        is_child = any(isinstance(part, Statement) and part.keyword == "extends" for part in parts)
        if is_child:
            return region.blocks
        return region.effect

    def effect_of(self, path: str) -> _Effect:
        """Return the effect of an included template; a neutral one while it is being read, and if it is unreadable."""
        if path not in self.effects:
            self.effects[path] = _Effect()
            with suppress(Unreadable, RecursionError):
                self.effects[path] = self._read(path, [])
        return self.effects[path]

    def named(self, name: str, path: str) -> str | None:
        widget = "/".join(path.split("/")[:2])
        homes = (f"{widget}/{name}", f"widgets/_shared/{name}")
        return next((home for home in homes if home in self.texts), None)


@dataclass(frozen=True, slots=True)
class _Fault:
    """A wrong tag at `at` in `path`, and the tag that it contradicts, if there is one."""

    message: str
    path: str
    at: int
    other: tuple[str, int] | None = None
    other_words: str = ""
    hint: str = ""

    def diagnostic(self, texts: Mapping[str, str]) -> Diagnostic:
        place, message = _place(self.path, texts[self.path], self.at), self.message
        if self.other:
            path, at = self.other
            message += f"{self.other_words} ({_place(path, texts[path], at)})"
        return Diagnostic(
            rule="template-tags",
            message=message,
            place=place,
            hint=self.hint,
            excerpt=excerpt_of(texts[self.path], place.line),
        )


def _place(path: str, text: str, at: int) -> Place:
    line, column = line_and_column(text, at)
    return Place(path=path, line=line, column=column)


@dataclass(slots=True)
class _Region:
    """A part of a template in which elements are opened and closed.

    `opened` are the elements that it has left open so far, outermost first. `mended` are the names of elements that a
    diagnostic has closed, so that their late end tags are no faults.
    """

    path: str
    templates: _Templates
    faults: list[_Fault]
    foreign: bool = False
    closes: list[_Close] = field(default_factory=list)
    opened: list[_Open] = field(default_factory=list)
    mended: list[str] = field(default_factory=list)
    ended_paragraphs: list[tuple[int, str]] = field(default_factory=list)
    """The start tags that have closed a `<p>`, by place and name."""
    blocks: _Effect = field(default_factory=_Effect)
    """The effect of all blocks in order, which is that of a template that extends another."""

    @property
    def effect(self) -> _Effect:
        return _Effect(self.closes, self.opened)

    def inner(self) -> Self:
        return replace(
            self,
            closes=[],
            opened=[],
            mended=[],
            ended_paragraphs=[],
            blocks=self.blocks,
            foreign=self._is_foreign,
        )

    def read(self, parts: Sequence[Tag | Statement], index: int) -> int:
        """Read parts up to a statement that ends this region. Returns its index. Raises Unreadable."""
        while index < len(parts):
            part = parts[index]
            if isinstance(part, Tag):
                self._tag(part)
            elif part.keyword in _LATER or part.keyword.startswith("end"):
                return index
            else:
                index = self._statement(part, parts, index)
            index += 1
        return index

    def _statement(self, part: Statement, parts: Sequence[Tag | Statement], index: int) -> int:
        """Read a statement with its body. Returns the index of its last part."""
        if part.keyword in _BRANCHING:
            return self._branches(part.keyword, parts, index)
        if part.keyword in _INLINE:
            index = self.read(parts, index + 1)
            return _expect(parts, index, f"end{part.keyword}")
        if part.keyword in _BODIES and not (part.keyword == "set" and "=" in part.rest):
            return self._body(part, parts, index)
        if part.keyword == "include":
            self._include(part)
        elif part.keyword == "output":
            self._call(part)
        return index

    def _branches(self, keyword: str, parts: Sequence[Tag | Statement], index: int) -> int:
        effects: list[_Effect] = []
        has_else = False
        while True:
            branch = self.inner()
            index = branch.read(parts, index + 1)
            is_body = keyword == "for" and not effects
            effects.append(branch.effect.repeated() if is_body else branch.effect)
            if index >= len(parts):
                raise Unreadable
            part = parts[index]
            if not isinstance(part, Statement) or part.keyword not in _LATER:
                break
            has_else = has_else or part.keyword == "else"
        _expect(parts, index, f"end{keyword}")
        self._apply(_merged(effects if has_else else [*effects, _Effect()]))
        return index

    def _body(self, part: Statement, parts: Sequence[Tag | Statement], index: int) -> int:
        body = self.inner()
        index = _expect(parts, body.read(parts, index + 1), f"end{part.keyword}")
        effect = body.effect
        if part.keyword == "block":
            if not effect.is_neutral:
                self.blocks.closes += effect.closes
                self.blocks.opens += effect.opens
            self._apply(effect)
        elif part.keyword == "call":
            self.faults += _left(effect)
        elif part.keyword == "macro" and not effect.is_neutral:
            self.templates.macros[part.rest.strip().partition("(")[0].strip()] = effect
        return index

    def _include(self, part: Statement) -> None:
        names = _NAME.findall(part.rest)
        path = self.templates.named(names[0], self.path) if len(names) == 1 else None
        if path:
            self._apply(self.templates.effect_of(path))

    def _call(self, part: Statement) -> None:
        for name, effect in self.templates.macros.items():
            if re.search(rf"\b{re.escape(name)}\(", part.rest):
                self._apply(effect)

    def _apply(self, effect: _Effect) -> None:
        if effect.is_neutral:
            return
        for close in effect.closes:
            self._close(close)
        self.opened += [replace(element) for element in effect.opens]

    @property
    def _is_foreign(self) -> bool:
        """Whether the place is in SVG or MathML, where `/>` closes an element."""
        for element in reversed(self.opened):
            if not element.names.isdisjoint(_HTML_INSIDE):
                return False
            if not element.names.isdisjoint(FOREIGN):
                return True
        return self.foreign

    def _tag(self, tag: Tag) -> None:
        if tag.end:
            if tag.name not in VOID:
                self._close(_Close(frozenset({tag.name}), self.path, tag.at))
            return
        if self._is_foreign:
            if not tag.slash:
                self._open(tag)
            return
        while self.opened and any(tag.name in CLOSED_BY.get(name, ()) for name in self.opened[-1].names):
            closed = self.opened.pop()
            if "p" in closed.names:
                self.ended_paragraphs.append((tag.at, tag.name))
        if tag.name not in VOID and not (tag.slash and tag.name in FOREIGN):
            self._open(tag)

    def _open(self, tag: Tag) -> None:
        if len(self.opened) > MOST_LEVELS:
            raise Unreadable
        self.opened.append(_Open(frozenset({tag.name}), self.path, tag.at))

    def _close(self, close: _Close) -> None:
        index = _last_with(self.opened, close.names)
        if index is None:
            self._close_outside(close)
        elif close.certain:
            for element in reversed(self.opened[index + 1 :]):
                if element.is_due and not element.is_named:
                    self.faults.append(_unclosed(element, close))
                    self.mended += element.names
            element = self.opened[index]
            if element.certain and element.is_due and not element.names <= close.names:
                self.faults.append(_unopened(close, element))
            del self.opened[index:]
        else:
            for element in self.opened[index:]:
                element.may_be_closed = True

    def _close_outside(self, close: _Close) -> None:
        """Read an end tag without an open element of its name in this region."""
        if close.for_earlier_round:
            self.closes.append(close)
            return
        for name in close.names:
            if name in self.mended:
                self.mended.remove(name)
                return
        if "p" in close.names and self.ended_paragraphs:
            self.faults.append(_ended(close, *self.ended_paragraphs.pop()))
            return
        due = [element for element in self.opened if element.is_due and element.certain]
        if due:
            due[-1].is_named = True
            self.faults.append(_unopened(close, due[-1]))
            return
        while self.opened and self.opened[-1].is_optional:
            self.opened.pop()
        self.closes.append(close)


def _expect(parts: Sequence[Tag | Statement], index: int, keyword: str) -> int:
    """Return the index if its part is this statement, else raise Unreadable."""
    part = parts[index] if index < len(parts) else None
    if not isinstance(part, Statement) or part.keyword != keyword:
        raise Unreadable
    return index


def _last_with(opened: Sequence[_Open], names: frozenset[str]) -> int | None:
    matches = (index for index in range(len(opened) - 1, -1, -1) if not opened[index].names.isdisjoint(names))
    return next(matches, None)


def _merged(effects: Sequence[_Effect]) -> _Effect:
    """Return the effect of branches of which one is taken."""
    effects = [_Effect() if effect.is_neutral else effect for effect in effects]
    closes: list[_Close] = []
    for position in range(max(len(effect.closes) for effect in effects)):
        same = [effect.closes[position] for effect in effects if len(effect.closes) > position]
        certain = len(same) == len(effects) and all(close.certain for close in same)
        closes.append(
            replace(
                same[0],
                names=frozenset().union(*(close.names for close in same)),
                certain=certain,
                for_earlier_round=any(close.for_earlier_round for close in same),
            )
        )
    opens: list[_Open] = []
    for position in range(max(len(effect.opens) for effect in effects)):
        alike = [effect.opens[position] for effect in effects if len(effect.opens) > position]
        opens.append(
            replace(
                alike[0],
                names=frozenset().union(*(element.names for element in alike)),
                certain=len(alike) == len(effects) and all(element.certain for element in alike),
                may_be_closed=any(element.may_be_closed for element in alike),
                is_named=any(element.is_named for element in alike),
            )
        )
    return _Effect(closes, opens)


def _left(effect: _Effect) -> list[_Fault]:
    """Return the faults of a region that nothing surrounds: what it leaves open, and what it closes."""
    if effect.is_neutral and effect.opens:
        return []
    unopened = [
        _unopened(close, None)
        for close in effect.closes
        if not (close.for_earlier_round or close.names <= {"html", "head", "body"})
    ]
    unclosed = [_unclosed(e, None) for e in effect.opens if e.is_due and not e.is_named]
    return unopened + unclosed


def _shown(names: frozenset[str], *, end: bool = False) -> str:
    return " or ".join(f"<{'/' if end else ''}{name}>" for name in sorted(names))


def _unclosed(element: _Open, close: _Close | None) -> _Fault:
    return _Fault(
        message=f"{_shown(element.names)} is never closed",
        path=element.path,
        at=element.at,
        other=(close.path, close.at) if close else None,
        other_words=f" before {_shown(close.names, end=True)}" if close else "",
        hint=f"write {_shown(element.names, end=True)}; a browser closes it where the element around it ends",
    )


def _unopened(close: _Close, element: _Open | None) -> _Fault:
    open_words = f": {_shown(element.names)} is open there" if element else ""
    return _Fault(
        message=f"{_shown(close.names, end=True)} closes nothing",
        path=close.path,
        at=close.at,
        other=(element.path, element.at) if element else None,
        other_words=open_words,
        hint=f"write {_shown(element.names, end=True)}, or remove it"
        if element
        else "remove it, or open the element",
    )


def _ended(close: _Close, at: int, name: str) -> _Fault:
    return _Fault(
        message="</p> closes nothing",
        path=close.path,
        at=close.at,
        other=(close.path, at),
        other_words=f": a paragraph cannot contain <{name}>, which has closed it",
        hint=f"write a <div> in place of the <p>, or close the paragraph before <{name}>",
    )
