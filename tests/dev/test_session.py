"""What the dev session does with each build, and the messages that it sends to the open pages."""

import os
import threading
from dataclasses import replace

import pytest

from awning.build_record import BuiltWidget
from awning.contract import Dialect
from awning.diagnostics import Diagnostic, Place
from awning.errors import Faulty
from awning.workspace.store.store import store_in
from awning.workspace.store.store_files import shipped_store
from awning_harness.dev.page_errors import PageError


@pytest.fixture
def session(workshop):
    return workshop.session


def test_nothing_is_shown_before_the_first_build(session):
    assert session.source.page_snippets(1, "lv")[0].body == "<!--awning-snippet 0--><!--/awning-snippet-->"
    assert session.hello() == {"kind": "hello", "revision": 0, "failure": None}


def test_a_build_is_shown_with_its_placeholders_replaced_and_marked(session, workshop):
    session.apply(workshop.built({"body.html": "<p>{{svc_language}} {{svc_app_data}}</p>"}))
    assert session.source.page_snippets(1, "en")[0].body == (
        "<!--awning-snippet 1--><p>en </p><!--/awning-snippet-->"
    )


def test_a_language_has_its_own_snippet_before_the_default(session, workshop):
    session.apply(workshop.built({"body.html": "<p>any</p>", "lv/body.html": "<p>lv</p>"}))
    assert session.source.body("lv") == "<p>lv</p>"
    assert session.source.body("en") == "<p>any</p>"


def test_an_empty_language_file_leaves_the_default(session, workshop):
    session.apply(workshop.built({"body.html": "<p>any</p>", "lv/body.html": ""}))
    assert session.source.body("lv") == "<p>any</p>"


def test_a_new_body_is_redrawn_in_each_language(session, workshop):
    session.apply(workshop.built({"body.html": "<p>1</p>", "lv/body.html": "<p>1 lv</p>"}))
    tell = session.apply(workshop.built({"body.html": "<p>2</p>", "lv/body.html": "<p>1 lv</p>"}))
    message = {"kind": "redraw", "revision": 2, "keepsChanges": False}
    assert tell("en") == {**message, "body": "<p>2</p>"}
    assert tell("lv") == {**message, "body": "<p>1 lv</p>"}


def test_a_new_body_with_a_verbatim_widget_needs_a_reload(session, workshop):
    session.apply(workshop.built({"body.html": "<p>1</p>"}))
    turn = workshop.built({"body.html": "<script>let a = 1;</script>"})
    widget = BuiltWidget(name="old", title="Old", slots=(), languages=("en",), sources=(), verbatim=True)
    built = replace(turn.built, record=replace(turn.built.record, widgets=(widget,)))
    why = "a verbatim widget's scripts may run only once on a page"
    assert session.apply(replace(turn, built=built))("en") == {"kind": "reload", "revision": 2, "why": why}
    assert session.put_data({"hello": {}})("en") == {"kind": "reload", "revision": 3, "why": why}


@pytest.mark.parametrize(
    ("changed", "keeps"),
    [(("widgets/hello/view.html.j2",), True), (("manifest.toml", "widgets/hello/widget.ts"), False)],
)
def test_changes_by_handlers_are_kept_unless_a_script_has_changed(session, workshop, changed, keeps):
    session.apply(workshop.shows("one"))
    turn = replace(workshop.shows("two"), changed=changed)
    assert session.apply(turn)("en")["keepsChanges"] is keeps
    patch = replace(workshop.patched("three"), changed=changed)
    assert session.apply(patch)("en")["keepsChanges"] is keeps


@pytest.mark.parametrize(("saved", "keeps"), [("widget.ts", False), ("style.css", True)])
@pytest.mark.parametrize("way", ["build", "patch"])
def test_script_that_was_saved_while_the_app_was_broken_discards_the_changes(
    session, workshop, saved, keeps, way
):
    session.apply(workshop.shows("one"))
    view = ("widgets/hello/view.html.j2",)
    session.apply(replace(workshop.broken(), is_provisional=True))
    session.apply(replace(workshop.broken(), changed=(f"widgets/hello/{saved}",)))
    mended = workshop.shows("two") if way == "build" else workshop.patched("two")
    assert session.apply(replace(mended, changed=view))("en")["keepsChanges"] is keeps
    later = workshop.shows("three") if way == "build" else workshop.patched("three")
    assert session.apply(replace(later, changed=view))("en")["keepsChanges"] is True


def test_an_unchanged_build_sends_no_message(session, workshop):
    session.apply(workshop.shows("hello"))
    assert session.apply(workshop.shows("hello")) is None


@pytest.mark.parametrize("path", ["head.html", "lv/head.html"])
def test_a_new_head_needs_a_reload(session, workshop, path):
    session.apply(workshop.built({"body.html": "<p>1</p>"}))
    tell = session.apply(workshop.built({"body.html": "<p>1</p>", path: "<meta name=x>"}))
    assert tell("lv") == {"kind": "reload", "revision": 2, "why": "the head snippet changed"}


def test_a_stamp_that_another_snippet_changed_sends_no_message(session, workshop):
    """The dev server builds only the languages that pages need.

    A page in one more language causes a build with another fingerprint, so the stamp of every snippet changes.
    """
    head, body = "<!--awning {}--><meta name=x>", "<!--awning {}--><p>1</p>"
    for number, stamp in enumerate(("0123456789ab", "ba9876543210")):
        message = session.apply(
            workshop.built({"head.html": head.format(stamp), "body.html": body.format(stamp)})
        )
        assert (message is None, session.revision) == (number == 1, 1)
    assert stamp in session.source.page_snippets(1, "en")[0].head


def test_new_languages_need_a_reload(session, workshop):
    session.apply(workshop.shows("hello"))
    tell = session.apply(workshop.built({"body.html": "<p>1</p>"}, languages=("de", "lv")))
    assert tell("lv")["kind"] == "reload"
    assert session.source.website(1).languages == ("de", "lv")


def test_page_that_began_before_a_change_of_the_shop_is_loaded_again(session, workshop):
    session.apply(workshop.shows("hello"))
    session.source.website(1)
    session.apply(workshop.shows("new"))
    assert session.source.page_snippets(1, "lv")[0].body.startswith("<!--awning-snippet 2-->")
    session.apply(workshop.built({"body.html": "<p>1</p>"}, languages=("de", "lv")))
    assert session.source.page_snippets(1, "lv")[0].body.startswith("<!--awning-snippet 1-->")
    session.source.website(1)
    assert session.source.page_snippets(1, "lv")[0].body.startswith("<!--awning-snippet 3-->")


def test_a_removed_language_falls_back_to_the_default(session, workshop):
    session.apply(workshop.built({"body.html": "<p>any</p>", "lv/body.html": "<p>lv</p>"}))
    session.apply(workshop.built({"body.html": "<p>any</p>"}))
    assert session.source.body("lv") == "<p>any</p>"


def test_a_failure_keeps_the_last_build_and_is_reported(session, workshop):
    session.apply(workshop.shows("hello"))
    message = session.apply(workshop.broken())("en")
    assert "hello" in session.source.body("en")
    [finding] = message["failure"]["findings"]
    assert (finding["path"], finding["line"], finding["column"]) == ("widgets/hello/view.html.j2", 3, 5)
    assert finding["excerpt"] == "    {% if <x>"
    assert message["failure"]["isBuilt"] is False
    assert session.hello()["failure"] == message["failure"]


def test_errors_that_do_not_prevent_the_build_are_reported_with_it(session, workshop):
    session.apply(workshop.shows("hello"))
    turn = replace(workshop.shows("new"), error=workshop.broken().error)
    message = session.apply(turn)("en")
    assert "new" in message["body"]
    assert message["failure"]["isBuilt"] is True
    assert session.hello()["failure"] == message["failure"]


def test_errors_of_the_last_build_stay_with_a_patch_until_the_next_build(session, workshop):
    failing = replace(workshop.shows("new"), error=workshop.broken().error)
    session.apply(failing)
    session.apply(replace(workshop.broken(), is_provisional=True))
    message = session.apply(workshop.patched("patched"))("en")
    assert message["kind"] == "patch"
    assert message["failure"]["isBuilt"] is True
    assert session.hello()["failure"] == message["failure"]
    session.apply(workshop.shows("mended"))
    assert session.hello()["failure"] is None


@pytest.mark.parametrize(("folder", "stays"), [("hello", False), ("other", True)])
def test_patch_of_a_widget_ends_its_type_errors_on_pages(session, workshop, folder, stays):
    wrong = Diagnostic(
        rule="type-error",
        message="no such name",
        place=Place(path=f"widgets/{folder}/widget.ts", line=1, column=1),
    )
    session.apply(replace(workshop.shows("new"), error=Faulty([wrong])))
    message = session.apply(workshop.patched("mended"))("en")
    assert (message["kind"], bool(message.get("failure"))) == ("patch", stays)
    assert bool(session.hello()["failure"]) is stays
    session.apply(workshop.shows("mended"))
    assert session.hello()["failure"] is None


class Waiting(threading.Condition):
    """A condition whose `wait_for` returns at once. `is_met` is the value of the predicate."""

    is_met: bool | None = None

    def wait_for(self, predicate, timeout=None):
        self.is_met = predicate()
        return self.is_met


def test_page_in_a_language_that_is_not_built_does_not_wait_while_the_build_fails(session, workshop):
    built = workshop.shows("hello")
    session.apply(replace(built, built=replace(built.built, bodies=frozenset({"lv"}))))
    waiting = session.source._turned = Waiting()
    session.source.page_snippets(1, "en")
    assert waiting.is_met is False
    session.source.hurry = lambda _language: session.apply(workshop.broken())
    session.source.page_snippets(1, "en")
    assert waiting.is_met is True


def test_undoing_the_mistake_removes_the_failure(session, workshop):
    session.apply(workshop.shows("hello"))
    session.apply(workshop.broken())
    assert session.apply(workshop.shows("hello"))("en") == {"kind": "fixed", "revision": 1}
    assert session.hello()["failure"] is None


def test_app_data_is_stored_as_by_the_api_and_redraws(session, workshop):
    session.apply(workshop.built({"body.html": "<p>{{svc_app_data}}</p>"}))
    tell = session.put_data({"hello": {"greeting": "Sveiki"}})
    assert tell("lv")["kind"] == "redraw"
    assert "Sveiki" in tell("lv")["body"]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ("TypeError: widgets/hello/view.html.j2:8: a number is needed", "widgets/hello/view.html.j2:8"),
        ("TypeError: widgets/_shared/row.html.j2:2: a number is needed", "widgets/_shared/row.html.j2:2"),
        ("TypeError: widgets/hello/view.html.j2:3: a number is needed", "widgets/hello/view.html.j2:3:5"),
        ("RangeError: too deep", "widgets/hello/view.html.j2:3:5"),
    ],
)
def test_a_templates_error_has_a_line(session, workshop, monkeypatch, message, place):
    for path in ("widgets/hello/view.html.j2", "widgets/_shared/row.html.j2"):
        file = workshop.root / path
        file.parent.mkdir(exist_ok=True)
        file.write_text("{{ count + 1 }}\n" * 8, encoding="utf-8")
    template = Place(path="widgets/hello/view.html.j2", line=3, column=5)
    monkeypatch.setattr("awning_harness.dev.dev_session.ScriptOrigins.place", lambda *_, **__: template)
    thrown = PageError(revision=session.revision, widget="hello", message=message, line=5, column=7)
    line = f"hello threw on a page: {message} ({place})"
    origin, printed = session.record_error(thrown)
    assert str(origin.place) == place
    assert printed.splitlines()[0] == line


@pytest.mark.parametrize("way", ["absolute", "climbing", "linked"])
def test_page_cannot_read_a_template_outside_of_the_workspace(
    session, workshop, monkeypatch, tmp_path_factory, way
):
    other = tmp_path_factory.mktemp("other") / "view.html.j2"
    other.write_text("secret\n", encoding="utf-8")
    link = workshop.root / "widgets" / "hello" / "link.html.j2"
    link.symlink_to(other)
    path = {
        "absolute": other.as_posix(),
        "climbing": os.path.relpath(other, workshop.root),
        "linked": "widgets/hello/link.html.j2",
    }[way]
    template = Place(path="widgets/hello/view.html.j2", line=1, column=1)
    monkeypatch.setattr("awning_harness.dev.dev_session.ScriptOrigins.place", lambda *_, **__: template)
    message = f"TypeError: {path}:1: a number is needed"
    thrown = PageError(revision=session.revision, widget="hello", message=message, line=5, column=7)
    origin, printed = session.record_error(thrown)
    assert origin.place == template
    assert "secret" not in (origin.excerpt or "") + printed


def test_error_of_a_page_is_printed_with_its_source_and_again_only_after_it_was_mended(
    session, workshop, monkeypatch
):
    at = Place(path="widgets/hello/widget.ts", line=2, column=8)
    monkeypatch.setattr("awning_harness.dev.dev_session.ScriptOrigins.place", lambda *_, **__: at)

    def printed(text, *, throws=True):
        session.apply(workshop.shows(text))
        error = PageError(revision=session.revision, widget="hello", message="boom", line=5, column=7)
        return session.record_error(error)[1] if throws else None

    line = (
        "hello threw on a page: boom (widgets/hello/widget.ts:2:8)\n"
        '    export default afterPrice(() => "hello");\n'
        "           ^"
    )
    assert [printed("one"), printed("two"), printed("three", throws=False), printed("four")] == [
        line,
        None,
        None,
        line,
    ]


def test_unknown_website_is_none(session):
    assert session.source.website(99) is None
    assert session.dialect == Dialect()


def test_a_changed_store_reloads_the_pages_and_stays_when_the_next_files_are_broken(session, workshop):
    session.apply(workshop.shows("one"))
    half = replace(shipped_store().source, fingerprint="half")
    turn = workshop.shows("one")
    changed = replace(turn, built=replace(turn.built, own_store=store_in(half, "JPY")))
    assert session.apply(changed)("lv")["kind"] == "reload"
    assert session.store.currency.code == "JPY"
    assert session.apply(changed) is None
    session.apply(workshop.broken())
    assert session.store.currency.code == "JPY"
    assert session.apply(turn)("lv")["kind"] == "reload"
    assert session.store is shipped_store()
