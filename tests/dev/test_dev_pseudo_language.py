"""`awning dev --pseudo`: the shop also has a pseudo-language, made from the messages; dist/ does not have it."""

import pytest
from project import Project

from awning.pipeline.incremental import build
from awning.pipeline.live import Rebuilt
from awning_harness.dev.dev_session import DevSession, open_dev_session
from awning_harness.dev.overview import widget_of


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop").add_widget("note")


def open_session(project: Project, *, pseudo: bool = True) -> DevSession:
    return open_dev_session(project.root, languages=project.languages, title="App", pseudo=pseudo)


def take(session: DevSession):
    built = build(session.root)
    return session.apply(Rebuilt(built=built, error=None, changed=(), seconds=0.0))


def test_pages_in_the_pseudo_language_have_their_own_snippet(project):
    session = open_session(project)
    take(session)
    assert session.languages == ("en", "lv", "en-XA")
    assert "⟦Ĥé" in session.source.body("en-XA")
    assert "⟦" not in session.source.body("en") + session.source.body("lv")
    assert "en-XA" not in {path.name for path in (project.root / "dist").iterdir()}


def test_pseudo_language_is_rebuilt_after_each_save(project):
    session = open_session(project)
    take(session)
    project.add_file("widgets/note/messages/en.toml", 'hello = "Bye"\n')
    tell = take(session)
    assert "⟦Ɓýé⟧" in tell("en-XA")["body"]


def test_states_are_shown_in_the_languages_of_the_workspace(project):
    session = open_session(project)
    take(session)
    assert widget_of(session, "note").languages == ("en", "lv")


def test_pseudo_language_exists_only_with_the_option(project):
    session = open_session(project, pseudo=False)
    take(session)
    assert session.languages == ("en", "lv")
