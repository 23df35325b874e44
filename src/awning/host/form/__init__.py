"""A settings form made from a data schema, independent of HTTP and HTML.

filling     makes new data from the posted texts and the stored data, and collects the problems
arranging   adds, removes and moves the rows of a posted form
origins     from which stored row each posted row comes
view        the fields as a page shows them, in one language; shown has their shapes

Its fields are `awning.data_schema.fields`, which also the form of `awning dev` is made from.
"""

from awning.host.form.arranging import Arranged, arrange, has_too_many_rows, without_rows_around
from awning.host.form.filling import FilledForm, fill
from awning.host.form.shown import FieldView, FormContents, GroupView, RowsView
from awning.host.form.view import unshown, view_of

__all__ = [
    "Arranged",
    "FieldView",
    "FilledForm",
    "FormContents",
    "GroupView",
    "RowsView",
    "arrange",
    "fill",
    "has_too_many_rows",
    "unshown",
    "view_of",
    "without_rows_around",
]
