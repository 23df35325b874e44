"""The run-time library exports each helper that the compiler uses."""

import re
import subprocess
from pathlib import Path

import pytest

from awning.bundle import find_esbuild
from awning.jsrc import jsrc_root
from awning.template import expressions, filters, methods, tests
from awning.template.expressions import operators
from awning.template.library import FILES

SOURCES = Path(expressions.__file__).parent.parent


def used_helpers() -> set[str]:
    """The helpers that are named in the compiler's tables or code."""
    named = {spec.helper for spec in filters.SUPPORTED.values()}
    named |= {helper for helper, _ in tests.SUPPORTED.values()}
    named |= {f"method_{name}" for name in methods.SUPPORTED}
    named |= {"order", *operators.COMPARISONS.values()} | set(operators.ARITHMETIC.values())
    for path in SOURCES.rglob("*.py"):
        named |= set(re.findall(r"""\.use\(["'](\w+)["']\)""", path.read_text(encoding="utf-8")))
    return (named | {"put", "putIn", "dict_of", "namespace_of", "located"}) - operators.NUMERIC.keys()


def exported() -> set[str]:
    entry = jsrc_root() / "runtime" / "template" / "index.ts"
    command = [find_esbuild().path, entry, "--bundle", "--format=esm", "--target=es2020"]
    text = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout
    listed = text[text.rindex("export {") :]
    return set(re.findall(r"(\w+)(?:,|\n)", listed))


@pytest.mark.usefixtures("processes")
def test_every_helper_that_the_compiler_uses_exists() -> None:
    assert used_helpers() - exported() == set()


def test_every_helper_that_the_compiler_uses_is_in_its_own_file() -> None:
    """A helper that its file does not export comes from the index instead, which only makes bundling slower."""
    runtime = jsrc_root() / "runtime"
    for helper, file in FILES.items():
        text = (runtime / f"{file.removeprefix('awning/')}.ts").read_text(encoding="utf-8")
        assert re.search(rf"^export (?:const|function|class|.* as) {helper}\b", text, re.MULTILINE), helper
    assert [helper for helper in used_helpers() - FILES.keys() if not helper.startswith("filter_")] == []
