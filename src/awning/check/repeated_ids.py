"""Finds ids that a template writes twice although a label, an address or an `aria-` attribute refers to one.

Such a reference finds the first element with the id. What the author meant by it is then without its name, for who
listens to the page. Only ids and references that are written out are compared, and only elements that can be on one
page: those in two arms of one `{% if %}` never are, nor those whose conditions contradict each other.

Equal texts of conditions have equal values: a variable that changes between them is not followed.
"""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple
from urllib.parse import unquote

from jinja2 import Environment, TemplateSyntaxError, nodes

from awning.check.template_code import code_in, is_no_text, without_code
from awning.diagnostics import Diagnostic, Place, Severity
from awning.markup import read_markup
from awning.template import tests
from awning.workspace.offsets import line_and_column

_OPPOSITES = {"ne": "eq", "notin": "in", "gteq": "lt", "lteq": "gt"}
MOST_CHARACTERS = 150
"""The longest condition that is read. A longer one equals only its own text."""
MOST_CALLS = 20
"""The most calls of a macro that are compared with each other."""
_SYNTAX = Environment(autoescape=True)
_TRUTH = {
    ("none", True): False,
    ("undefined", True): False,
    ("defined", False): False,
    ("false", True): False,
    ("true", True): True,
}
"""Whether a value counts as true of which a test holds, or does not hold."""
_LENGTHS = frozenset({"count", "length"})
_ZERO = repr(nodes.Const(0))
_ONE_ROUND = frozenset({"loop.first", "loop.last"})
_NUMBERS = frozenset({"loop.index", "loop.index0", "loop.revindex", "loop.revindex0"})


class Fact(NamedTuple):
    """An expression that is true or false. With `value`, it is whether the expression equals this value."""

    expression: str
    holds: bool
    value: str = ""


@lru_cache(maxsize=1000)
def facts_of(condition: str, *, holds: bool) -> frozenset[Fact]:
    """Return what is known where a condition is true, or false. There is none for an empty one."""
    if not condition:
        return frozenset()
    node = _parsed(condition)
    return frozenset(_facts_in(node, holds) if node else [Fact(condition, holds)])


def contradict(facts: Iterable[Fact], others: Iterable[Fact]) -> bool:
    """Return whether two sets of facts cannot be true at once."""
    known: dict[tuple[str, bool], list[Fact]] = {}
    for fact in facts:
        known.setdefault((fact.expression, bool(fact.value)), []).append(fact)
    return any(
        fact.holds != other.holds
        if fact.value == other.value
        else fact.holds and other.holds and _is_known(fact) and _is_known(other)
        for other in others
        for fact in known.get((other.expression, bool(other.value)), ())
    )


def _is_known(fact: Fact) -> bool:
    return fact.value.startswith("Const(")


def is_one_round(fact: Fact) -> bool:
    """Return whether at most one round of a loop has this fact, as with `loop.first`."""
    return fact.holds and (
        fact.expression in _ONE_ROUND or (fact.expression in _NUMBERS and bool(fact.value))
    )


@lru_cache(maxsize=1000)
def names_in(condition: str) -> frozenset[str]:
    """Return the names of the variables in a condition."""
    node = _parsed(condition) if condition else None
    if node is None:
        return frozenset()
    return frozenset(name.name for name in (node, *node.find_all(nodes.Name)) if isinstance(name, nodes.Name))


def _parsed(condition: str) -> nodes.Node | None:
    if len(condition) > MOST_CHARACTERS:
        return None
    try:
        output = _SYNTAX.parse("{{ (" + condition + ") }}").body[0]
    except (TemplateSyntaxError, ValueError, IndexError):
        return None
    return output.nodes[0] if isinstance(output, nodes.Output) and len(output.nodes) == 1 else None


def _facts_in(node: nodes.Node, holds: bool) -> Iterator[Fact]:
    if isinstance(node, nodes.Test) and (truth := _TRUTH.get((node.name, holds))) is not None:
        yield from _facts_in(node.node, truth)
    match node:
        case nodes.Not():
            yield from _facts_in(node.node, not holds)
        case nodes.And() if holds:
            yield from (Fact(repr(node), holds), *_facts_in(node.left, holds), *_facts_in(node.right, holds))
        case nodes.Or() if not holds:
            yield from (Fact(repr(node), holds), *_facts_in(node.left, holds), *_facts_in(node.right, holds))
        case nodes.Filter(name=name, node=nodes.Node() as items) if name in _LENGTHS:
            yield from _facts_in(items, holds)
        case nodes.Test(name=name) if (spec := tests.SUPPORTED.get(name)) and spec.opposite:
            positive = nodes.Test(node.node, spec.opposite, node.args, node.kwargs, None, None)
            yield Fact(_shown(positive), not holds)
        case nodes.Compare(ops=[operand]):
            yield from _comparison(node.expr, operand.op, operand.expr, holds)
        case _:
            yield Fact(_shown(node), holds)


def _comparison(left: nodes.Node, operator: str, right: nodes.Node, holds: bool) -> Iterator[Fact]:
    if operator in _OPPOSITES:
        operator, holds = _OPPOSITES[operator], not holds
    if operator == "gt" and isinstance(right, nodes.Const) and right.value == 0:
        yield from _facts_in(left, holds)
    elif operator == "eq":
        yield Fact(_shown(left), holds, _shown(right))
        is_length = isinstance(left, nodes.Filter) and left.name in _LENGTHS and repr(right) == _ZERO
        if isinstance(right, nodes.Const) and (holds or is_length):
            yield from _facts_in(left, bool(right.value) is holds)
    else:
        yield Fact(f"{_shown(left)} {operator} {_shown(right)}", holds)


def _shown(node: nodes.Node) -> str:
    if isinstance(node, nodes.Name):
        return node.name
    if (
        isinstance(node, nodes.Getitem)
        and isinstance(node.arg, nodes.Const)
        and str(node.arg.value).isidentifier()
    ):
        return f"{_shown(node.node)}.{node.arg.value}"
    return f"{_shown(node.node)}.{node.attr}" if isinstance(node, nodes.Getattr) else repr(node)


REFERENCES = frozenset(
    {
        *(
            "for",
            "form",
            "list",
            "headers",
            "aria-labelledby",
            "aria-describedby",
            "aria-controls",
            "aria-owns",
        ),
        *("aria-details", "aria-errormessage", "aria-activedescendant", "aria-flowto"),
        *("popovertarget", "commandfor", "interestfor", "itemref"),
    }
)
"""Attributes whose words are ids (WHATWG HTML 4.10.4 and others; WAI-ARIA 1.2, 6)."""

_ONE_ID = frozenset({"for", "form", "list", "popovertarget", "commandfor", "interestfor"})
"""Those of them that are one id, whatever it has. Only that of an `<output>` is a list."""

_ID = re.compile(r"\sid\s*=", re.IGNORECASE)
_URL = re.compile(r"""\burl\(\s*["']?#([^"')\s]+)""", re.IGNORECASE)
_EVENT = re.compile(r"\s*([A-Za-z_]\w*)\.[A-Za-z]")
"""Matches the id in an event of another element, `q.click` (SVG Animations 2)."""

_TIMED = frozenset({"animate", "animatemotion", "animatetransform", "set"})
"""The elements whose `begin` and `end` are times."""

_HOLE = "\ue000"
"""Stands for each character of a tag or an expression of Jinja2: an id with it is not known."""

_LABELLED = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
"""The elements that a label can name (WHATWG HTML 4.10.2). A label for another element names nothing."""

_FOR = re.compile(r"(?P<targets>.*?)\sin\s(?P<items>.*?)(?P<choice>\sif\s.*)?", re.DOTALL)
_CALL = re.compile(r"(?:\{\{[-+]?|\{%[-+]?\s*call\b(?:\s*\([^)]*\))?)\s*(\w+)\s*\(")
"""Matches the beginning of an output or a block that calls a macro."""
_BODIES = frozenset({"macro", "call"})
"""The statements whose body may be shown once, twice or never."""
_AROUND = frozenset({"if", "for", "macro", "set", "call"})
_ENDS = frozenset(f"end{keyword}" for keyword in _AROUND)
_ASSIGNED = re.compile(r"([\w.,\s()]+)=(?!=)")


@dataclass(frozen=True, slots=True)
class _Arm:
    """An arm of the statement at the offset `at` around a place. An `{% else %}` has no condition.

    `excluded` are the facts that the arms before it leave. `names` are those that change in each round of a loop.
    """

    keyword: str
    at: int
    number: int = 0
    condition: str = ""
    excluded: frozenset[Fact] = frozenset()
    names: set[str] = field(default_factory=set)
    macro: str = ""
    chooses: bool = False
    """Whether a loop takes only some of its items."""

    @property
    def facts(self) -> frozenset[Fact]:
        chosen = {Fact(f"round of {self.at}", holds=True)} if self.chooses and not self.number else set()
        return self.excluded | facts_of(self.condition, holds=True) | chosen

    def next(self, condition: str) -> "_Arm":
        before = frozenset() if self.chooses else facts_of(self.condition, holds=False)
        return replace(
            self, number=self.number + 1, condition=condition, excluded=self.excluded | before, names=set()
        )


Arms = tuple[_Arm, ...]
"""The statements around a place, from the outside in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Named:
    """An element with an id that is written out."""

    id: str
    tag: str
    line: int
    column: int
    offset: int


def repeated_ids(path: str, template: str) -> Iterator[Diagnostic]:
    """Yield an error for each id that a template writes again, and a warning for each in a loop.

    Nothing is reported about an id that nothing in the template refers to.
    """
    ids = read_ids(template)
    places = _read_places(template)
    lines = template.split("\n")
    before: dict[str, list[_Named]] = {}
    for element in ids.elements:
        reference, arms = ids.references.get(element.id), places.at(element)
        if reference is None or any(arm.keyword == "set" for arm in arms):
            continue
        met = [each for each in before.get(element.id, ()) if _can_meet(places.at(each), arms)]
        certain = [each for each in met if _must_meet(places.at(each), arms)]
        certain = [] if reference.is_link else certain  # the first may look as this one does
        earlier = next(iter(certain or met), None)
        before.setdefault(element.id, []).append(element)
        if earlier and not (reference.is_label and _is_named(earlier) and not _is_named(element)):
            message = f'the id "{element.id}" is already that of line {earlier.line}'
            severity = Severity.ERROR if certain else Severity.WARNING
        elif not earlier and _is_repeated(arms):
            message = f'the id "{element.id}" is written in a loop: each round repeats it'
            severity = Severity.WARNING
        elif not earlier and places.is_called_again(arms):
            message = f'the id "{element.id}" is written in a macro: each call repeats it'
            severity = Severity.WARNING
        else:
            continue
        yield Diagnostic(
            rule="repeated-id",
            message=f"{message}, and {reference.text} finds the first element only",
            place=Place(path=path, line=element.line, column=element.column),
            hint=f"give each element an id of its own: {_own_id(element.id, arms)}",
            severity=severity,
            excerpt=lines[element.line - 1],
        )


def _own_id(name: str, arms: Arms) -> str:
    """Return how to make an id of its own in this place."""
    if arms and arms[-1].macro:
        return f'with an argument of the macro, id="{name}-{{{{ number }}}}"'
    return f'in a loop with a number, id="{name}-{{{{ loop.index }}}}"'


def _can_meet(place: Arms, other: Arms) -> bool:
    """Return whether two places can be on one page."""
    numbers = {arm.at: arm.number for arm in place}
    return all(numbers.get(arm.at, arm.number) == arm.number for arm in other) and not contradict(
        _facts(place), _facts(other)
    )


def _must_meet(place: Arms, other: Arms) -> bool:
    """Return whether one of two places is on each page that has the other."""
    facts, others = _facts(place), _facts(other)
    bodies, other_bodies = ({arm.at for arm in arms if arm.keyword in _BODIES} for arms in (place, other))
    return bodies == other_bodies and (facts <= others or others <= facts)


def _facts(arms: Arms) -> frozenset[Fact]:
    return frozenset[Fact]().union(*(arm.facts for arm in arms))


def _is_repeated(arms: Arms) -> bool:
    """Return whether a place is in a loop, and nothing shows that it may choose one round."""
    repeating: list[_Arm] = []
    for arm in arms:
        if arm.keyword == "for" and not arm.number:
            repeating.append(arm)
        elif arm.keyword == "if" and repeating:
            names = names_in(arm.condition)
            innermost = repeating[-1] if any(map(is_one_round, arm.facts)) else None
            repeating = [loop for loop in repeating if loop is not innermost and not loop.names & names]
    return any(not loop.chooses for loop in repeating)


def _is_named(element: _Named) -> bool:
    return element.tag in _LABELLED


@dataclass(frozen=True, slots=True)
class _Places:
    offsets: list[int]
    arms: list[Arms]

    calls: dict[str, list[Arms]] = field(default_factory=dict)
    """Where each macro is called, by its name, apart from calls in macros and in blocks of `set`."""
    redefined: set[str] = field(default_factory=set)
    """The names that several macros have: a call does not show which of them it means."""

    def at(self, element: _Named) -> Arms:
        return self.arms[bisect_right(self.offsets, element.offset) - 1]

    def is_called_again(self, arms: Arms) -> bool:
        """Return whether a place stands in a macro, always, and the macro is called twice on one page."""
        if not arms or not arms[-1].macro:
            return False
        if arms[-1].macro in self.redefined:
            return False
        calls = self.calls.get(arms[-1].macro, [])[:MOST_CALLS]
        return any(map(_is_repeated, calls)) or any(_can_meet(*pair) for pair in combinations(calls, 2))


def _read_places(template: str) -> _Places:
    places, defined = _Places([0], [()]), set[str]()
    for code in code_in(template):
        arms, keyword, rest = places.arms[-1], code.keyword, code.rest
        assigned = _ASSIGNED.match(rest) if keyword == "set" else None
        if assigned:
            loop = next((arm for arm in reversed(arms) if arm.keyword == "for"), None)
            if loop:
                loop.names.update(re.findall(r"\w+", assigned[1]))
        call = _CALL.match(template, code.start, code.end) if is_no_text(code) else None
        if call and not any(arm.keyword in {"macro", "set"} for arm in arms):
            places.calls.setdefault(call[1], []).append(arms)
        if keyword in _AROUND and not assigned:
            arms = (*arms, _first_arm(keyword, code.start, rest))
            if macro := arms[-1].macro:
                (places.redefined if macro in defined else defined).add(macro)
        elif keyword in {"elif", "else"} and arms:
            arms = (*arms[:-1], arms[-1].next(rest))
        elif keyword in _ENDS:
            arms = arms[:-1]
        places.offsets.append(code.end)
        places.arms.append(arms)
    return places


def _first_arm(keyword: str, at: int, rest: str) -> _Arm:
    loop = _FOR.fullmatch(rest.removesuffix("recursive")) if keyword == "for" else None
    if loop is None:
        macro = rest.partition("(")[0].strip() if keyword == "macro" else ""
        return _Arm(keyword, at, condition=rest if keyword == "if" else "", macro=macro)
    names = set(re.findall(r"\w+", loop["targets"]))
    return _Arm(keyword, at, condition=loop["items"], names=names, chooses=loop["choice"] is not None)


@dataclass(frozen=True, slots=True)
class _Reference:
    text: str
    is_label: bool
    """Whether only labels refer to the id."""
    is_link: bool
    """Whether only addresses and animations refer to it."""


@dataclass(slots=True)
class WrittenIds:
    """The elements with ids of a template, in their order, and what refers to each id."""

    elements: list[_Named] = field(default_factory=list)
    references: dict[str, _Reference] = field(default_factory=dict)

    def refer(self, attribute: str, tag: str, id_: str) -> None:
        known, is_link = self.references.get(id_), attribute not in REFERENCES
        is_label = attribute == "for" and (known is None or known.is_label)
        text = known.text if known and (is_link or not known.is_link) else f"{attribute} of <{tag}>"
        self.references[id_] = _Reference(text, is_label, is_link and (known is None or known.is_link))


def read_ids(template: str) -> WrittenIds:
    """Return the ids that a template writes out, and the references to ids."""
    markup = without_code(template, _HOLE)
    ids, templates = WrittenIds(), 0
    for piece in read_markup(markup):
        if piece.text == "template":  # the page does not have what is in one
            templates = max(0, templates + {"start": 1, "end": -1}.get(piece.kind, 0))
        id_ = piece.attributes.get("id")
        if id_ and not templates and _HOLE not in id_:
            line, column = line_and_column(markup, piece.start)
            written = _ID.search(markup, piece.start, piece.end)
            at = written.end() if written else piece.start
            ids.elements.append(_Named(id=id_, tag=piece.text, line=line, column=column, offset=at))
        for attribute, words in piece.attributes.items():
            is_one = attribute in _ONE_ID and piece.text != "output"
            for word in () if attribute not in REFERENCES else [words] if is_one else words.split():
                ids.refer(attribute, piece.text, word)
            for linked in _linked(piece.text, attribute, words):
                ids.refer(attribute, piece.text, linked)
    return ids


def _linked(tag: str, attribute: str, value: str) -> Iterator[str]:
    """Yield the ids that an attribute's address, style or time refers to: `#q`, `url(#q)`, `q.click`."""
    if attribute in {"begin", "end"}:
        yield from (match[1] for each in value.split(";") if tag in _TIMED and (match := _EVENT.match(each)))
    elif attribute in {"href", "xlink:href", "usemap"}:
        yield from (unquote(value.strip()[1:]),) if value.strip().startswith("#") else ()
    else:
        yield from map(unquote, _URL.findall(value))
