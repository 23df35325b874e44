"""`data.schema.json`: the settings of a shop. Every reader of app data uses this room.

    read       a JSON Schema as a tree of parts, and the problems of the schema itself
    part       one part of that tree
    defaults   the values that hold where nothing is set
    misfits    where data does not fit, and why
    limits     the limits of a number, a text or a list
    problem    one reason, as a code with a sentence in every language
    words      the sentences in English

A room of its own because the workspace, the host, the command line and the harness all hold data to it.
"""

from awning.data_schema.defaults import default_of, defaults_of
from awning.data_schema.misfits import Misfit, app_misfits, misfits
from awning.data_schema.part import ABSENT, ANYTHING, Absent, Option, Part, has_secrets
from awning.data_schema.problem import Problem
from awning.data_schema.read import SchemaFault, read_app_schema, read_schema
from awning.data_schema.words import hint_for, sentence_for

__all__ = [
    "ABSENT",
    "ANYTHING",
    "Absent",
    "Misfit",
    "Option",
    "Part",
    "Problem",
    "SchemaFault",
    "app_misfits",
    "default_of",
    "defaults_of",
    "has_secrets",
    "hint_for",
    "misfits",
    "read_app_schema",
    "read_schema",
    "sentence_for",
]
