"""Where a value stands in the HTML, and so how it must be escaped: decided when the template is compiled.

An HTML5 tokenizer of our own as a transition table over a frozen context, in the manner of Go's html/template. The
compiler feeds it the author's text piece by piece, asks for a hole wherever a value is printed, joins contexts where
branches meet, and finishes at the template's end:

    context, emitted = advance(context, "<p title=")      # the author's text verbatim, plus quotes where needed
    context, hole = output(context)                       # names an escaper of jsrc/runtime/escape
    context = join(after_if, after_else)                  # for a loop: again until join(start, end) is the start
    finish(context)

What is refused is refused with a rule id, a sentence and a hint (HtmlFault). The tables: elements.py and attributes.py
say what is known of HTML; url.py, srcset.py and css.py read the languages inside attributes; hole.py names escapers.

    context ── machine ─┬─ tags, elements            holes, joins
                        ├─ attribute_values ── attributes, url, srcset, css
                        ├─ raw
                        └─ declarations

Placeholders of the service. It replaces `{{svc_app_data}}` in the snippet's text before any browser reads it, so what
must never spell one is the text of the built snippet: the snippet room sees to that. A value printed at run time is not
in the snippet, but rendered HTML may be stored and served again, so escapeText breaks those too, invisibly in the
DOM: `{svc_` becomes `&#123;svc_`, and no other text differs from markupsafe's.
"""

from awning.template.html.context import START, Context, State
from awning.template.html.holes import output
from awning.template.html.interpolation import Hole, HtmlFault, Kind
from awning.template.html.joins import describe, finish, join
from awning.template.html.machine import Move, advance, moves

__all__ = [
    "START",
    "Context",
    "Hole",
    "HtmlFault",
    "Kind",
    "Move",
    "State",
    "advance",
    "describe",
    "finish",
    "join",
    "moves",
    "output",
]
