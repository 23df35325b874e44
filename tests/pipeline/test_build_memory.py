"""After any edits, a build that remembers earlier ones has the bytes and the diagnostics of a clean build."""

import shutil
from contextlib import contextmanager

import pytest
from author import Author
from volumes import volume

from awning.errors import AwningError, Faulty
from awning.pipeline.build_session import build_session
from awning.pipeline.incremental import build


def outcome(root, out, session=None):
    """The files and the diagnostics of a build, also of one that failed."""
    shutil.rmtree(out, ignore_errors=True)
    try:
        built = build(root, out=out, allow_errors=True, session=session)
    except Faulty as error:
        return set(error.diagnostics)
    except AwningError as error:
        return error.message
    files = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    return files, built.diagnostics


@contextmanager
def without_cache(root, aside):
    if (root / ".awning").exists():
        (root / ".awning").rename(aside)
    yield
    shutil.rmtree(root / ".awning", ignore_errors=True)
    if aside.exists():
        aside.rename(root / ".awning")


@pytest.mark.parametrize("seed", range(volume("memory-builds")))
def test_after_any_edits_a_build_equals_a_clean_one(project, tmp_path, seed):
    author = Author(project, seed)
    built = 0
    with build_session(project.root) as session:
        for _ in range(12):
            for _ in range(author.chance.choice((1, 1, 1, 3))):
                author.edit()
            incremental = outcome(project.root, tmp_path / "incremental", session)
            remembered = outcome(project.root, tmp_path / "remembered")
            with without_cache(project.root, tmp_path / "aside"):
                clean = outcome(project.root, tmp_path / "clean")
            assert incremental == clean
            assert remembered == clean
            built += isinstance(clean, tuple)
    assert built
