"""Makes a new workspace, and one more widget in a workspace: real files that build and test green at once.

The files are in `scaffold/` as they will look, with `$name`, `$title`, `$slot`, `$function`, `$language` and
`$languages` to be filled in.
Nothing that exists is ever overwritten: either all files are written, or none.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from string import Template

from awning.contract import SLOTS, is_language_code
from awning.errors import ConfigurationError
from awning.workspace.plurals import ALL, categories
from awning.workspace.widgets import WIDGET_NAMES, is_widget_name

FIRST_LANGUAGES = ("en", "lv")
"""Those of a new workspace, unless others are asked for."""

FIRST_WIDGETS: Mapping[str, str] = {
    "after-price": "stock-note",
    "after-cart": "gift-note",
    "after-checkout": "savings-note",
}
"""What the first widget of a new workspace is called, by its slot."""

_ENGLISH_TEXTS = re.compile(r"^(?:shows|hides) = \{ en = .*\n", re.MULTILINE)
"""What the states of the scaffold expect to read, in a workspace that has English."""

_TRANSLATED = re.compile(r"^(\w+) = (.*)$", re.MULTILINE)

_NAMED = {
    "gitignore": ".gitignore",
    "pyproject.toml.in": "pyproject.toml",
    "test_widget.py.in": "test_{name}.py",
}
"""Files that cannot have their name inside the package: it would mean something there."""


def make_workspace(
    path: Path, *, slot: str = "after-price", languages: tuple[str, ...] = FIRST_LANGUAGES
) -> tuple[Path, ...]:
    """Write a workspace with one widget to `path`. Returns the files, relative to it."""
    name = FIRST_WIDGETS[slot]
    values = {
        "title": spoken(path.resolve().name),
        "name": name,
        "languages": ", ".join(f'"{language}"' for language in languages),
    }
    files = _filled(_scaffold("workspace"), values)
    files["manifest.toml"] = _with_languages(files["manifest.toml"], languages)
    return write_files(path, files | _widget(name, slot, languages))


def add_widget(
    root: Path, name: str, *, slot: str, languages: tuple[str, ...], bare: bool = False
) -> tuple[Path, ...]:
    """Write a widget to the workspace at `root`, with texts in its languages. Returns the files, relative to it.

    `bare` leaves out everything that a widget does not need: style, settings, states and tests.
    """
    require_free_name(root, name)
    if slot not in SLOTS:
        raise ConfigurationError(f'there is no slot "{slot}"', hint=f"slots: {', '.join(SLOTS)}")
    return write_files(root, _bare(name, slot, languages) if bare else _widget(name, slot, languages))


def require_free_name(root: Path, name: str) -> None:
    """Raise ConfigurationError when a widget cannot have this name, or when there is one of it."""
    if not is_widget_name(name):
        raise ConfigurationError(f'"{name}" cannot be a widget\'s name', hint=WIDGET_NAMES)
    if (root / "widgets" / name).exists():
        raise ConfigurationError(f"widgets/{name} exists already", hint="choose another name")


def read_languages(text: str) -> tuple[str, ...]:
    """Language codes separated by spaces: `en lv`. Raises ConfigurationError for what is none, or is there twice."""
    codes = tuple(text.split())
    if not codes:
        raise ConfigurationError("a workspace needs a language", hint='as in: --languages "en lv"')
    for index, code in enumerate(codes):
        if not is_language_code(code):
            hint = 'codes are separated by spaces, as in: --languages "en lv pt-BR"'
            raise ConfigurationError(f'"{code}" is no language code', hint=hint)
        if code in codes[:index]:
            raise ConfigurationError(f'the language "{code}" is named twice', hint="leave one of them out")
    return codes


def spoken(name: str) -> str:
    """A title from a name: `my-app` is `My app`. Letters and digits only: it is put into TOML and JSON."""
    words = " ".join(re.sub(r"[\W_]", " ", name).split())
    return words[:1].upper() + words[1:] or "App"


def _scaffold(name: str) -> Traversable:
    return files("awning.workspace").joinpath("scaffold", name)


def _widget(name: str, slot: str, languages: tuple[str, ...]) -> dict[str, str]:
    values = {"name": name, "title": spoken(name), "slot": slot, "language": languages[0]}
    own = _scaffold(slot)
    wanted = _filled(_scaffold("widget"), values) | _filled(own, values)
    wanted |= {f"messages/{language}.toml": _messages(own, language) for language in languages}
    if "en" not in languages:
        wanted["states.toml"] = _ENGLISH_TEXTS.sub("", wanted["states.toml"])
    return {f"widgets/{name}/{path}": text for path, text in wanted.items()}


def _bare(name: str, slot: str, languages: tuple[str, ...]) -> dict[str, str]:
    function = "".join(part.capitalize() for part in slot.split("-"))
    function = function[0].lower() + function[1:]
    values = {"name": name, "title": spoken(name), "slot": slot, "function": function}
    wanted = _filled(_scaffold("bare"), values)
    wanted |= {f"messages/{language}.toml": f'text = "{values["title"]}"\n' for language in languages}
    return {f"widgets/{name}/{path}": text for path, text in wanted.items()}


def _with_languages(manifest: str, languages: tuple[str, ...]) -> str:
    """The manifest with its texts in these languages: the English ones stand in for those that awning does not have."""

    def table(match: re.Match[str]) -> str:
        texts = dict(_TRANSLATED.findall(match[0]))
        lines = (f"{code} = {texts.get(code, texts['en'])}\n" for code in languages)
        return match[1] + "".join(lines)

    return re.sub(
        r"^(\[app_(?:display_title|description_\w+)\]\n)(?:\w+ = .*\n)+", table, manifest, flags=re.MULTILINE
    )


def _filled(folder: Traversable, values: Mapping[str, str]) -> dict[str, str]:
    """The files directly in a folder."""
    module = values["name"].replace("-", "_")
    return {
        _NAMED.get(entry.name, entry.name).format(name=module): Template(
            entry.read_text(encoding="utf-8")
        ).substitute(values)
        for entry in sorted(folder.iterdir(), key=lambda entry: entry.name)
        if entry.is_file()
    }


def _messages(own: Traversable, language: str) -> str:
    """The texts that come with awning; for another language the English ones, in all its plural forms."""
    known = own.joinpath("messages", f"{language}.toml")
    if known.is_file():
        return known.read_text(encoding="utf-8")
    english = tomllib.loads(own.joinpath("messages", "en.toml").read_text(encoding="utf-8"))
    lines = [f"# To be translated to {language}."]
    lines += [f'{key} = "{text}"' for key, text in english.items() if isinstance(text, str)]
    for key, forms in english.items():
        if isinstance(forms, dict):
            lines += ["", f"[{key}]"]
            lines += [f'{form} = "{forms["other"]}"' for form in _forms(language)]
    return "\n".join(lines) + "\n"


def _forms(language: str) -> Iterable[str]:
    return categories(language) or [form for form in ALL if form in ("one", "other")]


def write_files(root: Path, wanted: Mapping[str, str]) -> tuple[Path, ...]:
    """Write all of these files or none. Returns their paths, relative to `root`. Raises ConfigurationError."""
    taken = [path for path in wanted if (root / path).exists()]
    if taken:
        raise ConfigurationError(
            f"these exist already in {root}: {', '.join(sorted(taken))}",
            hint="nothing was written; choose an empty folder",
        )
    made: list[Path] = []
    try:
        for path, text in wanted.items():
            _make_folder((root / path).parent, made)
            made.append(root / path)
            (root / path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        _take_back(made)
        raise ConfigurationError(
            f"cannot write to {root}: {error.filename}: {error.strerror}", hint="nothing was written"
        ) from error
    return tuple(Path(path) for path in sorted(wanted))


def _make_folder(folder: Path, made: list[Path]) -> None:
    """With its parents, each noted in `made`."""
    if not folder.is_dir():
        _make_folder(folder.parent, made)
        folder.mkdir()
        made.append(folder)


def _take_back(made: list[Path]) -> None:
    for path in reversed(made):
        with suppress(OSError):
            path.rmdir() if path.is_dir() else path.unlink()
