"""Watching: one turn at the start, one after each change, failures included."""

import threading
from queue import Queue

import pytest

from awning.errors import Faulty
from awning.pipeline import watch_workspace

PATIENCE_S = 30


@pytest.fixture
def turns(project):
    """The turns of a watcher of the project, as they come."""
    project.add_widget("note")
    stop, queue = threading.Event(), Queue()

    def run():
        for turn in watch_workspace(project.root, stop=stop):
            queue.put(turn)

    thread = threading.Thread(target=run)
    thread.start()
    yield queue
    stop.set()
    thread.join(PATIENCE_S)
    assert not thread.is_alive()


def test_every_change_is_a_turn(project, turns):
    first = turns.get(timeout=PATIENCE_S)
    assert first.built.fresh
    assert first.changed == ()
    project.add_file("widgets/note/view.html.j2", "<p>new</p>")
    second = turns.get(timeout=PATIENCE_S)
    assert second.changed == ("widgets/note/view.html.j2",)
    assert "<p>new</p>" in project.dist("body.html")


def test_a_fault_is_a_turn_too_and_mending_it_the_next(project, turns):
    turns.get(timeout=PATIENCE_S)
    project.add_file("widgets/note/widget.toml", "titel = 1\n")
    broken = turns.get(timeout=PATIENCE_S)
    assert isinstance(broken.error, Faulty)
    project.add_file("widgets/note/widget.toml", 'title = "A"\nslot = "after-price"\n')
    assert turns.get(timeout=PATIENCE_S).error is None


def test_the_files_at_the_root_are_watched_too(project, turns):
    turns.get(timeout=PATIENCE_S)
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["lv"]\n')
    turn = turns.get(timeout=PATIENCE_S)
    assert turn.changed == ("pyproject.toml",)
    assert turn.built.record.languages == ("lv",)
