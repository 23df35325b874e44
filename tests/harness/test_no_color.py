"""NO_COLOR turns colours off in `awning test`, whatever other variables say."""

import os

import pytest
from warm_python import run_warm

from awning_harness.runs.command import color_arguments

pytestmark = pytest.mark.usefixtures("processes")


@pytest.mark.parametrize(
    ("environ", "coloured"), [({}, True), ({"NO_COLOR": ""}, True), ({"NO_COLOR": "1"}, False)]
)
def test_pytest_output_has_colours_only_without_no_color(tmp_path, environ, coloured):
    (tmp_path / "test_one.py").write_text("def test_one():\n    pass\n")
    command = ["-m", "pytest", "-p", "no:cacheprovider", *color_arguments(environ), tmp_path]
    alike = {"PY_COLORS": "1", "FORCE_COLOR": "1", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    done = run_warm(command, tmp_path, {**os.environ, **alike, **environ})
    assert done.returncode == 0, done.stdout + done.stderr
    assert ("\x1b[" in done.stdout) == coloured
