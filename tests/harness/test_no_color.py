"""NO_COLOR turns colours off in `awning test`, whatever other variables say."""

import os
import subprocess
import sys

import pytest

from awning_harness.runs.command import color_arguments

pytestmark = pytest.mark.usefixtures("processes")


@pytest.mark.parametrize(
    ("environ", "coloured"), [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)]
)
def test_pytest_output_has_colours_only_without_no_color(tmp_path, environ, coloured):
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        *color_arguments(environ),
        str(tmp_path),
    ]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env={
            **os.environ,
            "PY_COLORS": "1",
            "FORCE_COLOR": "1",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            **environ,
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert ("\x1b[" in done.stdout) == coloured
