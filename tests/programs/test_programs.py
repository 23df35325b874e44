"""The programs that awning carries: which binary is found, and that no file of a pinned one can be changed unseen."""

import shutil
from pathlib import Path

import pytest

from awning.errors import ProgramUnusable
from awning.programs import ESBUILD, PROGRAMS, TYPESCRIPT, Program, check_program, find_program, verify
from awning.programs.pin import WHEEL_TAGS, this_platform

pytestmark = pytest.mark.usefixtures("processes")

EVERY = pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)


def copied(program: Program, folder: Path) -> Path:
    """Copy an installed program to `folder`, and return the folder of its package."""
    package = folder / program.folder
    shutil.copytree(find_program(program, {}).package, package)
    return package


@EVERY
def test_installed_program_is_the_pinned_one(program):
    binary = find_program(program, {})
    assert binary.version == program.version
    verify(binary)
    check = check_program(program, {})
    assert check.state == "ok"
    assert "(installed, verified)" in check.detail


def _change(package: Path) -> None:
    (package / "lib.dom.d.ts").write_text("declare const nothing: unknown;\n")


def _add(package: Path) -> None:
    (package / "lib.more.d.ts").write_text("")


def _delete(package: Path) -> None:
    (package / "lib.es5.d.ts").unlink()


@pytest.mark.parametrize("damage", [_change, _add, _delete], ids=["changed", "added", "deleted"])
def test_every_file_of_a_program_is_verified(tmp_path, damage):
    package = copied(TYPESCRIPT, tmp_path)
    found = find_program(TYPESCRIPT, {}, search=[str(tmp_path)])
    verify(found)
    damage(package)
    with pytest.raises(ProgramUnusable, match="it was not run"):
        verify(found)
    check = check_program(TYPESCRIPT, {}, search=[str(tmp_path)])
    assert check.state == "missing"
    assert "it was not run" in check.detail


@EVERY
def test_named_binary_is_used_and_not_verified(program, tmp_path):
    package = copied(program, tmp_path)
    named = package / program.binary_for(this_platform())
    check = check_program(program, {program.variable: str(named)})
    assert f"{program.version} ({program.variable}, yours, not verified)" in check.detail
    assert str(named) in check.detail


@EVERY
def test_missing_program_is_reported_with_a_hint(program, tmp_path):
    with pytest.raises(ProgramUnusable, match="is not installed") as raised:
        find_program(program, {}, search=[str(tmp_path)])
    assert program.variable in raised.value.hint
    assert raised.value.exit_code == 2


@pytest.mark.parametrize(
    ("program", "environ", "state"),
    [
        (ESBUILD, {}, "missing"),
        (TYPESCRIPT, {}, "warning"),
        (TYPESCRIPT, {"AWNING_TYPESCRIPT": "/nowhere/tsc"}, "missing"),
    ],
)
def test_doctor_fails_only_without_a_program_that_is_needed(program, environ, state, tmp_path):
    assert check_program(program, environ, search=[str(tmp_path)]).state == state


@EVERY
def test_unknown_platform_is_reported_with_a_hint(program):
    with pytest.raises(ProgramUnusable, match="linux-riscv64") as raised:
        find_program(program, {}, platform="linux-riscv64")
    assert program.version in raised.value.hint


@EVERY
def test_pins_have_five_platforms_and_valid_hashes(program):
    assert [pin.platform for pin in program.pins] == list(WHEEL_TAGS)
    assert all(len(pin.sha256) == 64 and len(pin.integrity) == len("sha512-") + 88 for pin in program.pins)
    hashes = {value for pin in program.pins for value in (pin.sha256, pin.integrity)}
    assert len(hashes) == 2 * len(program.pins)


@pytest.mark.parametrize(
    ("tag", "platform"),
    [
        ("linux-x86_64", "linux-x64"),
        ("linux-aarch64", "linux-arm64"),
        ("macosx-11.0-arm64", "darwin-arm64"),
        ("macosx-10.9-x86_64", "darwin-x64"),
        ("win-amd64", "win32-x64"),
        ("linux-riscv64", "linux-riscv64"),
        ("win-arm64", "win32-arm64"),
    ],
)
def test_platform_is_determined_by_the_tag_of_python(tag, platform):
    assert this_platform(tag) == platform
