"""Computes at compile time the HTML context of each printed value. The context decides how the value is escaped.

The compiler passes the author's text to the tokenizer piece by piece, and gets an interpolation for each printed value.
It joins contexts where branches meet, and finishes at the template's end:

    context, emitted = advance(context, "<p title=")  # tokenizer: the author's text, plus quotes where needed
    context, interpolation = output(context)          # values: names an escaper of jsrc/runtime/escape
    context = join(after_if, after_else)              # html_context; a loop: until join(start, end) is the start
    finish(context)                                   # html_context

Each of these functions raises HtmlRefusal, with a rule id, a message and a hint, when it refuses the markup.

The service replaces placeholders like `{{svc_app_data}}` in the snippet's text before a browser reads it.
`awning.snippet` makes sure that the text of a template contains none. Rendered HTML may be stored and served again, so
`escapeText` prints `{svc_` of a value as `&#123;svc_`, which gives the same DOM. Otherwise `escapeText` escapes like
markupsafe.

This file imports nothing.
"""
