"""A workspace of its own for each test."""

import pytest
from project import Project


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop")
