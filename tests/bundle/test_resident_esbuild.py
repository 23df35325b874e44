"""An esbuild that stays: after each change its result is that of a new process."""

from dataclasses import replace

import pytest

from awning.bundle.request import EntryPoint
from awning.bundle.run import MOST_CONTEXTS, ResidentEsbuild, bundle
from awning.errors import Faulty, ProgramUnusable

FILES = {
    "entry.ts": 'import { text } from "./text"; console.log(text);\n',
    "text.ts": 'export const text = "first";\n',
    "style.css": ".a { color: red }\n",
}


def save(root, files):
    for name, text in files.items():
        (root / name).write_text(text, encoding="utf-8")


@pytest.fixture
def resident(esbuild):
    resident = ResidentEsbuild(esbuild)
    yield resident
    resident.end()


def test_each_change_is_in_the_next_result_as_in_that_of_a_new_process(resident, esbuild, tree):
    request = tree(FILES, "entry.ts", "style.css")
    changes = (
        {},
        {"text.ts": 'export const text = "second";\n'},
        {"style.css": ".a { color: blue }\n"},
        {
            "text.ts": 'import { more } from "./more"; export const text = more;\n',
            "more.ts": "export const more = 3;\n",
        },
    )
    for change in changes:
        save(request.root, change)
        assert resident.bundle(request) == bundle(esbuild, request)


def test_broken_file_is_an_error_until_it_is_mended(resident, esbuild, tree):
    request = tree(FILES, "entry.ts")
    first = resident.bundle(request)
    save(request.root, {"text.ts": "export const text = ;\n"})
    with pytest.raises(Faulty) as now:
        resident.bundle(request)
    with pytest.raises(Faulty) as anew:
        bundle(esbuild, request)
    assert now.value.diagnostics == anew.value.diagnostics
    save(request.root, {"text.ts": FILES["text.ts"]})
    assert resident.bundle(request) == first


def test_process_that_was_killed_is_started_again(resident, tree):
    request = tree(FILES, "entry.ts")
    first = resident.bundle(request)
    resident._process._process.kill()
    assert resident.bundle(request) == first


def test_esbuild_that_cannot_run_is_reported(esbuild, tree, tmp_path):
    broken = tmp_path / "esbuild"
    broken.write_text("#!/bin/sh\necho broken >&2; exit 3\n")
    broken.chmod(0o755)
    resident = ResidentEsbuild(replace(esbuild, path=broken, package=None, sha256=None))
    with pytest.raises(ProgramUnusable, match="broken"):
        resident.bundle(tree(FILES, "entry.ts"))
    resident.end()


def test_more_requests_than_contexts_are_each_answered(resident, esbuild, tree):
    files = {f"e{number}.ts": f"console.log({number});\n" for number in range(MOST_CONTEXTS + 2)}
    request = tree(files, *files)
    for entry in (*request.entry_points, *request.entry_points):
        request = replace(request, entry_points=(EntryPoint(entry.name, entry.path),))
        assert resident.bundle(request) == bundle(esbuild, request)


class Cancelled(Exception):
    """Raised by a checkpoint."""


def test_cancelled_work_raises_and_the_next_result_is_that_of_a_new_process(resident, esbuild, tree):
    modules = {f"m{number}.ts": f"export const v{number} = {number};\n" for number in range(400)}
    lines = (f'export {{ v{number} }} from "./m{number}";\n' for number in range(400))
    request = tree({"entry.ts": "".join(lines), **modules}, "entry.ts")

    def cancel():
        raise Cancelled

    for number in range(3):
        with pytest.raises(Cancelled):
            resident.bundle(request, cancel)
        save(request.root, {"m7.ts": f'export const v7 = "changed {number}";\n'})
    assert resident.bundle(request) == bundle(esbuild, request)
    assert b"changed 2" in resident.bundle(request, lambda: None).outputs["entry"].code


def test_checkpoint_is_called_while_esbuild_works(resident, tree):
    calls = []
    resident.bundle(tree(FILES, "entry.ts"), lambda: calls.append(1))
    assert calls
