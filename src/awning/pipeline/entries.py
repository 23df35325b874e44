"""The entry modules of a build: what each snippet's script does, as generated TypeScript.

An entry imports its widgets and hands each to the runtime with its texts, its defaults and the class under which
its style was scoped (`awning/run`, jsrc/runtime/run.ts). Helpers are imported only where they are used: what is
not imported is not shipped.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from awning.pipeline.units import Cell
from awning.workspace import Isolation, Message, Widget, defaults_of

ROOT_DIGITS = 6
"""Of a hash: enough to keep the widgets of all apps on one page apart."""

_UP = "../../.."
"""From `entries/<unit>/<variant>/` to the top of the stage."""


def root_class(app: str, widget: str) -> str:
    """The class of the element that a widget's content stands in: `aw-1a2b3c`."""
    return f"aw-{hashlib.sha256(f'{app}/{widget}'.encode()).hexdigest()[:ROOT_DIGITS]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryContext:
    """What entries need to know beyond their cell.

    The app's name, the compacted CSS of widgets with a shadow root, and the widgets whose content a shopper can
    focus, type into, open or scroll.
    """

    app: str
    shadow_styles: Mapping[str, str] = field(default_factory=dict)
    interactive: frozenset[str] = frozenset()


def entry_source(cell: Cell, context: EntryContext) -> str:
    """The entry module of one snippet."""
    return _head(cell) if cell.place == "head" else _Body(cell, context).source()


def _head(cell: Cell) -> str:
    lines = [f'import "{_UP}/{_staged(widget, widget.head.name)}";' for widget in cell.widgets if widget.head]
    return "\n".join(lines) + "\n"


def _staged(widget: Widget, name: str) -> str:
    return f"widgets/{widget.name}/{name}"


@dataclass(slots=True)
class _Body:
    """One body entry in the making: `used` collects what it imports from the runtime."""

    cell: Cell
    context: EntryContext
    used: set[str] = field(default_factory=lambda: {"run"})

    def source(self) -> str:
        calls = [self._call(f"w{index}", widget) for index, widget in enumerate(self.cell.widgets)]
        imports = [
            f'import w{index} from "{_UP}/{_staged(widget, widget.script.name)}";'
            for index, widget in enumerate(self.cell.widgets)
        ]
        data = [f"const data = appData({_js(self.context.app)});"] if "appData" in self.used else []
        runtime = f'import {{ {", ".join(sorted(self.used))} }} from "awning/run";'
        return "\n".join([runtime, *imports, *data, *calls]) + "\n"

    def _call(self, slots: str, widget: Widget) -> str:
        arguments = [_js(widget.name), _js(root_class(self.context.app, widget.name)), slots]
        optional = [self._messages(widget), self._data(widget), self._defaults(widget), self._insert(widget)]
        while optional and optional[-1] is None:
            optional.pop()
        absent = ("0", "0", "{}", "")
        arguments += [argument or absent[index] for index, argument in enumerate(optional)]
        return f"run({', '.join(arguments)});"

    def _messages(self, widget: Widget) -> str | None:
        """One language's texts alone, or all with the one that stands in for languages the widget does not have."""
        if not widget.messages:
            return None
        language = self.cell.language
        if language is None:
            plurals = self._plurals([text for texts in widget.messages.values() for text in texts.values()])
            tables = _js(
                {code: widget.messages[code] for code in widget.languages if code in widget.messages}
            )
            return f"{self._use('byLanguage')}({tables}, {_js(widget.languages[0])}{plurals})"
        texts = widget.messages.get(language, {})
        plurals = self._plurals(list(texts.values()))
        chosen = f"{plurals}({_js(language)})" if plurals else ""
        return f"{self._use('oneLanguage')}({_js(texts)}{chosen})"

    def _plurals(self, texts: list[Message]) -> str:
        return f", {self._use('plurals')}" if any(not isinstance(text, str) for text in texts) else ""

    def _data(self, widget: Widget) -> str | None:
        if widget.data_schema is None:
            return None
        self._use("appData")
        return "data"

    def _defaults(self, widget: Widget) -> str | None:
        defaults = defaults_of(widget.data_schema) if widget.data_schema is not None else {}
        return _js(defaults) if defaults else None

    def _insert(self, widget: Widget) -> str | None:
        if widget.isolation is Isolation.SHADOW:
            return f"{self._use('shadow')}({_js(self.context.shadow_styles.get(widget.name, ''))})"
        return self._use("keep") if widget.name in self.context.interactive else None

    def _use(self, name: str) -> str:
        self.used.add(name)
        return name


def _js(value: Any) -> str:
    """JSON is JavaScript (ECMA-262 since 2019)."""
    return json.dumps(value, ensure_ascii=False)
