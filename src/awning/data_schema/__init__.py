"""`data.schema.json`: what a shop can set, read once and held to in one way, wherever app data is met.

    read       a JSON Schema as a tree of parts, and what is wrong with the schema itself
    part       one part of that tree
    defaults   what holds where nothing is set
    misfits    where data does not fit, and why
    limits     the limits of a number, a text or a list
    problem    one reason, as a code that every language has a sentence for
    words      reasons and what would fit, in English

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
