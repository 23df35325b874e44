"""Widgets as they speak one language: their templates with its texts in them.

A snippet for one language needs no table of texts, and nothing that looks them up, where templates alone say them. So
the templates of such a widget are compiled once more for each language, and staged with its scripts in a folder of
that language.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from awning.check import Texts
from awning.pipeline.maps import Texts as Literals
from awning.pipeline.maps import texts_of
from awning.pipeline.templates import Module, TemplateCompiler
from awning.workspace import Widget, Workspace

_TOP = "languages/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """`modules` are its templates by path. `calls_t` says whether it needs a `t` all the same."""

    widget: str
    language: str
    modules: Mapping[str, Module]
    calls_t: bool

    @property
    def folder(self) -> str:
        """Where it is staged, below the stage."""
        return f"{_TOP}{self.language}/"


def spoken(
    widgets: Iterable[Widget],
    handing: Mapping[str, Texts],
    modules: Mapping[str, Module],
    compiler: TemplateCompiler,
) -> Iterator[Spoken]:
    """Each widget whose scripts only hand `t` on, in each language: plural texts are still looked up.

    So are those of templates in folders that all widgets share: they are compiled for all.
    """
    common = any(one.calls_t for path, one in modules.items() if path.startswith("widgets/_"))
    for widget in widgets:
        texts = handing.get(widget.name)
        own = {path: one for path, one in modules.items() if path.startswith(f"widgets/{widget.name}/")}
        if texts is None or not any(one.messages for one in own.values()):
            continue
        for language in widget.languages:
            plain = {
                key: text for key, text in widget.messages.get(language, {}).items() if isinstance(text, str)
            }
            made = {
                path: compiler.spoken(path, plain) if one.messages and one.reads is not None else one
                for path, one in own.items()
            }
            calls_t = texts.called or common or any(one.calls_t for one in made.values())
            yield Spoken(widget=widget.name, language=language, modules=made, calls_t=calls_t)


def literals_of(
    workspace: Workspace, modules: Mapping[str, Module], said: Iterable[Spoken]
) -> dict[str | None, Literals]:
    """By the language of a snippet, what of its templates is one string: other texts begin its lines elsewhere."""
    single = {widget.name for widget in workspace.widgets if only_language(widget)}
    every = tuple(said)
    found: dict[str | None, Literals] = {}
    for language in (None, *workspace.languages):
        own = (one for one in every if (one.language == language if language else one.widget in single))
        here = [*modules.values(), *(module for one in own for module in one.modules.values())]
        found[language] = texts_of(literal for module in here for literal in module.literals)
    return found


def only_language(widget: Widget) -> str | None:
    """The language of a widget that has one: its snippet for all languages is no other than that."""
    return widget.languages[0] if len(widget.languages) == 1 else None


def without_language(path: str) -> str:
    """The path that a staged file would have were it not staged for a language."""
    return path.split("/", 2)[2] if path.startswith(_TOP) else path
