"""Renders pages as responses, in the visitor's language, with Jinja2's autoescaping and without JavaScript."""

import hashlib
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from awning.data_schema import FieldKind
from awning.host.form.shown import FieldView, GroupView, RowsView
from awning.host.languages import (
    LocalizedText,
    Sentences,
    accepted_language,
    isolated,
    language_chain,
    sentences,
    text_in,
)

ROOM = Path(__file__).parent
RETRY_AFTER_S = 10
"""The value of the Retry-After header in seconds, which every response with status 503 has."""


@cache
def _environment() -> Environment:
    """Return the templates' environment. A process compiles each template once."""
    return Environment(
        loader=FileSystemLoader(ROOM / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class Pages:
    """Renders the pages. `prefix` is the path of the public URL."""

    def __init__(self, prefix: str) -> None:
        self.style = (ROOM / "style.css").read_bytes()
        self._style_path = f"{prefix}/style.css?{hashlib.sha256(self.style).hexdigest()[:12]}"

    def page(
        self, name: str, *, language: str, titles: Any = None, status: int = HTTPStatus.OK, **named: Any
    ) -> Response:
        """Render a template as a response. `titles` is the app's name: one text, or texts by language."""
        say = sentences(language)
        languages = language_chain(language)
        text = (
            _environment()
            .get_template(name)
            .render(
                say=say,
                app=text_in(titles, languages) or LocalizedText(value=""),
                style=self._style_path,
                lang=_lang(say),
                limits_of=limits_of(say),
                problem_of=problem_of(say),
                described_by=lambda field: _described_by(field, limits_of(say)(field)),
                **{"return_link": None, **named, "website": isolated(named.get("website", ""))},
            )
        )
        headers = {"Retry-After": str(RETRY_AFTER_S)} if status == HTTPStatus.SERVICE_UNAVAILABLE else {}
        # "replace", because app data may hold half a surrogate pair, which UTF-8 cannot encode.
        return HTMLResponse(text.encode("utf-8", "replace"), status, headers)

    def message(self, code: str, *, language: str, status: int, **named: Any) -> Response:
        """Return a page with one message: its heading is the sentence `code`, its text the sentence `<code>-what`."""
        values = {"website": "", "again": False, **named}
        return self.page("message.html", language=language, status=status, code=code, **values)

    def stylesheet(self) -> Response:
        headers = {"Cache-Control": "public, max-age=31536000, immutable"}
        return Response(self.style, media_type="text/css", headers=headers)


def fields_in(group: GroupView) -> Iterator[FieldView | RowsView]:
    """Yield the fields and lists of rows of a page, in its order, with those in each row."""
    for member in group.members:
        if isinstance(member, GroupView):
            yield from fields_in(member)
            continue
        yield member
        if isinstance(member, RowsView):
            for row in member.lines:
                yield from fields_in(row.fields)


def wrong_fields(group: GroupView) -> Iterator[FieldView | RowsView]:
    """Yield the fields with a problem, in the page's order."""
    return (field for field in fields_in(group) if field.problem is not None)


def pictures_in(group: GroupView) -> Iterator[str]:
    """Yield the addresses of the pictures that a page shows."""
    return (field.picture for field in fields_in(group) if isinstance(field, FieldView) and field.picture)


def _lang(say: Sentences) -> Any:
    """Return a function that makes the attributes `lang` and `dir` of a text, such as ` lang="lv" dir="auto"`.

    For a text in the page's language, or in an unknown one, the function returns no attributes (WCAG 3.1.2).
    """

    def attribute(text: LocalizedText | None) -> Markup:
        language = text.language if text else None
        return (
            Markup(' lang="{}" dir="auto"').format(language)
            if language and language != say.language
            else Markup("")
        )

    return attribute


def limits_of(say: Sentences) -> Any:
    """Return a function that describes the limits of a field in a few words, and why a secret's input is empty."""

    def limits(field: FieldView | RowsView) -> str:
        parts = [say("one-per-line")] if field.kind is FieldKind.LINES else []
        parts += [say(limit.key, **limit.named) for limit in field.limits]
        if isinstance(field, RowsView):
            return " ".join(parts)
        may_be_empty = field.kind in {FieldKind.WHOLE, FieldKind.NUMBER} and not field.required
        if may_be_empty and field.fallback not in {None, field.entry}:
            parts.append(say("fallback", fallback=str(field.fallback)))
        if field.note is not None:
            parts.append(say(field.note))
        return " ".join(parts)

    return limits


def problem_of(say: Sentences) -> Any:
    def sentence(field: FieldView | RowsView) -> str:
        if field.problem is None:
            return ""
        named = {name: text.replace(".", say("decimal-mark")) for name, text in field.problem.named.items()}
        problem = say(f"problem-{field.problem.code}", **named)
        key = "row-problem" if isinstance(field, RowsView) else "line"
        return say(key, line=str(field.problem.line), problem=problem) if field.problem.line else problem

    return sentence


def _described_by(field: FieldView | RowsView, limits: str) -> str:
    parts = {"hint": field.hint, "limits": limits, "problem": field.problem}
    return " ".join(f"{field.id}-{name}" for name, part in parts.items() if part)


def language_of(request: Request) -> str:
    """Return the visitor's language, as the browser names it."""
    return accepted_language(request.headers.get("accept-language", ""))
