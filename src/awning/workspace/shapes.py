"""Describes every key of [tool.awning], widget.toml and states.toml.

`validate_table` compares files with these shapes. `editor_schemas` makes JSON Schemas for editors from them. The keys
of storefront/ are in `store/shapes.py`, those of manifest.toml in the contract.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from awning.contract import Dialect
from awning.contract.checks import WIDGET_CHECKS
from awning.contract.manifest_fields import manifest_schema
from awning.contract.shop import SHOP_POLICIES, THEMES
from awning.workspace.model import Isolation
from awning.workspace.steps import ABOUT_STEPS, VERBS
from awning.workspace.store.shapes import FILE, NESTED, STORE, TABLES
from awning.workspace.validation import (
    BYTES,
    CURRENCY_CODE,
    FILE_PATH,
    FLAG,
    IDENTIFIER,
    LANGUAGE,
    MOMENT,
    NAMED,
    PAYLOAD,
    RESPONSES,
    SHARE,
    SLOT,
    TABLE,
    TEXT,
    URL,
    Key,
    Rows,
    TableShape,
    array_of,
    matches,
    one_of,
    table_by_name,
    table_of,
    texts_by_language,
)

TOOL_AWNING = TableShape(
    what="[tool.awning]",
    keys=(
        Key(
            name="languages",
            kind=array_of(LANGUAGE),
            required=True,
            about="The languages that snippets are built for. The first is the default for other languages.",
            field=None,
        ),
        Key(
            name="order",
            kind=array_of(NAMED),
            about="Widgets in the order of their blocks in a slot. The others follow, sorted by name.",
            field=None,
        ),
        Key(
            name="profile", kind=TEXT, about="The profile to use when AWNING_PROFILE is not set.", field=None
        ),
        Key(name="profiles", kind=TABLE, about="Services to talk to, by name.", field=None),
        Key(name="budget", kind=BYTES, about="Most gzip bytes of the app's default body snippet."),
        Key(
            name="baseline",
            kind=FILE_PATH,
            about="The file of known findings, which check and build ignore.",
            field=None,
        ),
        Key(
            name="beacon",
            kind=matches(r"https://[^\s/?#@{}]+(?:[/?][^\s#{}]*)?", "an https address"),
            about="The address to which a page reports app, widget and error message of a failed widget, once.",
        ),
        Key(
            name="beacon_sample_rate",
            kind=SHARE,
            about="The share of page views that also report that a widget rendered, and how long it took.",
        ),
        Key(
            name="kill_switch",
            kind=FLAG,
            about="Whether `awning publish disable` can turn widgets off. Default: when a widget has settings.",
        ),
    ),
)

_PREFIX = matches(r"[A-Za-z][\w-]*[-_]", 'a prefix that ends in "-" or "_"')

DIALECT = TableShape(
    what="a dialect",
    keys=(
        Key(name="global_object", kind=IDENTIFIER, about="The browser global with subscribeEvent."),
        Key(name="event_prefix", kind=_PREFIX, about="The prefix of every event name."),
        Key(name="placeholder_prefix", kind=matches(r"[A-Za-z]\w*_", 'a word that ends in "_"')),
        Key(name="version_parameter", kind=IDENTIFIER, about="The front end's version in signed requests."),
        Key(name="key_prefix", kind=_PREFIX, about="Begins an API key."),
    ),
)

SETTLED = TableShape(
    what="a settled assumption",
    keys=(
        Key(name="answer", kind=TEXT, required=True, about="One of the answers of the assumption."),
        Key(name="by", kind=one_of("probe", "capture", "hand"), about="How the answer was found."),
        Key(
            name="on",
            kind=matches(r"\d{4}-\d{2}-\d{2}", 'a day such as "2026-03-02"'),
            about="The day on which it was found.",
        ),
        Key(name="service", kind=TEXT, about="The address of the service that gave it."),
    ),
)

PROFILE = TableShape(
    what="a profile",
    keys=(
        Key(name="base_url", kind=URL, about="The address of the Apps API, ending in /v1."),
        Key(name="reseller_url", kind=URL, about="The address of the Reseller API, without /api/..."),
        Key(name="portal_url", kind=URL, about="The address of the portal, where manifests are submitted."),
        Key(name="head_snippets", kind=FLAG, about="The service has calls for head snippets per website."),
        Key(
            name="page",
            kind=matches(
                r"(?:https?://|\{url\})\S+", 'an address such as "https://{website}/{language}/shop/"'
            ),
            about="The page that publish verify looks at. {website}, {url} and {language} are replaced.",
        ),
        Key(
            name="dialect",
            kind=table_of(DIALECT),
            about="The names that a white-label service uses.",
            make=lambda names: Dialect(**names),
        ),
        Key(
            name="assumptions",
            kind=table_by_name(Rows(names=TEXT, values=table_of(SETTLED), named="an assumption")),
            about="The answers that the service gave to assumptions. `awning probe` and `payload check` write them.",
            field=None,
        ),
    ),
)

STEP = replace(
    TEXT,
    schema={"type": "string", "pattern": rf"^\s*(?:{'|'.join(VERBS)})(?=\s|$)"},
    expected="a step of a shopper",
)

CHECKS = TableShape(
    what="[checks]",
    keys=tuple(Key(name=name, kind=TEXT, about="The reason why the check is off.") for name in WIDGET_CHECKS),
)

WIDGET = TableShape(
    what="widget.toml",
    keys=(
        Key(name="title", kind=TEXT, required=True, about="The name of the widget for people."),
        Key(name="slot", kind=SLOT, about="The place where the widget shows.", field=None),
        Key(
            name="slots",
            kind=array_of(SLOT),
            about="The places where the widget shows, when there are several.",
            field=None,
        ),
        Key(
            name="languages",
            kind=array_of(LANGUAGE),
            about="The languages in which the widget shows, among the app's languages.",
            field=None,
        ),
        Key(name="budget", kind=BYTES, about="Most gzip bytes of the widget's default body snippet."),
        Key(name="head", kind=FILE_PATH, about="A script for the page's head, such as head.ts.", field=None),
        Key(
            name="isolation",
            kind=one_of("scoped", "shadow"),
            about="How the widget's style is isolated from the page.",
            make=Isolation,
        ),
        Key(
            name="fetch",
            kind=RESPONSES,
            about="The responses of other hosts, by address, in `awning dev` and in states that do not replace them.",
        ),
        Key(
            name="checks",
            kind=table_of(CHECKS),
            about="Checks of `awning test` that are off, each with the reason.",
            field="checks_off",
        ),
        Key(
            name="globals",
            kind=table_by_name(Rows(names=IDENTIFIER, values=TEXT, named="a global")),
            about="Globals that the widget may leave on the page, each with the reason.",
            field="allowed_globals",
        ),
    ),
)


def _texts(by_language: Mapping[str, list[str]]) -> dict[str, tuple[str, ...]]:
    return {language: tuple(texts) for language, texts in by_language.items()}


def _moment(now: datetime | str) -> str:
    """Return a date and time in the one form of ISO 8601 that browsers read, too: not `20260302T1030`."""
    return (now if isinstance(now, datetime) else datetime.fromisoformat(now)).isoformat()


STATES = TableShape(what="states.toml", keys=(Key(name="state", kind=array_of(TABLE, unique=False)),))

STATE = TableShape(
    what="a state",
    keys=(
        Key(name="name", kind=NAMED, required=True),
        Key(name="title", kind=TEXT, required=True),
        Key(name="slot", kind=SLOT, about="One of the widget's slots. Default: its first slot.", field=None),
        Key(name="payload", kind=PAYLOAD, required=True, about="A product or cart, or the event parameter."),
        Key(name="data", kind=TABLE, about="The widget's part of the app data."),
        Key(name="steps", kind=array_of(STEP, least=0, unique=False), about=ABOUT_STEPS, make=tuple),
        Key(name="shows", kind=texts_by_language(), about="Texts that must be in the block.", make=_texts),
        Key(
            name="hides", kind=texts_by_language(), about="Texts that must not be in the block.", make=_texts
        ),
        Key(
            name="empty",
            kind=FLAG,
            about="The widget shows nothing; with steps, it shows nothing after them.",
        ),
        Key(name="now", kind=MOMENT, about="Freezes the page's clock.", make=_moment),
        Key(
            name="currency",
            kind=CURRENCY_CODE,
            about="The currency of the page and of the payload, such as JPY. Default: the store's own.",
        ),
        Key(name="theme", kind=one_of(*THEMES), about="The look of the simulated shop. Default: plain."),
        Key(name="csp", kind=one_of(*SHOP_POLICIES), about="The Content Security Policy of the page."),
        Key(
            name="fetch",
            kind=RESPONSES,
            about="The responses of other hosts, by address. They replace those of widget.toml.",
        ),
    ),
)


DRAFT = "https://json-schema.org/draft/2020-12/schema"


def editor_schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by file name."""
    states = {"type": "object", "additionalProperties": False}
    return {
        "widget.schema.json": {"$schema": DRAFT, **_schema(WIDGET)},
        "states.schema.json": {
            "$schema": DRAFT,
            **states,
            "properties": {"state": {"type": "array", "items": _schema(STATE)}},
        },
        "storefront.schema.json": {"$schema": DRAFT, **_store_schema()},
        "tool-awning.schema.json": {"$schema": DRAFT, **_schema(TOOL_AWNING)},
        "manifest.schema.json": {"$schema": DRAFT, **manifest_schema()},
    }


def _store_schema() -> dict[str, Any]:
    """Return the schema of a file in storefront/, whose tables may have tables inside them."""
    schema = _schema(FILE)
    tables = {kind: {"type": "array", "items": _nested_schema(kind, shape)} for kind, shape in TABLES.items()}
    return {**schema, "properties": {"store": _schema(STORE), **tables}}


def _nested_schema(kind: str, shape: TableShape) -> dict[str, Any]:
    schema = _schema(shape)
    inner = {
        key: {**schema["properties"][key], "items": _nested_schema(key, nested)}
        for (outer, key), nested in NESTED.items()
        if outer == kind
    }
    return {**schema, "properties": {**schema["properties"], **inner}}


def _schema(shape: TableShape) -> dict[str, Any]:
    return {
        "type": "object",
        "title": shape.what,
        "additionalProperties": False,
        "required": [key.name for key in shape.keys if key.required],
        "properties": {
            key.name: {
                **(_schema(key.kind.shape) if key.kind.shape else key.kind.schema),
                **({"description": key.about} if key.about else {}),
            }
            for key in shape.keys
        },
    }
