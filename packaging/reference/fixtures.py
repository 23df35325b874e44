"""The page of awning's pytest plugin: fixtures, what they give a test, markers and options, as pytest knows them."""

import ast
import importlib
import inspect
import io
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import chdir, redirect_stdout
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import pytest

from reference.markdown import code, entries, one_line, page, sentence

OURS = "awning_harness"
CHECKS = f"{OURS}.checks"
"""The package of the checks. Their fixtures are not for authors."""
INTRODUCTION = """\
What awning adds to pytest wherever `awning[harness]` is installed. `awning test` passes its arguments to pytest.
How to use them: [testing](../testing.md)."""

NAMES = "Your editor shows what its members do:"
RAISES = re.compile(r" Raises [^.]+\.(?= |$)")
"""What a method raises fails a test anyhow: editors show it."""


@dataclass
class Seen:
    """Collects what a run of pytest knows: awning's fixtures by name, the lines of all markers, awning's options."""

    fixtures: dict[str, Any] = field(default_factory=dict)
    markers: list[str] = field(default_factory=list)
    options: list[tuple[str, str]] = field(default_factory=list)

    @pytest.hookimpl
    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.markers = list(session.config.getini("markers"))
        for _, plugin in session.config.pluginmanager.list_name_plugin():
            if inspect.ismodule(plugin) and is_for_authors(plugin.__name__):
                self.fixtures |= {
                    fixture.name: fixture for fixture in vars(plugin).values() if is_fixture(fixture)
                }
        groups = session.config._parser._groups  # noqa: SLF001 - pytest has no other list of options
        self.options = [
            (", ".join(option.names()), str(option.attrs().get("help", "")))
            for group in groups
            if group.name == "awning"
            for option in group.options
        ]


def is_for_authors(module: str) -> bool:
    return module.startswith(OURS) and not module.startswith(CHECKS)


def is_fixture(member: object) -> bool:
    return type(member).__name__ == "FixtureFunctionDefinition"


def look(*arguments: str) -> Seen:
    """Return what pytest knows after it has collected an empty folder. Raises RuntimeError when pytest fails."""
    seen = Seen()
    with tempfile.TemporaryDirectory() as empty, chdir(empty), redirect_stdout(io.StringIO()) as output:
        common = ("--collect-only", "-p", "no:cacheprovider", "-p", "no:schemathesis", "--rootdir", empty)
        done = pytest.main([*common, *arguments], plugins=[seen])
    if done != pytest.ExitCode.NO_TESTS_COLLECTED:
        raise RuntimeError(f"pytest ended with {done}:\n{output.getvalue()}")
    return seen


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page."""
    os.environ.pop("PYTEST_ADDOPTS", None)
    yield (
        "pytest.md",
        page("Fixtures, markers and options of pytest", _parts(look(), look("-p", "no:awning"))),
    )


def _parts(ours: Seen, without: Seen) -> Iterator[str]:
    yield INTRODUCTION
    # Two kinds of fixtures are not for authors: overrides of another plugin's fixtures (`is_override`), and those named
    # `awning_...`, which the other fixtures share.
    fixtures = {
        name: fixture.__wrapped__
        for name, fixture in sorted(ours.fixtures.items())
        if fixture.__doc__ and not name.startswith("awning_") and not is_override(name, fixture.__wrapped__)
    }
    yield "## Fixtures"
    described = list(_classes(list(fixtures.values())))
    names = {described_class.__name__ for described_class in described}
    yield entries(
        (code(name), _about(function, _scope(ours.fixtures[name]), names))
        for name, function in fixtures.items()
    )
    yield from _class_parts(described, {gives(function) for function in fixtures.values()})
    yield "## Markers"
    markers = (line.partition(":") for line in ours.markers if line not in without.markers)
    yield entries([(code(f"@pytest.mark.{name}"), sentence(text)) for name, _, text in markers])
    yield "## Options"
    yield entries([(code(names), sentence(text)) for names, text in ours.options])


def _class_parts(described: list[type], of_fixtures: set[str]) -> Iterator[str]:
    """Yield the parts about classes. A member is described once, also when several classes have it.

    Of a class that is not one `of_fixtures`, it has the first sentence about each member, and of one that is only the
    type of an attribute the names of its members: editors show the rest.
    """
    owners: dict[tuple[str, str], str] = {}
    members_of = {described_class: list(_members(described_class)) for described_class in described}
    attributes = {
        result for members in members_of.values() for written, _, result in members if "(" not in written
    }
    for described_class, members in members_of.items():
        name = described_class.__name__
        if name in attributes - of_fixtures:
            yield f"## {name}"
            names = ", ".join(code(written.partition("(")[0]) for written, _, _ in members)
            yield f"{prose(described_class.__doc__)} {NAMES} {names}."
            continue
        shared: dict[str, list[str]] = {}
        rows = []
        for member, about, _ in members:
            owner = owners.setdefault((member, about), name)
            if owner == name:
                rows.append((code(member), about if name in of_fixtures else _first_sentence(about)))
            else:
                shared.setdefault(owner, []).append(code(member.partition("(")[0]))
        yield f"## {name}"
        yield prose(described_class.__doc__)
        yield entries(rows)
        for owner, names_of_owner in shared.items():
            yield f"As in [{code(owner)}](#{owner.lower()}): {', '.join(names_of_owner)}."


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.) (?=[A-Z`])", text, maxsplit=1)[0]


def is_override(name: str, function: Any) -> bool:
    return name in inspect.signature(function).parameters or gives(function) == "None"


def _scope(fixture: Any) -> str:
    return str(fixture._fixture_function_marker.scope)  # noqa: SLF001 - pytest has no other name for it


def _about(function: Any, scope: str, described: set[str]) -> str:
    """Return a fixture's docstring, what it gives (with a link to the class) and how long it lives."""
    name = gives(function)
    result = f"[{code(name)}](#{name.lower()})" if name in described else code(name)
    return (
        f"{prose(function.__doc__)} Gives {result}{'' if scope == 'function' else f', once for the {scope}'}."
    )


def gives(function: Any) -> str:
    """Return the type that a fixture gives, as its annotation names it."""
    annotation = str(inspect.signature(function).return_annotation)
    match = re.fullmatch(r"(?:\w+\.)*(?:Async)?(?:Iterator|Generator)\[([^,]*).*\]", annotation)
    return match[1] if match else annotation


def _classes(functions: list[Any]) -> Iterator[type]:
    """Yield the classes that fixtures give, and those that their methods return, if they have described members."""
    waiting = [
        named for function in functions if (named := _class_named(gives(function), function.__module__))
    ]
    seen: set[type] = set()
    while waiting:
        described = waiting.pop(0)
        members = list(_members(described))
        if described in seen or not members:
            continue
        seen.add(described)
        yield described
        returned = (_class_named(result, described.__module__) for _, _, result in members)
        waiting += [named for named in returned if named]


def _class_named(name: str, module: str) -> type | None:
    """Return awning's class of this name in a module, also when the module imports it for type checkers only.

    Returns None for anything else.
    """
    known = importlib.import_module(module)
    described = getattr(known, name, None)
    if described is None:
        for node in ast.walk(ast.parse(inspect.getsource(known))):
            if isinstance(node, ast.ImportFrom) and name in [alias.name for alias in node.names]:
                described = getattr(importlib.import_module(str(node.module)), name)
    return described if isinstance(described, type) and described.__module__.startswith(OURS) else None


def _members(described: type) -> Iterator[tuple[str, str, str]]:
    """Yield each public member that has a docstring: how it is used, docstring, type that it has or returns.

    The members of its own come before those of awning's classes that it is made from.
    """
    classes = [known for known in described.__mro__ if known.__module__.startswith(OURS)]
    for name, member in chain.from_iterable(vars(known).items() for known in classes):
        function = member.fget if isinstance(member, property) else member
        is_public = name == "__call__" or not name.startswith("_")
        if not is_public or not inspect.isfunction(function) or not function.__doc__:
            continue
        result = _plain(inspect.formatannotation(inspect.signature(function).return_annotation))
        written = name if isinstance(member, property) else name + _call(function, result)
        yield written, RAISES.sub("", prose(function.__doc__)), result


def _call(function: Any, result: str) -> str:
    """Return how a method is called: its parameters with their defaults, and the type of its result.

    The types of parameters are left out: editors show them, and the docstring says what a parameter is.
    """
    signature = inspect.signature(function)
    parameters = [
        parameter.replace(annotation=inspect.Parameter.empty)
        for parameter in signature.parameters.values()
        if parameter.name != "self"
    ]
    bare = signature.replace(parameters=parameters, return_annotation=inspect.Signature.empty)
    return f"{bare}{'' if result == 'None' else f' -> {result}'}"


def _plain(annotation: str) -> str:
    """Return an annotation without its quotes, and without the modules of its names."""
    return re.sub(r"(?:\w+\.)+(?=[A-Z])", "", annotation).replace("'", "")


def prose(docstring: str | None) -> str:
    return one_line(inspect.cleandoc(docstring or ""))
