"""Builds with a memory: after any edits, the bytes and the diagnostics are those of a clean build."""

import shutil

import pytest
from author import Author
from volumes import volume

from awning.errors import AwningError, Faulty
from awning.pipeline import build, phases


def outcome(root, out, memory):
    """The files and the diagnostics of a build, also of one that failed."""
    shutil.rmtree(out, ignore_errors=True)
    try:
        built = build(root, out=out, allow_errors=True, memory=memory)
    except Faulty as error:
        return set(error.diagnostics)
    except AwningError as error:
        return error.message
    files = {path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()}
    return files, built.diagnostics


@pytest.mark.parametrize("seed", range(volume("memory-builds")))
def test_after_any_edits_a_build_equals_a_clean_one(project, tmp_path, seed):
    author = Author(project, seed)
    built = 0
    with phases.build_memory(project.root) as memory:
        for _ in range(12):
            for _ in range(author.chance.choice((1, 1, 1, 3))):
                author.edit()
            shutil.rmtree(project.root / ".awning", ignore_errors=True)
            incremental = outcome(project.root, tmp_path / "incremental", memory)
            shutil.rmtree(project.root / ".awning", ignore_errors=True)
            assert incremental == outcome(project.root, tmp_path / "clean", None)
            built += isinstance(incremental, tuple)
    assert built
