"""Content of elements in which only their own end tag is markup: title, textarea, style, script, iframe and the like.

The end tag may come in pieces, so `pending` holds what could be its beginning; a value right after such a beginning
could complete it and is refused (holes.py).
"""

import re
from functools import cache

from awning.template.html.context import Context, State
from awning.template.html.elements import fold
from awning.template.html.interpolation import HtmlFault


def in_raw(context: Context, text: str, start: int) -> tuple[Context, int, str]:
    seen, begin = (context.pending + text[start:], 0) if context.pending else (text, start)
    found = _end_tag(context.element).search(seen, begin)
    content = seen[begin : found.start() if found else len(seen)]
    if context.state is State.SCRIPT and "<!--" in content:
        raise HtmlFault(
            "template-malformed-markup",
            '"<!--" in a script changes where the script ends',
            'write "<\\!--" in a string, and // for a comment',
            max(0, content.index("<!--") - len(context.pending)),
        )
    if found:
        end = start + found.end() - begin - len(context.pending)
        return _leave(context, content), end, text[start:end]
    pending = _beginning(context, content)
    return _read(context._replace(pending=pending), content, len(context.pending)), len(text), text[start:]


def _leave(context: Context, content: str) -> Context:
    read = _read(context, content, len(context.pending))
    if read.value is not None:
        read.value.close()
    return read._replace(state=State.TAG_NAME, closing=True, value=None, pending="")


def _read(context: Context, content: str, already: int) -> Context:
    if context.value is None:
        return context
    return context._replace(value=context.value.feed(content[already:]))


@cache
def _end_tag(element: str) -> re.Pattern[str]:
    return re.compile(rf"</{element}(?=[ \t\n\r\f/>])", re.IGNORECASE | re.ASCII)


def _beginning(context: Context, content: str) -> str:
    """The end of `content` that may begin an end tag (in a script also "<!--")."""
    at = content.rfind("<")
    if at < 0:
        return ""
    tail = fold(content[at:])
    may_begin = f"</{context.element}".startswith(tail)
    return content[at:] if may_begin or (context.state is State.SCRIPT and "<!--".startswith(tail)) else ""
