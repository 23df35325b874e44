"""A settings form from a schema: what can be set, what was entered, what is wrong with it.

    fields    the schema as groups and fields, in its own order
    entry     what a browser posted, as a value or a problem
    filled    the whole form at once: posted texts and stored data to new data and problems
    view      fields as a page shows them, in a language

Knows nothing of HTTP or HTML: posted names and texts in, values and problems out.
"""

from awning.host.form.fields import Field, Group, Kind, fields_of, read_form
from awning.host.form.filled import Filled, fill
from awning.host.form.view import FieldView, GroupView, view_of

__all__ = [
    "Field",
    "FieldView",
    "Filled",
    "Group",
    "GroupView",
    "Kind",
    "fields_of",
    "fill",
    "read_form",
    "view_of",
]
