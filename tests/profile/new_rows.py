"""One row of each kind, as a real patch: the path, a text of the file ("" for a new one), and what replaces it."""

from new_slot_rows import SLOT_PATCHES, insertion

FAULT, THEME, ASSUMPTION, QUIRK = "half_head", "wide", "language-order", "handler-params"
FIELD, OPTION = "app_support_hours", "--minute-pace"
RULE, CHECK, KEY = "no-alert", "has-no-marquee", "owner"
SLOT, EVENT = "after-order", "after-cart-updated"
PAGE_STEP, BLOCK_STEP, ACTION_STEP = "clear-cart", "clear", "double-click"
FILTER, TEST, KEYWORD, FORMAT = "pprint", "blank", "maxProperties", "ean"
OWN_FILTER, INTL_FILTER = "initials", "compact"

PATCHES = {
    **SLOT_PATCHES,
    "fault": [
        (
            "harness/awning_harness/service/faults/faults.py",
            "class InvalidJson(Fault):",
            '''class HalfHead(Fault):
    """The head of the response arrives, then the connection ends."""

    @property
    def effect(self) -> Effect:
        return Effect(got=Got.HALF, performed=True)

    async def play(self, exchange: Exchange) -> None:
        await exchange.begin(await exchange.perform())
        await exchange.send({"type": "http.response.body", "body": b"", "more_body": True})
        exchange.connection.close()


class InvalidJson(Fault):''',
        )
    ],
    "theme": [
        (
            "src/awning/contract/shop.py",
            '            Theme(\n                name="tiny",',
            """            Theme(
                name="wide",
                title="Wide",
                shows="The page is as wide as the window, up to `120rem`.",
                style="main.frame{max-width:120rem}",
            ),
            Theme(
                name="tiny",""",
        )
    ],
    "assumption": [
        (
            "src/awning/contract/assumptions/apps.py",
            '    _assume(\n        id="unset-snippet",',
            """    _assume(
        id="language-order",
        about=("call:languages",),
        question="In which order does languages list the languages of a website?",
        alternatives={"own": "in that of the website", "by-code": "by their codes"},
        hostile="by-code",
        source="Apps Integration API, Endpoints: silent",
    ),
    _assume(
        id="unset-snippet",""",
        ),
        (
            "harness/awning_harness/service/operations.py",
            'return {"languages": list(call.website().languages)}',
            """own = call.website().languages
    return {"languages": sorted(own) if call.assumptions["language-order"] == "by-code" else list(own)}""",
        ),
    ],
    "quirk": [
        (
            "src/awning/contract/assumptions/events.py",
            '    _assume(\n        "scripts-run",',
            """    _assume(
        "handler-params",
        ("function:initContentHandler",),
        "Has the content handler the event parameter as `params`?",
        ("present", "absent"),
        sets=("present", "present", "absent"),
    ),
    _assume(
        "scripts-run",""",
        ),
        (
            "jsrc/emulator/host.ts",
            "    params: claim.param,",
            '    params: assumptions.is("handler-params", "absent") ? {} : claim.param,',
        ),
    ],
    "field": [
        (
            "src/awning/contract/manifest_fields.py",
            '    ManifestField(name="app_secret",',
            """    ManifestField(
        name="app_support_hours", kind=kinds.TEXT, about="When shops get help.", example="9 to 17"
    ),
    ManifestField(name="app_secret",""",
        ),
        ("manifest.toml", 'app_tab_mode = "self"', 'app_tab_mode = "self"\napp_support_hours = "9 to 17"'),
    ],
    "pace": [
        (
            "src/awning/publish/pacing.py",
            "    in_flight: int = 64",
            """    per_minute: float | None = _limit(
        None,
        PaceRule(
            option="--minute-pace",
            about="Requests per minute to the whole service; 0: no limit.",
            of="host",
            span_s=60.0,
        ),
    )
    in_flight: int = 64""",
        )
    ],
    "rule": [
        (
            "src/awning/rules/pages/no-alert.md",
            "",
            """\
---
severity: warning
reported by: check, emulator
---

A script calls `alert`.

It stops the page until somebody answers ([the check](../../../../docs/check.md)).

Wrong:

```js
alert("Sold out");
```

Right:

```js
console.log("Sold out");
```

`--fix` writes `console.log` for `alert`.
""",
        ),
        (
            "src/awning/check/rules/no_alert.py",
            "",
            '''\
"""Finds calls of `alert`, which stop the page."""

from collections.abc import Iterator

from awning.check.rule import Finding, Fix, Inspected, ScriptRule


def _check(file: Inspected) -> Iterator[Finding]:
    for call in file.calls("alert"):
        if call.name == "alert":
            fix = Fix(start=call.node.start, end=call.node.start + len("alert"), text="console.log")
            yield Finding(offset=call.node.start, message="alert stops the page", fix=fix)


NO_ALERT = ScriptRule(id="no-alert", hint="show it in the block", check=_check)
''',
        ),
    ],
    "check": [
        (
            "src/awning/contract/checks.py",
            '        "weight": WidgetCheck(',
            """\
        "has-no-marquee": WidgetCheck(
            defect="The block has a text that moves",
            hint="no `marquee`",
        ),
        "weight": WidgetCheck(""",
        ),
        (
            "harness/awning_harness/checks/families/moving.py",
            "",
            '''\
"""The check of texts that move."""

from awning.workspace.model import WidgetState
from awning_harness.checks.state_case import StateCase
from awning_harness.visit.frames.widget import WidgetBench


def test_has_no_marquee(widget: WidgetBench, state: WidgetState) -> None:
    """The block has a text that moves."""
    visit = StateCase.of(widget, state).open()
    assert not visit.evaluate("document.querySelector('marquee') !== null")
''',
        ),
    ],
    "key": [
        (
            "src/awning/workspace/shapes.py",
            'WIDGET = TableShape(\n    what="widget.toml",\n    keys=(\n',
            """\
WIDGET = TableShape(
    what="widget.toml",
    keys=(
        Key(name="owner", kind=TEXT, about="Who answers questions about the widget."),
""",
        ),
        (
            "src/awning/workspace/model.py",
            "    isolation: Isolation = Isolation.SCOPED\n",
            "    isolation: Isolation = Isolation.SCOPED\n    owner: str | None = None\n",
        ),
    ],
    "filter": [
        insertion(
            "src/awning/template/filters.py",
            '        "pprint": FilterSpec(helper="filter_pprint", twin="<{}>".format, reads_text=True),\n',
            before='        "reject": FilterSpec(',
        ),
        (
            "src/awning/template/filters.py",
            '        "pprint": "it prints Python\'s own notation for debugging",\n',
            "",
        ),
        insertion(
            "jsrc/runtime/template/filters/values.ts",
            "export const filter_pprint = (value: unknown): string => `<${String(value)}>`;\n\n",
            before="export const filter_default = ",
        ),
    ],
    "own filter": [
        insertion(
            "src/awning/template/own_filters.py",
            """\
def _initials(name: object) -> str:
    return " ".join(f"{word[0]}." for word in str(name).split())


""",
            before="FILTERS: Mapping[str, OwnFilter]",
        ),
        insertion(
            "src/awning/template/own_filters.py",
            """\
        "initials": OwnFilter(
            helper="filter_initials", twin=_initials, reads_text=True, description="the initials of a name"
        ),
""",
            before='        "money": OwnFilter(',
        ),
        (
            "jsrc/runtime/template/filters/text.ts",
            'import { SPACE, centred, lines, method_strip, replaced } from "../methods/strings";\n',
            """\
import { SPACE, centred, lines, method_split, method_strip, replaced } from "../methods/strings";
""",
        ),
        insertion(
            "jsrc/runtime/template/filters/text.ts",
            """\
export const filter_initials = (name: unknown): string =>
  (method_split(chars(soft(name)), null, -1) as string[]).map((word) => `${Array.from(word)[0]}.`).join(" ");

""",
            before="export function filter_striptags",
        ),
    ],
    "filter of Intl": [
        insertion(
            "src/awning/template/own_filters.py",
            '        "compact": _number("filter_compact", description="a large number, in few characters"),\n',
            before='        "date": _date(',
        ),
        insertion(
            "jsrc/runtime/intl/numbers.ts",
            """\
/** `compact(1200, "en")` is `1.2K`. */
export const compact = (value: Amount, language: Language): string =>
  formatted(finite(value), "compact", language, (known) => {
    return new Intl.NumberFormat(known, { notation: "compact" } as Intl.NumberFormatOptions);
  });

""",
            before="/** `percent(",
        ),
        insertion(
            "jsrc/runtime/template/filters/intl.ts",
            'export { compact as filter_compact } from "../../intl/numbers";\n',
            before="export { relative as",
        ),
    ],
    "template test": [
        insertion(
            "src/awning/template/tests.py",
            '        "blank": JinjaTest(helper="is_blank", reads_text=True, twin=lambda it: not str(it).strip()),\n',
            before='        "boolean": JinjaTest(',
        ),
        insertion(
            "jsrc/runtime/template/is.ts",
            "export const is_blank = (value: unknown): boolean => !str(value).trim();\n",
            before="export const is_odd = ",
        ),
    ],
    "keyword": [
        insertion(
            "src/awning/data_schema/keywords.py",
            """\
    Keyword(
        name="maxProperties",
        about="The greatest number of keys.",
        value=COUNT,
        example="3",
        of=("object",),
        limit=Limit(problem="many", holds=operator.le, side="high"),
    ),
""",
            before='    Keyword(\n        name="minItems",',
        ),
    ],
    "format": [
        insertion(
            "src/awning/data_schema/value_formats.py",
            '            ValueFormat(\n                name="ean", words="an EAN", definition="Digits.", '
            'example="4006381333931", fits=str.isdigit\n            ),\n',
            before='            ValueFormat(\n                name="multiline"',
        ),
        *(
            (
                f"src/awning/host/texts/{language}.toml",
                "problem-format-color",
                'problem-format-ean = "EAN"\nproblem-format-color',
            )
            for language in ("de", "en", "lv")
        ),
    ],
}
DOORS = {
    "fault": 2, "theme": 1, "assumption": 2, "quirk": 3, "field": 2, "pace": 2, "rule": 2, "check": 2, "key": 2,
    "slot": 8, "event": 1, "page step": 2, "block step": 2, "action": 2, "filter": 2, "own filter": 2,
    "filter of Intl": 3, "template test": 2, "keyword": 1, "format": 4,
}  # fmt: skip
"""The most paths that a row of a kind may touch, outside of tests and docs."""
