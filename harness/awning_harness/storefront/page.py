"""A page as text: the template, and the snippets put into it raw, where the service would put them.

Everything of the shop's own is escaped; everything of an app's is not: that is the point of a snippet. Under a
Content Security Policy the page gives its nonce to the scripts of snippets, as a service that sends one must.
"""

import re
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from awning_harness.storefront.foreign_dialect import ForeignDialect
from awning_harness.storefront.inline_json import inline_json
from awning_harness.storefront.money import display
from awning_harness.storefront.scenarios import in_dialect
from awning_harness.storefront.source import PageSnippets
from awning_harness.storefront.visit import Visit

_SCRIPT = re.compile(r"<script\b", re.IGNORECASE)


def environment() -> Environment:
    """The shop's templates. Autoescape is on for every name; `json` is for inside a script only."""
    made = Environment(
        loader=PackageLoader("awning_harness.storefront"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["money"] = display
    made.filters["json"] = _markup_json
    return made


def _markup_json(value: Any) -> Markup:
    return Markup(inline_json(value))  # noqa: S704 - inline_json leaves no <, >, & or / unescaped


@dataclass(frozen=True, slots=True, kw_only=True)
class Inserted:
    """What apps put into one page, as HTML."""

    head: Markup
    body: Markup
    foreign_head: Markup
    """A scenario's own, after the storefront script."""


def inserted(snippets: Sequence[PageSnippets], visit: Visit, nonce: str | None) -> Inserted:
    """The snippets of all apps, in the order of their installation, with a scenario's own around them."""
    scenario = visit.options.scenario
    body = [s.body for s in snippets]
    if scenario:
        before, after = (in_dialect(scripts, visit.dialect) for scripts in (scenario.before, scenario.after))
        body = [*before, *body, *after]
    return Inserted(
        head=_raw((s.head for s in snippets), nonce),
        body=_raw(body, nonce),
        foreign_head=_raw(in_dialect((scenario.head,), visit.dialect) if scenario else (), nonce),
    )


def _raw(parts: Iterable[str], nonce: str | None) -> Markup:
    html = "\n".join(part for part in parts if part)
    return Markup(_SCRIPT.sub(f'<script nonce="{nonce}"', html) if nonce else html)  # noqa: S704 - raw on purpose


def nothing(_visit: Visit) -> str:
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shop:
    """What is the same for every page of one storefront. `assets` are addresses by name.

    `extra_head` is what the dev server puts into each head, after the storefront script.
    """

    templates: Environment
    assets: Mapping[str, str]
    extra_head: Callable[[Visit], str] = nothing
    foreign: ForeignDialect

    def respond(
        self, name: str, visit: Visit, snippets: Sequence[PageSnippets], *, status: int = 200, **values: Any
    ) -> HTMLResponse:
        nonce = secrets.token_urlsafe(12) if visit.options.csp else None
        html = self.templates.get_template(f"{name}.html.j2").render(
            visit=visit,
            t=visit.t,
            asset=self.assets,
            extra_head=_raw((self.extra_head(visit),), nonce),
            nonce=Markup(f' nonce="{nonce}"') if nonce else "",  # noqa: S704 - URL-safe characters only
            inserted=inserted(snippets, visit, nonce),
            problems=self.foreign.problems(snippets),
            with_jquery=visit.options.csp != "trusted-types",
            **values,
        )
        return HTMLResponse(html, status_code=status, headers=_headers(visit, nonce))


def _headers(visit: Visit, nonce: str | None) -> dict[str, str]:
    headers = {"cache-control": "no-store", "content-language": visit.language}
    if nonce:
        headers["content-security-policy"] = policy(nonce, trusted_types=visit.options.csp == "trusted-types")
    return headers


def policy(nonce: str, *, trusted_types: bool) -> str:
    """A Content Security Policy without `unsafe-eval`; with trusted types, one policy named `awning` may exist."""
    rules = [
        "default-src 'self'",
        f"script-src 'self' 'nonce-{nonce}'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data:",
    ]
    if trusted_types:
        rules += ["require-trusted-types-for 'script'", "trusted-types awning"]
    return "; ".join(rules)
