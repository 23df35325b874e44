"""A cache is used only by the version of awning and of its libraries that wrote it."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from awning.pipeline.cache import toolchain


@pytest.fixture
def stamp() -> Iterator[Callable[[], str]]:
    """`stamp()` is the package stamp, looked up anew."""
    yield toolchain.package_stamp.__wrapped__
    toolchain.package_stamp.cache_clear()


def test_the_same_tools_have_the_same_stamp(stamp):
    assert stamp() == stamp()


@pytest.mark.parametrize("library", toolchain._LIBRARIES)
def test_library_version_changes_the_stamp(stamp, tmp_path, monkeypatch, library):
    """A folder of installed packages with one version of the library, and then with another."""
    package = tmp_path / library
    package.mkdir()
    (package / "__init__.py").touch()
    distribution = toolchain._LIBRARIES[library]
    installed = tmp_path / f"{distribution}-1.0.0.dist-info"
    installed.mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, library, raising=False)
    before = stamp()
    installed.rename(tmp_path / f"{distribution}-1.0.1.dist-info")
    assert stamp() != before


def test_changed_top_level_module_changes_the_stamp(stamp, tmp_path, monkeypatch):
    """Caches hold objects of `diagnostics.py` and `errors.py`, so a change of these modules must change the stamp."""
    package = tmp_path / "awning"
    package.mkdir()
    module = package / "diagnostics.py"
    module.write_text("a = 1\n")
    monkeypatch.setattr(toolchain.awning, "__file__", str(package / "__init__.py"))
    before = stamp()
    os.utime(module, ns=(1, 1))
    assert stamp() != before


def test_every_library_is_found_with_its_version():
    names = {name.split("-")[0].lower() for name in toolchain._versions()}
    assert names == set(toolchain._LIBRARIES.values())


@pytest.mark.usefixtures("processes")
def test_the_stamp_imports_no_library():
    code = (
        "import sys; from awning.pipeline.cache.toolchain import package_stamp; package_stamp(); "
        "print(sorted({'jinja2', 'tree_sitter'} & sys.modules.keys()))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "[]"
