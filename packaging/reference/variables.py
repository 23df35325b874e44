"""The page of the environment variables, from the table (`VARIABLES`) that `.env` and `awning doctor` use."""

from collections.abc import Iterator

from awning.workspace.variables import FILE, VARIABLES, Variable
from reference.markdown import code, entries, one_line, page

INTRODUCTION = f"""\
Each flag of the command line has a variable of its own, named after it: `AWNING_BUILD_JSON=1` means
`awning build --json` ([the command line](cli/README.md)). These are the others. A secret may also come from a keyring
(service `awning`, the variable's name as the user), or from the file that the variable with `{FILE}` at its end names.
[`.env`](../profiles.md#env) sets none that names a program or a browser, or says whom you trust."""

FLAGS = """\
In `.env`, a flag's variable applies where the value is a switch, a number or one of a few words. A flag with another
value may name a program, a file or an address: set it in the environment."""


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of the page."""
    yield "variables.md", page("Variables", (INTRODUCTION, _variables(), FLAGS))


def _variables() -> str:
    return entries((code(variable.name), one_line(_about(variable))) for variable in VARIABLES)


def _about(variable: Variable) -> str:
    secret = f" A secret{f', also `{variable.name}{FILE}`' if variable.has_file else ''}."
    refused = " Not in `.env`."
    return f"{variable.about}{secret if variable.secret else ''}{refused if variable.refused else ''}"
