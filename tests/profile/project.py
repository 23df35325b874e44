"""A workspace for a test, made in one line: `Project(tmp_path).add_widget("note").build()`.

The default widget needs no browser and no store: one slot, one message, one template.
"""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from awning.build_record import BuildRecord
from awning.contract import SLOTS
from awning.pipeline.build_session import build_session
from awning.pipeline.phases import BuildOptions, build_workspace, run_phases
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace

MANIFEST = Path(__file__).parents[2] / "manifest.toml"

SLOT_IMPORTS = {slot.name: slot.function for slot in SLOTS.values()}


@dataclass
class Project:
    """A workspace in `root`. Files are written as they are added."""

    root: Path
    languages: tuple[str, ...] = ("en", "lv")
    widgets: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        languages = json.dumps(list(self.languages))
        self.add_file("pyproject.toml", f"[tool.awning]\nlanguages = {languages}\n")
        self.add_file("manifest.toml", MANIFEST.read_text(encoding="utf-8"))

    def add_file(self, path: str, text: str) -> "Project":
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        beside = self.root / ".being-written"
        beside.write_text(dedent(text), encoding="utf-8", newline="\n")
        beside.replace(file)  # in one step: a watcher never sees half of it
        return self

    def add_widget(self, name: str = "note", *, slot: str = "after-price", **files: str) -> "Project":
        """Add a widget that shows its message. `files` replaces or adds files: `style_css=...`, `widget_ts=...`."""
        folder = f"widgets/{name}"
        first = {
            "widget.toml": f'title = "{name}"\nslot = "{slot}"\n',
            "widget.ts": (
                f'import {{ {SLOT_IMPORTS[slot]} }} from "awning";\n'
                'import view from "./view.html.j2";\n'
                f"export default {SLOT_IMPORTS[slot]}(({{ t }}) => view({{ t }}));\n"
            ),
            "view.html.j2": '<p class="text">{{ t("hello") }}</p>\n',
            **{f"messages/{language}.toml": f'hello = "Hello {language}"\n' for language in self.languages},
        }
        for path, text in {**first, **{_file_name(key): text for key, text in files.items()}}.items():
            self.add_file(f"{folder}/{path}", text)
        self.widgets.append(name)
        return self

    def read(self, **options: str) -> Workspace:
        return read_workspace(self.root, environ={}, **options)

    def build(
        self, *only: str, out: Path | None = None, environ: Mapping[str, str] | None = None
    ) -> BuildRecord:
        variables = environ if environ is not None else os.environ
        return build_workspace(self.read(), out=out, only=only, environ=variables)

    def stage(self, folder: Path) -> Path:
        """Build, copy what the bundler was given to a new `folder`, and return that folder."""
        with build_session(self.root, lasts=False, writes=False) as session:
            run_phases(session.read_workspace(os.environ), BuildOptions(), os.environ, session)
            shutil.copytree(session.stage.path, folder)
        return folder

    def dist(self, path: str) -> str:
        return (self.root / "dist" / path).read_text(encoding="utf-8")

    def tree(self, folder: str = "dist") -> dict[str, bytes]:
        """Return the content of every file below a folder, by path."""
        top = self.root / folder
        files = sorted(file for file in top.rglob("*") if file.is_file())
        return {file.relative_to(top).as_posix(): file.read_bytes() for file in files}

    def tree_text(self, folder: str = "dist") -> str:
        """Return the paths of the files below a folder, one per line, with `(empty)` after those without content."""
        return "\n".join(
            f"{path}{'' if content else ' (empty)'}" for path, content in self.tree(folder).items()
        )


def _file_name(key: str) -> str:
    """Return the file of a keyword: style.css for `style_css`, messages/en.toml for `messages_en_toml`."""
    parts = key.split("_")
    if parts[0] == "messages":
        return f"messages/{parts[1]}.toml"
    return ".".join(parts)
