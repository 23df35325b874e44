"""The fixture `render`: a widget's template, its messages and its money, in an embedded JavaScript engine.

The template is compiled and bundled as for a snippet, once. Each rendering runs in a fresh context of QuickJS, which
takes less than a millisecond and has no page: no document, no events, no Intl. What needs a browser's Intl fails and
names the fixture `widget`.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import quickjs  # type: ignore[import-untyped]

from awning.bundle import BundleRequest, EntryPoint, bundle, find_esbuild
from awning.diagnostics import did_you_mean
from awning.errors import ConfigurationError
from awning.jsrc import jsrc_root
from awning.template import LocatedText, compile_template
from awning.workspace import Message, Widget, Workspace, find_workspace, read_workspace
from awning_harness.storefront.json_values import thaw

WITHIN_S = 2
"""The most seconds of processor time that a rendering may take."""

ENGINE = """
const asked = new Set();
const lacking = (name) => function () { asked.add(name); throw new TypeError(name + " needs a browser"); };
globalThis.Intl = new Proxy({}, { get: (_, name) => lacking("Intl." + String(name)) });
for (const [type, names] of [
  [Number, ["toLocaleString"]],
  [Date, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]],
  [String, ["localeCompare", "toLocaleLowerCase", "toLocaleUpperCase"]],
]) for (const name of names) type.prototype[name] = lacking(type.name + ".prototype." + name);
const answer = (work) => {
  let html = "";
  try {
    html = work();
  } catch (error) {
    if (!asked.size) throw error;
  }
  return JSON.stringify({ html, asked: [...asked] });
};
"""
"""A script that replaces what formats by language with functions that report their use."""

TEMPLATE_ENTRY = """
import view from "./template.js";
import { oneLanguage, plurals } from "awning/runtime/messages";

globalThis.render = (language, texts, context) => {
  const textOf = (text) => (typeof text == "string" ? text : plurals(language, text));
  const entries = Object.entries(texts).map(([key, text]) => [key, textOf(text)]);
  const { t } = oneLanguage(Object.fromEntries(entries))({ language }, {});
  return String(view({ t, ...context }));
};
"""

RUNTIME_ENTRY = """
import { money } from "awning/runtime/money";
import { oneLanguage, plurals } from "awning/runtime/messages";

globalThis.money = money;
globalThis.translate = (language, text, values) =>
  oneLanguage({ text: typeof text == "string" ? text : plurals(language, text) })({ language }, {}).t("text", values);
"""


RUNTIME = ""
"""The key of the script that has no template."""


class RenderingFailed(RuntimeError):
    """A template cannot be rendered: it throws, never ends, or needs a browser. The message has the reason."""


@dataclass(slots=True, kw_only=True, repr=False)
class Renderer:
    """Renders the templates of one widget. `scripts` are the bundled templates, by name."""

    workspace: Workspace
    widget: Widget
    scripts: dict[str, str] = field(default_factory=dict)

    def __call__(
        self, template: str, context: Mapping[str, Any] | None = None, *, language: str | None = None
    ) -> str:
        """Return the HTML of a template with these values, such as `render("view.html.j2", {"left": 3})`.

        `t` has the widget's messages in the language, by default its first. Raises ConfigurationError when the widget
        has no such template, Faulty when it does not compile, RenderingFailed when it throws or needs a browser.
        """
        language = language or self.widget.languages[0]
        arguments = [language, self._messages(language), thaw(context or {})]
        return self._call(self._script(template), "render", arguments, f"{template} in {language}")

    def text(self, key: str, *, language: str | None = None, **values: Any) -> str:
        """Return a message with its values, as `t(key, values)` does. A missing message is its key."""
        language = language or self.widget.languages[0]
        text = self._messages(language).get(key, key)
        return self._call(self._runtime(), "translate", [language, text, values], f"the message {key}")

    def money(self, amount: float, currency: str | Mapping[str, Any]) -> str:
        """Return an amount as `money(amount, currency)` writes it. A currency's code alone needs a browser."""
        return self._call(self._runtime(), "money", [amount, thaw(currency)], f"money of {amount}")

    def _messages(self, language: str) -> Mapping[str, Message]:
        if language not in self.widget.languages:
            languages = ", ".join(self.widget.languages)
            raise ConfigurationError(f"{self.widget.name} has no language {language!r}; it has {languages}")
        return self.widget.messages.get(language, {})

    def _script(self, template: str) -> str:
        if template not in self.scripts:
            source = self._load(template)
            if source is None:
                raise ConfigurationError(
                    f"{self.widget.name} has no template {template!r}",
                    hint=did_you_mean(template, self.widget.templates),
                )
            path = f"widgets/{self.widget.name}/{template}"
            dialect = self.workspace.profile.dialect
            code = compile_template(source, path=path, loader=self._load, dialect=dialect).code
            self.scripts[template] = bundled(TEMPLATE_ENTRY, code)
        return self.scripts[template]

    def _runtime(self) -> str:
        if RUNTIME not in self.scripts:
            self.scripts[RUNTIME] = bundled(RUNTIME_ENTRY)
        return self.scripts[RUNTIME]

    def _load(self, name: str) -> str | None:
        """Return the widget's template with this name, else the shared one; None without one."""
        for folder in (self.widget.folder, self.widget.folder.parent / "_shared"):
            file = folder / name
            if file.is_file():
                path = file.relative_to(self.workspace.root).as_posix()
                return LocatedText(file.read_text(encoding="utf-8-sig"), path)
        return None

    def _call(self, script: str, function: str, arguments: list[Any], what: str) -> str:
        """Return the value of a function of a script, which runs in a fresh context."""
        context = quickjs.Context()
        context.set_time_limit(WITHIN_S)
        values = json.dumps(arguments, ensure_ascii=False)
        try:
            context.eval(ENGINE)
            context.eval(script)
            answer = json.loads(context.eval(f"answer(() => {function}(...{values}))"))
        except quickjs.JSException as error:
            raise RenderingFailed(_explain(what, str(error))) from None
        if answer["asked"]:
            raise RenderingFailed(
                f"{what} formats with {', '.join(answer['asked'])}, which only a browser has. "
                'Use the fixture widget: widget.show("P1").text()'
            )
        return str(answer["html"])


def open_renderer(start: Path, *, test: Path, name: str | None) -> Renderer:
    """Return the renderer of the widget with this name, else of the widget in whose folder the test is.

    Raises ConfigurationError when there is no such widget.
    """
    workspace = read_workspace(find_workspace(start))
    for widget in workspace.widgets:
        if widget.name == name or (name is None and test.resolve().is_relative_to(widget.folder.resolve())):
            return Renderer(workspace=workspace, widget=widget)
    raise ConfigurationError(
        f"there is no widget {name!r}" if name else f"{test} is not in the folder of a widget",
        hint='@pytest.mark.unit("name") chooses a widget',
    )


def _explain(what: str, error: str) -> str:
    """Return why a rendering failed, from the engine's message."""
    first = error.strip().partition("\n")[0]
    if "interrupted" in first:
        return f"{what} never ends: it took more than {WITHIN_S} s"
    return f"{what} fails: {first}"


def bundled(entry: str, template: str | None = None) -> str:
    """Return an entry point with the runtime's modules, and a compiled template, as one script."""
    with TemporaryDirectory(prefix="awning-render-") as name:
        folder = Path(name).resolve()
        (folder / "entry.ts").write_text(entry, encoding="utf-8")
        if template is not None:
            (folder / "template.js").write_text(template, encoding="utf-8")
        request = BundleRequest(
            entry_points=(EntryPoint("entry", folder / "entry.ts"),),
            root=folder,
            jsrc=jsrc_root(),
            source_maps=False,
        )
        return bundle(find_esbuild(), request).outputs["entry"].code.decode()
