"""Finds templates that are in no snippet, and files that awning does not read but that the author probably means it to.

A template is used if a script imports it, directly or through other templates. A template names another one by a
string. Every string in a tag or an expression of a used template counts, so a name in a variable counts, too. A
template that names one by an expression without a whole name uses all templates.

The files are other style sheets, other TOML files directly in the folder, other files in messages/, a folder of
messages with a wrong name, and files whose names are similar to a name that awning reads. A script, a template or a
style may read any file by its name. Such a file is not reported.
"""

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

from awning.check.template_code import RAW, code_in
from awning.contract import is_language_code
from awning.diagnostics import Diagnostic, Place, did_you_mean
from awning.script.file import ScriptFile

_ENDING = ".html.j2"
_SHARED = "widgets/_shared/"
_STRING = re.compile(r"\"((?:[^\"\\]|\\.)*)\"|'((?:[^'\\]|\\.)*)'", re.DOTALL)
_NAMING = frozenset({"include", "import", "extends", "from"})


def unused_templates(
    folder: str, templates: Mapping[str, str], scripts: Iterable[ScriptFile]
) -> Iterator[Diagnostic]:
    """Yield a warning for each template in `folder` that is not used.

    `templates` are the texts of the templates by path, those of the shared folder included. `scripts` are all scripts
    that may import them. Nothing is reported when a script has a syntax error, because its imports are not known.
    """
    scripts = list(scripts)
    if any(script.facts.broken for script in scripts):
        return
    used = _used(templates, {path for script in scripts for path in _imported(script)})
    for path in sorted(templates):
        if path.startswith(folder) and path not in used:
            yield Diagnostic(
                rule="template-unused",
                message="no script imports this template, and no used template includes it: it is not in the snippet",
                place=Place(path=path, line=1, column=1),
                hint=f'import it in a script: import view from "./{path.rpartition("/")[2]}"; or delete it',
                excerpt=templates[path].partition("\n")[0],
            )


def named_templates(templates: Mapping[str, str]) -> frozenset[str]:
    """Return the paths of the templates that another one names, because it includes, imports or extends them."""
    return frozenset(named for path in templates for named in _named(path, templates) if named != path)


def _imported(script: ScriptFile) -> Iterator[str]:
    """Yield the paths of the templates that a script may import, also by `import("./view.html.j2")`."""
    folder = posixpath.dirname(script.path)
    modules = {statement.module for statement in script.facts.imports} | {*script.facts.texts}
    for module in modules:
        if module.startswith(".") and module.endswith(_ENDING):
            yield posixpath.normpath(posixpath.join(folder, module))


def _used(templates: Mapping[str, str], imported: Collection[str]) -> set[str]:
    """Return the paths of the templates that are imported, or that an imported template leads to."""
    used: set[str] = set()
    waiting = [path for path in imported if path in templates]
    while waiting:
        path = waiting.pop()
        if path not in used:
            used.add(path)
            waiting += _named(path, templates)
    return used


def _named(path: str, templates: Mapping[str, str]) -> Iterator[str]:
    """Yield the paths of the templates that a template names, in its widget or in the shared folder."""
    widget = "/".join(path.split("/")[:2]) + "/"
    for code in code_in(templates[path]):
        if code.opening in {"{#", RAW}:
            continue
        text = templates[path][code.start : code.end]
        names = [double or single for double, single in _STRING.findall(text)]
        if code.keyword in _NAMING and not any(name.endswith(_ENDING) for name in names):
            yield from templates
        for name in names:
            yield from (home + name for home in (widget, _SHARED) if home + name in templates)


_TABLES = ("widget.toml", "states.toml")
_SCHEMA = "data.schema.json"
_STYLE = "style.css"
_MESSAGES = "messages"
_TEMPLATE = "view.html.j2"
_NEAR = 0.7
"""From this similarity on, between 0 and 1, a name counts as a misspelling of a name that awning reads."""


def unused_files(widget: str, paths: Iterable[str], is_named: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """Yield a warning for each file, and each folder of messages, that is probably misnamed.

    `paths` are relative to the workspace. `is_named` returns whether another file has this name in its text.
    """
    folder = f"widgets/{widget}/"
    reported: set[str] = set()
    for path in paths:
        place, hint = _misnamed(path.removeprefix(folder))
        name = path.rpartition("/")[2]
        if hint and place not in reported and not is_named(name):
            reported.add(place)
            yield Diagnostic(
                rule="file-unused",
                message=f"awning does not read {place}",
                place=Place(path=folder + place.removesuffix("/")),
                hint=hint,
            )


def _misnamed(path: str) -> tuple[str, str | None]:
    """Return the path of the misnamed file or folder, and the hint. The hint is None if `path` is not to be reported.

    Both paths are relative to the widget.
    """
    folder, _, inner = path.partition("/")
    if not inner:
        return path, _hint(path)
    if path.endswith(".css"):
        return (
            path,
            f"a widget's style is {_STYLE} in its folder; move the rules there, or import the file there",
        )
    if folder == _MESSAGES:
        return path, None if path.endswith(".toml") else f"messages are in {_MESSAGES}/<language>.toml"
    stem, dot, ending = inner.partition(".")
    is_messages = (dot, ending) == (".", "toml") and is_language_code(stem)
    return f"{folder}/", f"message files are in {_MESSAGES}/; rename the folder" if is_messages else None


def _hint(name: str) -> str | None:
    """Return the hint for a file directly in the widget's folder; None if awning reads the file.

    A style sheet or a TOML file always gets a hint. Any other file gets one only if its name is similar to a name that
    awning reads.
    """
    stem, _, ending = name.rpartition(".")
    if name in (*_TABLES, _SCHEMA, _STYLE) or name.endswith(".html.j2"):
        return None
    if ending == "css":
        return f"a widget's style is {_STYLE}: rename the file, or import it there"
    if ending == "toml":
        expected = f"a widget has {' and '.join(_TABLES)}; message files are in {_MESSAGES}/"
        return did_you_mean(name, _TABLES, cutoff=_NEAR) or expected
    near = {"html": _TEMPLATE, "j2": _TEMPLATE, "json": _SCHEMA}.get(ending)
    return did_you_mean(name, (near,), cutoff=_NEAR) if near and stem else None
