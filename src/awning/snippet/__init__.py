"""Composes head and body HTML from bundled style and script, and measures its size.

compose        the HTML, with the service's placeholders; code in it cannot close its own <script> or <style>
placeholders   finds placeholders that must not be in a snippet
inline         the hashes of inline scripts and styles for a Content Security Policy
weigh          bytes, raw and gzip, compared with the budget
"""

from awning.snippet.compose import (
    Parts,
    compose,
    compose_unstamped,
    index_of_script,
    named_html,
    safe_style,
    stamp,
    style_element,
)
from awning.snippet.inline import inline_elements
from awning.snippet.placeholders import (
    joined_placeholder,
    spells_placeholder,
    written_placeholders,
)
from awning.snippet.weigh import Weight, over_budget, weigh

__all__ = [
    "Parts",
    "Weight",
    "compose",
    "compose_unstamped",
    "index_of_script",
    "inline_elements",
    "joined_placeholder",
    "named_html",
    "over_budget",
    "safe_style",
    "spells_placeholder",
    "stamp",
    "style_element",
    "weigh",
    "written_placeholders",
]
