"""Builds of `awning dev` that are cancelled: by a save, by a page in another language, by the end of the server.

A cancelled build leaves nothing behind that changes a later one.
"""

import itertools
import threading
from contextlib import contextmanager, suppress

import pytest
from author import Author
from volumes import volume

from awning.errors import AwningError, Faulty
from awning.pipeline import inspect, phases
from awning.pipeline.build_session import build_session
from awning.pipeline.follow import _LOOKS, Follower
from awning.pipeline.live import LiveWorkspace
from awning.pipeline.read import BuildCancelled, Checkpoint

VIEW = "widgets/note/view.html.j2"
PATIENCE_S = 30
MOST_CHECKPOINTS = 40
"""More checkpoints than a build of two small widgets passes."""


def cancelled_after(checks):
    """A checkpoint that lets `checks` checks pass and cancels the build at the next one."""
    count = itertools.count()
    return Checkpoint(lambda: next(count) >= checks)


def is_cancelled(live, checks):
    """Build with `cancelled_after(checks)`; returns whether the build was cancelled."""
    try:
        live.build(checkpoint=cancelled_after(checks))
    except BuildCancelled:
        return True
    except AwningError:
        return False
    return False


def outcome(live):
    """The snippets and the diagnostics of a build, also of one that failed."""
    try:
        built = live.build()
    except Faulty as error:
        return set(error.diagnostics)
    except AwningError as error:
        return error.message
    return built.built.contents, set(built.built.diagnostics)


def clean_outcome(root):
    with build_session(root) as session:
        return outcome(LiveWorkspace(session))


@pytest.mark.parametrize("seed", range(volume("cancelled-builds")))
def test_after_builds_cancelled_anywhere_the_app_is_that_of_a_clean_build(project, seed):
    author, cancelled = Author(project, seed), 0
    with build_session(project.root) as session:
        live = LiveWorkspace(session)
        for _ in range(12):
            for _ in range(author.chance.choice((1, 1, 2, 3))):
                path = author.edit()
                if path is not None:
                    with suppress(Faulty):  # a file is broken at this moment
                        live.patch([path], ["en"])
                cancelled += is_cancelled(live, author.chance.randrange(MOST_CHECKPOINTS))
            assert outcome(live) == clean_outcome(project.root)
            if author.chance.random() < 1 / 3:
                author.mend()
                outcome(live)
    assert cancelled


@pytest.fixture
def live(project):
    project.add_widget("note").add_widget("other")
    with build_session(project.root) as session:
        live = LiveWorkspace(session)
        live.build(inspects=False)
        yield live


def test_save_after_a_cancelled_build_is_a_patch(project, live):
    cancelled = 0
    for checks in range(MOST_CHECKPOINTS):
        project.add_file(VIEW, f"<b>first {checks}</b>")
        assert f"first {checks}<" in live.patch([VIEW], ["en"]).bodies["en"]
        cancelled += is_cancelled(live, checks)
        project.add_file(VIEW, f"<b>second {checks}</b>")
        assert f"second {checks}<" in live.patch([VIEW], ["en"]).bodies["en"]
        built = live.build()
        assert built.is_shown
        assert f"second {checks}<" in built.built.snippet("en/body.html")
    assert 5 < cancelled < MOST_CHECKPOINTS


def test_scripts_that_were_inspected_before_the_cancelling_are_not_inspected_again(live, monkeypatch):
    inspected = []
    check_file = inspect.check_file
    monkeypatch.setattr(
        inspect, "check_file", lambda file: (inspected.append(file.path), check_file(file))[1]
    )
    checks = 0
    while not inspected:
        assert is_cancelled(live, checks)
        checks += 1
    live.build()
    assert len(inspected) == len(set(inspected))
    assert {"widgets/note/widget.ts", "widgets/other/widget.ts"} <= set(inspected)


@pytest.fixture
def long_phase(monkeypatch):
    """`long_phase(action)`: the next phase `inspect` calls `action`, then waits until it is cancelled."""
    actions = []
    inspect = phases.inspect_sources

    def inspect_sources(sources, modules, memory, checkpoint, **options):
        if actions:
            actions.pop()()
            pause = threading.Event()
            for _ in range(PATIENCE_S * 100):
                checkpoint.check()
                pause.wait(0.01)
        return inspect(sources, modules, memory, checkpoint, **options)

    monkeypatch.setattr(phases, "inspect_sources", inspect_sources)
    return actions.append


@contextmanager
def followed(project):
    """A follower of a workspace with a page in English, and its turns after the first one."""
    project.add_widget("note").add_widget("other")
    stop = threading.Event()
    with build_session(project.root) as session:
        follower = Follower(project.root, LiveWorkspace(session), stop, languages=lambda: ["en"])
        turns = follower.turns()
        assert next(turns).is_provisional
        yield follower, turns
        stop.set()
        assert [turn.error for turn in turns] == []


def test_save_during_a_build_is_shown_before_it(project, long_phase):
    with followed(project) as (_, turns):
        long_phase(lambda: project.add_file(VIEW, "<b>new</b>"))
        assert "<b>new</b>" in next(turns).patch.bodies["en"]
        built = next(turns)
        assert not built.is_provisional
        assert built.is_shown
        assert built.changed == (VIEW,)
        assert "<b>new</b>" in built.built.snippet("en/body.html")


def test_save_during_a_long_build_is_shown_before_it(project, long_phase):
    with followed(project) as (follower, turns):

        def save_after_a_long_time():
            for _ in range(2 * _LOOKS):
                follower._events.put(frozenset())
            project.add_file(VIEW, "<b>new</b>")

        long_phase(save_after_a_long_time)
        assert "<b>new</b>" in next(turns).patch.bodies["en"]
        assert next(turns).changed == (VIEW,)


def test_save_during_a_build_that_cannot_be_cancelled_is_a_patch(project, monkeypatch):
    is_built, is_saved = threading.Event(), threading.Event()

    def signals(root, stop):
        is_built.wait(PATIENCE_S)
        yield from [frozenset()] * (2 * _LOOKS)
        project.add_file(VIEW, "<b>new</b>")
        yield frozenset({str(root / VIEW)})
        is_saved.set()
        stop.wait(PATIENCE_S)

    monkeypatch.setattr("awning.pipeline.follow.signals", signals)
    with followed(project) as (_, turns):
        is_built.set()
        assert is_saved.wait(PATIENCE_S)
        assert "<b>new</b>" in next(turns).patch.bodies["en"]


def test_second_save_during_the_build_after_the_first_is_shown_before_it(project, long_phase):
    with followed(project) as (_, turns):
        assert next(turns).built
        project.add_file(VIEW, "<b>new</b>")
        assert "<b>new</b>" in next(turns).patch.bodies["en"]
        long_phase(lambda: project.add_file("widgets/other/view.html.j2", "<b>newer</b>"))
        patch = next(turns).patch
        assert patch.widget == "other"
        assert "<b>newer</b>" in patch.bodies["en"]
        built = next(turns)
        assert built.changed == (VIEW, "widgets/other/view.html.j2")
        assert "<b>new</b>" in built.built.snippet("en/body.html")
        assert "<b>newer</b>" in built.built.snippet("en/body.html")


def test_change_that_no_patch_shows_is_built_at_once_when_it_is_saved_during_a_build(project, long_phase):
    with followed(project) as (_, turns):
        long_phase(lambda: project.add_widget("added", view_html_j2="<b>added</b>"))
        while "added" not in (built := next(turns).built).snippet("en/body.html"):
            pass
        assert "<b>added</b>" in built.snippet("en/body.html")


def test_page_in_another_language_gets_its_snippet_before_the_app_is_inspected(project, long_phase):
    with followed(project) as (follower, turns):
        long_phase(lambda: follower.hurry("lv"))
        quick = next(turns)
        assert quick.is_provisional
        assert {"en/body.html", "lv/body.html"} <= quick.built.contents.keys()
        inspected = next(turns)
        assert not inspected.is_provisional
        assert inspected.built.contents == quick.built.contents


@pytest.mark.parametrize(
    ("asked", "bodies"), [("lv", {"lv/body.html"}), ("en", {"en/body.html"}), (None, {"lv/body.html"})]
)
def test_first_build_is_only_of_the_language_that_a_page_asks_for(project, monkeypatch, asked, bodies):
    compile_templates, compilations = phases.compile_templates, []

    def compile_during_a_request(*arguments, **options):
        if asked and not compilations:
            follower.hurry(asked)
        compilations.append(asked)
        return compile_templates(*arguments, **options)

    monkeypatch.setattr(phases, "compile_templates", compile_during_a_request)
    project.add_widget("note").add_widget("other")
    with build_session(project.root) as session:
        follower = Follower(project.root, LiveWorkspace(session), threading.Event(), first_languages=["lv"])
        turns = follower.turns()
        built = next(turns).built
        follower.stop.set()
        assert list(turns) == []
    assert {path for path in built.contents if path.endswith("body.html")} == bodies
    assert len(compilations) == (2 if asked == "en" else 1)


@pytest.mark.parametrize("waits", [False, True], ids=["no page waits", "a page waits"])
def test_save_during_the_first_build_is_on_the_first_page_or_its_patch(project, monkeypatch, waits):
    compile_templates, is_saved = phases.compile_templates, threading.Event()

    def signals(root, stop):
        is_saved.wait(PATIENCE_S)
        yield frozenset({str(root / VIEW)})
        stop.wait(PATIENCE_S)

    def compile_during_a_save(*arguments, **options):
        if not is_saved.is_set():
            if waits:
                follower.hurry("en")
            project.add_file(VIEW, "<b>new</b>")
            is_saved.set()
            while not any(follower._events.queue):
                options["checkpoint"].check()
        return compile_templates(*arguments, **options)

    monkeypatch.setattr("awning.pipeline.follow.signals", signals)
    monkeypatch.setattr(phases, "compile_templates", compile_during_a_save)
    project.add_widget("note").add_widget("other")
    with build_session(project.root) as session:
        follower = Follower(project.root, LiveWorkspace(session), threading.Event(), first_languages=["en"])
        turns = follower.turns()
        first = next(turns)
        assert first.is_provisional
        assert ("<b>new</b>" in first.built.snippet("en/body.html")) is not waits
        if waits:
            assert "<b>new</b>" in next(turns).patch.bodies["en"]
        follower.stop.set()
        assert list(turns) == []


def test_first_build_ends_where_the_system_cannot_watch(project, monkeypatch):
    compile_templates, compilations = phases.compile_templates, []

    def signals(root, stop):
        while not stop.wait(0.001):
            yield None

    def compile_until_a_signal(*arguments, checkpoint, **options):
        compilations.append(None)
        if len(compilations) < MOST_CHECKPOINTS:
            while follower._events.empty():
                checkpoint.check()
        return compile_templates(*arguments, checkpoint=checkpoint, **options)

    monkeypatch.setattr("awning.pipeline.follow.signals", signals)
    monkeypatch.setattr(phases, "compile_templates", compile_until_a_signal)
    project.add_widget("note")
    with build_session(project.root) as session:
        follower = Follower(project.root, LiveWorkspace(session), threading.Event(), first_languages=["en"])
        turns = follower.turns()
        first = next(turns)
        follower.stop.set()
        list(turns)
    assert first.is_provisional
    assert len(compilations) <= 2


def test_build_that_a_page_waits_for_is_not_cancelled_by_a_save(project, monkeypatch):
    inspect = phases.inspect_sources
    with followed(project) as (follower, turns):

        def inspect_sources(sources, modules, memory, checkpoint, **options):
            monkeypatch.undo()
            follower.hurry("en")
            project.add_file(VIEW, "<b>new</b>")
            while not any(follower._events.queue):
                checkpoint.check()
            checkpoint.check()
            return inspect(sources, modules, memory, checkpoint, **options)

        monkeypatch.setattr(phases, "inspect_sources", inspect_sources)
        assert next(turns).built
        assert "<b>new</b>" in next(turns).patch.bodies["en"]


def test_running_build_ends_with_the_server(project, long_phase):
    with followed(project) as (follower, turns):
        long_phase(follower.stop.set)
        assert list(turns) == []
