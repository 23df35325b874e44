"""Reads data schemas (`data.schema.json`), and checks app data against them.

    keywords       the keywords that are known, and value_formats those of `format`
    schema_reader  reads a JSON Schema as a tree of parts, and finds the problems of the schema itself
    schema_part    one part of that tree, its defaults, and the reason why a value does not fit
    patterns       matches texts with patterns in limited time, and finds patterns that take too long
    fields         the fields of a form for the data
    misfits        finds the values that do not fit, or that may not fit a later schema
    value_changes  what a write of app data changes and drops, what differs between two states, and a change taken back
    limits         checks the limits of a number, a text or a list
    words          describes misfits in English
    versions       what awning stores beside settings: versions of widgets' data, and the disabled widgets

It is a package of its own because the workspace, the host, the command line and the harness all check data with it.
"""

from awning.data_schema.fields import Field, FieldKind, Group, Rows, fields_of, new_row, read_form
from awning.data_schema.misfits import Misfit, app_misfits, misfits, settings_in, unversioned_changes
from awning.data_schema.reserved_key import (
    RESERVED_KEY,
    disabled_widgets,
    keep_reserved,
    stopped_widgets,
    with_disabled,
    without_reserved,
)
from awning.data_schema.schema_part import (
    ABSENT,
    ANYTHING,
    DATA,
    Absent,
    DataObject,
    Path,
    SchemaOption,
    SchemaPart,
    ValueProblem,
    data_objects,
    default_of,
    defaults_of,
    has_secrets,
)
from awning.data_schema.schema_reader import SchemaProblem, read_app_schema, read_schema
from awning.data_schema.value_changes import (
    DataChange,
    ValueChange,
    are_same,
    change_of,
    take_back,
    value_at,
    value_changes,
)
from awning.data_schema.versions import (
    VERSION_KEY,
    VERSION_KEYWORD,
    data_version,
    earlier_parts,
    has_settings,
    later_parts,
    schema_version,
    with_new_versions,
    with_version,
    with_versions_of,
)
from awning.data_schema.words import hint_for, kind_of, sentence_for, shown_path

__all__ = [
    "ABSENT",
    "ANYTHING",
    "DATA",
    "RESERVED_KEY",
    "VERSION_KEY",
    "VERSION_KEYWORD",
    "Absent",
    "DataChange",
    "DataObject",
    "Field",
    "FieldKind",
    "Group",
    "Misfit",
    "Path",
    "Rows",
    "SchemaOption",
    "SchemaPart",
    "SchemaProblem",
    "ValueChange",
    "ValueProblem",
    "app_misfits",
    "are_same",
    "change_of",
    "data_objects",
    "data_version",
    "default_of",
    "defaults_of",
    "disabled_widgets",
    "earlier_parts",
    "fields_of",
    "has_secrets",
    "has_settings",
    "hint_for",
    "keep_reserved",
    "kind_of",
    "later_parts",
    "misfits",
    "new_row",
    "read_app_schema",
    "read_form",
    "read_schema",
    "schema_version",
    "sentence_for",
    "settings_in",
    "shown_path",
    "stopped_widgets",
    "take_back",
    "unversioned_changes",
    "value_at",
    "value_changes",
    "with_disabled",
    "with_new_versions",
    "with_version",
    "with_versions_of",
    "without_reserved",
]
