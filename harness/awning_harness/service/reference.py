"""Generates docs/service-reference.md from the contract's tables and the faults, so that the page agrees with the code.

python -m awning_harness.service.reference > docs/service-reference.md
"""

import sys
from collections.abc import Iterable, Iterator, Sequence

from msgspec import NODEFAULT
from msgspec.structs import fields

from awning.contract.assumptions import ASSUMPTION_SETS, ASSUMPTIONS, Assumption
from awning.contract.endpoints import ENDPOINTS
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.contract.reseller_errors import RESELLER_ERRORS
from awning_harness.service.faults import FAULTS
from awning_harness.service.faults.faults import Fault

HEAD = """# The simulated service: reference

Made from the code by `python -m awning_harness.service.reference`. How to use it: [the simulated service](service.md).
"""


def reference() -> str:
    """Return the text of docs/service-reference.md."""
    return "\n".join([HEAD, *_calls(), "", *_reseller_calls(), "", *_assumptions(), "", *_faults(), ""])


def _calls() -> Iterator[str]:
    yield "## Calls of the Apps API\n"
    yield "Paths are appended to the base address. *Observed* calls are not in the specification and can be disabled.\n"
    rows = (
        (e.method, f"`{e.path}`", _names(e.request), _names(e.response), "observed" if e.observed else "")
        for e in ENDPOINTS
    )
    yield from _table(("Method", "Path", "Request", "Response, beside `error`", ""), rows)


def _reseller_calls() -> Iterator[str]:
    yield "## Calls of the Reseller API\n"
    yield "Calls use GET or POST. The token and the parameters are in the query or in a form body.\n"
    rows = (
        (f"`{c.operation}`", f"`{c.path}`", _names(c.parameters), _names(c.response)) for c in RESELLER_CALLS
    )
    yield from _table(("Operation", "Path", "Parameters", "Response, beside `error`"), rows)
    yield "\nThese are the errors of the specification. The code of any other error is an assumption.\n"
    errors = (
        (str(e.code), e.message or "not stated", e.condition, _names(e.fields)) for e in RESELLER_ERRORS
    )
    yield from _table(("errorCode", "errorMsg", "Condition", "Fields beside"), errors)


def _assumptions() -> Iterator[str]:
    yield "## Assumptions\n"
    yield "The specification leaves these questions open. Beside an answer are the assumption sets that give it.\n"
    for side, about in _SIDES.items():
        yield f"### Of {side}\n\n{about}\n"
        for assumption in ASSUMPTIONS.values():
            if assumption.side == side:
                yield from _assumption(assumption)


_SIDES = {
    "service": "Both APIs and the portal.",
    "browser": "`svcPlugins` on the shop's pages. The address of a page can change the answers.",
    "pages": "The shop's pages. The address of a page can change the answers.",
}


def _assumption(assumption: Assumption) -> Iterator[str]:
    yield f"#### `{assumption.id}`\n\n{assumption.question} ({assumption.source}.)\n"
    for value, meaning in assumption.alternatives.items():
        sets = ", ".join(name for name in ASSUMPTION_SETS if assumption.sets[name] == value)
        yield f"- `{value}`" + (f" ({sets})" if sets else "") + (f": {meaning}" if meaning else "")
    yield "- any other whole number of seconds\n" if assumption.seconds else ""


def _faults() -> Iterator[str]:
    yield "## Faults\n"
    yield "`PUT faults` accepts a list of rules. Each rule names its fault with the key `fault`.\n"
    yield '```json\n[{"fault": "status", "status": 503, "share": 0.1, "route": "set_snippet"}]\n```\n'
    yield "Every rule also accepts `share` (0 to 1, default 1), `route` (an operation's name) and `seed`.\n"
    rows = (
        (f"`{name}`", _options(kind), " ".join((kind.__doc__ or "").split())) for name, kind in FAULTS.items()
    )
    yield from _table(("Fault", "Options", "What happens"), rows)


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in (titles, ["---"] * len(titles), *rows):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _options(kind: type[Fault]) -> str:
    common = {field.name for field in fields(Fault)}
    return ", ".join(
        f"`{f.name}`" + ("" if f.default is NODEFAULT else f" ({f.default})")
        for f in fields(kind)
        if f.name not in common
    )


if __name__ == "__main__":
    sys.stdout.write(reference())
