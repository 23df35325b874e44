"""`awning lsp`: findings of unsaved text at the right places, fixes, explanations, and no crash."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from lsprotocol import types
from project import Project

from awning.pipeline.incremental import inspect_workspace

WRITES = 'const note = "🎈"; document.write(note);\n'
MENDED = "const all = globalThis;\n"
TO_MEND = 'const all = new Function("return this")();\n'


@pytest.fixture
def app(tmp_path) -> Project:
    return Project(tmp_path / "app").add_widget()


def place(line: int, start: int, end: int) -> types.Range:
    return types.Range(
        start=types.Position(line=line, character=start), end=types.Position(line=line, character=end)
    )


def test_findings_are_those_of_the_check_also_of_files_that_are_not_open(editor, app):
    app.add_file("widgets/note/more.ts", WRITES).add_file("widgets/note/style.css", "p { colr: red; }\n")
    script = editor.open(app.root / "widgets/note/widget.ts")
    editor.until_rule((app.root / "widgets/note/more.ts").as_uri(), "document-write")
    wanted = {
        (item.rule, (app.root / item.place.path).as_uri(), item.place.line - 1)
        for item in inspect_workspace(app.root, types=False).counted()
    }
    shown = {
        (each.code, uri, each.range.start.line)
        for uri, diagnostics in editor.diagnostics.items()
        for each in diagnostics
        if uri.startswith(app.root.as_uri())
    }
    assert shown == wanted
    editor.close(script)


def test_unsaved_text_is_checked_and_the_file_again_after_it_is_closed(editor, app):
    file = app.root / "widgets/note/more.ts"
    app.add_file("widgets/note/more.ts", "export const a = 1;\n")
    uri = editor.open(file)
    editor.change(uri, WRITES)
    editor.until_rule(uri, "document-write")
    assert file.read_text() == "export const a = 1;\n"
    editor.close(uri)
    editor.until(lambda: "document-write" not in editor.rules(uri))


@pytest.mark.parametrize(
    ("path", "broken", "rule"),
    [
        ("widgets/note/widget.toml", 'title = "a"\nslot = "after-prise"\n', "unknown-slot"),
        ("widgets/note/messages/en.toml", "hello = \n", "toml-syntax"),
        ("widgets/note/data.schema.json", '{"type": "objekt"}\n', "data-schema"),
        ("pyproject.toml", '[tool.awning]\nlanguages = ["en", "lv"]\nlanguage = 1\n', "unknown-key"),
        ("widgets/note/view.html.j2", '<p>{{ t("hello")|nope }}</p>\n', "template-filter"),
    ],
)
def test_unsaved_text_of_each_kind_of_file_is_checked(editor, app, path, broken, rule):
    app.add_file("widgets/note/data.schema.json", '{"type": "object"}\n')
    uri = editor.open(app.root / path)
    editor.change(uri, broken)
    shown = editor.until_rule(uri, rule)
    assert (shown.source, Path(shown.code_description.href).name) == ("awning", f"{rule}.md")
    editor.change(uri, (app.root / path).read_text(encoding="utf-8"), version=3)
    editor.until(lambda: rule not in editor.rules(uri))
    editor.close(uri)


def test_an_error_that_hides_others_leaves_the_rules_for_open_scripts(editor, app):
    app.add_file("widgets/note/more.ts", WRITES).add_file("manifest.toml", "app_title = \n")
    uri = editor.open(app.root / "widgets/note/more.ts")
    editor.until_rule((app.root / "manifest.toml").as_uri(), "toml-syntax")
    editor.until_rule(uri, "document-write")
    assert any("mend the errors first" in text for text in editor.logged)
    editor.close(uri)


def test_file_that_was_never_saved_gets_the_rules_for_files(editor, app):
    uri = editor.open(app.root / "widgets/note/new.ts", WRITES)
    editor.until_rule(uri, "document-write")
    built = editor.open(app.root / "dist/body.html", f"<script>{WRITES}</script>")
    editor.change(uri, "// mended\n")
    editor.until(lambda: not editor.rules(uri))
    assert editor.rules(built) == []
    for each in (uri, built):
        editor.close(each)


def test_script_with_a_path_that_no_file_can_have_gets_the_rules_for_files(editor, app):
    for file in (Path("/", "a" * 5000 + ".js"), app.root / "widgets/note" / ("b" * 300 + ".ts")):
        uri = editor.open(file, WRITES)
        editor.until_rule(uri, "document-write")
        editor.close(uri)
    assert not editor.messages


def test_script_outside_of_a_workspace_gets_the_rules_for_files(editor, tmp_path):
    file = tmp_path / "old.html"
    file.write_text("<p>good</p>\n")
    uri = editor.open(file, f"<p>č</p><script>{WRITES}</script>\n")
    shown = editor.until_rule(uri, "document-write")
    assert shown.range.start == types.Position(line=0, character=35)
    editor.close(uri)
    editor.until(lambda: not editor.rules(uri))


def test_renamed_folder_and_a_deleted_workspace_leave_a_server_that_answers(editor, app, tmp_path):
    uri = editor.open(app.root / "widgets/note/widget.ts")
    editor.change(uri, WRITES)
    editor.until_rule(uri, "document-write")
    editor.close(uri)
    (app.root / "widgets/note").rename(app.root / "widgets/other")
    renamed = editor.open(app.root / "widgets/other/widget.ts", WRITES)
    editor.until_rule(renamed, "document-write")
    editor.until(lambda: not editor.rules(uri))
    shutil.rmtree(app.root)
    editor.change(renamed, WRITES + "// more\n", version=3)
    loose = tmp_path / "loose.js"
    uri = editor.open(loose, WRITES)
    editor.until_rule(uri, "document-write")
    editor.close(renamed)


def test_workspace_that_cannot_be_read_is_told_once(editor, app):
    app.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["en", "lv"]\nbaseline = "known.json"\n')
    app.add_file("known.json", "{")
    uri = editor.open(app.root / "widgets/note/widget.ts")
    editor.until(lambda: any("known.json" in text for text in editor.messages))
    for version in (2, 3):
        editor.change(uri, f"// {version}\n", version=version)
    app.add_file("known.json", '{"schema_version": 1, "findings": {}}')
    editor.change(uri, WRITES, version=4)
    editor.until(lambda: editor.rules(uri))
    assert sum("known.json" in text for text in editor.messages) == 1
    editor.close(uri)


def test_fix_of_a_finding_and_all_fixes_are_actions_on_the_unsaved_text(editor, app):
    uri = editor.open(app.root / "widgets/note/more.ts", "")
    editor.change(uri, "// 🎈\n" + TO_MEND + TO_MEND.replace("all", "other"))
    shown = editor.until_rule(uri, "no-eval")
    (action,) = editor.actions(uri, shown.range, types.CodeActionKind.QuickFix)
    (edit,) = action.edit.changes[uri]
    assert (action.title, edit.new_text) == ("awning: mend no-eval", "globalThis")
    assert edit.range == place(1, 12, 41)
    assert [each.code for each in action.diagnostics] == ["no-eval"]
    (whole,) = editor.actions(uri, place(0, 0, 0), "source.fixAll")
    assert whole.kind == "source.fixAll.awning"
    assert whole.edit.changes[uri][0].new_text == "// 🎈\n" + MENDED + MENDED.replace("all", "other")
    assert not editor.actions(uri, place(0, 0, 0), types.CodeActionKind.QuickFix)
    editor.change(uri, MENDED, version=3)
    editor.until(lambda: not editor.rules(uri))
    assert not editor.actions(uri, place(0, 0, 0))
    editor.close(uri)


def test_hover_over_a_finding_is_the_page_of_its_rule(editor, app):
    uri = editor.open(app.root / "widgets/note/more.ts", WRITES)
    shown = editor.until_rule(uri, "document-write")
    assert shown.range == place(0, 19, 27)

    def hover(line: int, character: int) -> types.Hover | None:
        position = types.Position(line=line, character=character)
        document = types.TextDocumentIdentifier(uri=uri)
        return editor.ask("text_document_hover", types.HoverParams(text_document=document, position=position))

    assert hover(0, 22).contents.value.startswith("# document-write\n")
    assert hover(0, 2) is None
    editor.close(uri)


OLD_NEOVIM = """
vim.fs = vim.fs or {
  find = function(name, options) return { vim.fn.findfile(name, options.path .. ";") } end,
  dirname = function(file) return vim.fn.fnamemodify(file, ":h") end,
}
vim.lsp.start = vim.lsp.start or function(options)
  vim.lsp.buf_attach_client(0, vim.lsp.start_client(options))
end
"""
"""What Neovim 0.7 lacks of 0.8. Debian 12 has 0.7."""


@pytest.mark.usefixtures("processes")
@pytest.mark.skipif(not shutil.which("nvim"), reason="Neovim is not installed: apt-get install neovim")
def test_neovim_shows_findings_with_the_settings_of_the_docs(app, tmp_path):
    """A real editor, without a window, with its own client."""
    app.add_file("widgets/note/more.ts", WRITES)
    docs = Path(__file__).parents[2] / "docs/editors.md"
    (settings,) = re.findall(r"```lua\n(.*?)```", docs.read_text(), re.DOTALL)
    script = f"""
        vim.cmd("edit widgets/note/more.ts")
        vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 50)
        local lines = {{}}
        for _, each in ipairs(vim.diagnostic.get(0)) do
          table.insert(lines, vim.json.encode({{ each.code, each.lnum, each.col, each.source }}))
        end
        vim.fn.writefile(lines, "{tmp_path}/shown")
        vim.lsp.stop_client(vim.lsp.get_active_clients())
        vim.cmd("qall!")
    """
    (tmp_path / "try.lua").write_text(OLD_NEOVIM + settings + script)
    command = ["nvim", "--clean", "--headless", "-S", str(tmp_path / "try.lua")]
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    environ = {**os.environ, "HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "PATH": path}
    subprocess.run(command, cwd=app.root, check=True, timeout=90, capture_output=True, env=environ)
    shown = [json.loads(line) for line in (tmp_path / "shown").read_text().splitlines()]
    assert ["document-write", 0, 21, "awning"] in shown  # Neovim counts columns in bytes
