"""Files that several processes and threads write at once."""

from pathlib import Path

from awning.pipeline.cache.shared_files import replace_file


def test_file_is_replaced_while_another_thread_replaces_it(tmp_path, monkeypatch):
    file, replace = tmp_path / "view.json", Path.replace

    def replace_later(temporary, target):
        monkeypatch.setattr(Path, "replace", replace)
        replace_file(file, b"the other thread's")
        return replace(temporary, target)

    monkeypatch.setattr(Path, "replace", replace_later)
    replace_file(file, b"own")
    assert file.read_bytes() == b"own"
    assert list(tmp_path.iterdir()) == [file]
