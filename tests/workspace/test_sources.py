"""The files of a workspace: special files, links out of the workspace and large files are refused."""

import contextlib
import os
import socket
import sys
from pathlib import Path

import pytest
from project import Project

from awning.errors import Faulty
from awning.workspace import sources
from awning.workspace.sources import find_sources, read_source, size_limit

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links are a matter of POSIX")

NOTE = "widgets/note"


@pytest.fixture
def shop(tmp_path):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret/key.txt").write_text("the-key-of-another")
    return Project(tmp_path / "shop").add_widget("note")


def link(shop, path, target):
    file = shop.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    if file.exists():
        file.unlink()
    file.symlink_to(target)


def bound(shop, path):
    with contextlib.chdir((shop.root / path).parent), socket.socket(socket.AF_UNIX) as listening:
        listening.bind(Path(path).name)  # the whole path may be too long for a socket


def as_folder(shop, path):
    if (shop.root / path).exists():
        (shop.root / path).unlink()
    (shop.root / path).mkdir()


REFUSED = {
    "a dangling link": (lambda s: link(s, f"{NOTE}/x.ts", s.root / "none"), f"{NOTE}/x.ts", "file-missing"),
    "a dangling style": (
        lambda s: link(s, f"{NOTE}/style.css", "no.css"),
        f"{NOTE}/style.css",
        "file-missing",
    ),
    "a link to itself": (lambda s: link(s, f"{NOTE}/x.ts", "x.ts"), f"{NOTE}/x.ts", "file-missing"),
    "a file outside": (
        lambda s: link(s, f"{NOTE}/x.txt", "../../../secret/key.txt"),
        f"{NOTE}/x.txt",
        "file-outside",
    ),
    "a folder outside": (lambda s: link(s, f"{NOTE}/x", s.root / "../secret"), f"{NOTE}/x", "file-outside"),
    "messages outside": (
        lambda s: link(s, "widgets/other/messages", s.root / "../secret"),
        "widgets/other/messages",
        "file-outside",
    ),
    "what widgets share": (
        lambda s: link(s, "widgets/_shared", s.root / "../secret"),
        "widgets/_shared",
        "file-outside",
    ),
    "the manifest": (
        lambda s: link(s, "manifest.toml", s.root / "../secret/key.txt"),
        "manifest.toml",
        "file-outside",
    ),
    "a pipe": (lambda s: os.mkfifo(s.root / NOTE / "x"), f"{NOTE}/x", "file-unreadable"),
    "states that are a pipe": (
        lambda s: os.mkfifo(s.root / NOTE / "states.toml"),
        f"{NOTE}/states.toml",
        "file-unreadable",
    ),
    "texts that are a pipe": (
        lambda s: (
            (s.root / NOTE / "messages/lv.toml").unlink(),
            os.mkfifo(s.root / NOTE / "messages/lv.toml"),
        ),
        f"{NOTE}/messages/lv.toml",
        "file-unreadable",
    ),
    "a socket": (lambda s: bound(s, f"{NOTE}/x.ts"), f"{NOTE}/x.ts", "file-unreadable"),
    "a device": (lambda s: link(s, f"{NOTE}/x.ts", "/dev/zero"), f"{NOTE}/x.ts", "file-outside"),
    "a style that is a folder": (
        lambda s: as_folder(s, f"{NOTE}/style.css"),
        f"{NOTE}/style.css",
        "file-unreadable",
    ),
    "a template that is a folder": (
        lambda s: as_folder(s, f"{NOTE}/view.html.j2"),
        f"{NOTE}/view.html.j2",
        "file-unreadable",
    ),
    "a widget.toml that is a folder": (
        lambda s: as_folder(s, f"{NOTE}/widget.toml"),
        f"{NOTE}/widget.toml",
        "file-unreadable",
    ),
    "a script that is a folder": (
        lambda s: as_folder(s, f"{NOTE}/widget.ts"),
        f"{NOTE}/widget.ts",
        "file-unreadable",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_unreadable_source_is_reported_once_with_a_hint(shop, case):
    make, path, rule = REFUSED[case]
    make(shop)
    with pytest.raises(Faulty) as raised:
        shop.read()
    diagnostics = [diagnostic for diagnostic in raised.value.diagnostics if diagnostic.place.path == path]
    assert [diagnostic.rule for diagnostic in diagnostics] == [rule], raised.value.message
    assert diagnostics[0].hint
    assert "the-key-of-another" not in raised.value.message


ALLOWED = {
    "a file of the workspace": lambda s: link(s, f"{NOTE}/x.txt", "../../manifest.toml"),
    "a folder of the workspace": lambda s: link(s.add_file("parts/a.ts", ""), f"{NOTE}/parts", "../../parts"),
    "the widget's own folder": lambda s: link(s, f"{NOTE}/again", "."),
    "an editor's lock": lambda s: link(s, f"{NOTE}/.#view.html.j2", "me@host.123"),
    "a test": lambda s: link(s, f"{NOTE}/test_note.py", s.root / "../secret/key.txt"),
    "packages": lambda s: link(s, f"{NOTE}/node_modules", s.root / "../secret"),
}


@pytest.mark.parametrize("case", ALLOWED)
def test_links_within_the_workspace_and_other_files_are_accepted(shop, case):
    ALLOWED[case](shop)
    assert shop.read().widgets


def test_snapshots_of_a_widget_are_no_sources(shop):
    before = find_sources(shop.root).paths
    shop.add_file(f"{NOTE}/snapshots/any.en.txt", "# Snapshot 1")
    assert find_sources(shop.root).paths == before
    shop.add_file(f"{NOTE}/pictures/snapshots/a.svg", "<svg/>")
    assert f"{NOTE}/pictures/snapshots/a.svg" in find_sources(shop.root).paths


def test_widget_folder_can_be_a_link_to_a_self_contained_folder(shop, tmp_path):
    (shop.root / NOTE).rename(tmp_path / "elsewhere")
    link(shop, NOTE, tmp_path / "elsewhere")
    (tmp_path / "elsewhere/own.ts").symlink_to("widget.ts")
    assert [widget.name for widget in shop.read().widgets] == ["note"]
    (tmp_path / "elsewhere/x.txt").symlink_to(tmp_path / "secret/key.txt")
    with pytest.raises(Faulty, match="outside of the workspace"):
        shop.read()


def test_cyclic_links_of_a_linked_widget_are_followed_once(shop, tmp_path):
    (shop.root / NOTE).rename(tmp_path / "elsewhere")
    link(shop, NOTE, tmp_path / "elsewhere")
    for name in ("again", "back"):
        (tmp_path / "elsewhere" / name).symlink_to(".")
    for name, other in {"left": "right", "right": "left"}.items():
        (tmp_path / "elsewhere" / name).mkdir()
        (tmp_path / "elsewhere" / name / "link").symlink_to(f"../{other}")
    (tmp_path / "elsewhere/left/x.txt").write_text("x")
    paths = [path for path in find_sources(shop.root).paths if path.endswith("x.txt")]
    assert paths == [f"{NOTE}/left/x.txt", f"{NOTE}/right/link/x.txt"]


def test_exponential_links_are_refused(shop):
    for depth in range(20):
        folder = shop.root / NOTE / f"d{depth}"
        folder.mkdir()
        for name in "pq":
            (folder / name).symlink_to(f"../d{depth + 1}")
    (shop.root / NOTE / "d20").mkdir()
    faults = find_sources(shop.root).diagnostics
    assert [fault.rule for fault in faults] == ["source-limit"]
    assert "more than 2000 links" in faults[0].message


def test_unlistable_folder_is_reported(shop, monkeypatch):
    listing = os.scandir

    def scandir(folder):
        if str(folder).endswith("messages"):
            raise PermissionError(13, "Permission denied", folder)
        return listing(folder)

    monkeypatch.setattr(sources.os, "scandir", scandir)
    (fault,) = find_sources(shop.root).diagnostics
    assert (fault.rule, fault.place.path) == ("file-unreadable", f"{NOTE}/messages")
    assert "Permission denied" in fault.message


def test_unopenable_file_is_reported(shop, monkeypatch):
    def refused(*_arguments):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(sources.os, "open", refused)
    fault = read_source(shop.root / NOTE / "widget.ts", f"{NOTE}/widget.ts")
    assert (fault.rule, fault.message) == ("file-unreadable", "cannot be read: Permission denied")


@pytest.mark.parametrize(
    "name", ["states.toml", "data.schema.json", "view.html.j2", "x.ts", "x.css", "x.mp4"]
)
def test_oversized_file_is_refused_before_it_is_read(shop, name, monkeypatch):
    file = shop.root / NOTE / name
    with file.open("wb") as sparse:
        sparse.truncate(size_limit(name) + 1)
    reading = []
    monkeypatch.setattr(sources.os, "fdopen", watched_reads(os.fdopen, reading))
    fault = read_source(file, name)
    assert (fault.rule, reading) == ("source-limit", [])
    with file.open("wb") as sparse:
        sparse.truncate(size_limit(name))
    assert len(read_source(file, name)) == size_limit(name)


def watched_reads(opening, reading):
    def fdopen(*arguments):
        opened = opening(*arguments)

        class Watched:
            fileno = opened.fileno

            def __enter__(self):
                return self

            def __exit__(self, *_how):
                opened.close()

            def read(self, size):
                reading.append(size)
                return opened.read(size)

        return Watched()

    return fdopen
