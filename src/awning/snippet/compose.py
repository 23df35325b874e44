"""Composes the HTML of a head or body snippet from built style and script.

    <!--awning 0123456789ab-->                      which build this is
    <style>…</style>
    <script type="application/json" data-awning="app" lang="{{svc_language}}">{{svc_app_data}}</script>
    <script>…</script>                              reads the element before it

Every byte is paid by every shopper on every page: nothing is written that does nothing.
"""

import html
import re
from dataclasses import dataclass

from awning.contract import Dialect
from awning.snippet.placeholders import broken_up_text

STAMP_DIGITS = 12
"""Of the fingerprint's 64: enough to tell any two builds of one app apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """What one snippet is made of. `data` says whether a widget in it reads app data."""

    app: str
    style: str = ""
    script: str = ""
    data: bool = False


def compose(parts: Parts, dialect: Dialect, fingerprint: str) -> str:
    """The snippet; empty when there is nothing in it."""
    content = compose_unstamped(parts, dialect)
    return f"{stamp(fingerprint)}{content}" if content else ""


def compose_unstamped(parts: Parts, dialect: Dialect) -> str:
    """The snippet without the comment that names its build: what the fingerprint is made from."""
    style = f"<style>{safe_style(parts.style)}</style>" if parts.style else ""
    if not parts.script:
        return style
    data = _data_element(parts.app, dialect) if parts.data else ""
    return f"{style}{data}<script>{safe_script(parts.script)}</script>"


def stamp(fingerprint: str) -> str:
    return f"<!--awning {fingerprint[:STAMP_DIGITS]}-->"


def _data_element(app: str, dialect: Dialect) -> str:
    """An inert element: whatever the service puts there is never executed (Apps Integration API, Code snippet)."""
    name = broken_up_text(html.escape(app), dialect)
    return (
        f'<script type="application/json" data-awning="{name}" lang="{dialect.language_placeholder}">'
        f"{dialect.app_data_placeholder}</script>"
    )


def safe_script(code: str) -> str:
    r"""JavaScript that can neither end its element nor begin a comment in it (HTML, restrictions on script elements).

    Both stand in literals only (esbuild writes `a<! --b` and `a< /script/`), where `\x3c` and `\/` mean the same.
    The one place where they do not is the raw text of a tagged template.
    """
    inert = re.sub(r"</(?=script)", r"<\\/", code.strip(), flags=re.IGNORECASE)
    return inert.replace("<!--", r"\x3c!--").removesuffix(";")


def safe_style(css: str) -> str:
    r"""CSS that cannot end its element. `</style` can only stand in a string or a comment: `<\/` means the same."""
    return re.sub(r"</(?=style)", r"<\\/", css.strip(), flags=re.IGNORECASE)
