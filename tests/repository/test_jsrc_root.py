"""One function finds `jsrc`: beside `src` in a checkout, in the package in a wheel."""

from pathlib import Path

import pytest

import awning
from awning.errors import ConfigurationError
from awning.jsrc import jsrc_root

ROOT = Path(__file__).parents[2]


def test_jsrc_is_beside_src_in_a_checkout():
    assert jsrc_root(ROOT / "src" / "awning") == ROOT / "jsrc"


def test_jsrc_exists_for_the_awning_under_test():
    assert (jsrc_root() / "runtime" / "index.ts").is_file()
    assert Path(awning.__file__).parent in {ROOT / "src" / "awning", jsrc_root().parent}


def test_jsrc_in_a_wheel_is_in_the_package(tmp_path):
    package = tmp_path / "lib" / "site-packages" / "awning"
    (package / "_jsrc").mkdir(parents=True)
    (tmp_path / "lib" / "jsrc").mkdir()
    assert jsrc_root(package) == package / "_jsrc"


def test_incomplete_installation_is_reported_with_a_hint(tmp_path):
    with pytest.raises(ConfigurationError, match="missing") as raised:
        jsrc_root(tmp_path / "a" / "awning")
    assert "install awning again" in raised.value.hint
