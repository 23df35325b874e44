"""The line that a leaked global is reported with: the one that sets it, else the first one that names it."""

from pathlib import Path

import pytest
from project import Project

from awning.workspace.reader import read_workspace
from awning_harness.shop import Shop

PLACES = {
    "an assignment after the property's declaration": (
        "declare global { interface Window { mine: unknown[] } }\nwindow.mine = [];",
        2,
    ),
    "an assignment after an import with the name in its path": (
        'import { a } from "./mine";\n(globalThis as any).mine = a;',
        2,
    ),
    "an assignment with a longer type assertion": (
        "let mine: number;\n(window as unknown as { mine: number }).mine = 1;",
        2,
    ),
    "an assignment by a text": ('const key = "mine";\nself["mine"] ||= [];', 2),
    "an assignment where it is missing": ("read(mine);\nw.mine ??= [];", 2),
    "a comparison before the assignment": ("if (window.mine == null)\n  window.mine = 1;", 2),
    "a property of another object before the assignment": ("o.mine = 1;\nwindow.mine = o.mine;", 2),
    "an inner line of a comment before the assignment": (
        "/* for example\nwindow.mine = 0\n*/\nwindow.mine = 1;",
        4,
    ),
    "a comment at the end of a line before the assignment": ("go(); // mine\nwindow.mine = 1;", 2),
    "a declaration": ("use(mine);\nfunction mine() {}", 2),
    "a declaration of a longer name": ("var mineral;\nuse(mine);", 2),
    "a function inside of the assigned one": ("function mine() {}\nwindow.mine = mine;", 2),
    "a mention only": ("// mine\nObject.assign(globalThis, { mine: 1 });", 2),
    "a mention in a line that begins after a comment": ("/* set */ window.mine = 1;", 1),
    "separators that end no line of an editor": ("const text = '\u2028\x0b';\nwindow.mine = 1;", 2),
}


def place_of(root: Path, script: str, name: str = "mine") -> str | None:
    project = Project(root / "shop").add_widget("note")
    (project.root / "widgets/note/widget.ts").write_text(script, encoding="utf-8")
    workspace = read_workspace(project.root, environ={})
    shop = Shop(workspace=workspace, dist=root, running=None, scratch=root)  # type: ignore[arg-type]
    return shop.place_of_name("note", name)


@pytest.mark.parametrize("case", PLACES)
def test_global_has_the_place_that_sets_it(tmp_path, case):
    script, line = PLACES[case]
    assert place_of(tmp_path, script) == f"widgets/note/widget.ts:{line}"


def test_global_with_a_dollar_sign_has_its_place(tmp_path):
    assert place_of(tmp_path, "f.fbq();\nwindow.$fbq = 1;", "$fbq") == "widgets/note/widget.ts:2"


def test_global_that_no_script_names_has_no_place(tmp_path):
    assert place_of(tmp_path, "/*\nmine\n*/\nwindow.mineral = 1;") is None
