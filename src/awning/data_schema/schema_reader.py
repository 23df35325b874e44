"""Reads a JSON Schema as a tree of parts, and reports what is wrong with the schema.

References inside the file are followed. The tree has at most `MOST_PARTS` parts and a depth of at most `DEEPEST`, so
every function that walks through it ends.
"""

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, TypeGuard
from urllib.parse import unquote

from awning.data_schema.keywords import KEYWORDS, NOT_HELD, TYPES, range_of, with_whole_counts
from awning.data_schema.misfits import misfits
from awning.data_schema.patterns import LIMIT_S, are_patterns_checked, pattern_fault, slow_text
from awning.data_schema.schema_part import ABSENT, ANYTHING, Json, Path, SchemaOption, SchemaPart
from awning.data_schema.value_formats import VALUE_FORMATS
from awning.data_schema.words import hint_for, sentence_for, shown
from awning.diagnostics import did_you_mean

DEEPEST: Final = 32
MOST_PARTS: Final = 2000
SEARCHED_S: Final = 5.0
"""The processor time in which a schema's patterns are tried. An ordinary pattern takes a thousandth of a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaProblem:
    """One problem of a schema. `where` is its path in the file; `rule` names the page that explains it."""

    where: Path
    message: str
    rule: str
    hint: str | None = None
    warning: bool = False


def read_schema(document: Mapping[str, Json]) -> tuple[SchemaPart, tuple[SchemaProblem, ...]]:
    """Return the tree of a widget's schema, and its problems.

    Where the schema has a problem, the tree allows at least what the schema allows. The root is always an object.
    """
    reader = _Reader(document)
    declared = document.get("type", "object")
    if declared != "object":
        message = f'"type" must be "object": a widget\'s data is a table, not {shown(declared)}'
        reader.report(("type",), message)
    part = reader.part({**document, "type": "object"}, (), ())
    return part, tuple(dict.fromkeys(reader.problems))


def read_app_schema(document: Mapping[str, Json]) -> SchemaPart:
    """Return the tree of `dist/data.schema.json`. A reference is resolved in the schema of its own widget."""
    widgets = document.get("properties")
    return SchemaPart(
        types=("object",),
        properties={
            name: read_schema(schema)[0]
            for name, schema in (widgets.items() if isinstance(widgets, Mapping) else ())
            if isinstance(schema, Mapping)
        },
        schema=document,
    )


@dataclass(slots=True)
class _Reader:
    """Reads one file and collects its `problems`."""

    document: Mapping[str, Json]
    problems: list[SchemaProblem] = field(default_factory=list)
    parts: int = 0
    says_unchecked: bool = False
    search_s: float = SEARCHED_S

    def report(self, where: Path, message: str, hint: str | None = None, *, warning: bool = False) -> None:
        problem = SchemaProblem(where=where, message=message, rule="data-schema", hint=hint, warning=warning)
        self.problems.append(problem)

    def part(self, schema: Json, where: Path, followed: tuple[str, ...], depth: int = 0) -> SchemaPart:
        """Read one schema. `followed` are the references that led to it."""
        if isinstance(schema, bool):
            if not schema:
                message = f"{_named(where)} is not checked: awning does not support the schema false"
                self.report(where, message, "leave it out, or describe what fits", warning=True)
            return ANYTHING
        if not isinstance(schema, Mapping):
            self.report(where, f"{_named(where)} must be a schema, not {shown(schema)}")
            return ANYTHING
        self.parts += 1
        if depth > DEEPEST or self.parts > MOST_PARTS:
            if self.parts <= MOST_PARTS + 1:
                self.report(where, f"the schema nests deeper than {DEEPEST} or has over {MOST_PARTS} parts")
            self.parts = max(self.parts, MOST_PARTS + 1)
            return ANYTHING
        if "$ref" in schema:
            return self._referred(schema, where, followed, depth)
        return self._read(schema, where, followed, depth)

    def _referred(
        self, schema: Mapping[str, Json], where: Path, followed: tuple[str, ...], depth: int
    ) -> SchemaPart:
        reference = schema["$ref"]
        at = (*where, "$ref")
        if not isinstance(reference, str) or not reference.startswith("#"):
            self.report(
                at, f"{shown(reference)} is not in this file", 'refer to a part of it: "#/$defs/name"'
            )
            return ANYTHING
        if reference in followed:
            circle = " -> ".join((*followed[followed.index(reference) :], reference))
            self.report(at, f"the schema refers to itself: {circle}", "settings cannot be nested without end")
            return ANYTHING
        path, target = _pointed(self.document, reference)
        if not isinstance(target, Mapping | bool):
            known = [
                f"#/{home}/{name}"
                for home in ("$defs", "definitions")
                if isinstance(self.document.get(home), Mapping)
                for name in self.document[home]
            ]
            close = did_you_mean(reference, known)
            hint = close or (f"there are: {', '.join(known[:9])}" if known else None)
            self.report(at, f'there is no schema at "{reference}"', hint)
            return ANYTHING
        own = {name: value for name, value in schema.items() if name != "$ref"}
        if own and isinstance(target, Mapping):
            return self.part({**target, **own}, where, (*followed, reference), depth + 1)
        return self.part(target, path, (*followed, reference), depth + 1)

    def _read(
        self, schema: Mapping[str, Json], where: Path, followed: tuple[str, ...], depth: int
    ) -> SchemaPart:
        schema = with_whole_counts(self._flattened(schema))
        self._keywords(schema, where)
        types, nullable = self._types(schema, where)
        options = () if schema.get("type") in ("null", ["null"]) else self._options(schema)
        if options is not None and any(option.value is None for option in options):
            nullable, options = True, tuple(option for option in options if option.value is not None)
        others = schema.get("additionalProperties", "properties" not in schema)
        if "object" not in types or others is False:
            other_part = None
        else:
            other_part = self.part(others, (*where, "additionalProperties"), followed, depth + 1)
        items = schema.get("items") if "array" in types else None
        part = SchemaPart(
            types=types,
            nullable=nullable or (not types and options is None),
            options=options,
            properties=MappingProxyType(dict(self._properties(schema, types, where, followed, depth))),
            required=self._required(schema, types, where),
            others=other_part,
            items=None if items is None else self.part(items, (*where, "items"), followed, depth + 1),
            default=schema.get("default", ABSENT),
            secret=schema.get("writeOnly") is True or schema.get("format") == "password",
            schema=schema,
        )
        if part.secret:
            message = "app data is in the source of every page: a secret cannot be a setting"
            self.report(where, message, "keep it on the app's own server", warning=True)
        self._default(part, where)
        return part

    def _flattened(self, schema: Mapping[str, Json]) -> Mapping[str, Json]:
        """Turn `anyOf: [schema, null]`, which many tools write for a nullable value, into one nullable schema."""
        for keyword in ("anyOf", "oneOf"):
            either = schema.get(keyword)
            if not isinstance(either, list) or {"type": "null"} not in either:
                continue
            others = [schema for schema in either if schema != {"type": "null"}]
            if len(others) == 1 and isinstance(others[0], Mapping):
                inner, own = others[0], {name: part for name, part in schema.items() if name != keyword}
                if "$ref" in inner:
                    _, target = _pointed(self.document, str(inner["$ref"]))
                    inner = target if isinstance(target, Mapping) and "$ref" not in target else {}
                declared = inner.get("type")
                if isinstance(declared, str | list):
                    types = [declared] if isinstance(declared, str) else declared
                    return {**inner, **own, "type": [*types, "null"]}
        return schema

    def _keywords(self, schema: Mapping[str, Json], where: Path) -> None:
        known = KEYWORDS.keys() | NOT_HELD
        for name, value in schema.items():
            at = (*where, name)
            row = KEYWORDS.get(name)
            if row is not None and not row.value.fits(value):
                around = name == "required" and value is True
                hint = f'name it in the schema around it: "required": [{_named(where)}]' if around else None
                self.report(at, f'"{name}" must be {row.value.words}, not {shown(value)}', hint)
            elif unchecked := _why_unchecked(name, value, _declared(schema)):
                self.report(at, *unchecked, warning=True)
            elif row is None and (close := did_you_mean(name, known, cutoff=0.75)):
                self.report(at, f'unknown keyword "{name}"', close)
            elif name == "pattern":
                self._pattern(value, schema.get("maxLength"), at)
        for kind in TYPES:
            low, high = range_of(schema, kind)
            if low and high and low.value > high.value:
                message = f'"{low.keyword}" is {low.value} and "{high.keyword}" {high.value}: nothing fits'
                self.report((*where, low.keyword), message)

    def _pattern(self, pattern: str, longest: Json, at: Path) -> None:
        if not are_patterns_checked():
            if not self.says_unchecked:
                message = '"pattern" is not checked on this machine: there is no quickjs-ng for it'
                hint = "a text that does not match is accepted here; on other machines it is refused"
                self.report(at, message, hint, warning=True)
            self.says_unchecked = True
        elif fault := pattern_fault(pattern):
            hint = 'a pattern is a regular expression of JavaScript with the flag "u", as in JSON Schema'
            self.report(at, f'"pattern" is not checked: {fault}', hint, warning=True)
        elif text := self._slow_text(pattern, longest if isinstance(longest, int) else None):
            self.report(
                at,
                f'"pattern" takes too long: {shown(text)} is not compared within {LIMIT_S * 1000:.0f} ms',
                "a repetition inside of a repetition, such as (a+)+, tries every way to divide a text: let each "
                'character match in one way only, as a+ does, or limit the text with "maxLength"',
            )

    def _slow_text(self, pattern: str, longest: int | None) -> str | None:
        """Return a text for which the pattern takes too long; None when none is found in the time of this file."""
        start = time.thread_time()
        text = slow_text(pattern, longest) if self.search_s > 0 else None
        self.search_s -= time.thread_time() - start
        return text

    def _types(self, schema: Mapping[str, Json], where: Path) -> tuple[tuple[str, ...], bool]:
        """Return the types without null, and whether null is one of them.

        Without `type`, a schema with `properties` describes an object, and one with `items` a list.
        """
        declared = schema.get("type")
        if declared is None:
            guessed = ("object",) if "properties" in schema else ("array",) if "items" in schema else ()
            return guessed, False
        names = declared if isinstance(declared, list) else [declared]
        known: list[str] = []
        for index, name in enumerate(names):
            at = (*where, "type", index) if isinstance(declared, list) else (*where, "type")
            if name in TYPES:
                known.append(name)
            elif isinstance(name, str):
                hint = did_you_mean(name, TYPES) or f"types: {', '.join(TYPES)}"
                self.report(at, f'{_named(where)} has an unknown type "{name}"', hint)
            else:
                self.report(at, f'"type" must be one of {", ".join(TYPES)}, not {shown(name)}')
        return tuple(dict.fromkeys(name for name in known if name != "null")), "null" in known

    def _options(self, schema: Mapping[str, Json]) -> tuple[SchemaOption, ...] | None:
        if "const" in schema:
            return (SchemaOption(value=schema["const"]),)
        if "enum" in schema:
            listed = schema["enum"]
            fits = KEYWORDS["enum"].value.fits(listed)
            return tuple(SchemaOption(value=value) for value in listed) if fits else None
        for keyword in ("oneOf", "anyOf"):
            either = schema.get(keyword)
            if _constants(either):
                return tuple(
                    SchemaOption(value=schema["const"], title=schema.get("title")) for schema in either
                )
        return None

    def _properties(
        self,
        schema: Mapping[str, Json],
        types: tuple[str, ...],
        where: Path,
        followed: tuple[str, ...],
        depth: int,
    ) -> Iterator[tuple[str, SchemaPart]]:
        properties = schema.get("properties", {})
        if "object" not in types or not isinstance(properties, Mapping):
            return
        for name, part in properties.items():
            yield name, self.part(part, (*where, "properties", name), followed, depth + 1)

    def _required(self, schema: Mapping[str, Json], types: tuple[str, ...], where: Path) -> frozenset[str]:
        names = schema.get("required", [])
        at = (*where, "required")
        if not KEYWORDS["required"].value.fits(names):
            return frozenset()
        known = schema.get("properties", {})
        if isinstance(known, Mapping) and "additionalProperties" not in schema:
            for index, name in enumerate(names):
                if name not in known:
                    message = f'"required" names "{name}", which is not a property'
                    self.report((*at, index), message, did_you_mean(name, known))
        return frozenset(names) if "object" in types else frozenset()

    def _default(self, part: SchemaPart, where: Path) -> None:
        if part.default is ABSENT:
            return
        for misfit in misfits(part.default, part, partial=True, top=not where):
            self.problems.append(
                SchemaProblem(
                    where=(*where, "default", *misfit.path),
                    message=f"the default contradicts its schema: {sentence_for(misfit, of=_named(where))}",
                    hint=hint_for(misfit) or "correct the default, or what the schema asks of it",
                    rule="data-default",
                )
            )


def _declared(schema: Mapping[str, Json]) -> set[str]:
    """Return the types that a schema names; an empty set without a known type."""
    declared = schema.get("type")
    return {name for name in (declared if isinstance(declared, list) else [declared]) if name in TYPES}


def _why_unchecked(keyword: str, value: Json, types: set[str]) -> tuple[str, str] | None:
    """Return the message and the hint about a keyword that has no effect; None for any other keyword."""
    if keyword in NOT_HELD or (keyword in {"anyOf", "oneOf"} and not _constants(value)):
        return (
            f'"{keyword}" is not checked: awning does not support this keyword',
            f"a schema can have: {', '.join(sorted(word for word in KEYWORDS if word[0] != '$'))}",
        )
    if keyword not in KEYWORDS:
        is_misspelt = did_you_mean(keyword, KEYWORDS.keys() | NOT_HELD, cutoff=0.75) is not None
        if (
            is_misspelt or keyword.startswith(("x-", "$")) or ":" in keyword
        ):  # `ui:widget` is for another tool
            return None
        message = f'"{keyword}" is not checked: it is no keyword of JSON Schema'
        return message, 'remove it; a key for another tool begins with "x-"'
    of = KEYWORDS[keyword].of
    if types and of and types.isdisjoint(of):
        return (
            f'"{keyword}" is not checked: it is about values of type {" or ".join(of)}',
            "remove it, or correct the type",
        )
    if keyword == "format" and isinstance(value, str) and value not in VALUE_FORMATS:
        hint = did_you_mean(value, VALUE_FORMATS) or f"formats: {', '.join(sorted(VALUE_FORMATS))}"
        return f'the format "{value}" is not checked: awning does not know it', hint
    return None


def _named(where: Path) -> str:
    """Return how messages name the schema at `where`: `"a.b"` for a property, `an entry of "a.b"` or `the schema`."""
    names = [step for before, step in pairwise(where) if before == "properties"]
    name = ".".join(str(step) for step in names)
    return f'"{name}"' if name and where[-1] != "items" else f'an entry of "{name}"' if name else "the schema"


def _constants(either: Json) -> TypeGuard[list[Mapping[str, Json]]]:
    """Return whether `either` is a list of constants, with or without titles. Such a list is a choice."""
    return (
        isinstance(either, list)
        and bool(either)
        and all(isinstance(schema, Mapping) and "const" in schema for schema in either)
    )


def _pointed(document: Json, reference: str) -> tuple[Path, Json]:
    """Return the path and the value to which a reference such as `#/$defs/name` points.

    Returns `((), ABSENT)` if there is no such value. The reference is a JSON Pointer as a fragment (RFC 6901, 6)
    without indices of arrays.
    """
    first, *escaped = unquote(reference[1:]).split("/")
    steps = [step.replace("~1", "/").replace("~0", "~") for step in escaped]
    value: Any = ABSENT if first else document
    for step in steps:
        if not isinstance(value, Mapping) or step not in value:
            return (), ABSENT
        value = value[step]
    return tuple(steps), value
