"""Finds handlers in a template's attributes, such as `onclick="add()"`.

They are code of the page. The page does not know the functions of the script, which is a module, and a page with a
strict Content Security Policy runs no such attribute. The compiler refuses a handler with a value in it.
"""

import re
from collections.abc import Iterator

from awning.check.template_code import without_code
from awning.diagnostics import Diagnostic, Place
from awning.markup import read_markup
from awning.workspace.document import excerpt_of
from awning.workspace.offsets import line_and_column

_HANDLER = re.compile(r"on[a-z]{3,}", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""(?<=[\s"'/])([^\s"'<>/=]+)\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)""")


def inline_handlers(path: str, template: str) -> Iterator[Diagnostic]:
    """Yield a warning for each handler with fixed text in the template at `path`."""
    markup = without_code(template)
    for tag in read_markup(markup):
        for attribute in _ATTRIBUTE.finditer(markup, tag.start, tag.end) if tag.kind == "start" else ():
            handler, at = attribute[1], attribute.start(1)
            is_fixed = "{{" not in template[attribute.start(2) : attribute.end(2)]
            if _HANDLER.fullmatch(handler) and attribute[2].strip("\"' \n") and is_fixed:
                line, column = line_and_column(template, at)
                yield Diagnostic(
                    rule="dead-handler",
                    message=f"{handler} runs in no shop with a strict Content Security Policy, "
                    "and knows no function of the script",
                    place=Place(path=path, line=line, column=column),
                    hint=f'listen in the script: live(render, {{ on: {{ "{handler[2:].lower()} .name": ... }} }}), '
                    "or in its mounted, if the event does not bubble",
                    excerpt=excerpt_of(template, line),
                )
