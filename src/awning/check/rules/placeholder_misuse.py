"""Finds placeholders whose value would run as code or break a script (Apps Integration API, Code snippet).

The service replaces `{{svc_app_data}}` and `{{svc_language}}` in the text of the page, without escaping for JavaScript.
A language code is safe in quotes. App data is never safe in a script, because a quote, a backslash or `</script>` in it
ends the string. App data belongs in an inert element, from which a script reads it.
"""

import re
from collections.abc import Iterator

from awning.check.rule import Finding, Fix, Inspected, ScriptRule
from awning.script.tree import Node

_ATTRIBUTE = re.compile(rb"""<[a-zA-Z][^<>]*?\s([\w-]+)\s*=\s*(?:"[^"]*|'[^']*|[^\s"'>]*)$""")

_GIVEN = "in a template: page.language and data, which the widget's script passes to the view"
_REMARK = re.compile(rb"<!--.*?-->|/\*.*?\*/|(?<![^\s;])//[^\n]*", re.DOTALL)


def _check(file: Inspected) -> Iterator[Finding]:
    source = file.source
    if b"{{" not in source.content:
        return
    if source.path.endswith(".j2"):
        yield from _in_template(file)
        return
    prefix = source.dialect.placeholder_prefix
    name = re.compile(rf"__({re.escape(prefix)}\w+)__")
    if name.search(source.code.decode("utf-8", "replace")):
        yield from _in_script(file.source.tree.root, name, prefix)
    if source.is_markup:
        yield from _in_attributes(file)
    yield from _spaced(file)


def _in_script(root: Node, name: re.Pattern[str], prefix: str) -> Iterator[Finding]:
    quoted: list[tuple[int, int]] = []
    for node in root.walk():
        if any(start <= node.start < end for start, end in quoted):
            continue
        if node.type in {"string", "template_string"}:
            quoted.append((node.start, node.end))
            if f"__{prefix}app_data__" in node.text:
                yield Finding(
                    offset=node.start,
                    message="app data in a string: a quote, a backslash or a line end in it breaks the script",
                )
        elif not node.kids and (match := name.search(node.text)):
            placeholder = match[1]
            fix = None
            if placeholder.endswith("language") and node.text == f"__{placeholder}__":
                fix = Fix(start=node.start, end=node.end, text=f'"{{{{{placeholder}}}}}"')
            message = f"{{{{{placeholder}}}}} stands in code: its value would be run"
            yield Finding(offset=node.start, message=message, fix=fix)


def _in_attributes(file: Inspected) -> Iterator[Finding]:
    content = file.source.content
    prefix = re.escape(file.source.dialect.placeholder_prefix.encode())
    for match in re.finditer(rb"\{\{" + prefix + rb"(\w+)\}\}", content):
        before = _ATTRIBUTE.search(content[max(0, match.start() - 2000) : match.start()])
        if before is None or file.source.code[match.start() : match.start() + 2].strip():
            continue
        handler = before[1].lower().startswith(b"on")
        if handler or match[1] == b"app_data":
            what = "an event handler" if handler else "an attribute"
            yield Finding(
                offset=match.start(), message=f"a placeholder in {what}: a quote in its value ends it"
            )


def _spaced(file: Inspected) -> Iterator[Finding]:
    """Find `{{ svc_language }}`: with spaces around the name, the service does not replace it."""
    content = _REMARK.sub(lambda remark: b" " * len(remark[0]), file.source.content)
    prefix = re.escape(file.source.dialect.placeholder_prefix.encode())
    for match in re.finditer(rb"\{\{(\s*)" + prefix + rb"(?:app_data|language)(\s*)\}\}", content):
        if match[1] or match[2]:
            message = "a placeholder has no spaces: the service does not replace this"
            yield Finding(offset=match.start(), message=message)


def _in_template(file: Inspected) -> Iterator[Finding]:
    """Find `{{ svc_language }}` in a Jinja2 template, where it is an undefined variable.

    Only templates that are not compiled need this: the compiler refuses such a placeholder (`template-placeholder`).
    """
    prefix = re.escape(file.source.dialect.placeholder_prefix.encode())
    for match in re.finditer(rb"\{\{-?\s*" + prefix + rb"\w+", file.source.content):
        message = "a placeholder of the service is a variable of the template here, and prints nothing"
        yield Finding(offset=match.start(), message=message, hint=_GIVEN)


PLACEHOLDER_MISUSE = ScriptRule(
    id="placeholder-misuse",
    hint='app data: <script type="application/json">{{svc_app_data}}</script>; language: "{{svc_language}}"',
    check=_check,
    templates=lambda dialect: dialect.placeholder_prefix,
)
