"""The names that "awning" has for authors, read from the runtime's own sources."""

import re
from functools import cache

from awning.check.imports import Exported
from awning.jsrc import jsrc_root

_CLAUSE = re.compile(r"^export (type )?\{([^}]*)\}", re.MULTILINE)
_TYPE = re.compile(r"^export (?:declare )?(?:type|interface|enum) (\w+)", re.MULTILINE)


@cache
def exported() -> Exported:
    """Values and types of jsrc/runtime/index.ts; of the types that it hands on whole, all."""
    runtime = jsrc_root() / "runtime" / "index.ts"
    values: set[str] = set()
    types: set[str] = set()
    for match in _CLAUSE.finditer(runtime.read_text(encoding="utf-8")):
        for name in (part.strip() for part in match[2].split(",") if part.strip()):
            of_type = match[1] is not None or name.startswith("type ")
            (types if of_type else values).add(name.removeprefix("type ").split(" as ")[-1])
    for source in sorted((jsrc_root() / "types").glob("*.ts")):
        types |= set(_TYPE.findall(source.read_text(encoding="utf-8")))
    return Exported(values=frozenset(values), types=frozenset(types))
