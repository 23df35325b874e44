"""`data.schema.json`: the settings of a shop. Every module that reads app data uses this room.

    reader     a JSON Schema as a tree of parts, and the problems of the schema itself
    schema_part   one part of that tree; the reason of a misfit
    defaults   the values that apply if nothing is set
    misfits    where data does not fit, and why
    reserved_key   the part of the app data that is awning's own: the disabled widgets
    limits     the limits of a number, a text or a list
    words      the sentences in English

It is a room of its own because the workspace, the host, the command line and the harness all check data with it.
"""

from awning.data_schema.defaults import default_of, defaults_of
from awning.data_schema.misfits import Misfit, app_misfits, misfits
from awning.data_schema.reader import SchemaProblem, read_app_schema, read_schema
from awning.data_schema.reserved_key import (
    RESERVED_KEY,
    disabled_widgets,
    keep_reserved,
    with_disabled,
    without_reserved,
)
from awning.data_schema.schema_part import (
    ABSENT,
    ANYTHING,
    Absent,
    SchemaOption,
    SchemaPart,
    ValueProblem,
    has_secrets,
)
from awning.data_schema.words import hint_for, sentence_for

__all__ = [
    "ABSENT",
    "ANYTHING",
    "RESERVED_KEY",
    "Absent",
    "Misfit",
    "SchemaOption",
    "SchemaPart",
    "SchemaProblem",
    "ValueProblem",
    "app_misfits",
    "default_of",
    "defaults_of",
    "disabled_widgets",
    "has_secrets",
    "hint_for",
    "keep_reserved",
    "misfits",
    "read_app_schema",
    "read_schema",
    "sentence_for",
    "with_disabled",
    "without_reserved",
]
