"""From a path to a call, and what stood in the path's places.

Observed besides the specification's forms: enable_premium without its subscription, and the website as a
parameter instead of a segment, with or without the word `website` before the call.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from awning.contract.reseller_calls import DOMAIN, RESELLER_CALLS, SUBSCRIPTION, WEBSITE, ResellerCall

_WORDS = "enable|disable|enable_premium|disable_premium|ai_limit|ai_credits|login|domains|domain"
_ON_WEBSITE = f"/api/website/{WEBSITE}/"
_PLACES = {
    f"/{WEBSITE}/": rf"(?:/(?P<website>(?!(?:{_WORDS})/)[^/]+))?/",
    f"/{SUBSCRIPTION}/": r"(?:/(?P<subscription>[^/]+))?/",
    f"/{DOMAIN}/": r"/(?P<domain>[^/]+)/",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A call, found by its path. `places` are the path's parts by name."""

    call: ResellerCall
    places: Mapping[str, str] = field(default_factory=dict)


def _pattern(path: str) -> re.Pattern[str]:
    on_website = path.removeprefix(_ON_WEBSITE)
    pattern = f"(?:{_ON_WEBSITE}|/api/){on_website}" if on_website not in {path, ""} else path
    for place, expression in _PLACES.items():
        pattern = pattern.replace(place, expression)
    return re.compile(pattern)


_PATTERNS = tuple((_pattern(call.path), call) for call in RESELLER_CALLS)


def find_route(path: str, *, final_slash: str) -> Route | None:
    """The call at `path`; `final_slash` is the value of that assumption."""
    if not path.endswith("/") and final_slash == "optional":
        path += "/"
    for pattern, call in _PATTERNS:
        match = pattern.fullmatch(path)
        if match:
            return Route(call=call, places={k: v for k, v in match.groupdict().items() if v is not None})
    return None
