"""Watching a workspace: one turn (a build or its error) at the start, and one after each change."""

import shutil
import threading
from contextlib import contextmanager
from queue import Queue

import pytest
from watchfiles import Change

from awning.errors import ConfigurationError, Faulty
from awning.jsrc import jsrc_root
from awning.pipeline import watch
from awning.pipeline.cache.toolchain import package_stamp
from awning.pipeline.incremental import build
from awning.pipeline.read import KnownSources, read_sources
from awning.pipeline.watch import signals, watch_workspace
from awning.workspace.sources import find_sources

PATIENCE_S = 30


@contextmanager
def watched(project, build=build):
    """A queue with the turns of a watcher of the project in order; an exception that ends the watcher comes last."""
    stop, queue = threading.Event(), Queue()

    def build_in(session):
        return build(project.root, session=session)

    def run():
        try:
            for turn in watch_workspace(project.root, build_in, stop=stop):
                queue.put(turn)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must see it
            queue.put(error)

    thread = threading.Thread(target=run)
    thread.start()
    yield queue
    stop.set()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


@pytest.fixture
def turns(project):
    project.add_widget("note")
    with watched(project) as queue:
        yield queue


def test_every_change_causes_a_build(project, turns):
    first = turns.get(timeout=PATIENCE_S)
    assert first.built.fresh
    assert first.changed == ()
    project.add_file("widgets/note/view.html.j2", "<p>new</p>")
    second = turns.get(timeout=PATIENCE_S)
    assert second.changed == ("widgets/note/view.html.j2",)
    assert "<p>new</p>" in project.dist("body.html")


def test_temporary_files_of_editors_are_not_sources(project):
    project.add_widget("note")
    before = find_sources(project.root).paths
    for name in ("sedh3Xq9Z", "view.html.j2~", "#view.html.j2#", "4913", ".view.swp", "widget.ts.tmp"):
        project.add_file(f"widgets/note/{name}", "half")
    assert find_sources(project.root).paths == before


def test_file_deleted_while_it_is_read_is_left_out(project, monkeypatch):
    workspace = project.add_widget("note", passing_ts="export {};\n").read()
    listed = find_sources(project.root)
    (project.root / "widgets/note/passing.ts").unlink()
    monkeypatch.setattr("awning.pipeline.read.files.find_sources", lambda _root: listed)
    known = KnownSources(project.root)
    known.look()
    files = read_sources(workspace, known).files
    assert "widgets/note/widget.ts" in files
    assert "widgets/note/passing.ts" not in files
    (project.root / "widgets/note/widget.ts").unlink()
    known.look()
    with pytest.raises(ConfigurationError, match="was deleted"):
        read_sources(workspace, known)


UNFORESEEN = {
    "a fault of ours": (ValueError("empty separator"), "ValueError: empty separator", "please report it"),
    "a depth of ours": (RecursionError("too deep"), "RecursionError: too deep", "please report it"),
    "a full disk": (OSError(28, "No space left on device", "x.json"), "x.json: No space left", "next change"),
}


@pytest.mark.parametrize("case", UNFORESEEN)
def test_exception_is_reported_and_the_next_save_builds(project, case):
    error, message, hint = UNFORESEEN[case]
    project.add_widget("note")

    def failing(root, **options):
        if "broken" in (project.root / "widgets/note/view.html.j2").read_text(encoding="utf-8"):
            raise error
        return build(root, **options)

    with watched(project, failing) as turns:
        assert turns.get(timeout=PATIENCE_S).built
        project.add_file("widgets/note/view.html.j2", "<p>broken</p>")
        turn = turns.get(timeout=PATIENCE_S)
        assert turn.built is None
        assert message in turn.error.message
        assert hint in turn.error.hint
        project.add_file("widgets/note/view.html.j2", "<p>mended</p>")
        assert turns.get(timeout=PATIENCE_S).built
    assert "<p>mended</p>" in project.dist("body.html")


@pytest.mark.parametrize("error", [FileNotFoundError("gone"), PermissionError("no"), RuntimeError("watches")])
def test_watching_continues_where_the_system_cannot_watch(project, monkeypatch, error):
    """If the system has no watches left, or a folder is deleted while they are set, polling finds the changes."""

    def refused(*_folders, **_options):
        raise error

    monkeypatch.setattr(watch, "watch", refused)
    project.add_widget("note")
    with watched(project) as turns:
        turns.get(timeout=PATIENCE_S)
        project.add_file("widgets/note/view.html.j2", "<p>new</p>")
        assert turns.get(timeout=PATIENCE_S).changed == ("widgets/note/view.html.j2",)


def test_watching_continues_when_sources_cannot_be_read(project, monkeypatch):
    project.add_widget("note")
    looking = watch.find_sources

    def look(root):
        if (root / "widgets/note/stop.txt").exists():
            raise OSError(5, "Input/output error")
        return looking(root)

    monkeypatch.setattr(watch, "find_sources", look)
    with watched(project) as turns:
        turns.get(timeout=PATIENCE_S)
        project.add_file("widgets/note/stop.txt", "")
        turns.get(timeout=PATIENCE_S)
        (project.root / "widgets/note/stop.txt").unlink()
        assert turns.get(timeout=PATIENCE_S).built


def test_fault_and_its_correction_each_cause_a_build(project, turns):
    turns.get(timeout=PATIENCE_S)
    project.add_file("widgets/note/widget.toml", "titel = 1\n")
    broken = turns.get(timeout=PATIENCE_S)
    assert isinstance(broken.error, Faulty)
    project.add_file("widgets/note/widget.toml", 'title = "A"\nslot = "after-price"\n')
    assert turns.get(timeout=PATIENCE_S).error is None


def test_files_at_the_workspace_root_are_watched(project, turns):
    turns.get(timeout=PATIENCE_S)
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["lv"]\n')
    turn = turns.get(timeout=PATIENCE_S)
    assert turn.changed == ("pyproject.toml",)
    assert turn.built.record.languages == ("lv",)


def test_widgets_folder_may_be_created_deleted_and_created_again(project):
    with watched(project) as turns:
        assert turns.get(timeout=PATIENCE_S).built.record.widgets == ()
        for _ in range(2):
            shutil.copytree(project_of_one(project), project.root / "widgets")
            while not (turn := turns.get(timeout=PATIENCE_S)).built or not turn.built.record.widgets:
                pass
            project.add_file("widgets/note/view.html.j2", "<p>again</p>")
            while "widgets/note/view.html.j2" not in turns.get(timeout=PATIENCE_S).changed:
                pass
            shutil.rmtree(project.root / "widgets")
            while not (turn := turns.get(timeout=PATIENCE_S)).built or turn.built.record.widgets:
                pass


def project_of_one(project):
    """A widgets/ folder to be copied."""
    other = type(project)(project.root.parent / "other")
    return other.add_widget("note").root / "widgets"


@pytest.mark.parametrize("change", ["created", "deleted", "replaced"])
def test_save_is_reported_while_the_folders_to_watch_are_determined_again(project, change):
    project.add_widget("note")
    store, other = project.root / "storefront", project.root / "other"
    other.mkdir()
    if change != "created":
        store.mkdir()
    events = signals(project.root, threading.Event())
    next(events)  # the folders are watched from now on
    if change != "created":
        store.rmdir()
    if change != "deleted":
        other.rename(store)
    while next(events) is not None:
        pass
    project.add_file("widgets/note/view.html.j2", "<p>saved while nothing is watched</p>")
    assert str(project.root / "widgets/note/view.html.j2") in next(events)
    assert next(events) == frozenset()
    events.close()


def test_files_of_a_new_folder_are_reported_when_only_the_folder_was(project, monkeypatch):
    folder = project.add_widget("note").root / "widgets" / "note"
    monkeypatch.setattr(watch, "watch", lambda *_, **__: iter([{(Change.added, str(folder))}]))
    reported = next(signals(project.root, threading.Event()))
    assert reported == {str(folder), *(str(file) for file in folder.rglob("*") if file.is_file())}


def test_runtime_is_watched_in_a_checkout_of_awning(project, monkeypatch):
    jsrc = project.root / "jsrc"
    shutil.copytree(jsrc_root(), jsrc)
    for module in ("watch", "bundle", "cache.toolchain"):
        monkeypatch.setattr(f"awning.pipeline.{module}.jsrc_root", lambda: jsrc)
    package_stamp.cache_clear()
    project.add_widget("note")
    with watched(project) as turns:
        turns.get(timeout=PATIENCE_S)
        run = jsrc / "runtime/run.ts"
        project.add_file("jsrc/runtime/run.ts", run.read_text(encoding="utf-8") + '\nconsole.log("mine");\n')
        turn = turns.get(timeout=PATIENCE_S)
        assert turn.changed == ("jsrc/runtime/run.ts",)
        assert turn.built.fresh
        assert "mine" in project.dist("body.html")
    package_stamp.cache_clear()
