"""The code uses the words of docs/glossary.md."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GLOSSARY = ROOT / "docs" / "glossary.md"
_DEFINITION = re.compile(r"^\s*(?:async )?(class|def) (\w+)", re.MULTILINE)
_COMPONENT = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def words_that_are_not_used() -> list[str]:
    section = GLOSSARY.read_text().split("## Words that are not used")[1].split("\n## ")[0]
    return re.findall(r"^- `([^`]+)`", section, re.MULTILINE)


def words_that_need_a_second_one() -> list[str]:
    section = GLOSSARY.read_text().split("## Names that need a second word")[1].split("\n## ")[0]
    paragraph = next(part for part in section.split("\n\n") if part.startswith("Answer"))
    return [word.strip() for word in paragraph.replace("\n", " ").split(",")]


@cache
def names() -> frozenset[tuple[str, str, bool]]:
    """Each name as `path:name`, the name, and whether it is a function's."""
    definitions = set()
    for path in (file for top in ("src", "harness") for file in (ROOT / top).rglob("*.py")):
        where = path.relative_to(ROOT).as_posix()
        definitions.add((f"{where}:{path.stem}", path.stem, False))
        for match in _DEFINITION.finditer(path.read_text()):
            definitions.add((f"{where}:{match[2]}", match[2], match[1] == "def"))
    return frozenset(definitions)


@cache
def components(name: str) -> list[str]:
    return [part.lower() for part in _COMPONENT.findall(name)]


def test_glossary_has_terms_and_forbidden_words() -> None:
    assert {"hole", "ledger", "drive"} <= set(words_that_are_not_used())
    assert {"Kind", "Session", "Walk"} <= set(words_that_need_a_second_one())


@pytest.mark.parametrize("word", words_that_are_not_used())
def test_no_name_has_a_word_forbidden_by_the_glossary(word: str) -> None:
    wrong = {at for at, name, _ in names() if not {word, f"{word}s"}.isdisjoint(components(name))}
    assert not wrong


@pytest.mark.parametrize("word", words_that_need_a_second_one())
def test_no_class_or_module_is_named_by_a_generic_word_alone(word: str) -> None:
    wrong = {at for at, name, function in names() if not function and name.strip("_").lower() == word.lower()}
    assert not wrong


def variables_without_a_noun() -> set[str]:
    section = GLOSSARY.read_text().split("## Variables")[1]
    return set(re.findall(r"`(\w+)`", section.split("not used:")[1]))


def bound_name(node: ast.AST) -> str:
    """The variable, parameter or attribute that a node binds; empty for other nodes."""
    match node:
        case (
            ast.Name(id=name, ctx=ast.Store()) | ast.Attribute(attr=name, ctx=ast.Store()) | ast.arg(arg=name)
        ):
            return name.strip("_")
    return ""


def test_no_variable_has_a_forbidden_name() -> None:
    names = variables_without_a_noun()
    assert "found" in names
    bindings = [
        f"{path.relative_to(ROOT)}:{node.lineno}: {bound_name(node)}"
        for top in ("src", "harness", "packaging", "benchmarks")
        for path in sorted((ROOT / top).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if bound_name(node) in names
    ]
    assert bindings == []
