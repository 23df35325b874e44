"""`awning emulator -o FILE`."""

from pathlib import Path

import pytest
from command_line import Result, call_awning
from frames import SmallPages


def run(*arguments: str) -> Result:
    return call_awning("emulator", *arguments)


def test_command_writes_one_self_contained_script(tmp_path: Path, small_pages: SmallPages) -> None:
    out = tmp_path / "new" / "emulator.js"
    assert run("-o", str(out)).code == 0
    code = """
      svcPlugins.subscribeEvent('x', (event, init) => init().setContent('works'));
      awningEmulator.host('#box', 'x', {});
    """
    small = small_pages.load(out.read_text(encoding="utf-8"), code, emulator=False)
    assert small.html == '<div data-order="1">works</div>'
    assert small.run("() => Object.keys(awningEmulator)") == [
        *["configure", "allowGlobals", "trace", "watch", "observe", "assumptions", "host", "fire"],
    ]


def test_global_object_is_that_of_the_profile(tmp_path: Path, small_pages: SmallPages) -> None:
    out = tmp_path / "emulator.js"
    assert run("-o", str(out), "--global", "shopPlugins", "--no-minify").code == 0
    small = small_pages.load(out.read_text(encoding="utf-8"), emulator=False)
    assert small.run("() => [typeof shopPlugins.subscribeEvent, typeof svcPlugins]") == [
        "function",
        "undefined",
    ]
    assert "\n  " in out.read_text(encoding="utf-8")


def test_two_runs_write_the_same_bytes(tmp_path: Path) -> None:
    outs = [tmp_path / "a.js", tmp_path / "b.js"]
    for out in outs:
        run("-o", str(out))
    assert outs[0].read_bytes() == outs[1].read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "written to a file or to a folder"),
        (("-o", "x.js", "--global", "not a name"), "cannot be the name of a global"),
        (("-o", "{tmp}/file/x.js"), "cannot be written"),
    ],
)
def test_bad_usage_exits_2(tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "file").write_text("")
    done = run(*(argument.replace("{tmp}", str(tmp_path)) for argument in arguments))
    assert done.code == 2
    assert message in done.err
