"""Reading a workspace: widgets, messages, profiles and diagnostics."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from awning.data_schema import defaults_of, read_schema
from awning.diagnostics import Severity
from awning.errors import Faulty
from awning.workspace.messages import ALL, arguments, categories
from awning.workspace.model import Isolation
from awning.workspace.offsets import find_toml_offsets, line_and_column
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace


def test_workspace_is_found_from_any_folder_inside(project):
    project.add_widget("note")
    assert find_workspace(project.root / "widgets" / "note") == project.root.resolve()


@pytest.mark.parametrize(
    "heading",
    [
        "\ufeff[tool.awning]",
        "  [ tool . awning ]",
        "[\"tool\".'awning']",
        "[tool.awning.profiles.default]",
        "[tool]\nawning.languages = ['en']",
        "tool.awning = {}",
    ],
)
def test_workspace_is_found_by_every_spelling_of_its_table(project, heading):
    (project.root / "pyproject.toml").write_text(f"{heading}\n", encoding="utf-8")
    assert find_workspace(project.root) == project.root.resolve()


@pytest.mark.parametrize("table", ["[project]\nname = 'x'", "[tool.awnings]", "# [tool.awning]"])
def test_pyproject_without_the_awning_table_is_skipped(project, table):
    project.add_widget("note").add_file("widgets/pyproject.toml", f"{table}\n")
    assert find_workspace(project.root / "widgets") == project.root.resolve()


def test_widgets_are_read_in_order_of_name(project):
    workspace = project.add_widget("size-guide").add_widget("note").read()
    assert [widget.name for widget in workspace.widgets] == ["note", "size-guide"]


def test_widgets_are_read_in_the_order_of_the_app(project):
    for name in ("a", "b", "c", "d"):
        project.add_widget(name)
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["en"]\norder = ["d", "b"]\n')
    assert [widget.name for widget in project.read().widgets] == ["d", "b", "a", "c"]


def test_order_with_a_widget_that_is_missing_is_warned_of(project):
    project.add_widget("note")
    project.add_file("pyproject.toml", '[tool.awning]\nlanguages = ["en", "lv"]\norder = ["nite"]\n')
    (warning,) = project.read().diagnostics
    assert (warning.rule, warning.severity, warning.hint) == (
        "unknown-value",
        Severity.WARNING,
        'did you mean "note"?',
    )


def test_widget_has_the_content_of_its_folder(project):
    project.add_widget(
        "note",
        widget_toml='title = "A note"\nslots = ["after-cart", "after-checkout"]\nlanguages = ["lv"]\nbudget = 900\n'
        'isolation = "shadow"\n',
        style_css=".a{}",
        states_toml='[[state]]\nname = "a"\ntitle = "A"\npayload = "C1"\nnow = 2026-03-02T10:30:00\n',
    )
    project.add_file("widgets/note/head.ts", "").add_file("widgets/note/parts/line.html.j2", "x")
    project.add_file("widgets/note/data.schema.json", '{"properties": {"days": {"default": 2}}}')
    widget = project.read().widgets[0]
    assert widget.title == "A note"
    assert widget.slots == ("after-cart", "after-checkout")
    assert widget.languages == ("lv",)
    assert widget.budget == 900
    assert widget.isolation is Isolation.SHADOW
    assert widget.templates == ("parts/line.html.j2", "view.html.j2")
    assert widget.style.name == "style.css"
    assert widget.head.name == "head.ts"
    assert widget.messages == {"lv": {"hello": "Hello lv"}}
    assert widget.states[0].slot == "after-cart"
    assert widget.states[0].now == "2026-03-02T10:30:00"
    assert defaults_of(read_schema(widget.data_schema)[0]) == {"days": 2}


def test_widget_has_the_globals_that_it_may_leave(project):
    reason = "the shop's analytics reads it"
    widget_toml = f'title = "A"\nslot = "after-cart"\n\n[globals]\ndataLayer = "{reason}"\n'
    assert project.add_widget("note", widget_toml=widget_toml).read().widgets[0].allowed_globals == {
        "dataLayer": reason
    }


@pytest.mark.parametrize(
    ("written", "now"),
    [
        ("2026-03-02T10:30:00", "2026-03-02T10:30:00"),
        ('"2026-03-02T10:30:00Z"', "2026-03-02T10:30:00+00:00"),
        ('"20260302T1030+02"', "2026-03-02T10:30:00+02:00"),
        ('"2026-03-02 10:30:00,5"', "2026-03-02T10:30:00.500000"),
        ('"2026-03-02"', "2026-03-02T00:00:00"),
    ],
)
def test_time_of_a_state_is_written_as_browsers_read_it(project, written, now):
    states = f'[[state]]\nname = "a"\ntitle = "A"\npayload = "P1"\nnow = {written}\n'
    assert project.add_widget("note", states_toml=states).read().widgets[0].states[0].now == now


def test_shared_and_other_folders_are_not_widgets(project):
    project.add_widget("note").add_file("widgets/_shared/a.html.j2", "x").add_file(
        "widgets/images/a.svg", "x"
    )
    assert [widget.name for widget in project.read().widgets] == ["note"]


def test_byte_order_mark_and_windows_line_ends_are_accepted(project):
    project.add_widget("note")
    text = '\ufefftitle = "A"\r\nslot = "after-price"\r\n'
    (project.root / "widgets/note/widget.toml").write_bytes(text.encode())
    assert project.read().widgets[0].title == "A"


def test_warnings_are_kept_in_the_workspace(project):
    project.add_widget("note", messages_lv_toml='[hello]\none = "a"\nother = "b"\n')
    project.add_file("widgets/note/messages/de.toml", 'hello = "Hallo"\n')
    diagnostics = project.read().diagnostics
    assert {d.severity for d in diagnostics} == {Severity.WARNING}
    assert {d.rule for d in diagnostics} == {"message-plural", "message-language"}


@pytest.mark.parametrize("language", ["fr", "fr-CA", "pt_BR"])
def test_plural_form_that_no_small_number_has_may_be_left_out(project, language):
    project.add_file("pyproject.toml", f'[tool.awning]\nlanguages = ["{language}"]\n').add_widget("note")
    project.add_file(f"widgets/note/messages/{language}.toml", '[hello]\none = "a"\nother = "b"\n')
    assert [d for d in project.read().diagnostics if d.rule == "message-plural"] == []


def test_argument_may_have_spaces_in_its_braces(project):
    project.add_widget("note", messages_en_toml='hello = "{ days } days, {\u00a0days\u00a0}"\n')
    project.add_file("widgets/note/messages/lv.toml", 'hello = "{days} dienas"\n')
    workspace = project.read()
    assert workspace.diagnostics == ()
    assert workspace.widgets[0].messages["en"] == {"hello": "{days} days, {days}"}


def test_argument_with_other_letters_is_reported_where_it_stands(project):
    project.add_widget("note", messages_en_toml='hello = "in {dienā}"\n')
    project.add_file("widgets/note/messages/lv.toml", 'hello = "pēc {dienā}"\n')
    with pytest.raises(Faulty) as faulty:
        project.read()
    found = [(str(d.place), d.rule, d.message) for d in faulty.value.diagnostics]
    message = "pages do not replace {dienā}: the name of an argument has only a to z, digits and _"
    assert found == [
        (f"widgets/note/messages/{language}.toml:1:1", "message-arguments", message)
        for language in ("en", "lv")
    ]


def test_hint_names_both_names_when_two_languages_differ(project):
    project.add_widget("note", messages_en_toml='hello = "{amont} left"\n')
    project.add_file("widgets/note/messages/lv.toml", 'hello = "vēl {amount}"\n')
    with pytest.raises(Faulty) as faulty:
        project.read()
    assert [d.hint for d in faulty.value.diagnostics] == ["{amount} or {amont} is misspelt"]


def test_problem_of_a_whole_file_quotes_no_line_of_it(project):
    project.add_widget("note", messages_en_toml='hello = "Hello"\nmore = "More"\n')
    project.add_file("widgets/note/messages/lv.toml", 'hello = "Sveiki"\n')
    with pytest.raises(Faulty) as faulty:
        project.read()
    assert [(d.rule, str(d.place), d.excerpt) for d in faulty.value.diagnostics] == [
        ("message-missing", "widgets/note/messages/lv.toml:1:1", None)
    ]


def test_table_that_is_missing_quotes_no_line(project):
    project.add_widget("note")
    project.add_file("pyproject.toml", '[project]\nname = "x"\n[tool.awning.profiles.default]\n')
    with pytest.raises(Faulty) as faulty:
        project.read()
    assert [d.excerpt for d in faulty.value.diagnostics if "languages" in d.message] == [None]


def test_plural_form_may_omit_the_count(project):
    project.add_widget("note", messages_en_toml='[hello]\none = "One hour"\nother = "{count} hours"\n')
    project.add_file("widgets/note/messages/lv.toml", 'hello = "Stundas: {count}"\n')
    assert project.read().diagnostics == ()


def test_profile_is_chosen_by_argument_then_environment_then_file(project):
    project.add_file(
        "pyproject.toml",
        """\
        [tool.awning]
        languages = ["en", "lv"]
        profile = "one"
        [tool.awning.profiles.one]
        base_url = "https://one.example/v1"
        [tool.awning.profiles.two]
        head_snippets = true
        dialect = { placeholder_prefix = "abc_" }
        """,
    )
    root = project.add_widget().root
    assert read_workspace(root, environ={}).profile.base_url == "https://one.example/v1"
    two = read_workspace(root, environ={"AWNING_PROFILE": "two"}).profile
    assert two.head_snippets
    assert two.dialect.app_data_placeholder == "{{abc_app_data}}"
    assert read_workspace(root, profile="one", environ={"AWNING_PROFILE": "two"}).profile.name == "one"


def test_defaults_are_collected_from_nested_objects():
    schema = {
        "properties": {"a": {"properties": {"b": {"default": 1}, "c": {}}}, "d": {"default": [1]}, "e": {}}
    }
    assert defaults_of(read_schema(schema)[0]) == {"a": {"b": 1}, "d": [1]}


def test_message_has_the_arguments_of_all_its_forms():
    assert arguments({"one": "{a}", "other": "{b} {a}"}) == {"a", "b"}


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", {"one", "other"}),
        ("lv", {"zero", "one", "other"}),
        ("ru", {"one", "few", "many", "other"}),
        ("ja", {"other"}),
        ("ar", set(ALL)),
        ("pt-BR", {"one", "many", "other"}),
        ("zh_Hant", {"other"}),
    ],
)
def test_plural_categories_follow_cldr(language, expected):
    assert set(categories(language)) == expected


def test_unknown_language_has_no_plural_rules():
    assert categories("xx") is None


TOML = '''\
# a = 1
title = "x = [" # y = 2
multi = """
fake = 1
"""
"quoted key".inner = 1
list = [
  1, # comment ]
  { a = "]", b = 2 },
]
[table.sub]
key = 'literal \\'
[[state]]
name = "a"
[[state]]
name = "b"
payload = { x = [1, 2], y = { z = 3 } }
[state.nested]
deep = true
'''

PLACES = {
    ("title",): (2, 1),
    ("multi",): (3, 1),
    ("quoted key", "inner"): (6, 14),
    ("list", 1): (9, 3),
    ("list", 1, "b"): (9, 14),
    ("table", "sub"): (11, 1),
    ("table", "sub", "key"): (12, 1),
    ("state", 0, "name"): (14, 1),
    ("state", 1, "payload", "x", 1): (17, 21),
    ("state", 1, "payload", "y", "z"): (17, 31),
    ("state", 1, "nested", "deep"): (19, 1),
}


@pytest.mark.parametrize("path", PLACES, ids=str)
def test_key_is_located_in_any_toml_syntax(path):
    assert line_and_column(TOML, find_toml_offsets(TOML)[path]) == PLACES[path]


KEYS = st.from_regex(r"[a-z][a-z0-9_-]{0,5}", fullmatch=True)
VALUES = st.recursive(
    st.integers()
    | st.booleans()
    | st.text(st.characters(codec="utf-8", exclude_categories=["C"]), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


def written(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, list):
        return "[" + ", ".join(written(item) for item in value) + "]"
    return "{ " + ", ".join(f"{key} = {written(item)}" for key, item in value.items()) + " }"


def paths_of(value, at=()):
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    else:
        return
    for key, item in items:
        yield (*at, key)
        yield from paths_of(item, (*at, key))


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_every_key_of_a_valid_text_is_located(values):
    text = "".join(f"{key} = {written(value)}\n" for key, value in values.items())
    offsets = find_toml_offsets(text)
    assert set(offsets) == set(paths_of(values))
    for path, offset in offsets.items():
        if isinstance(path[-1], str):
            assert text.startswith(path[-1], offset)


def test_states_have_the_widgets_answers_of_other_hosts_unless_they_replace_them(project):
    project.add_widget(
        "note",
        widget_toml='title = "A"\nslot = "after-price"\n'
        '[fetch]\n"https://a.example/x" = 204\n"https://a.example/y" = 0\n',
        states_toml='[[state]]\nname = "a"\ntitle = "A"\npayload = "P1"\n[state.fetch]\n"https://a.example/y" = 503\n',
    )
    (widget,) = read_workspace(project.root).widgets
    assert widget.fetch == {"https://a.example/x": 204, "https://a.example/y": 0}
    assert widget.states[0].fetch == {"https://a.example/x": 204, "https://a.example/y": 503}
