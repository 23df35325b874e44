"""A settings form from a data schema, without HTTP and HTML.

fields    makes groups and fields from the schema, in the schema's order
filling   makes new data and problems from posted texts and stored data
view      makes the fields as a page shows them, in a language
"""

from awning.host.form.fields import Field, FieldKind, Group, fields_of, read_form
from awning.host.form.filling import FilledForm, fill
from awning.host.form.view import FieldView, GroupView, view_of

__all__ = [
    "Field",
    "FieldKind",
    "FieldView",
    "FilledForm",
    "Group",
    "GroupView",
    "fields_of",
    "fill",
    "read_form",
    "view_of",
]
