"""Writes the files of a new workspace or of one more widget. The result builds and passes its tests unchanged.

manifest.toml has the examples of the fields. The other files are in `scaffold/`, with `$name`, `$title`, `$slot`,
`$function`, `$page`, `$payload`, `$language` and `$languages` as variables. A slot without a folder of its own has the
files of `any-slot`. No existing file is overwritten: either all files are written, or none.
"""

import json
import re
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template
from typing import Any

from awning.contract import is_language_code
from awning.contract.manifest_fields import TABLES, example_manifest
from awning.contract.slots import FIRST_SLOT, SLOTS
from awning.errors import ConfigurationError
from awning.workspace.messages import categories
from awning.workspace.widgets import WIDGET_NAMES, is_widget_name

FIRST_LANGUAGES = ("en", "lv")
"""The languages of a new workspace, unless the caller names others."""

CI_FILES: Mapping[str, Mapping[str, str]] = {
    "github": {"requirements.txt": "requirements.txt", "widgets.yml": ".github/workflows/widgets.yml"},
    "gitlab": {"requirements.txt": "requirements.txt", "gitlab-ci.yml": ".gitlab-ci.yml"},
}
"""The files for CI, by forge: the path of each file in a workspace, by the file's name in the scaffold."""

_ENGLISH_TEXTS = re.compile(r"^(?:shows|hides) = \{ en = .*\n", re.MULTILINE)
"""Matches the English texts that the scaffold's states expect. They are removed in a workspace without English."""

_MANIFEST_HEAD = """\
#:schema .awning/types/manifest.schema.json
# The app as the catalogue lists it. Replace the example addresses before you submit it.
# The secret is never here: AWNING_APP_SECRET."""

_FINAL_NAMES = {
    "env.example": ".env.example",
    "gitignore": ".gitignore",
    "pyproject.toml.in": "pyproject.toml",
    "test_widget.py.in": "test_{name}.py",
}
"""The final names of scaffold files that have another name in the package.

Inside the package, tools such as pytest would use files with the final names.
"""


def make_workspace(
    path: Path,
    *,
    slot: str = FIRST_SLOT,
    languages: tuple[str, ...] = FIRST_LANGUAGES,
    ci: str | None = None,
) -> tuple[Path, ...]:
    """Write a workspace with one widget to `path`. Returns the paths of the files, relative to `path`.

    `ci` is a key of `CI_FILES`: the files for the CI of this forge are then written, too. Raises ConfigurationError
    when a file exists already or cannot be written.
    """
    name = SLOTS[slot].first
    values = {
        "title": title_from_name(path.resolve().name),
        "name": name,
        "languages": ", ".join(f'"{language}"' for language in languages),
    }
    files = _fill(_scaffold("workspace"), values)
    files["manifest.toml"] = _manifest(values["title"], languages)
    return write_files(path, files | _widget(name, slot, languages) | (_ci(ci) if ci else {}))


def add_ci(root: Path, forge: str) -> tuple[Path, ...]:
    """Write the files for the CI of a forge, a key of `CI_FILES`. Returns the files, relative to `root`.

    Raises ConfigurationError when a file exists already or cannot be written.
    """
    return write_files(root, _ci(forge))


def add_widget(
    root: Path, name: str, *, slot: str, languages: tuple[str, ...], bare: bool = False
) -> tuple[Path, ...]:
    """Write a widget with texts in `languages` to the workspace at `root`. Returns the files, relative to `root`.

    `bare` leaves out everything that a widget does not need: style, settings, states and tests. Raises
    ConfigurationError when the name or the slot is wrong, or when a file exists already or cannot be written.
    """
    require_free_name(root, name)
    if slot not in SLOTS:
        raise ConfigurationError(f'there is no slot "{slot}"', hint=f"slots: {', '.join(SLOTS)}")
    return write_files(root, _bare(name, slot, languages) if bare else _widget(name, slot, languages))


def require_free_name(root: Path, name: str) -> None:
    """Raise ConfigurationError when a widget cannot have this name, or when a widget has it already."""
    if not is_widget_name(name):
        raise ConfigurationError(f'"{name}" cannot be a widget\'s name', hint=WIDGET_NAMES)
    if (root / "widgets" / name).exists():
        raise ConfigurationError(f"widgets/{name} exists already", hint="choose another name")


def read_languages(text: str) -> tuple[str, ...]:
    """Split language codes separated by spaces: `en lv`.

    Raises ConfigurationError when there is no code, an invalid code, or the same code twice.
    """
    codes = tuple(text.split())
    if not codes:
        raise ConfigurationError("a workspace needs a language", hint='example: --languages "en lv"')
    for index, code in enumerate(codes):
        if not is_language_code(code):
            hint = 'codes are separated by spaces, example: --languages "en lv pt-BR"'
            raise ConfigurationError(f'"{code}" is not a language code', hint=hint)
        if code in codes[:index]:
            raise ConfigurationError(f'the language "{code}" is named twice', hint="leave one of them out")
    return codes


def title_from_name(name: str) -> str:
    """Return the title for a name: `My app` for `my-app`.

    It has only letters, digits and spaces, so that TOML and JSON need no escapes.
    """
    words = " ".join(re.sub(r"[\W_]", " ", name).split())
    return words[:1].upper() + words[1:] or "App"


def _scaffold(name: str) -> Traversable:
    return files("awning.workspace").joinpath("scaffold", name)


def _widget(name: str, slot: str, languages: tuple[str, ...]) -> dict[str, str]:
    values = _values(name, slot, languages)
    own = _scaffold(slot) if _scaffold(slot).is_dir() else _scaffold("any-slot")
    files = _fill(_scaffold("widget"), values) | _fill(own, values)
    files |= {f"messages/{language}.toml": _messages(own, language) for language in languages}
    if "en" not in languages:
        files["states.toml"] = _ENGLISH_TEXTS.sub("", files["states.toml"])
    return {f"widgets/{name}/{path}": text for path, text in files.items()}


def _values(name: str, slot: str, languages: tuple[str, ...]) -> dict[str, str]:
    """Return the variables of a widget's scaffold."""
    described = SLOTS[slot]
    return {
        "name": name,
        "title": title_from_name(name),
        "slot": slot,
        "function": described.function,
        "page": described.page.name,
        "payload": f'"{described.topic.ordinary}"' if described.topic else "{}",
        "language": languages[0],
    }


def _ci(forge: str) -> dict[str, str]:
    """Return the files unchanged, by path. `$` in them is CI syntax, not a variable of the scaffold."""
    folder = _scaffold(f"ci-{forge}")
    return {path: folder.joinpath(name).read_text(encoding="utf-8") for name, path in CI_FILES[forge].items()}


def _bare(name: str, slot: str, languages: tuple[str, ...]) -> dict[str, str]:
    values = _values(name, slot, languages)
    files = _fill(_scaffold("bare"), values)
    files |= {f"messages/{language}.toml": f'text = "{values["title"]}"\n' for language in languages}
    return {f"widgets/{name}/{path}": text for path, text in files.items()}


def _manifest(title: str, languages: tuple[str, ...]) -> str:
    """Return manifest.toml with the examples of the fields. A text without a translation is in English."""
    fields = example_manifest(title)
    lines = [_MANIFEST_HEAD, *_toml(fields)]
    for name, table in fields.items():
        if isinstance(table, dict):
            by_language = {code: table.get(code, table.get("en")) for code in languages}
            lines += ["", f"[{name}]", *_toml(table if name in TABLES else by_language)]
    return "\n".join(lines) + "\n"


def _toml(fields: Mapping[str, Any]) -> list[str]:
    """Return the lines of the fields that are no tables. A string or a list of JSON is one of TOML, too."""
    return [
        f"{name} = {json.dumps(value, ensure_ascii=False)}"
        for name, value in fields.items()
        if not isinstance(value, dict)
    ]


def _fill(folder: Traversable, values: Mapping[str, str]) -> dict[str, str]:
    """Return the files directly in a folder, by name, with the variables replaced."""
    module = values["name"].replace("-", "_")
    return {
        _FINAL_NAMES.get(entry.name, entry.name).format(name=module): Template(
            entry.read_text(encoding="utf-8")
        ).substitute(values)
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.is_file()
    }


def _messages(own: Traversable, language: str) -> str:
    """Return the scaffold's messages in `language`.

    If there is no translation, they are in English, with the plural forms that `language` has.
    """
    translation = own.joinpath("messages", f"{language}.toml")
    if translation.is_file():
        return translation.read_text(encoding="utf-8")
    english = tomllib.loads(own.joinpath("messages", "en.toml").read_text(encoding="utf-8"))
    lines = [f"# To be translated to {language}."]
    lines += [f'{key} = "{text}"' for key, text in english.items() if isinstance(text, str)]
    for key, forms in english.items():
        if isinstance(forms, dict):
            lines += ["", f"[{key}]"]
            plural_forms = categories(language) or ("one", "other")
            lines += [f'{form} = "{forms["other"]}"' for form in plural_forms]
    return "\n".join(lines) + "\n"


def write_files(root: Path, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Write all of these files or none. `texts` maps paths to texts. Returns the paths, relative to `root`.

    Raises ConfigurationError when a file exists already or cannot be written.
    """
    existing = [path for path in texts if (root / path).exists()]
    if existing:
        raise ConfigurationError(
            f"these files exist already in {root}: {', '.join(sorted(existing))}",
            hint="nothing was written; choose an empty folder",
        )
    written: list[Path] = []
    try:
        for path, text in texts.items():
            _make_folder((root / path).parent, written)
            written.append(root / path)
            (root / path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        for entry in reversed(written):
            with suppress(OSError):
                entry.rmdir() if entry.is_dir() else entry.unlink()
        raise ConfigurationError(
            f"cannot write to {root}: {error.filename}: {error.strerror}", hint="nothing was written"
        ) from error
    return tuple(Path(path) for path in sorted(texts))


def _make_folder(folder: Path, written: list[Path]) -> None:
    """Make a folder and its missing parents, and add each new folder to `written`."""
    if not folder.is_dir():
        _make_folder(folder.parent, written)
        folder.mkdir()
        written.append(folder)
