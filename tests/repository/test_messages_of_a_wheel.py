"""A message names no page of the docs: an installed wheel has none. `awning explain` shows those of the rules."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from awning.rules import find_rule
from awning.template.filters import SUPPORTED

ROOT = Path(__file__).parents[2]
PAGE = re.compile(r"\bdocs/(?!rules/)[\w/-]+\.md\b")
SHIPPED = ("src/awning", "harness/awning_harness")
VERBS = ("src/awning/cli", "harness/awning_harness/commands.py")


def messages(path: Path) -> Iterator[str]:
    """Yield the texts of a module: strings with a space that are no docstrings, and the help of verbs."""
    nodes = [*ast.walk(ast.parse(path.read_text(encoding="utf-8")))]
    documenting = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    is_verb = path.relative_to(ROOT).as_posix().startswith(VERBS)
    for node in nodes:
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value
        if is_text and id(node) not in documenting:
            yield node.value
        if is_verb and isinstance(node, ast.FunctionDef) and node.decorator_list:
            yield ast.get_docstring(node) or ""


def test_messages_name_no_page_that_a_wheel_lacks():
    modules = [path for folder in SHIPPED for path in sorted((ROOT / folder).rglob("*.py"))]
    naming = {
        path.relative_to(ROOT).as_posix(): page[0]
        for path in modules
        for text in messages(path)
        if (page := PAGE.search(text))
    }
    assert naming == {}


def test_scaffold_names_no_page_that_a_wheel_lacks():
    files = (ROOT / "src/awning/workspace/scaffold").rglob("*.*")
    texts = {file.name: file.read_text(encoding="utf-8") for file in files if file.suffix != ".pyc"}
    assert [name for name, text in texts.items() if PAGE.search(text)] == []


def test_page_of_the_rule_lists_each_filter_of_jinja():
    page = find_rule("template-filter").text
    assert [name for name in SUPPORTED if f"`{name}`" not in page] == []
