"""Finds handlers in a template's attributes that call a function of the widget's script: `onclick="add()"`.

The script is a module, so the page does not know its functions, and the handler fails when it runs.
"""

import re
from collections.abc import Iterable, Iterator

from awning.diagnostics import Diagnostic, Place, Severity
from awning.script import ScriptFile
from awning.script.globals import names_given_by

_TAG = re.compile(r"""<[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>""")
_ATTRIBUTE = re.compile(r"""\s([^\s"'<>/=]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")
_CALLED = re.compile(r"(?<![\w.$])([a-zA-Z_$][\w$]*)\s*\(")
_COMMENTS = (("{#", "#}"), ("<!--", "-->"))


def inline_handlers(path: str, text: str, scripts: Iterable[ScriptFile]) -> Iterator[Diagnostic]:
    """Yield a warning for each handler in the template at `path` that calls a function of one of the scripts."""
    for opening, closing in _COMMENTS:
        text = _without_comments(text, opening, closing)
    handlers = [
        (tag.start() + attribute.start(1), attribute[1], attribute[2])
        for tag in _TAG.finditer(text)
        for attribute in _ATTRIBUTE.finditer(tag[0])
        if attribute[1].lower().startswith("on")
    ]
    private = {name for script in scripts for name in _private_names(script)} if handlers else set()
    for at, handler, code in handlers:
        called = next((name for name in _CALLED.findall(code) if name in private), None)
        if called is not None:
            line = text.count("\n", 0, at) + 1
            yield Diagnostic(
                rule="dead-handler",
                message=f"{handler} calls {called}, which the page does not know: only the script has this function",
                place=Place(path=path, line=line, column=at - text.rfind("\n", 0, at)),
                hint=f'handle it in the script: live(render, {{ on: {{ "{handler[2:].lower()} .name": ... }} }})',
                severity=Severity.WARNING,
                excerpt=text.split("\n")[line - 1].rstrip("\r"),
            )


def _without_comments(text: str, opening: str, closing: str) -> str:
    """Return the text with blanks in place of its comments, in linear time."""
    parts: list[str] = []
    end = 0
    while (start := text.find(opening, end)) >= 0 and (closed := text.find(closing, start)) >= 0:
        parts += [text[end:start], re.sub(r"[^\n]", " ", text[start : closed + len(closing)])]
        end = closed + len(closing)
    return "".join((*parts, text[end:]))


def _private_names(script: ScriptFile) -> frozenset[str]:
    """Return the names that only the script itself can use."""
    imported = {name for statement in script.facts.imports for name in statement.locals}
    return (script.facts.declared | imported) - names_given_by(script)
