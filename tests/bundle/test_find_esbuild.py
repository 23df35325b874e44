"""Which esbuild runs. A pinned binary with a wrong byte is refused before it runs."""

import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from awning.bundle.run import bundle, find_esbuild
from awning.errors import ProgramUnusable
from awning.programs import ESBUILD, find_program

pytestmark = pytest.mark.usefixtures("processes")

VERSION = ESBUILD.version


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.mark.parametrize("change", ["first", "middle", "longer", "shorter"])
def test_modified_binary_is_refused_before_it_runs(esbuild, tree, tmp_path, change):
    content = bytearray(esbuild.path.read_bytes())
    half = len(content) // 2
    match change:
        case "first":
            content = bytearray(f"#!/bin/sh\ntouch {tmp_path}/ran\n".encode()) + content[40:]
        case "middle":
            content[half] ^= 1
        case "longer":
            content.append(0)
        case "shorter":
            content.pop()
    altered = tmp_path / ESBUILD.folder
    shutil.copytree(esbuild.package, altered)
    path = altered / esbuild.path.relative_to(esbuild.package)
    path.write_bytes(content)
    esbuild = find_program(ESBUILD, {}, search=[str(tmp_path)])
    assert esbuild.path == path
    with pytest.raises(ProgramUnusable, match="it was not run"):
        bundle(esbuild, tree({"e.ts": "1\n"}, "e.ts"))
    assert not (tmp_path / "ran").exists()


def test_esbuild_that_is_deleted_is_reported_with_a_hint(esbuild, tree, tmp_path):
    gone = replace(esbuild, path=tmp_path / "gone", package=None)
    with pytest.raises(ProgramUnusable, match="No such file"):
        bundle(gone, tree({"e.ts": "1\n"}, "e.ts"))


def test_environment_variable_selects_another_binary(esbuild, tree, tmp_path):
    copy = tmp_path / "my esbuild"
    shutil.copy(esbuild.path, copy)
    esbuild = find_esbuild({"AWNING_ESBUILD": str(copy)})
    assert (esbuild.path, esbuild.version, esbuild.package) == (copy, VERSION, None)
    assert bundle(esbuild, tree({"e.ts": "f(1)\n"}, "e.ts")).outputs["e"].code == b"(()=>{f(1);})();\n"


def test_unpinned_version_is_a_warning(esbuild, tree, tmp_path):
    answers = f"""
        [ "$1" = --version ] && echo 0.28.9 && exit
        [ "$1" = --service=0.28.9 ] && exec "{esbuild.path}" --service={VERSION}
    """
    other = script(tmp_path / "esbuild", answers)
    result = bundle(find_esbuild({"AWNING_ESBUILD": str(other)}), tree({"e.ts": "f(1)\n"}, "e.ts"))
    assert [d.rule for d in result.diagnostics] == ["esbuild-version"]
    assert "e" in result.outputs


@pytest.mark.parametrize(
    ("text", "reason"),
    [("exit 3", "ended with 3"), (None, "No such file")],
    ids=["fails", "missing"],
)
def test_named_binary_that_does_not_run_is_refused(tmp_path, text, reason):
    path = tmp_path / "esbuild"
    if text is not None:
        script(path, text)
    with pytest.raises(ProgramUnusable, match=reason):
        find_esbuild({"AWNING_ESBUILD": str(path)})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("echo 'cannot open shared object' >&2; exit 127", "shared object"),
        ("echo hello from something else", "esbuild does not run"),
        ("printf '\\377\\377\\377\\377'", "not esbuild's packets"),
        ("exit 7", "ended with 7"),
    ],
    ids=["stderr", "chatter", "lengths", "silent"],
)
def test_binary_that_does_not_answer_is_refused_with_its_message(tree, tmp_path, text, reason):
    named = script(tmp_path / "esbuild", f'[ "$1" = --version ] && echo {VERSION} && exit\n{text}')
    esbuild = find_esbuild({"AWNING_ESBUILD": str(named)})
    with pytest.raises(ProgramUnusable, match=reason):
        bundle(esbuild, tree({"e.ts": "1\n"}, "e.ts"))


@pytest.mark.parametrize(
    "answer", ["ls (GNU coreutils) 9.1\\nLicense GPLv3+\\nThis is free software", "", "v1", "0.28.2 and more"]
)
def test_binary_that_prints_no_version_is_not_esbuild(tmp_path, answer):
    named = script(tmp_path / "tool", f"printf '{answer}'")
    with pytest.raises(ProgramUnusable, match="is not esbuild") as raised:
        find_esbuild({"AWNING_ESBUILD": str(named)})
    assert "\n" not in raised.value.message
    assert VERSION in raised.value.hint
