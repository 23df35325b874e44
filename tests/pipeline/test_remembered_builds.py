"""A build after any change equals a clean one, also where files decide that no import names."""

import shutil

import pytest

from awning.errors import Faulty
from awning.pipeline import bundle, phases
from awning.pipeline.build_session import build_session
from awning.pipeline.incremental import build
from awning.pipeline.read import BuildCancelled

SCRIPT = 'import { afterPrice } from "awning";\nexport default afterPrice(() => "");\n'
PACKAGE = "widgets/note/package.json"


def outcome(project):
    """The snippets and the findings of a build, or the errors for which there is none."""
    shutil.rmtree(
        project.root / ".awning/cache/builds", ignore_errors=True
    )  # else an unchanged build does nothing
    try:
        built = build(project.root, allow_errors=True)
    except Faulty as error:
        return {(item.rule, item.message) for item in error.diagnostics}
    snippets = {path: content for path, content in project.tree().items() if path.endswith(".html")}
    return snippets, {(item.rule, item.message) for item in built.diagnostics}


def clean_outcome(project):
    shutil.rmtree(project.root / ".awning")
    shutil.rmtree(project.root / "dist", ignore_errors=True)
    return outcome(project)


def install(project, name, **files):
    folder = f"node_modules/{name}"
    project.add_file(f"{folder}/package.json", f'{{"name": "{name}", "main": "index.js"}}')
    for file, text in files.items():
        project.add_file(f"{folder}/{file}.js", text)


OPTIONAL = "let pad: unknown;\ntry { pad = require('pad'); } catch { pad = 0; }\nconsole.log(pad);\n"

CHANGES = {
    "side effects in package.json": (
        {
            "effect_ts": "export const v = 1;\n(window as any).left = 1;\n",
            "widget_ts": f'import "./effect";\n{SCRIPT}',
        },
        {PACKAGE: '{"name": "x", "sideEffects": false}'},
    ),
    "a map of imports in package.json": (
        {
            "one_ts": "export const v = 'ONE';\n",
            "two_ts": "export const v = 'TWO';\n",
            "widget_ts": f'import {{ v }} from "./one";\nconsole.log(v);\n{SCRIPT}',
        },
        {PACKAGE: '{"name": "x", "browser": {"./one.ts": "./two.ts"}}'},
    ),
    "a package that may be missing": (
        {"widget_ts": SCRIPT + OPTIONAL},
        {
            "node_modules/pad/package.json": '{"name": "pad", "main": "i.js"}',
            "node_modules/pad/i.js": "module.exports = 'PAD'",
        },
    ),
    "a setting that tsconfig.json extends": (
        {"widget_ts": f"{SCRIPT}export const f = (x) => x;\n"},
        {"base.json": '{"compilerOptions": {"noImplicitAny": true, "strict": true}}'},
    ),
    "a module that another script declares anew": (
        {"widget_ts": f'{SCRIPT}export const later: import("awning").Later | null = null;\n'},
        {
            "widgets/other/types.ts": (
                'export {};\ndeclare module "awning" { interface Later { at: number } }\n'
            )
        },
    ),
    "a file that a shared script imports from a widget": (
        {"widget_ts": f'import {{ twice }} from "../_shared/twice.ts";\nvoid twice;\n{SCRIPT}'},
        {"widgets/other/num.ts": "export const num = 'text';\n"},
    ),
    "a style that no widget imports": ({}, {"widgets/_shared/colours.css": "p { colr: red }\n"}),
}


@pytest.mark.parametrize("name", CHANGES)
def test_build_after_a_change_equals_a_clean_one(project, name):
    files, changed = CHANGES[name]
    project.add_widget("note", **files).add_widget("other", widget_ts=SCRIPT)
    project.add_file(PACKAGE, '{"name": "x"}')
    project.add_file("base.json", '{"compilerOptions": {"noImplicitAny": false}}')
    project.add_file("tsconfig.json", '{"extends": "./base.json"}')
    project.add_file("widgets/other/num.ts", "export const num = 1;\n")
    project.add_file("widgets/_shared/colours.css", "p { color: red }\n")
    project.add_file(
        "widgets/_shared/twice.ts", 'import { num } from "../other/num.ts";\nexport const twice = 2 * num;\n'
    )
    first = outcome(project)
    for path, text in changed.items():
        project.add_file(path, text)
    after = outcome(project)
    assert after == clean_outcome(project)
    assert after != first


@pytest.mark.parametrize("is_cancelled", [False, True])
def test_finding_of_a_file_that_changed_while_it_was_read_is_not_remembered(
    project, monkeypatch, is_cancelled
):
    project.add_widget("note")
    right = (project.root / "widgets/note/widget.toml").read_text()
    project.add_file("widgets/note/widget.toml", right.replace("after-price", "after-cart"))
    read_sources = phases.read_sources

    def read_while_the_author_saves(*arguments, **options):
        project.add_file("widgets/note/widget.toml", right)
        return read_sources(*arguments, **options)

    def write_editor_files(*_arguments, **_options):
        raise BuildCancelled

    monkeypatch.setattr(phases, "read_sources", read_while_the_author_saves)
    if is_cancelled:
        monkeypatch.setattr(phases, "write_editor_files", write_editor_files)
        with pytest.raises(BuildCancelled):
            outcome(project)
    else:
        assert "slot-mismatch" in str(outcome(project))
    monkeypatch.undo()
    assert "slot-mismatch" not in str(outcome(project))


def test_type_error_of_a_file_that_changed_while_it_was_checked_is_not_remembered(project, monkeypatch):
    project.add_widget("note")
    path = "widgets/note/widget.ts"
    right = (project.root / path).read_text()
    write_editor_files = phases.write_editor_files

    def write_while_the_author_saves(*arguments, **options):
        project.add_file(path, f"{right}const wrong: number = 'text';\nvoid wrong;\n")
        return write_editor_files(*arguments, **options)

    monkeypatch.setattr(phases, "write_editor_files", write_while_the_author_saves)
    outcome(project)
    monkeypatch.undo()
    project.add_file(path, right)
    assert "type-error" not in str(outcome(project))


@pytest.mark.parametrize("files", [1, 2])
def test_package_of_one_widget_leaves_the_others_remembered(project, monkeypatch, files):
    install(
        project,
        "pad",
        index="export default 'P'" if files == 1 else 'export { default } from "./j.js"',
        j="export default 'J'",
    )
    pad = f'// @ts-ignore\nimport pad from "pad";\nconsole.log(pad);\n{SCRIPT}'
    project.add_widget("note", widget_ts=pad).add_widget("other")
    bundled = []
    run = bundle.run_esbuild

    def counted(esbuild, request):
        bundled.append({entry.name for entry in request.entry_points})
        return run(esbuild, request)

    monkeypatch.setattr(bundle, "run_esbuild", counted)
    outcome(project)
    outcome(project)
    assert not any(name.startswith("other/") for name in bundled[-1])
    assert any(name.startswith("note/") for name in bundled[-1])


def test_stage_that_somebody_emptied_is_made_again(project):
    project.add_widget("note")
    with build_session(project.root) as session:
        build(project.root, session=session)
        shutil.rmtree(session.stage.path)
        project.add_file("widgets/note/view.html.j2", "<b>{{ t('hello') }}</b>")
        assert build(project.root, session=session).fresh
    assert "<b>" in project.dist("en/body.html")
