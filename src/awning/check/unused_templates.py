"""Finds templates that are in no snippet, because no script imports them, directly or through other templates.

A template names another one by a string. Every string in a tag or an expression of a used template counts, so a name in
a variable counts, too. A template that names one by an expression without a whole name uses all templates.
"""

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from awning.check.template_code import RAW, code_in
from awning.diagnostics import Diagnostic, Place
from awning.script import ScriptFile

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
