"""The check knows every argument of a render function. A value of the payload may not go into HTML without escaping."""

import pytest

from awning.check.files import check_text
from awning.contract import SLOTS, Dialect
from awning.contract.payloads import RENDER_ARGUMENTS

ARGUMENTS = [(SLOTS[slot], argument.name) for argument, slots in RENDER_ARGUMENTS for slot in slots]
OF_THE_SERVICE = {"currency", "page"}
"""Arguments without texts of a shop's owner or of a shopper."""


def rules_broken(slot, body):
    script = f'import {{ {slot.function} }} from "awning";\nexport default {slot.function}((all) => {{ {body} }});\n'
    return {item.rule for item in check_text("widgets/a/widget.js", script, Dialect()).diagnostics}


@pytest.mark.parametrize(("slot", "argument"), ARGUMENTS, ids=lambda value: getattr(value, "name", value))
def test_check_reports_an_unescaped_argument(slot, argument):
    broken = rules_broken(slot, f"return `<b>${{all.{argument}.any}}</b>`;")
    assert broken == (set() if argument in OF_THE_SERVICE else {"raw-html"})


@pytest.mark.parametrize(("slot", "argument"), ARGUMENTS, ids=lambda value: getattr(value, "name", value))
def test_check_executes_a_function_that_reads_an_argument(slot, argument):
    payload = "item" if slot.has_product else "cart"
    body = f"const read = all.{argument}.any; return `<b>${{all.{payload}.any}}</b>`;"
    assert rules_broken(slot, body) == {"raw-html"}
