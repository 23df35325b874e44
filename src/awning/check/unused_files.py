"""Finds files in a widget's folder that awning does not read, but that the author probably expects it to read.

These are other style sheets, other TOML files directly in the folder, other files in messages/, a folder of messages
with a wrong name, and files whose names are similar to a name that awning reads. A script, a template or a style may
read any file by its name. Such a file is not reported.
"""

from collections.abc import Callable, Iterable, Iterator

from awning.contract import is_language_code
from awning.diagnostics import Diagnostic, Place, did_you_mean

_TABLES = ("widget.toml", "states.toml")
_SCHEMA = "data.schema.json"
_STYLE = "style.css"
_MESSAGES = "messages"
_TEMPLATE = "view.html.j2"
_NEAR = 0.7
"""From this similarity on, between 0 and 1, a name counts as a misspelling of a name that awning reads."""


def unused_files(widget: str, paths: Iterable[str], is_named: Callable[[str], bool]) -> Iterator[Diagnostic]:
    """Yield a warning for each file, and each folder of messages, that is probably misnamed.

    `paths` are relative to the workspace. `is_named` returns whether another file has this name in its text.
    """
    folder = f"widgets/{widget}/"
    reported: set[str] = set()
    for path in paths:
        place, hint = _misnamed(path.removeprefix(folder))
        name = path.rpartition("/")[2]
        if hint and place not in reported and not is_named(name):
            reported.add(place)
            yield Diagnostic(
                rule="file-unused",
                message=f"awning does not read {place}",
                place=Place(path=folder + place.removesuffix("/")),
                hint=hint,
            )


def _misnamed(path: str) -> tuple[str, str | None]:
    """Return the path of the misnamed file or folder, and the hint. The hint is None if `path` is not to be reported.

    Both paths are relative to the widget.
    """
    folder, _, inner = path.partition("/")
    if not inner:
        return path, _hint(path)
    if path.endswith(".css"):
        return (
            path,
            f"a widget's style is {_STYLE} in its folder; move the rules there, or import the file there",
        )
    if folder == _MESSAGES:
        return path, None if path.endswith(".toml") else f"messages are in {_MESSAGES}/<language>.toml"
    stem, dot, ending = inner.partition(".")
    is_messages = (dot, ending) == (".", "toml") and is_language_code(stem)
    return f"{folder}/", f"message files are in {_MESSAGES}/; rename the folder" if is_messages else None


def _hint(name: str) -> str | None:
    """Return the hint for a file directly in the widget's folder; None if awning reads the file.

    A style sheet or a TOML file always gets a hint. Any other file gets one only if its name is similar to a name that
    awning reads.
    """
    stem, _, ending = name.rpartition(".")
    if name in (*_TABLES, _SCHEMA, _STYLE) or name.endswith(".html.j2"):
        return None
    if ending == "css":
        return f"a widget's style is {_STYLE}: rename the file, or import it there"
    if ending == "toml":
        expected = f"a widget has {' and '.join(_TABLES)}; message files are in {_MESSAGES}/"
        return did_you_mean(name, _TABLES, cutoff=_NEAR) or expected
    near = {"html": _TEMPLATE, "j2": _TEMPLATE, "json": _SCHEMA}.get(ending)
    return did_you_mean(name, (near,), cutoff=_NEAR) if near and stem else None
