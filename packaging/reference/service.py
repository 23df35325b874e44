"""The page of the simulated service and shop: errors, assumptions, faults and themes, from the tables of the code.

Calls are in the OpenAPI documents.
"""

from collections.abc import Iterable, Iterator

from msgspec import NODEFAULT
from msgspec.structs import fields

from awning.contract.assumptions import ASSUMPTIONS, DEFAULT_SET, Assumption
from awning.contract.reseller_errors import RESELLER_ERRORS
from awning.contract.shop import THEMES
from awning_harness.service.faults.faults import FAULTS, Fault
from reference.markdown import code, entries, one_line, page, table

INTRODUCTION = """\
The assumptions and faults of the [simulated service](../service.md), and the themes of its [shop](../storefront.md).
The calls of both APIs: [docs/openapi](../openapi/)."""

QUESTIONS = """\
The specification leaves these questions open. The first answer is that of the set `observed`, the default; the sets
`documented` and `hostile` are named beside another answer that they give. `GET assumptions` of the
[control](../service.md#a-world-for-a-script) also has where each question comes from."""

SIDES = {
    "service": "Both APIs and the portal.",
    "browser": "`svcPlugins` on the shop's pages. The address of a page can change the answers.",
    "pages": "The shop's pages. The address of a page can change the answers.",
}


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page."""
    yield "service.md", page("The simulated service", _parts())


def _parts() -> Iterator[str]:
    yield INTRODUCTION
    yield from _assumptions()
    yield from _faults()
    yield from _reseller_errors()
    yield "## Themes"
    yield entries((code(theme.name), one_line(theme.shows)) for theme in THEMES.values())


def _reseller_errors() -> Iterator[str]:
    yield "## Errors of the Reseller API"
    yield "Those of the specification. The code of any other error is an assumption."
    errors = (
        (str(e.code), e.message or "not stated", e.condition, _names(e.fields)) for e in RESELLER_ERRORS
    )
    yield table(("errorCode", "errorMsg", "Condition", "Fields beside"), errors)


def _assumptions() -> Iterator[str]:
    yield "## Assumptions"
    yield QUESTIONS
    for side, about in SIDES.items():
        yield f"### Of {side}"
        yield about
        yield "\n".join(_assumption(each) for each in ASSUMPTIONS.values() if each.side == side)


def _assumption(assumption: Assumption) -> str:
    question = f"- {code(assumption.id)}: {assumption.question}"
    default = assumption.sets[DEFAULT_SET]
    values = sorted(assumption.alternatives, key=lambda value: value != default)
    answers = [_answer(assumption, value) for value in values]
    more = ["any other whole number of seconds"] if assumption.seconds else []
    return "\n  - ".join([question, *answers, *more])


def _answer(assumption: Assumption, value: str) -> str:
    default = assumption.sets[DEFAULT_SET]
    sets = ", ".join(name for name, answer in assumption.sets.items() if default != answer == value)
    meaning = assumption.alternatives[value]
    meaning = "" if meaning == value else meaning
    return code(value) + (f" ({sets})" if sets else "") + (f": {meaning}" if meaning else "")


def _faults() -> Iterator[str]:
    yield "## Faults"
    yield "`PUT faults` accepts a list of rules. Each rule names its fault with the key `fault`."
    yield '```json\n[{"fault": "status", "status": 503, "share": 0.1, "route": "set_snippet"}]\n```'
    yield "Every rule also accepts `share` (0 to 1, default 1), `route` (an operation's name) and `seed`."
    rows = (
        (code(name), _options(kind), one_line(kind.__doc__ or ""), *_effects(kind))
        for name, kind in FAULTS.items()
    )
    yield table(("Fault", "Options", "What happens", "Performed", "The client gets"), rows)


def _effects(kind: type[Fault]) -> tuple[str, str]:
    """Return whether the call is performed, and what its client gets."""
    effects = [kind(**options).effect for options in kind.examples]
    got = dict.fromkeys(effect.got.value for effect in effects)
    return ("yes" if effects[0].performed else "no"), " or ".join(got)


def _options(kind: type[Fault]) -> str:
    common = {field.name for field in fields(Fault)}
    return ", ".join(
        code(f.name) + ("" if f.default is NODEFAULT or f.default is None else f" ({f.default})")
        for f in fields(kind)
        if f.name not in common
    )


def _names(names: Iterable[str]) -> str:
    return ", ".join(code(name) for name in names)
