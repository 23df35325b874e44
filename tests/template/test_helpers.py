"""The run-time library exports each helper that the compiler uses."""

import re
from collections import Counter
from pathlib import Path

from awning.jsrc import jsrc_root
from awning.template import compile as compiler
from awning.template import expressions, filters, methods, own_filters, tests
from awning.template.compile import helper_files
from awning.template.expressions import operators

SOURCES = Path(expressions.__file__).parent.parent


def used_helpers() -> set[str]:
    """The helpers that are named in the compiler's tables or code."""
    named = {spec.helper for table in (filters.SUPPORTED, own_filters.FILTERS) for spec in table.values()}
    named |= {test.helper for test in tests.SUPPORTED.values() if test.helper}
    named |= {f"method_{name}" for name in methods.SUPPORTED}
    named |= {"order", *operators.COMPARISONS.values()} | set(operators.ARITHMETIC.values())
    for path in SOURCES.rglob("*.py"):
        named |= set(re.findall(r"""\.use\(["'](\w+)["']\)""", path.read_text(encoding="utf-8")))
    return (named | {"put", "putIn", "dict_of", "namespace_of", "located"}) - operators.NUMERIC.keys()


def test_every_helper_that_the_compiler_uses_is_in_a_file() -> None:
    assert used_helpers() - helper_files().keys() == set()


def test_no_two_files_export_the_same_name() -> None:
    runtime = jsrc_root() / "runtime"
    sources = [file for folder in compiler._FOLDERS for file in (runtime / folder).rglob("*.ts")]
    names = Counter(name for file in sources if file.name != "index.ts" for name in compiler._exported(file))
    assert [name for name, count in names.items() if count > 1] == []
