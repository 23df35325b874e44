"""The last build of `awning dev`, which the next start shows before it has read the workspace."""

import os
import threading
import time
from contextlib import contextmanager

import pytest

from awning.errors import Faulty
from awning.pipeline.build_session import build_session
from awning.pipeline.follow import Follower
from awning.pipeline.live import LiveWorkspace
from awning.pipeline.read import BuildCancelled, Checkpoint

VIEW = "widgets/note/view.html.j2"
CODE = '[[code]]\ncode = "HALF"\npercent = 50\n'


@contextmanager
def opened(project):
    with build_session(project.root) as session:
        yield LiveWorkspace(session)


def saved(project):
    with opened(project) as live:
        return live.saved()


@pytest.fixture
def first(project):
    """The build of a first process, which has saved it."""
    project.add_widget("note", style_css="p { color: red }\n").add_widget("other")
    with opened(project) as live:
        built = live.build(["en"])
        live.save()
    return built.built


def test_saved_build_is_the_last_build(project, first):
    again = saved(project)
    assert again.record == first.record
    assert again.bodies == first.bodies
    assert {path: again.snippet(path) for path in first.contents} == {
        path: first.snippet(path) for path in first.contents
    }


@pytest.mark.parametrize(
    "change",
    [
        lambda project: project.add_file(VIEW, "<b>new</b>"),
        lambda project: project.add_file("widgets/note/more.ts", "export {};\n"),
        lambda project: (project.root / "widgets/note/style.css").unlink(),
        lambda project: project.add_file("storefront/shop.toml", CODE),
        lambda project: (project.root / ".awning/cache/dev/en/body.html").write_text("", encoding="utf-8"),
        lambda project: (project.root / ".awning/cache/dev/build.json").unlink(),
    ],
)
def test_nothing_is_shown_after_a_change(project, first, change):
    change(project)
    assert saved(project) is None


def test_build_with_other_options_is_not_shown(project, first):
    with build_session(project.root) as session:
        live = LiveWorkspace(session, environ={**os.environ, "AWNING_PROFILE": "other"})
        assert live.saved() is None


def test_build_that_has_failed_is_not_saved(project):
    project.add_widget("note")
    with opened(project) as live:
        live.save()
        live.build(["en"])
        project.add_file(VIEW, "{% if %}")
        with pytest.raises(Faulty):
            live.build(["en"])
        live.save()
    assert saved(project) is None


def test_patch_after_the_build_keeps_it_from_being_saved(project):
    project.add_widget("note")
    with opened(project) as live:
        live.build(["en"])
        project.add_file(VIEW, "<b>new</b>")
        live.patch([VIEW], ["en"])
        live.save()
    assert saved(project) is None


@pytest.mark.parametrize("checks", range(1, 6))
def test_build_before_a_cancelled_one_is_not_taken_for_the_changed_files(project, checks):
    project.add_widget("note")
    with opened(project) as live:
        live.build(["en"])
        project.add_file(VIEW, "<b>new</b>")
        an_hour_ago = time.time() - 3600  # what was written just now is never taken for known
        os.utime(project.root / VIEW, (an_hour_ago, an_hour_ago))
        left = iter([False] * (checks - 1))
        with pytest.raises(BuildCancelled):
            live.build(["en"], checkpoint=Checkpoint(lambda: next(left, True)))
        live.save()
    assert saved(project) is None


def test_store_of_the_workspace_comes_with_the_saved_build(project):
    project.add_widget("note").add_file("storefront/shop.toml", CODE)
    with opened(project) as live:
        live.build(["en"])
        live.save()
    assert saved(project).own_store.codes["HALF"] == 50


def followed(project, count):
    """Start a follower with the saved build, take `count` turns and stop it. Returns the turns and the saved build."""
    stop = threading.Event()
    with opened(project) as live:
        session = live.saved()
        follower = Follower(project.root, live, stop, languages=lambda: ["en"], saved=session)
        turns = follower.turns()
        first = [next(turns) for _ in range(count)]
        stop.set()
        assert list(turns) == []
    return first, session


def test_second_start_shows_the_saved_build_and_then_builds_the_same(project):
    project.add_widget("note").add_widget("other")
    (_, inspected), session = followed(project, 2)
    assert session is None
    (first, built, again), session = followed(project, 3)
    assert first.built is session
    assert first.is_provisional
    assert built.is_provisional
    assert not again.is_provisional
    for turn in (first, built, again):
        assert turn.built.snippet("en/body.html") == inspected.built.snippet("en/body.html")


def test_save_while_the_saved_build_is_shown_is_built(project):
    project.add_widget("note").add_widget("other")
    followed(project, 2)
    stop = threading.Event()
    with opened(project) as live:
        follower = Follower(project.root, live, stop, languages=lambda: ["en"], saved=live.saved())
        turns = follower.turns()
        assert next(turns).built is not None
        project.add_file(VIEW, "<b>new</b>")
        while "<b>new</b>" not in (built := next(turns).built).snippet("en/body.html"):
            pass
        assert "<b>new</b>" in built.snippet("en/body.html")
        stop.set()
        turns.close()
