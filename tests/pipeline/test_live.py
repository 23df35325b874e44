"""`awning dev`'s builds: a patch for one widget, then the whole app, as a clean build makes it."""

import threading

import pytest

from awning.diagnostics import Place
from awning.errors import Faulty
from awning.pipeline import script_origin
from awning.pipeline.build_session import build_session
from awning.pipeline.follow import Follower
from awning.pipeline.live import LiveWorkspace
from awning.pipeline.script_origin import ScriptOrigins

VIEW = "widgets/note/view.html.j2"
PATIENCE_S = 30


@pytest.fixture
def live(project):
    project.add_widget("note", style_css="p { color: red }\n").add_widget("other")
    with build_session(project.root) as session:
        live = LiveWorkspace(session)
        live.build()
        yield live


def test_saved_template_is_a_patch_with_the_script_of_its_widget(project, live):
    project.add_file(VIEW, "<b>new</b>")
    patch = live.patch([VIEW], ["en"])
    assert patch.widget == "note"
    assert patch.style is None
    assert list(patch.bodies) == ["en"]
    assert "<b>new</b>" in patch.bodies["en"]
    assert "widgets/other" not in patch.bodies["en"]


def test_page_in_another_language_gets_the_default_script(project, live):
    project.add_file(VIEW, "<b>new</b>")
    assert list(live.patch([VIEW], ["de"]).bodies) == [None]


def test_build_has_the_snippets_of_the_languages_that_pages_ask_for(project, live):
    assert {"body.html", "en/body.html", "lv/body.html"} <= set(live.build().built.contents)
    for languages in ([], ["en"]):
        contents = set(live.build(languages).built.contents)
        assert "en/body.html" in contents
        assert not {"body.html", "lv/body.html"} & contents


def test_placeholder_is_reported_though_only_the_app_is_built(project, live):
    project.add_file("widgets/note/widget.ts", 'export default "{{svc_app_data}}";\n')
    project.add_file("widgets/other/widget.ts", 'export default "fine";\n')
    error = live.build(["en"]).error
    assert ("placeholder-literal", "widgets/note/widget.ts") in {
        (d.rule, d.place.path) for d in error.diagnostics
    }


def test_saved_style_is_a_patch_without_a_script(project, live):
    project.add_file("widgets/note/style.css", "p { color: blue }\n")
    patch = live.patch(["widgets/note/style.css"], ["en"])
    assert patch.bodies == {}
    assert "red" in patch.style.before
    assert "blue" in patch.style.after
    body = live.build().built.snippet("body.html")
    assert patch.style.after in body
    assert patch.style.before not in body


def test_style_that_changes_how_the_widget_is_redrawn_comes_with_the_script(project, live):
    project.add_file("widgets/note/style.css", "p { overflow: auto }\n")
    assert "keep" in live.patch(["widgets/note/style.css"], ["en"]).bodies["en"]


def test_saved_messages_are_in_the_patch(project, live):
    project.add_file("widgets/note/messages/en.toml", 'hello = "Bye"\n')
    assert "Bye" in live.patch(["widgets/note/messages/en.toml"], ["en"]).bodies["en"]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        (VIEW, "{% if %}"),
        ("widgets/note/widget.ts", "export default 1 +;"),
        ("widgets/note/messages/en.toml", "hello = "),
    ],
)
def test_broken_file_raises_its_diagnostics_until_it_is_mended(project, live, path, text):
    before = (project.root / path).read_text(encoding="utf-8")
    project.add_file(path, text)
    with pytest.raises(Faulty) as fault:
        live.patch([path], ["en"])
    assert {diagnostic.place.path for diagnostic in fault.value.diagnostics} == {path}
    with pytest.raises(Faulty):
        live.build()
    project.add_file(path, before)
    assert live.build().error is None


@pytest.mark.parametrize(
    "path", ["widgets/note/new.ts", "widgets/note/widget.toml", "widgets/_shared/a.ts", "pyproject.toml"]
)
def test_change_with_effects_elsewhere_is_no_patch(project, live, path):
    file = project.root / path
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    project.add_file(path, text + "\n")
    assert live.patch([path], ["en"]) is None


def test_file_saved_as_it_was_is_an_empty_patch(project, live):
    project.add_file(VIEW, (project.root / VIEW).read_text(encoding="utf-8"))
    assert live.patch([VIEW], ["en"]).is_empty


def test_build_after_patches_is_shown_already_unless_another_file_has_changed(project, live):
    project.add_file(VIEW, "<b>new</b>")
    live.patch([VIEW], ["en"])
    assert live.build().is_shown
    project.add_file(VIEW, "<b>newer</b>")
    live.patch([VIEW], ["en"])
    project.add_file("widgets/other/view.html.j2", "<b>unseen</b>")
    assert not live.build().is_shown


def test_errors_that_do_not_prevent_a_build_come_with_it(project, live):
    project.add_file(VIEW, "<b>{{ t('missing') }}</b>")
    built = live.build()
    assert [diagnostic.rule for diagnostic in built.error.diagnostics] == ["message-missing"]
    assert "missing" in built.built.snippet("en/body.html")


def test_snippets_of_one_widget_are_those_of_its_own_build(project, live):
    project.build()
    assert set(live.unit("note")) == {path for path in project.tree() if path.startswith("widgets/note/")}
    assert live.unit("nothing") == {}


def test_snippets_of_one_widget_are_made_before_the_first_build(project):
    project.build()
    with build_session(project.root) as session:
        before = LiveWorkspace(session).unit("note")
    assert set(before) == {path for path in project.tree() if path.startswith("widgets/note/")}
    project.add_file(VIEW, "<b>{{ 1|nothing }}</b>")
    with build_session(project.root) as session:
        assert LiveWorkspace(session).unit("note") == {}


def test_script_is_bundled_once_for_all_of_its_places(project, live, monkeypatch):
    bundled = []
    run = script_origin.run_phases
    monkeypatch.setattr(script_origin, "run_phases", lambda *args: bundled.append(args) or run(*args))
    origins = ScriptOrigins(project.root)
    for line in range(1, 9):
        origins.place(language="en", line=line, column=1)
    assert len(bundled) == 1


def test_place_in_the_script_of_a_patch_is_found_in_the_authors_file(project, live):
    path = "widgets/note/widget.ts"
    text = 'import { afterPrice } from "awning";\nexport default afterPrice(() => {\n  throw new Error("no");\n});\n'
    project.add_file(path, text)
    body = live.patch([path], ["en"]).bodies["en"]
    script = body.partition("<script>")[2]
    before = script.partition("throw new")[0].split("\n")
    origins = ScriptOrigins(project.root)
    place = origins.place(language="en", unit="note", line=len(before), column=len(before[-1]) + 1)
    assert place == Place(path=path, line=3, column=3)


def test_nothing_is_written_on_the_way_to_the_screen(project, live):
    before = {path: path.stat().st_mtime_ns for path in project.root.rglob("*")}
    project.add_file(VIEW, "<b>new</b>")
    live.patch([VIEW], ["en"])
    after = {path: path.stat().st_mtime_ns for path in project.root.rglob("*")}
    changed = {path for path in before | after if before.get(path) != after.get(path) and path.is_file()}
    assert changed == {project.root / VIEW}


def test_first_build_writes_nothing_until_the_workspace_is_inspected(project):
    project.add_widget("note")
    with build_session(project.root) as session:
        live = LiveWorkspace(session)
        live.build(inspects=False)
        results = project.root / ".awning/cache/results.sqlite"
        assert not results.exists()
        live.build()
        assert results.exists()


def test_save_is_a_patch_although_the_check_has_an_error_elsewhere(project):
    project.add_widget("note").add_widget("other")
    project.add_file("widgets/other/view.html.j2", "<b>{{ t('missing') }}</b>")
    stop = threading.Event()
    with build_session(project.root) as session:
        follower = Follower(project.root, LiveWorkspace(session), stop, languages=lambda: ["en"])
        turns = follower.turns()
        first, inspected = next(turns), next(turns)
        project.add_file(VIEW, "<b>new</b>")
        patched, built = next(turns), next(turns)
        stop.set()
        turns.close()
    assert first.built
    assert [d.rule for d in inspected.error.diagnostics] == ["message-missing"]
    assert patched.patch.widget == "note"
    assert inspected.error.diagnostics[0] in built.error.diagnostics


@pytest.fixture
def turns(project):
    """What a follower yields for two widgets after its first two builds, without and with the phase `inspect`."""
    project.add_widget("note").add_widget("other")
    stop = threading.Event()
    with build_session(project.root) as session:
        follower = Follower(project.root, LiveWorkspace(session), stop, languages=lambda: ["en"])
        turns = follower.turns()
        assert next(turns).built
        assert next(turns).built
        yield turns
        stop.set()
        turns.close()


def test_save_is_a_patch_and_then_a_build(project, turns):
    project.add_file(VIEW, "<b>new</b>")
    assert "<b>new</b>" in next(turns).patch.bodies["en"]
    built = next(turns)
    assert built.is_shown
    assert built.changed == (VIEW,)
    assert "<b>new</b>" in built.built.snippet("en/body.html")


def test_stored_snapshot_is_no_save(project, turns):
    project.add_file("widgets/note/snapshots/any.en.txt", "# Snapshot 1")
    project.add_file(VIEW, "<b>new</b>")
    assert next(turns).changed == (VIEW,)
    assert next(turns).changed == (VIEW,)


def test_save_of_a_store_file_is_a_build_with_the_new_store(project, turns):
    project.add_file("storefront/shop.toml", '[[code]]\ncode = "HALF"\npercent = 50\n')
    turn = next(turns)
    assert turn.built.own_store.codes["HALF"] == 50
    project.add_file("storefront/shop.toml", '[[code]]\ncode = "HALF"\npercent = 500\n')
    (problem,) = next(turns).error.diagnostics
    assert str(problem.place) == "storefront/shop.toml:3:1"
    (project.root / "storefront" / "shop.toml").unlink()
    while (turn := next(turns)).error is not None:
        pass
    assert turn.built.own_store is None


def test_broken_save_is_reported_at_once_and_mended_by_the_next(project, turns):
    project.add_file(VIEW, "{% if %}")
    assert isinstance(next(turns).error, Faulty)
    project.add_file(VIEW, "<b>mended</b>")
    while (turn := next(turns)).built is None:
        pass
    assert turn.error is None
    assert "<b>mended</b>" in turn.built.snippet("en/body.html")


@pytest.mark.parametrize(
    "edit",
    [
        lambda root: (root / "widgets/other").rename(root / "widgets/renamed"),
        lambda root: (root / "widgets/other/view.html.j2").rename(root / "widgets/other/gone.html.j2"),
        lambda root: (root / "widgets/other/widget.toml").unlink(),
        lambda root: (root / "manifest.toml").write_text("x = 1\n", encoding="utf-8"),
    ],
)
def test_change_of_the_whole_app_is_built_at_once(project, turns, edit):
    edit(project.root)
    turn = next(turns)
    assert turn.patch is None
    assert turn.built or turn.error
