"""One function finds `jsrc`: beside `src` in a checkout, in the package in a wheel."""

from pathlib import Path

import pytest

import awning
from awning.errors import ConfigurationError
from awning.jsrc import jsrc_root

ROOT = Path(__file__).parents[2]


def test_in_a_checkout_it_is_beside_src():
    assert jsrc_root(ROOT / "src" / "awning") == ROOT / "jsrc"


def test_here_it_is_where_this_awning_keeps_it():
    assert (jsrc_root() / "runtime" / "index.ts").is_file()
    assert Path(awning.__file__).parent in {ROOT / "src" / "awning", jsrc_root().parent}


def test_in_a_wheel_it_is_in_the_package_whatever_lies_beside(tmp_path):
    package = tmp_path / "lib" / "site-packages" / "awning"
    (package / "_jsrc").mkdir(parents=True)
    (tmp_path / "lib" / "jsrc").mkdir()
    assert jsrc_root(package) == package / "_jsrc"


def test_an_incomplete_installation_says_what_to_do(tmp_path):
    with pytest.raises(ConfigurationError, match="missing") as raised:
        jsrc_root(tmp_path / "a" / "awning")
    assert "install awning again" in raised.value.hint
