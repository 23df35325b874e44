"""A settings form made from a data schema, independent of HTTP and HTML.

fields    the groups and fields of the schema, in the schema's order
filling   makes new data from the posted texts and the stored data, and collects the problems
view      the fields as a page shows them, in one language
"""

from awning.host.form.fields import Field, FieldKind, Group, fields_of, read_form
from awning.host.form.filling import FilledForm, fill
from awning.host.form.view import FieldView, GroupView, unshown, view_of

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
    "unshown",
    "view_of",
]
