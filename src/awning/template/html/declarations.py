"""What follows "<!": comments, doctypes, and what browsers make comments of (WHATWG HTML, 13.2.5.41 to 13.2.5.53)."""

from awning.template.html.context import Context, State
from awning.template.html.elements import fold
from awning.template.html.interpolation import HtmlFault

_OPENING = "oo"
"""The dashes of "<!--": they count for "-->" (so `<!-->` is a whole comment) but not for "--!>"."""


def in_declaration(context: Context, text: str, start: int) -> tuple[Context, int, str]:
    """Decide after as many characters as it takes; `pending` holds them."""
    character = text[start]
    seen = fold(context.pending + character)
    if seen == "--":
        return context._replace(state=State.COMMENT, pending=_OPENING), start + 1, character
    if seen == "doctype":
        return context._replace(state=State.DOCTYPE, pending=""), start + 1, character
    if seen == "[cdata[":
        raise HtmlFault(
            "template-malformed-markup",
            "a CDATA section is text inside svg and a comment elsewhere",
            "write the text with &lt; and &amp;",
        )
    if "doctype".startswith(seen) or "[cdata[".startswith(seen) or seen == "-":
        return context._replace(pending=seen), start + 1, character
    return context._replace(state=State.BOGUS_COMMENT, pending=""), start, ""


def in_comment(context: Context, text: str, start: int) -> tuple[Context, int, str]:
    dashes = context.pending
    position = start
    while position < len(text):
        if not dashes:
            position = text.find("-", position)
            if position < 0:
                break
        character = text[position]
        position += 1
        if character == ">" and dashes in {"--", "oo", "o-", "--!"}:
            return context._replace(state=State.TEXT, pending=""), position, text[start:position]
        dashes = _count(dashes, character)
    return context._replace(pending=dashes), len(text), text[start:]


def _count(dashes: str, character: str) -> str:
    """Keep what may end the comment: the last two dashes and a bang after content's dashes."""
    if character == "-":
        return "-" if dashes == "--!" else (dashes + "-")[-2:]
    return "--!" if character == "!" and dashes == "--" else ""


def in_bogus_comment(context: Context, text: str, start: int) -> tuple[Context, int, str]:
    return _until_end(context, text, start)


def in_doctype(context: Context, text: str, start: int) -> tuple[Context, int, str]:
    return _until_end(context, text, start)


def _until_end(context: Context, text: str, start: int) -> tuple[Context, int, str]:
    end = text.find(">", start)
    if end < 0:
        return context, len(text), text[start:]
    return context._replace(state=State.TEXT), end + 1, text[start : end + 1]
