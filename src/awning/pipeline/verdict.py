"""Whether a workspace may be built: one verdict for `check`, `build` and `dev`, and in it one finding for each mistake.

awning's rules, TypeScript and the bundler report some mistakes twice or three times. The clearer message stays. It is
an error if one of the others is.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from awning.diagnostics import Diagnostic, Place, Severity, gravest_first
from awning.script.records import ARGUMENTS_TYPES

_TYPES = "type-error"
_MORE_EXACT = ("template-placeholder", "placeholder-literal")
"""Rules that report a misused placeholder more exactly than the rule `placeholder-misuse`."""
_CLEARER = frozenset(
    {
        "data-key",
        "missing-export",
        "missing-import",
        "script-error",
        "style-import",
        "template-variables",
        "unknown-event",
        "unresolved-import",
    }
)
"""Rules whose message is clearer than TypeScript's at the same place. There they are errors, as TypeScript's are."""
_PARSED = re.compile(
    r'Cannot assign to|The symbol ".*" has already been|Top-level await|.* in the browsers in which'
)
"""Errors of the bundler in a script without a syntax error."""
_DECLARED = re.compile(r'The symbol "(.+)" has already been declared')
_TWICE = re.compile(r"(?:Cannot redeclare block-scoped variable|Duplicate identifier) '(.+?)'")
_LINTS = {
    "[direct-eval]": ("no-eval", ""),
    "[impossible-typeof]": (_TYPES, "(TS2367)"),
    "[equals-new-object]": (_TYPES, "(TS2839)"),
    "[import-is-undefined]": (_TYPES, "(TS2339)"),
    "[html-comment-in-js]": ("script-error", ""),
}
"""Ids of the bundler's warnings, with what is clearer on the same line: a rule, and the end of its message."""
_CLEARER_LINTS = ("[suspicious-boolean-not]", "[call-import-namespace]")
"""Ids of the bundler's warnings that are clearer than TypeScript's errors at the same place."""
_NAMES_MISSING = re.compile(
    r"Property '(\w+)' is missing in type|Object literal .* Did you mean to write '(\w+)'\?$"
    r"|Type .* is missing the following properties from type .*: ([\w, ]+)\.?$"
)

_UNREADABLE = frozenset(
    {
        *("template-syntax", "template-malformed-markup", "template-unfinished-markup"),
        *("template-branch-mismatch", "template-dynamic-attribute", "template-dynamic-tag"),
    }
)
"""Rules about a template of which nobody knows what is markup, what is text and what is code."""
_READ_FROM_TEXT = frozenset({"dead-handler", "repeated-id", "template-tags", "text-in-template"})
"""Rules that read a template's markup without the compiler."""
_LOST = re.compile(
    r'Could not resolve "[^"]*\.(?:j2|html)\b|there is no template "|.* has no default export$'
)
"""Errors because of which no script or template may use a template."""
_UNKNOWN = re.compile(r"(?:Cannot find name|No value exists in scope for the shorthand property) '([\w$]+)'")

_FOLLOWING = {
    "slot-mismatch": re.compile(rf"Property '\w+' does not exist on type '(?:{'|'.join(ARGUMENTS_TYPES)})<"),
    "missing-export": re.compile(r"(?:Parameter|Binding element) '.+' implicitly has an 'any' type"),
}
"""Rules, each with TypeScript's errors that follow from its mistake in the same file."""
_OF_MISNAMED = (
    ("data.schema.json", re.compile("the type of `data` is made from|the widget gets no data, because")),
    ("rename the folder", re.compile('no message "')),
)
"""Words of a hint about a file with a wrong name, each with the errors that follow from it."""
_SHARED = "widgets/_shared"
_MORE_NAMES = re.compile(r", and \d+ more\.?$")


def without_repeated(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return the diagnostics so that each mistake is reported once."""
    unique = _merged(diagnostics)
    reported = _Reported.of(unique)
    return [reported.as_shown(diagnostic) for diagnostic in unique if not reported.is_repeated(diagnostic)]


def _merged(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Return each diagnostic once, with all places at which scripts pass the value that it is about."""
    places: dict[Diagnostic, dict[Place, None]] = {}
    for diagnostic in diagnostics:
        merged = places.setdefault(replace(diagnostic, passed_at=()), {})
        merged |= dict.fromkeys(diagnostic.passed_at)
    return [replace(diagnostic, passed_at=tuple(passed_at)) for diagnostic, passed_at in places.items()]


@dataclass(slots=True)
class _Widget:
    """What is reported in the folder of a widget.

    `lost` are the names that its scripts use and do not declare; "" stands for any template. `hints` are those about
    files with wrong names, and `missed` the words of `_OF_MISNAMED` of which an error follows.
    """

    rules: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    hints: str = ""
    missed: set[str] = field(default_factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        self.rules.add(diagnostic.rule)
        if diagnostic.rule == "file-unused":
            self.hints += diagnostic.hint or ""
        if missed := _misnamed(diagnostic):
            self.missed.add(missed)
        if _LOST.match(diagnostic.message):
            self.lost.add("")
        elif unknown := _UNKNOWN.match(diagnostic.message):
            self.lost.add(unknown[1])


@dataclass(slots=True, kw_only=True)
class _Reported:
    """All diagnostics of a run, by line."""

    lines: dict[tuple[str, int], list[Diagnostic]] = field(default_factory=dict)
    files: dict[str, set[str]] = field(default_factory=dict)
    """The rules that report something in each file."""
    unparsed: set[str] = field(default_factory=set)
    """The paths of the scripts with a syntax error. Type errors there may follow from it."""
    redeclared: set[tuple[str, str]] = field(default_factory=set)
    """The names that the bundler reports as declared twice, each with the path."""
    widgets: dict[str, _Widget] = field(default_factory=dict)
    """What is reported in the folder of each widget, by path."""
    unknown: dict[tuple[str, str], Diagnostic] = field(default_factory=dict)
    """The first error about each unknown name, by path and name."""
    read: dict[Place, set[str]] = field(default_factory=dict)
    """By place where a script passes a value: the names that are reported where the template reads them."""

    @classmethod
    def of(cls, diagnostics: Iterable[Diagnostic]) -> Self:
        reported = cls()
        for diagnostic in diagnostics:
            place = diagnostic.place
            if place is None:
                continue
            reported.lines.setdefault((place.path, place.line), []).append(diagnostic)
            reported.files.setdefault(place.path, set()).add(diagnostic.rule)
            reported.widgets.setdefault(_folder(place), _Widget()).add(diagnostic)
            if unknown := _UNKNOWN.match(diagnostic.message):
                reported.unknown.setdefault((place.path, unknown[1]), diagnostic)
            is_error = diagnostic.rule == "script-error" and diagnostic.severity is Severity.ERROR
            if is_error and not _PARSED.match(diagnostic.message):
                reported.unparsed.add(place.path)
            declared = _DECLARED.match(diagnostic.message)
            if declared:
                reported.redeclared.add((place.path, declared[1]))
            for passed_at in diagnostic.passed_at:
                reported.read.setdefault(passed_at, set()).add(_quoted(diagnostic))
        return reported

    def as_shown(self, diagnostic: Diagnostic) -> Diagnostic:
        """Return the diagnostic. It is an error if an error about the same mistake is left out for it."""
        is_for_error = any(
            self._is_about_reads(other, passed_at)
            for passed_at in diagnostic.passed_at
            for other in self.lines.get((passed_at.path, passed_at.line), ())
        )
        if not is_for_error and _can_be_clearer(diagnostic):
            beside = self._beside(diagnostic)
            is_for_error = any(other.rule == _TYPES and _is_clearer(diagnostic, other) for other in beside)
        if diagnostic.rule == "file-unused" and diagnostic.place:
            missed = self.widgets[_folder(diagnostic.place)].missed
            is_for_error = any(word in (diagnostic.hint or "") for word in missed)
        return replace(diagnostic, severity=Severity.ERROR) if is_for_error else diagnostic

    def is_repeated(self, diagnostic: Diagnostic) -> bool:
        """Return whether another diagnostic reports the same mistake more clearly."""
        place = diagnostic.place
        return place is not None and (
            self._is_less_clear(diagnostic, place) or self._follows(diagnostic, place)
        )

    def _is_less_clear(self, diagnostic: Diagnostic, place: Place) -> bool:
        """Return whether a diagnostic in the same file is about the same place, or about the file as a whole."""
        rules, repeated = self.files[place.path], False
        match diagnostic.rule:
            case "script-syntax":
                repeated = "script-error" in rules
            case "placeholder-misuse":
                repeated = not rules.isdisjoint(_MORE_EXACT)
            case "type-error":
                repeated = place.path in self.unparsed or self._is_repeated_type_error(diagnostic, place.path)
            case "payload-field":
                typed = (other for other in self._beside(diagnostic) if other.rule == _TYPES)
                repeated = any(_is_near(other, diagnostic) for other in typed)
            case "unhandled-error":
                repeated = any(
                    other.rule == "payload-field" and other.place == place
                    for other in self._beside(diagnostic)
                )
            case "script-warning":
                repeated = place.path in self.unparsed or self._is_repeated_lint(diagnostic)
        return repeated

    def _follows(self, diagnostic: Diagnostic, place: Place) -> bool:
        """Return whether a diagnostic follows from a mistake that is reported elsewhere in the widget."""
        widget, follows = self.widgets[_folder(place)], False
        match diagnostic.rule:
            case "unreachable-state":
                follows = "slot-mismatch" in widget.rules
            case "template-unused":
                follows = self._is_lost(place)
            case "unresolved-import" | "data-value" | "message-missing":
                missed = _misnamed(diagnostic)
                follows = missed is not None and missed in widget.hints
            case rule if rule in _READ_FROM_TEXT:
                follows = not self.files[place.path].isdisjoint(_UNREADABLE)
        return follows

    def _is_repeated_type_error(self, diagnostic: Diagnostic, path: str) -> bool:
        twice, rules = _TWICE.match(diagnostic.message), self.files[path]
        unknown = _UNKNOWN.match(diagnostic.message)
        return (
            (unknown is not None and self.unknown[path, unknown[1]] != diagnostic)
            or any(rule in rules and words.match(diagnostic.message) for rule, words in _FOLLOWING.items())
            or (twice is not None and (path, twice[1]) in self.redeclared)
            or any(self._is_about_reads(diagnostic, passed_at) for passed_at in self.read)
            or any(
                _can_be_clearer(other) and _is_clearer(other, diagnostic)
                for other in self._beside(diagnostic)
            )
        )

    def _is_about_reads(self, diagnostic: Diagnostic, passed_at: Place) -> bool:
        """Return whether a type error misses only names that are reported where a template reads them."""
        if diagnostic.rule != _TYPES or not _is_at(diagnostic, passed_at):
            return False
        names = _missing_names(diagnostic)
        return bool(names) and names <= self.read[passed_at]

    def _is_lost(self, template: Place) -> bool:
        """Return whether a script or a template tries to use this unused template, and another finding says so.

        Every widget can use a shared template.
        """
        folder = _folder(template)
        users = self.widgets.values() if folder == _SHARED else [self.widgets[folder]]
        name = template.path.rpartition("/")[2].partition(".")[0]
        return any(not widget.lost.isdisjoint({"", name}) for widget in users)

    def _is_repeated_lint(self, warning: Diagnostic) -> bool:
        rule, end = _LINTS.get(warning.message.rpartition(" ")[2], (None, ""))
        return rule is not None and any(
            other.rule == rule and other.message.endswith(end) for other in self._beside(warning)
        )

    def _beside(self, diagnostic: Diagnostic) -> list[Diagnostic]:
        """Return the diagnostics on the same line."""
        place = diagnostic.place
        return self.lines[place.path, place.line] if place else []


def _misnamed(diagnostic: Diagnostic) -> str | None:
    """Return the words of the hint that a file with a wrong name has if this error may follow from it."""
    return next((word for word, follows in _OF_MISNAMED if follows.match(diagnostic.message)), None)


def _folder(place: Place) -> str:
    """Return the folder of a place's widget: `widgets/note`."""
    return "/".join(place.path.split("/")[:2])


def _can_be_clearer(diagnostic: Diagnostic) -> bool:
    """Return whether the diagnostic may be clearer than a type error."""
    return diagnostic.rule in _CLEARER or diagnostic.message.endswith(_CLEARER_LINTS)


def _is_clearer(clearer: Diagnostic, typed: Diagnostic) -> bool:
    """Return whether a diagnostic reports the mistake of a type error on the same line."""
    if clearer.rule == "unknown-event":
        return typed.message.startswith(f"Argument of type '\"{_quoted(clearer)}\"'")
    if _LOST.match(
        clearer.message
    ):  # at the beginning of a script without a default export, anything may stand
        return clearer.rule == "unresolved-import" and _is_near(clearer, typed)
    is_require = clearer.rule == "unresolved-import" and typed.message.startswith(
        "Cannot find name 'require'"
    )
    return is_require or _is_near(clearer, typed)


def _is_near(diagnostic: Diagnostic, other: Diagnostic) -> bool:
    """Return whether two diagnostics on a line have the same place. One may be at a quote, the other behind it."""
    return other.place is not None and _is_at(diagnostic, other.place)


def _is_at(diagnostic: Diagnostic, near: Place) -> bool:
    place = diagnostic.place
    return (
        place is not None
        and (place.path, place.line) == (near.path, near.line)
        and abs(place.column - near.column) <= 1
    )


def _quoted(diagnostic: Diagnostic) -> str:
    """Return the first text in quotes of a message."""
    return diagnostic.message.split('"')[1]


def _missing_names(diagnostic: Diagnostic) -> set[str]:
    """Return the names that TypeScript misses in a value; empty if the diagnostic is about something else.

    Of more than five names, TypeScript writes four.
    """
    for text in (diagnostic.message.rpartition(" (")[0], diagnostic.hint or ""):
        match = _NAMES_MISSING.match(_MORE_NAMES.sub("", text))
        if match:
            return set((match[1] or match[2] or match[3]).split(", "))
    return set()


UNREAD = (
    "mend the errors first: until then nothing is read but the files that describe the workspace, so scripts, styles, "
    "templates, types and sizes are not checked"
)
UNBUILT = (
    "mend the errors first: until then no snippet is built, so sizes are not checked, nor is all of a file with a "
    "syntax error"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The diagnostics of a workspace.

    With a `fatal` diagnostic, nothing can be built. The baseline can accept the `others`, and a caller can allow errors
    among them. `baseline` is the path of the baseline's file; None without a baseline.
    """

    fatal: tuple[Diagnostic, ...] = ()
    others: tuple[Diagnostic, ...] = ()
    baseline: Path | None = None
    unchecked: str | None = None
    """What was not looked at because of the fatal diagnostics, and why, as a hint; None when all was."""

    def counted(self) -> tuple[Diagnostic, ...]:
        """Return the diagnostics that the baseline does not accept: errors, warnings, notes, each sorted by place.

        Raises ConfigurationError when the baseline cannot be read.
        """
        from awning.check.files import sort_by_place  # noqa: PLC0415 - an unchanged build does without the rules

        if self.baseline is None:
            return tuple(gravest_first(sort_by_place((*self.fatal, *self.others))))
        from awning.check.baseline import read_baseline, without_known  # noqa: PLC0415 - most workspaces have none

        others = without_known(self.others, read_baseline(self.baseline))
        return tuple(gravest_first(sort_by_place((*self.fatal, *others))))


def fatal_verdict(
    fatal: Iterable[Diagnostic], others: Iterable[Diagnostic], baseline: Path | None, *, unchecked: str
) -> Verdict:
    """Return the verdict on a workspace that cannot be built.

    A warning in `fatal` becomes one of the verdict's `others`. If a diagnostic in `others` has the same rule and place
    as an error in `fatal`, it replaces the error, and becomes fatal.
    """
    fatal, others = tuple(fatal), tuple(others)
    blocking = {_rule_and_place(diagnostic) for diagnostic in fatal if diagnostic.severity is Severity.ERROR}
    ours = {_rule_and_place(diagnostic) for diagnostic in others}
    diagnostics = without_repeated(
        [*(diagnostic for diagnostic in fatal if _rule_and_place(diagnostic) not in ours), *others]
    )
    return Verdict(
        fatal=tuple(diagnostic for diagnostic in diagnostics if _rule_and_place(diagnostic) in blocking),
        others=tuple(diagnostic for diagnostic in diagnostics if _rule_and_place(diagnostic) not in blocking),
        baseline=baseline,
        unchecked=unchecked if blocking else None,
    )


def with_further(verdict: Verdict, diagnostics: Iterable[Diagnostic]) -> Verdict:
    """Return the verdict with further diagnostics, none of which is fatal."""
    unique = without_repeated([*verdict.fatal, *verdict.others, *diagnostics])
    return replace(verdict, others=tuple(item for item in unique if item not in verdict.fatal))


def _rule_and_place(diagnostic: Diagnostic) -> tuple[str, object]:
    return diagnostic.rule, diagnostic.place
