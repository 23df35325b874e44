"""The entry points of a build: the script of each snippet, as generated TypeScript.

An entry point imports its widgets and passes each to the runtime with its messages, its defaults and the class of its
host element (`awning/run`, jsrc/runtime/run.ts). Only the helpers that it imports are in the snippet.

A fragile widget is not imported but required: the bundler then loads it inside a `try`, and a failure does not stop the
other widgets. This costs 300 to 700 bytes once (gzip), so widgets that only declare, as most do, are imported.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from awning.data_schema import defaults_of, read_schema
from awning.pipeline.read import Cell
from awning.pipeline.stage.traits import WidgetTraits
from awning.workspace import Isolation, Message, Widget

ROOT_DIGITS = 6
"""Of a hash: enough to keep the widgets of all apps on one page apart."""

_UP = "../../.."
"""From `entries/<unit>/<variant>/` to the top of the stage."""


def root_class(app: str, widget: str) -> str:
    """The class of the element that a widget's content stands in: `aw-1a2b3c`."""
    return f"aw-{hashlib.sha256(f'{app}/{widget}'.encode()).hexdigest()[:ROOT_DIGITS]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryContext:
    """What is the same for all entry points. `shadow_styles`: the CSS inside a shadow root, by widget."""

    app: str
    shadow_styles: Mapping[str, str] = field(default_factory=dict)
    traits: WidgetTraits = field(default_factory=WidgetTraits)


def entry_source(cell: Cell, context: EntryContext) -> str:
    """The entry module of one snippet."""
    return _head(cell) if cell.place == "head" else _Body(cell, context).source()


def _head(cell: Cell) -> str:
    lines = [
        f'import "{_UP}/widgets/{widget.name}/{widget.head.name}";' for widget in cell.widgets if widget.head
    ]
    return "\n".join(lines) + "\n"


@dataclass(slots=True)
class _Body:
    """One body entry in the making: `used` collects what it imports from the runtime."""

    cell: Cell
    context: EntryContext
    used: set[str] = field(default_factory=set)

    def source(self) -> str:
        widgets = [(f"w{index}", widget) for index, widget in enumerate(self.cell.widgets)]
        calls = [call for slots, widget in widgets if (call := self._started(slots, widget))]
        imports = [self._import(slots, widget) for slots, widget in widgets if not self._guarded(widget)]
        return "\n".join([*self._head(), *imports, *calls]) + "\n"

    def _head(self) -> list[str]:
        """Of what is used by now."""
        return [
            *([f'import {{ {", ".join(sorted(self.used))} }} from "awning/run";'] if self.used else []),
            *([f"const data = appData({_js(self.context.app)});"] if "appData" in self.used else []),
        ]

    def _import(self, slots: str, widget: Widget) -> str:
        """A raw script is imported for what it does."""
        path = _script(widget)
        return (
            f'import "{path}";'
            if widget.name in self.context.traits.raw
            else f'import {slots} from "{path}";'
        )

    def _guarded(self, widget: Widget) -> bool:
        """Alone it has nobody to disturb."""
        return len(self.cell.widgets) > 1 and widget.name in self.context.traits.fragile

    def _started(self, slots: str, widget: Widget) -> str:
        """What runs the widget, whose module is in `slots` or, guarded, loaded here."""
        guarded, raw = self._guarded(widget), widget.name in self.context.traits.raw
        loaded = f'require("{_script(widget)}")' if guarded else ""
        if raw:
            data, call = "", loaded and f"{loaded};"
        else:
            data, call = self._call(slots, f"{loaded}.default" if guarded else slots, widget)
        if guarded:
            call = f"try {{ {call} }} catch (error) {{ console.error({_js(widget.name)}, error); }}"
        return data + call

    def _call(self, slots: str, loaded: str, widget: Widget) -> tuple[str, str]:
        """Its data, and `run(name, class, slots, common, insert);`."""
        part = f"{slots}_data" if widget.data_schema is not None else None
        arguments = [
            _js(widget.name),
            _js(root_class(self.context.app, widget.name)),
            loaded,
            self._common(widget, part),
            self._insert(widget),
        ]
        call = f"{self._use('run')}({', '.join(arguments)});"
        return (f"{self._data(widget, part)}\n", f"{part} && {call}") if part else ("", call)

    def _common(self, widget: Widget, part: str | None) -> str:
        """What makes the arguments that every render function gets, from the page."""
        page = f"page = {part}.page(page), " if part else ""
        data = f"{part}.data" if part else "{}"
        fields = f"page, language: page.language, data: {data}, t: {self._messages(widget)}"
        return f"page => ({page}{{ {fields} }})"

    def _messages(self, widget: Widget) -> str:
        """One language's texts alone, or all with the one that stands in for languages the widget does not have."""
        if not widget.messages:
            return "String"
        language = _only_language(widget) or self.cell.language
        if language is None:
            tables = ", ".join(
                f"{_js(code)}: {self._texts(code, widget.messages[code])}"
                for code in widget.languages
                if code in widget.messages
            )
            return f"{self._use('byLanguage')}({{ {tables} }}, {_js(widget.languages[0])}, page.language)"
        return f"{self._use('oneLanguage')}({self._texts(language, widget.messages.get(language, {}))})"

    def _texts(self, language: str, texts: Mapping[str, Message]) -> str:
        if all(isinstance(text, str) for text in texts.values()):
            return _js(texts)
        return f"{self._use('plurals')}({_js(language)}, {_js(texts)})"

    def _data(self, widget: Widget, part: str) -> str:
        """The widget's part of the app data, 0 when they turn it off."""
        self._use("appData")
        defaults = defaults_of(read_schema(widget.data_schema or {})[0])
        return f"const {part} = data({_js(widget.name)}, {_js(defaults)});"

    def _insert(self, widget: Widget) -> str:
        """How its HTML gets into the page."""
        if widget.isolation is Isolation.SHADOW:
            insert = f"{self._use('shadow')}({_js(self.context.shadow_styles.get(widget.name, ''))})"
        else:
            insert = self._use("keep" if widget.name in self.context.traits.interactive else "replace")
        if widget.name not in self.context.traits.asynchronous:
            return insert
        return f"{self._use('later')}({_js(widget.name)}, {insert})"

    def _use(self, name: str) -> str:
        self.used.add(name)
        return name


def _only_language(widget: Widget) -> str | None:
    """The language of a widget that has one: its snippet for all languages is no other than that."""
    return widget.languages[0] if len(widget.languages) == 1 else None


def _script(widget: Widget) -> str:
    return f"{_UP}/widgets/{widget.name}/{widget.script.name}"


def _js(value: Any) -> str:
    """JSON is JavaScript (ECMA-262 since 2019)."""
    return json.dumps(value, ensure_ascii=False)
