"""What the check of types adds to the scripts, from the templates and the data schemas of a build."""

import posixpath
import re
from collections.abc import Mapping

from awning.data_schema import DATA, data_objects, read_schema
from awning.script import ScriptFile
from awning.template.compiled_template import CompiledTemplate
from awning.template.types import Variable
from awning.typescript import (
    DATA_MODULE,
    NO_DATA_TYPE,
    CheckedText,
    DataObjects,
    text_with_additions,
)
from awning.workspace import Widget

DECLARES = re.compile(r"\bdeclare\s+(?:global|module)\b")


def checked_text(
    script: ScriptFile, widget: Widget | None, modules: Mapping[str, CompiledTemplate]
) -> CheckedText | None:
    """Return the text of a script of a widget, or of another folder, with additions; None if there are none.

    `modules` are the compiled templates.
    """
    if DECLARES.search(script.text):
        return None  # it would declare the same twice

    def reads(template: str) -> tuple[Variable, ...]:
        module = modules.get(template)
        return (module.reads if module else None) or ()

    return text_with_additions(script, reads, _data_type(script, widget))


def _data_type(script: ScriptFile, widget: Widget | None) -> str:
    """Return the type of `data` in a script. It is known in the folder of a widget.

    If the script imports the type and there is no schema, the import is the mistake.
    """
    if widget is None:
        return "any"
    if widget.data_schema is None:
        has_import = any(each.module.endswith(DATA_MODULE) for each in script.facts.imports)
        return "any" if has_import else f'import("awning").{NO_DATA_TYPE}'
    schema = posixpath.relpath(f"widgets/{widget.name}/{DATA_MODULE}", posixpath.dirname(script.path))
    return f'import("{schema if schema.startswith(".") else f"./{schema}"}").Data'


def objects_of_data(widget: Widget | None) -> DataObjects:
    """Return the objects of a widget's data by the name of their type. None are known for other folders."""
    if widget is None:
        return {}
    if widget.data_schema is None:
        return {NO_DATA_TYPE: (DATA, ())}
    schema, _ = read_schema(widget.data_schema)
    objects = {each.type_name: (each.path, each.keys) for each in data_objects(schema)}
    whole = next((each for each in objects.values() if each[0] == DATA), None)
    return {**objects, NO_DATA_TYPE: whole} if whole else objects
