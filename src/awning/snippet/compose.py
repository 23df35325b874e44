"""Composes the HTML of a head or body snippet from built style and script.

    <!--awning 0123456789ab-->                      the stamp of the build
    <style>…</style>
    <script type="application/json" data-awning="app" lang="{{svc_language}}">{{svc_app_data}}</script>
    <script>…</script>                              reads the app data from the element before it

Each shopper loads all bytes on each page, so a snippet contains nothing that is not needed.

The HTML of verbatim widgets is before and after these elements, each byte as its author wrote it. If a widget has a
style sheet, it is before the widget's HTML.
"""

import html
import re
from dataclasses import dataclass

from awning.build_record import FINGERPRINT_DIGITS, shorten_fingerprint
from awning.contract import Dialect
from awning.snippet.placeholders import without_placeholders

_STAMP = re.compile(rf"<!--awning [0-9a-f]{{{FINGERPRINT_DIGITS}}}-->")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The parts of one snippet. `data` is whether a widget with a script in it reads app data.

    `before` and `after` are the HTML of verbatim widgets, in the order of the widgets.
    """

    app: str
    style: str = ""
    script: str = ""
    data: bool = False
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


def compose(parts: Parts, dialect: Dialect, fingerprint: str) -> str:
    """Return the snippet; empty when it has no content."""
    content = compose_unstamped(parts, dialect)
    return f"{stamp(fingerprint)}{content}" if content else ""


def compose_unstamped(parts: Parts, dialect: Dialect) -> str:
    """Return the snippet without the stamp. A build's fingerprint is a hash of its snippets in this form.

    A line end separates the HTML of two widgets.
    """
    return "\n".join(filter(None, (*parts.before, _compiled(parts, dialect), *parts.after)))


def index_of_script(parts: Parts, snippet: str) -> int | None:
    """Return where the compiled script begins in a composed snippet; None when it has no compiled script."""
    if not parts.script:
        return None
    behind = sum(len(html) + 1 for html in parts.after if html)
    return len(snippet) - behind - len(f"{safe_script(parts.script)}</script>")


def _compiled(parts: Parts, dialect: Dialect) -> str:
    """Return the HTML of all widgets with scripts."""
    style = style_element(parts.style)
    if not parts.script:
        return style
    # The element is inert: the browser never executes the app data in it (Apps Integration API, Code snippet).
    name = without_placeholders(html.escape(parts.app), dialect)
    data = (
        (
            f'<script type="application/json" data-awning="{name}" lang="{dialect.language_placeholder}">'
            f"{dialect.app_data_placeholder}</script>"
        )
        if parts.data
        else ""
    )
    return f"{style}{data}<script>{safe_script(parts.script)}</script>"


def style_element(css: str) -> str:
    """Return the element with a style sheet; empty when there is none."""
    return f"<style>{safe_style(css)}</style>" if css.strip() else ""


def named_html(widget: str, html: str) -> str:
    """Return the HTML of a verbatim widget between comments that name it, as `jsrc/inspector/origin.ts` reads them."""
    return f"<!--awning-widget {widget}-->{html}<!--/awning-widget-->"


def stamp(fingerprint: str) -> str:
    return f"<!--awning {shorten_fingerprint(fingerprint)}-->"


def without_stamp(snippet: str) -> str:
    """Return a snippet without the stamp, which changes as soon as any snippet of the build changes."""
    return _STAMP.sub("", snippet, count=1)


def safe_script(code: str) -> str:
    r"""Return JavaScript with the same effect that can neither end its element nor begin a comment in it.

    Source: HTML, Restrictions for contents of script elements. In code, `</script` and `<!--` are only possible in
    literals: elsewhere esbuild writes `a<! --b` and `a< /script/`. In a literal, `\x3c` means `<` and `\/` means `/`,
    except in the raw text of a tagged template. A final semicolon is removed.
    """
    inert = re.sub(r"</(?=script)", r"<\\/", code.strip(), flags=re.IGNORECASE)
    return inert.replace("<!--", r"\x3c!--").removesuffix(";")


def safe_style(css: str) -> str:
    r"""Return CSS that cannot end its element.

    Outside of strings, `</style` could only occur in an unquoted URL or a custom property. It is escaped there, too.
    """
    return re.sub(r"</(?=style)", r"<\\/", css.strip(), flags=re.IGNORECASE)
