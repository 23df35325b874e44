"""An attribute that is reported as unread can be left out of random templates' contexts without any effect."""

import copy
import json
from functools import lru_cache
from random import Random

import grammar
from volumes import volume

from awning.check.variables import variable_findings
from awning.errors import Faulty
from awning.script.file import ScriptFile
from awning.template.compile import compile_template
from awning.template.reference import reference_environment

ENVIRONMENT = reference_environment()
CONTEXTS = 3


@lru_cache(maxsize=1)
def compiled(template):
    return ENVIRONMENT.from_string(template)


def rendered(template, context):
    try:
        return compiled(template).render(copy.deepcopy(context))
    except Exception as error:  # noqa: BLE001 - that it fails is what is compared
        return type(error)


def without(value, path):
    """The value without the attribute at `path`, in all items of lists on the path."""
    if isinstance(value, list):
        return [without(item, path) for item in value]
    if not isinstance(value, dict):
        return value
    remaining = {name: inner for name, inner in value.items() if name != path[0] or len(path) > 1}
    return {name: without(inner, path[1:]) if name == path[0] else inner for name, inner in remaining.items()}


def unread(reads, context):
    names = {variable.name for variable in reads}
    arguments = json.dumps({name: value for name, value in context.items() if name in names})
    script = f'import view from "./view.html.j2";\nview({arguments});\n'
    diagnostics = variable_findings(ScriptFile(path="widget.js", text=script), {"view.html.j2": reads}, {})
    return [
        diagnostic.message.split('"')[1] for diagnostic in diagnostics if diagnostic.severity == "warning"
    ]


def reads_of(template):
    try:
        return compile_template(template, path="view.html.j2").reads or ()
    except Faulty:
        return ()


def test_variables_reported_as_unread_do_not_change_the_output():
    dice = Random("unread")
    reported = 0
    for _ in range(volume("templates-unread")):
        template = grammar.template(dice)
        reads = reads_of(template)
        for context in grammar.contexts(template, dice, CONTEXTS):
            whole = rendered(template, context)
            if not isinstance(whole, str) or " object at 0x" in whole:
                continue
            for path in unread(reads, context):
                reported += 1
                assert rendered(template, without(context, path.split("."))) == whole, (path, template)
    assert reported
