"""A settings form from a data schema, without HTTP and HTML.

fields    the schema as groups and fields, in its order
filling   posted texts and stored data become new data and problems
view      the fields as a page shows them, in a language
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
