"""The entry points of a build: the script of each snippet, as generated TypeScript.

An entry point imports its widgets and passes each to the runtime with its messages, its defaults and the class of its
host element (`awning/run`, jsrc/runtime/run.ts). Only the helpers of the runtime that it imports are in the snippet.

An entry point of a development build imports each helper from the helper's own module. If it imported them from
`awning/run`, the bundler would read all modules that `awning/run` names, at every save.

A widget whose module may fail while it loads is loaded with `require` inside a `try`, so that a failure does not stop
the other widgets. This costs 300 to 700 bytes once (gzip). Most modules contain only declarations, so they are
imported.

A trait adds code to the snippets of the widgets that have it. Templates and styles are searched as text, scripts by
their facts. An uncertain trait is assumed, because a needless trait costs bytes and a missing trait breaks a widget.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from awning.contract.languages import browser_code
from awning.data_schema import defaults_of
from awning.data_schema.versions import MIGRATION_FILE
from awning.pipeline.read import PlannedSnippet, SourceSet
from awning.script.script_facts import ScriptFacts
from awning.workspace.model import Isolation, Message, Widget

_INTERACTIVE_HTML = re.compile(
    r"<(?:a|button|input|select|textarea|details|dialog|iframe|video|audio|object|embed|area|canvas)\b"
    r"|\btabindex\b|\bcontenteditable\b|\bpopover\b|<[a-z]+-[a-z]|\blive\b",
    re.IGNORECASE,
)
_SCROLLS = re.compile(r"overflow(?:-[xy])?\s*:[^;}]*\b(?:auto|scroll)\b", re.IGNORECASE)
_INTERACTIVE_NAMES = frozenset({"contenteditable", "live", "popover", "redrawn", "tabindex"})
"""Names, in lower case, by which a script makes content interactive: `element.tabIndex = 0`, `live(...)`."""


MIGRATIONS = "migrations"
"""The bundler's name of the migrations of app data."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WidgetTraits:
    """The names of the widgets with each trait."""

    interactive: frozenset[str] = frozenset()
    """Widgets whose content can be focused, typed into, opened or scrolled, which a redraw must not disturb.

    The runtime then patches changes into the content instead of replacing it.
    """
    asynchronous: frozenset[str] = frozenset()
    """Widgets whose render function may return a promise."""
    fragile: frozenset[str] = frozenset()
    """Widgets whose script can fail while it is loaded. Empty if there is only one widget: it cannot stop another."""
    raw: frozenset[str] = frozenset()
    """Widgets that do not use the runtime (`SourceSet.raw`)."""


def find_widget_traits(sources: SourceSet) -> WidgetTraits:
    return WidgetTraits(
        interactive=_interactive(sources),
        asynchronous=sources.widgets_in(
            sources.importing_others | _folders_where(sources, lambda facts: facts.asynchronous)
        ),
        fragile=_fragile(sources),
        raw=sources.raw,
    )


def _interactive(sources: SourceSet) -> frozenset[str]:
    folders = set(sources.importing_others) | _folders_where(sources, _is_interactive)
    for path, file in sources.files.items():
        pattern = _INTERACTIVE_HTML if path.endswith(".j2") else _SCROLLS if path.endswith(".css") else None
        if pattern and path.split("/")[1] not in folders and pattern.search(file.text):
            folders |= sources.using(path)
    return sources.widgets_in(folders)


def _is_interactive(facts: ScriptFacts) -> bool:
    return (
        facts.broken
        or not _INTERACTIVE_NAMES.isdisjoint(name.lower() for name in facts.names)
        or any(map(_INTERACTIVE_HTML.search, facts.texts))
    )


def _fragile(sources: SourceSet) -> frozenset[str]:
    if len(sources.widgets) <= 1:
        return frozenset()
    folders = {
        path.split("/")[1]
        for path, script in sources.scripts.items()
        if not script.head and script.facts.can_fail_while_loaded
    }
    return sources.widgets_in(folders)


def _folders_where(sources: SourceSet, condition: Callable[[ScriptFacts], bool]) -> set[str]:
    """Return the folders with a script for which the condition is true."""
    return {path.split("/")[1] for path, script in sources.scripts.items() if condition(script.facts)}


ROOT_DIGITS = 6
"""The number of hash digits in a class name: enough to distinguish the widgets of all apps on one page."""

_HELPERS = {
    "sampled": "beacon",
    "tell": "beacon",
    "appData": "data",
    "keep": "keep",
    "later": "later",
    "byLanguage": "messages",
    "noMessages": "messages",
    "oneLanguage": "messages",
    "plurals": "messages",
    "replace": "replace",
    "shadow": "shadow",
    "run": "running",
}
"""The module in jsrc/runtime of each name that `awning/run` exports."""

_UP = "../../.."
"""The relative path from the folder of an entry point, `entries/<unit>/<language>/`, to the top of the stage."""


def root_class(app: str, widget: str) -> str:
    """Return the class of a widget's host element: `aw-1a2b3c`."""
    return f"aw-{hashlib.sha256(f'{app}/{widget}'.encode()).hexdigest()[:ROOT_DIGITS]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryContext:
    """The values that all entry points share. `shadow_styles` is the CSS inside a shadow root, by widget.

    `reports`: pages report failures (`beacon`). `samples`: some of them also report renderings (`beacon_sample_rate`).
    `direct`: each helper is imported from its own module.
    """

    app: str
    reports: bool = False
    samples: bool = False
    direct: bool = False
    shadow_styles: Mapping[str, str] = field(default_factory=dict)
    traits: WidgetTraits = field(default_factory=WidgetTraits)


def entry_source(planned: PlannedSnippet, context: EntryContext) -> str:
    """Return the entry point of one snippet."""
    if planned.place != "head":
        return _Body(planned, context).source()
    heads = [(widget.name, widget.head.name) for widget in planned.compiled if widget.head]
    return "\n".join(f'import "{_UP}/widgets/{widget}/{head}";' for widget, head in heads) + "\n"


def runtime_imports(names: Collection[str], *, direct: bool) -> list[str]:
    """Return the statements that import these names of the runtime, from `awning/run` or each from its own module."""
    if not direct:
        return [f'import {{ {", ".join(sorted(names))} }} from "awning/run";'] if names else []
    return [
        f'import {{ {name} }} from "awning/runtime/{module}";'
        for name, module in _HELPERS.items()
        if name in names
    ]


@dataclass(slots=True)
class _Body:
    """The entry point of a body snippet. `used` collects the names that it imports from the runtime."""

    planned: PlannedSnippet
    context: EntryContext
    used: set[str] = field(default_factory=set)

    def source(self) -> str:
        widgets = [(f"w{index}", widget) for index, widget in enumerate(self.planned.compiled)]
        statements = [statement for slots, widget in widgets if (statement := self._statement(slots, widget))]
        imports = [self._import(slots, widget) for slots, widget in widgets if not self._is_guarded(widget)]
        return "\n".join([*self._preamble(), *imports, *statements]) + "\n"

    def _preamble(self) -> list[str]:
        """Return the import and the constant that the statements use. Call it after the statements are made."""
        return [
            *runtime_imports(self.used, direct=self.context.direct),
            *([f"const data = appData({_js(self.context.app)});"] if "appData" in self.used else []),
        ]

    def _import(self, slots: str, widget: Widget) -> str:
        """Return the import of a widget's script. A raw script is imported only for its effects."""
        path = _script_path(widget)
        return f'import "{path}";' if self._is_raw(widget) else f'import {slots} from "{path}";'

    def _is_raw(self, widget: Widget) -> bool:
        return widget.name in self.context.traits.raw

    def _is_guarded(self, widget: Widget) -> bool:
        """Return whether the widget is loaded inside a `try`.

        A widget that is alone in its snippet needs no `try`, because it cannot stop another widget.
        """
        return len(self.planned.compiled) > 1 and widget.name in self.context.traits.fragile

    def _statement(self, slots: str, widget: Widget) -> str:
        """Return the statement that runs the widget.

        `slots` is the name of the variable with the default export of its script. A guarded module has no such
        variable: the statement itself loads it.
        """
        if not self._is_guarded(widget):
            return "" if self._is_raw(widget) else self._call(slots, widget, self._common(widget))
        loaded = f'require("{_script_path(widget)}")'
        settings = ""
        if self._is_raw(widget):
            call = f"{loaded};"
        elif not self._reads_app_data(widget):
            call = self._call(f"{loaded}.default", widget, self._common(widget))
        else:
            # A widget that the app data turn off is not even loaded.
            common = f"{slots}_common"
            settings = f"const {common} = {self._common(widget)};\n"
            call = f"{common} && {self._call(f'{loaded}.default', widget, common)}"
        name = _js(widget.name)
        report = f" {self._use('tell')}({name}, error);" if self.context.reports else ""
        return f"{settings}try {{ {call} }} catch (error) {{ console.error({name}, error);{report} }}"

    def _call(self, loaded: str, widget: Widget, common: str) -> str:
        """Return the call `run(name, class, slots, insert, common);`."""
        arguments = [
            _js(widget.name),
            _js(root_class(self.context.app, widget.name)),
            loaded,
            self._insert(widget),
            common,
        ]
        return f"{self._use('run')}({', '.join(arguments)});"

    def _common(self, widget: Widget) -> str:
        """Return an expression whose value is a function. This function makes the arguments of every render function.

        The value is false when the app data turn the widget off.
        """
        if not self._reads_app_data(widget):
            return self._texts(widget)
        self._use("appData")
        defaults = {} if widget.data_part is None else defaults_of(widget.data_part)
        return f"data({_js(widget.name)}, {_js(defaults)}, {self._texts(widget)})"

    def _reads_app_data(self, widget: Widget) -> bool:
        return self.planned.kill_switch or widget.data_schema is not None

    def _texts(self, widget: Widget) -> str:
        """Return the code of the messages: of the snippet's language or, in the default snippet, of all languages.

        On pages in any other language, the default snippet shows the first language. If the widget has a single
        language, the default snippet is the same as the snippet of that language.
        """
        if not widget.messages:
            return self._use("noMessages")
        language = widget.languages[0] if len(widget.languages) == 1 else self.planned.language
        if language is None:
            return self._by_language(widget)
        texts = [
            f"{_js(key)}: {self._text(language, message)}"
            for key, message in widget.messages.get(language, {}).items()
        ]
        return f"{self._use('oneLanguage')}({{{', '.join(texts)}}})"

    def _by_language(self, widget: Widget) -> str:
        """Return the code of the texts of all languages: each key once, with a list of its texts.

        This form compresses best. The first language is the fallback, so the runtime does not need its name.
        """
        tables = {code: widget.messages[code] for code in widget.languages if code in widget.messages}
        keys = dict.fromkeys(key for table in tables.values() for key in table)
        texts = [
            f"{_js(key)}: [{', '.join(self._text(code, table.get(key)) for code, table in tables.items())}]"
            for key in keys
        ]
        return f"{self._use('byLanguage')}({_js([*tables][1:])}, {{{', '.join(texts)}}})"

    def _text(self, language: str, message: Message | None) -> str:
        """Return the code of one text.

        Plural forms that equal the form `other` are left out, because the runtime shows `other` in their place.
        `Intl` knows a language as `pt-BR`, never as `pt_BR`.
        """
        if message is None or isinstance(message, str):
            return _js(message)
        other = message["other"]
        forms = {name: text for name, text in message.items() if name == "other" or text != other}
        if len(forms) == 1:
            return _js(other)
        return f"{self._use('plurals')}({_js(browser_code(language))}, {_js(forms)})"

    def _insert(self, widget: Widget) -> str:
        """Return the code of the runtime's function that inserts the widget's HTML into the page."""
        if widget.isolation is Isolation.SHADOW:
            insert = f"{self._use('shadow')}({_js(self.context.shadow_styles.get(widget.name, ''))})"
        else:
            insert = self._use("keep" if widget.name in self.context.traits.interactive else "replace")
        if self.context.samples:
            insert = f"{self._use('sampled')}({_js(widget.name)}, {insert})"
        if widget.name not in self.context.traits.asynchronous:
            return insert
        return f"{self._use('later')}({_js(widget.name)}, {insert})"

    def _use(self, name: str) -> str:
        self.used.add(name)
        return name


def migrations_source(widgets: Iterable[str]) -> str:
    """Return the entry point of the migrations of app data, which are in no snippet (`awning.data_migration`)."""
    modules = list(enumerate(widgets))
    imports = [
        f'import * as w{number} from "../widgets/{name}/{MIGRATION_FILE}";' for number, name in modules
    ]
    table = ", ".join(f"{_js(name)}: w{number}" for number, name in modules)
    return "\n".join([*imports, f"globalThis.__migrations = {{ {table} }};"]) + "\n"


def _script_path(widget: Widget) -> str:
    name = widget.script.name if widget.script else ""  # a widget in an entry point has a script
    return f"{_UP}/widgets/{widget.name}/{name}"


def _js(value: Any) -> str:
    """Return a value as JavaScript. JSON is a subset of JavaScript since ES2019."""
    return json.dumps(value, ensure_ascii=False)
