"""The names of what an assumption can be about, `kind:name`. `kind:any` stands for all names of a kind.

event        an event of a slot
field        a field of a payload's record
call         a call of the Apps API, as awning makes it
own-call     a form of a call that awning avoids, so that only an app's own client may depend on it
function     a function of svcPlugins
raw          a use of such a function that the runtime avoids, so that only scripts without it may depend on it
placeholder  a placeholder of snippets
place        a place of snippets
page, global a page of the shop, a global of it
request      a part of the requests that the service signs
manifest     a field of the manifest
reseller     a call of the Reseller API
"""

from collections.abc import Iterable, Iterator, Mapping

from awning.contract.assumptions.assumption import Assumption
from awning.contract.endpoints import ENDPOINTS
from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning.contract.payloads import RECORDS
from awning.contract.reseller_calls import RESELLER_CALLS
from awning.contract.slots import EVENTS

FUNCTIONS = ("subscribeEvent", "initContentHandler", "setContent")
"""The functions of svcPlugins, and of what it passes to a subscriber."""
PLACEHOLDERS = ("app_data", "language", "version", "other")

_OPERATIONS = [endpoint.operation for endpoint in ENDPOINTS]
_NAMES: Mapping[str, Iterable[str]] = {
    "event": [event.short_name for event in EVENTS],
    "field": [f"{record}.{field.name}" for record, fields in RECORDS.items() for field in fields],
    "call": _OPERATIONS,
    "own-call": _OPERATIONS,
    "function": FUNCTIONS,
    "raw": FUNCTIONS,
    "placeholder": PLACEHOLDERS,
    "place": ("head", "body"),
    "page": ("address", "order"),
    "global": ("page",),
    "request": ("version",),
    "manifest": [field.name for field in MANIFEST_FIELDS],
    "reseller": [call.operation for call in RESELLER_CALLS],
}
SUBJECTS = frozenset(f"{kind}:{name}" for kind, names in _NAMES.items() for name in ("any", *names))
"""Every name that `about` of an assumption may have."""

Uses = Mapping[str, tuple[str, ...]]
"""What an app uses: each name of SUBJECTS, without `any`, with what in the app uses it, such as a widget."""


def users_of(assumption: Assumption, uses: Uses) -> tuple[str, ...]:
    """Return what in an app depends on the answer to an assumption."""
    return tuple(dict.fromkeys(user for subject in assumption.about for user in _users(subject, uses)))


def _users(subject: str, uses: Uses) -> Iterator[str]:
    kind, _, name = subject.partition(":")
    for used, users in uses.items():
        if used == subject or (name == "any" and used.startswith(f"{kind}:")):
            yield from users
