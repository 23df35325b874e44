"""Which esbuild runs. A pinned binary with a wrong byte is refused before it runs."""

import hashlib
import shutil
import stat
from dataclasses import replace
from pathlib import Path

import pytest

from awning.bundle import bundle, find_esbuild
from awning.bundle.find import check_esbuild
from awning.bundle.pin import FOLDER, PINS, VERSION, pin_for, this_platform
from awning.errors import EsbuildUnusable


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def test_installed_esbuild_is_the_pinned_one():
    esbuild = find_esbuild({})
    assert (esbuild.origin, esbuild.version) == ("installed", VERSION)
    assert (
        hashlib.sha256(esbuild.path.read_bytes()).hexdigest()
        == esbuild.sha256
        == pin_for(this_platform()).sha256
    )


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
    altered = tmp_path / FOLDER / esbuild.path.name
    altered.parent.mkdir()
    altered.write_bytes(content)
    altered.chmod(0o755)
    esbuild = find_esbuild({}, search=[str(tmp_path)])
    assert esbuild.path == altered
    with pytest.raises(EsbuildUnusable, match="it was not run"):
        bundle(esbuild, tree({"e.ts": "1\n"}, "e.ts"))
    check = check_esbuild({}, search=[str(tmp_path)])
    assert check.state == "missing"
    assert "it was not run" in check.detail
    assert not (tmp_path / "ran").exists()


def test_doctor_says_verified_only_of_the_pinned_bytes(esbuild, tmp_path):
    assert "verified" in check_esbuild({}).detail
    copy = tmp_path / "esbuild"
    shutil.copy(esbuild.path, copy)
    own = check_esbuild({"AWNING_ESBUILD": str(copy)})
    assert "yours, not verified" in own.detail
    assert str(copy) in own.detail


def test_missing_esbuild_is_reported_with_a_hint(tmp_path):
    with pytest.raises(EsbuildUnusable, match="is not installed") as raised:
        find_esbuild({}, search=[str(tmp_path)])
    assert "AWNING_ESBUILD" in raised.value.hint
    assert raised.value.exit_code == 2


def test_esbuild_that_is_deleted_is_reported_with_a_hint(esbuild, tree, tmp_path):
    gone = replace(esbuild, path=tmp_path / "gone")
    with pytest.raises(EsbuildUnusable, match="No such file"):
        bundle(gone, tree({"e.ts": "1\n"}, "e.ts"))


def test_unknown_platform_is_reported_with_a_hint():
    with pytest.raises(EsbuildUnusable, match="linux-riscv64") as raised:
        find_esbuild({}, platform="linux-riscv64")
    assert VERSION in raised.value.hint


def test_environment_variable_selects_another_binary(esbuild, tree, tmp_path):
    copy = tmp_path / "my esbuild"
    shutil.copy(esbuild.path, copy)
    esbuild = find_esbuild({"AWNING_ESBUILD": str(copy)})
    assert (esbuild.path, esbuild.version, esbuild.origin) == (copy, VERSION, "AWNING_ESBUILD")
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
    with pytest.raises(EsbuildUnusable, match=reason):
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
    with pytest.raises(EsbuildUnusable, match=reason):
        bundle(esbuild, tree({"e.ts": "1\n"}, "e.ts"))


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


def test_pins_have_five_platforms_and_valid_hashes():
    assert [pin.platform for pin in PINS] == [
        "linux-x64",
        "linux-arm64",
        "darwin-x64",
        "darwin-arm64",
        "win32-x64",
    ]
    assert all(len(pin.sha256) == 64 and len(pin.integrity) == len("sha512-") + 88 for pin in PINS)
    assert len({pin.sha256 for pin in PINS}) == len({pin.integrity for pin in PINS}) == len(PINS)


@pytest.mark.parametrize(
    "answer", ["ls (GNU coreutils) 9.1\\nLicense GPLv3+\\nThis is free software", "", "v1", "0.28.2 and more"]
)
def test_binary_that_prints_no_version_is_not_esbuild(tmp_path, answer):
    named = script(tmp_path / "tool", f"printf '{answer}'")
    with pytest.raises(EsbuildUnusable, match="is not esbuild") as raised:
        find_esbuild({"AWNING_ESBUILD": str(named)})
    assert "\n" not in raised.value.message
    assert VERSION in raised.value.hint
