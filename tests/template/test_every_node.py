"""Each node class, filter and test of Jinja2 is handled or refused by name."""

from importlib import import_module
from pathlib import Path

import jinja2.nodes
import pytest
from jinja2.filters import FILTERS
from jinja2.tests import TESTS

from awning.template import filters, methods, tests
from awning.template.coverage import coverage_page
from awning.template.lowering import REFUSED, lower_expression, lower_statement
from awning.template.methods import DICT_METHODS, OTHER_METHODS

INSIDE = {"Keyword", "Operand", "Pair"}
"""Parts of expressions that are lowered together with the expression around them."""

ABSTRACT = {
    "BinExpr",
    "EvalContextModifier",
    "Expr",
    "Helper",
    "Literal",
    "Stmt",
    "UnaryExpr",
    "_FilterTestCommon",
}
"""Base classes, of which Jinja2 makes no nodes. Extensions may make EvalContextModifier; it is refused."""


def concrete() -> list[type[jinja2.nodes.Node]]:
    classes: list[type[jinja2.nodes.Node]] = []
    waiting = [jinja2.nodes.Node]
    while waiting:
        subclasses = waiting.pop().__subclasses__()
        waiting += subclasses
        classes += [
            node for node in subclasses if node.__module__ == "jinja2.nodes" and node.__name__ not in ABSTRACT
        ]
    return sorted(classes, key=lambda node: node.__name__)


import_module("awning.template.statements")  # registers the lowering of each node


@pytest.mark.parametrize("node", concrete(), ids=lambda node: node.__name__)
def test_every_node_class_is_handled_or_refused(node: type[jinja2.nodes.Node]) -> None:
    tables = (lower_expression.registry, lower_statement.registry, REFUSED)
    assert sum(node in table for table in tables) == (0 if node.__name__ in INSIDE else 1)


def test_every_filter_of_jinja_is_supported_or_refused() -> None:
    assert set(filters.SUPPORTED) | set(filters.REFUSED) == set(FILTERS)
    assert not set(filters.SUPPORTED) & set(filters.REFUSED)


def test_every_test_of_jinja_has_a_row() -> None:
    assert set(tests.SUPPORTED) == set(TESTS)


def test_every_method_of_python_is_supported_or_refused() -> None:
    known = set(methods.SUPPORTED) | set(methods.REFUSED) | {"format"}
    assert (DICT_METHODS | OTHER_METHODS) - {"real", "imag", "numerator", "denominator"} <= known
    assert known - DICT_METHODS - OTHER_METHODS == {"next", "reset"}


def test_coverage_page_in_docs_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "template-coverage.md"
    again = "run: python -m awning.template.coverage > docs/template-coverage.md"
    assert page.read_text(encoding="utf-8") == coverage_page(), again
