"""Invalid input: the diagnostic for each kind of mistake, as a table."""

import pytest

from awning.errors import ConfigurationError, Faulty
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace, similar_table

TOOL = '[tool.awning]\nlanguages = ["en", "lv"]\n'

STATE = '[[state]]\nname = "a"\ntitle = "A"\npayload = "P1"\n'

SCHEMA = """\
{"properties": {
  "days": {"type": "integer"},
  "rows": {"type": "array", "items": {"properties": {"title": {"type": "string"}}}}
}}
"""

PRICE = 'title = "A"\nslot = "after-price"\n'
CART = PRICE.replace("price", "cart")

FAULTS_IN = {
    "widgets/note/widget.toml": {
        "unknown key in widget.toml": (
            PRICE + 'languagse = ["en"]\n',
            "unknown-key 3:1",
            'did you mean "languages"?',
        ),
        "unknown key without a near one": (
            PRICE + "zzz = 1\n",
            "unknown-key 3:1",
            "known here: budget, checks, fetch, globals, head",
        ),
        "unknown slot": (
            'title = "A"\nslot = "after-prise"\n',
            "unknown-slot 2:1",
            'did you mean "after-price"?',
        ),
        "unknown slot in an array": (
            'title = "A"\nslots = [\n  "after-cart",\n  "before-cart",\n]\n',
            "unknown-slot 4:3",
            'did you mean "after-cart"?',
        ),
        "a list as slot": ('title = "A"\nslot = ["after-cart"]\n', "unknown-slot 2:1", "write one of"),
        "no slot": ('title = "A"\n', "missing-key 1:1", "slot ="),
        "slot and slots": (CART + 'slots = ["after-cart"]\n', "slot-twice 3:1", None),
        "wrong type": (CART + 'budget = "4 kB"\n', "wrong-type 3:1", None),
        "unknown choice": (CART + 'isolation = "shadows"\n', "unknown-value 3:1", 'did you mean "shadow"?'),
        "unknown check": (
            CART + '\n[checks]\nlayout-shfit = "it is late"\n',
            "unknown-key 5:1",
            'did you mean "layout-shift"?',
        ),
        "check that is off without a reason": (
            CART + '\n[checks]\nlayout-shift = " "\n',
            "wrong-type 5:1",
            "write a string that is not empty",
        ),
        "check that is off without a text": (
            CART + 'checks = ["layout-shift"]\n',
            "wrong-type 3:1",
            "write a table",
        ),
        "allowed global that is no identifier": (
            CART + '\n[globals]\n"data-layer" = "analytics reads it"\n',
            "bad-name 5:1",
            "write a JavaScript identifier",
        ),
        "allowed global without a reason": (
            CART + '\n[globals]\ndataLayer = ""\n',
            "wrong-type 5:1",
            "write a string that is not empty",
        ),
        "allowed globals without reasons": (
            CART + 'globals = ["dataLayer"]\n',
            "wrong-type 3:1",
            "write a table",
        ),
        "bad language code": (CART + 'languages = ["english!"]\n', "language-code 3:14", None),
        "a language the app does not have": (
            CART + 'languages = ["en", "de"]\n',
            "unknown-language 3:20",
            "the app has: en, lv",
        ),
        "an answer of a widget in a file that is missing": (
            CART + '[fetch]\n"https://a.example/near.json" = "near.json"\n',
            "file-missing 4:1",
            "beside states.toml",
        ),
        "an answer of a widget for no address": (
            CART + '[fetch]\n"near.json" = {}\n',
            "wrong-type 3:1",
            None,
        ),
        "head script that is missing": (
            CART + 'head = "widgets.ts"\n',
            "file-missing 3:1",
            'did you mean "widget.ts"?',
        ),
        "head script outside of the widget": (
            CART + 'head = "../../manifest.toml"\n',
            "file-outside 3:1",
            None,
        ),
        "head script with U+0000": (CART + 'head = "a\\u0000.ts"\n', "wrong-type 3:1", None),
        "head script with too long a name": (CART + f'head = "{"ā" * 128}"\n', "wrong-type 3:1", None),
        "an answer in a file with U+0000": (
            CART + '[fetch]\n"https://a.example/b" = "\\u0000"\n',
            "wrong-type 4:1",
            "the name of a file",
        ),
        "an answer in a file that is missing, with a status": (
            CART + '[fetch]\n"https://a.example/b" = "422 none.json"\n',
            "file-missing 4:1",
            '"422 near.json"',
        ),
        "an answer in a file with too long a name": (
            CART + f'[fetch]\n"https://a.example/b" = "{"a/" * 2500}"\n',
            "wrong-type 4:1",
            "the name of a file",
        ),
        "TOML syntax": ('title = "A"\nslot "after-cart"\n', "toml-syntax 2:6", None),
        "TOML that ends early": ('title = """A\n', "toml-syntax 1:13", None),
        **{
            f"an answer of {what}": (
                CART + f'[fetch]\n"{address}" = {{}}\n',
                "wrong-type 3:1",
                None,
            )
            for what, address in {
                "a host without a slash": "https://api.example.com",
                "a host with a query only": "https://api.example.com?a=1",
                "a host in capitals": "https://API.example.com/",
                "an address with a fragment": "https://api.example.com/i.svg#icon",
            }.items()
        },
    },
    "widgets/note/body.html": {
        "a script beside the HTML of a verbatim widget": (
            "<p>a</p>",
            "verbatim-widget 0:0",
            "remove it, or remove body.html",
        ),
    },
    "widgets/note/states.toml": {
        "state as a table": ('[state]\nname = "a"\n', "wrong-type 1:1", "write [[state]] above each entry"),
        "state as a table, twice": (
            '[state]\nname = "a"\n[state]\nname = "b"\n',
            "toml-syntax 3:7",
            "entries of a list begin with [[state]]",
        ),
        "an answer of no address": (STATE + '[state.fetch]\n"near.json" = {}\n', "wrong-type 5:1", None),
        "an answer in a file that is missing": (
            STATE + '[state.fetch]\n"https://a.example/near.json" = "near.json"\n',
            "file-missing 6:1",
            "beside states.toml",
        ),
        "a state without a payload": (
            '[[state]]\nname = "a"\ntitle = "A"\n',
            "missing-key 1:1",
            "payload = ",
        ),
        "a misspelt key in the second state": (
            STATE + '\n[[state]]\nname = "b"\ntitle = "B"\npayload = "P1"\nstep = []\n',
            "unknown-key 10:1",
            'did you mean "steps"?',
        ),
        "a theme that the shop does not have": (
            STATE + 'theme = "drak"\n',
            "unknown-value 5:1",
            'did you mean "dark"?',
        ),
        "two states of one name": (
            '[[state]]\nname = "a"\ntitle = "A"\npayload = "P1"\n[[state]]\nname = "a"\ntitle = "B"\npayload = "P1"\n',
            "repeated 6:1",
            None,
        ),
        "a state in a slot the widget does not have": (
            '[[state]]\nname = "a"\ntitle = "A"\npayload = "C1"\nslot = "after-cart"\n',
            "unknown-slot 5:1",
            "it has: after-price",
        ),
        "a time that is none": (
            '[[state]]\nname = "a"\ntitle = "A"\npayload = "P1"\nnow = "tomorrow"\n',
            "wrong-type 5:1",
            None,
        ),
        "a state with a key that no schema has": (
            STATE + "[state.data]\ndaysss = 1\n",
            "data-value 6:1",
            'did you mean "days"?',
        ),
        "a state with a value of another type": (STATE + 'data = { days = "1" }\n', "data-value 5:10", None),
        "a state with a row of another type": (
            STATE + "data = { rows = [\n  { title = 1 },\n] }\n",
            "data-value 6:5",
            None,
        ),
        "a state with a date, which JSON does not have": (
            STATE + "data = { days = 2026-03-02 }\n",
            "data-value 5:10",
            None,
        ),
    },
    "widgets/note/messages/lv.toml": {
        "message missing in a language": (
            'hallo = "Sveiki"\n',
            "message-missing 1:1",
            'another language has it at widgets/note/messages/en.toml:1:1; "hallo" is not there: one of the two',
        ),
        "arguments that differ": ('hello = "Sveiki, {vards}"\n', "message-arguments 1:1", None),
    },
    "widgets/note/messages/en.toml": {
        "a plural category that the language does not have": (
            '[hello]\nfew = "a"\nother = "b"\n',
            "message-plural 2:1",
            "en has: one, other",
        ),
        "a plural without other": ('[hello]\none = "a"\n', "message-plural 1:1", None),
        "a message that is a number": ("hello = 5\n", "wrong-type 1:1", None),
    },
    "widgets/note/messages/English.toml": {
        "a message file that is no language": (
            'hello = "a"\n',
            "language-code 0:0",
            "name it after a language",
        ),
    },
    "widgets/note/data.schema.json": {
        "JSON syntax": ('{\n  "type": "object",\n  "properties": {,}\n}\n', "json-syntax 3:18", None),
        "half of a surrogate pair": (
            '{"title": "\\ud83d\\ude00",\n "examples": ["\\ud83d"]}',
            "json-syntax 2:15",
            "both halves",
        ),
        "a key twice": ('{"title": "a",\n "title": "b"}', "json-syntax 2:2", "keep one of the two"),
        "a key twice, with an escape, in a list": (
            '{"examples": [{"a": {"b": 1}}, {"b": {"c": [], "d": 2, "\\u0063": 1}}]}',
            "json-syntax 1:56",
            "keep one of the two",
        ),
        "a key twice before a mistake": ('{"a": {"b": 1, "b": 2},}', "json-syntax 1:16", "keep one"),
        "a constant of JavaScript": ('{"title": "NaN", "examples": [NaN]}', "json-syntax 1:31", "null"),
        "a number that is too large": ('{"examples": [\n-1e999]}', "json-syntax 2:1", "a smaller number"),
        "a number with too many digits": (f'{{"a": 1, "b": {"1" * 5000}}}', "json-syntax 1:15", "smaller"),
        "a schema that is no object": ('{"type": "array"}', "data-schema 1:2", None),
        "a schema with an unknown type": (
            '{"type": "object", "properties": {"days": {"type": "intger"}}}',
            "data-schema 1:44",
            'did you mean "integer"?',
        ),
        "a schema with a keyword that is misspelt": (
            '{"properties": {\n  "days": {"type": "integer", "minimun": 1}\n}}',
            "data-schema 2:31",
            'did you mean "minimum"?',
        ),
        "a schema that refers to itself": (
            '{"$defs": {"a": {"items": {"$ref": "#/$defs/a"}}}, "properties": {"a": {"$ref": "#/$defs/a"}}}',
            "data-schema 1:28",
            None,
        ),
        "a schema that refers to nothing": (
            '{"$defs": {"size": {}}, "properties": {"a": {"$ref": "#/$defs/sise"}}}',
            "data-schema 1:46",
            'did you mean "#/$defs/size"?',
        ),
        "a default of another type": (
            '{"properties": {\n  "days": {"type": "integer", "default": "3"}\n}}',
            "data-default 2:31",
            None,
        ),
        "a default that is no choice": (
            '{"properties": {\n  "size": {"enum": ["small", "large"], "default": "smal"}\n}}',
            "data-default 2:40",
            'did you mean "small"?',
        ),
        "a default with a row that lacks a key": (
            '{"properties": {"rows": {\n"items": {"properties": {"a": {}}, "required": ["a"]},\n"default": [{}]}}}',
            "data-default 3:13",
            None,
        ),
    },
    "pyproject.toml": {
        "no languages": ("[tool.awning]\n", "missing-key 1:1", "languages = "),
        "a tool that is no table": ('tool = "awning"\n', "missing-key 1:1", "[tool.awning]"),
        "a baseline with U+0000": (
            '[tool.awning]\nlanguages = ["en", "lv"]\nbaseline = "\\u0000"\n',
            "wrong-type 3:1",
            None,
        ),
        "a misspelt table beside a table of a profile": (
            '[tool.awnings]\nlanguages = ["en", "lv"]\n[tool.awning.profiles.default]\n',
            "unknown-key 1:1",
            "did you mean [tool.awning]?",
        ),
        "no languages beside another tool with a similar name": (
            '[tool.planning]\nlanguages = ["en"]\n[tool.awning]\n',
            "missing-key 3:1",
            "languages = ",
        ),
        "no languages beside a table with a similar name and other keys": (
            "[tool.awnings]\ncolour = 1\n[tool.awning]\n",
            "missing-key 3:1",
            "languages = ",
        ),
        "a table's bracket that is not closed": (
            '[tool.awning\nlanguages = ["en"]\n',
            "toml-syntax 1:13",
            "close the bracket",
        ),
        "a second table whose bracket is not closed": (
            TOOL + "[tool.awning\n",
            "toml-syntax 3:13",
            "close the bracket; the same key is already above",
        ),
        "the same language twice": ('[tool.awning]\nlanguages = ["en", "lv", "en"]\n', "repeated 2:26", None),
        "unknown key in a profile": (
            TOOL + '[tool.awning.profiles.live]\nbase_ulr = "https://x.example/v1"\n',
            "unknown-key 4:1",
            'did you mean "base_url"?',
        ),
        "a profile that is not there": (
            TOOL + 'profile = "live"\n',
            "unknown-profile 3:1",
            "add: [tool.awning.profiles.live]",
        ),
        "a dialect that is no identifier": (
            TOOL + '[tool.awning.profiles.default.dialect]\nglobal_object = "my-plugins"\n',
            "wrong-type 4:1",
            None,
        ),
    },
    "manifest.toml": {
        "no title": ('app_version = "1.0.0"\n', "missing-key 1:1", None),
        "a secret in the manifest": (
            'app_title = "A"\napp_version = "1.0.0"\napp_secret = "s3cr3t"\n',
            "manifest-secret 3:1",
            "AWNING_APP_SECRET",
        ),
    },
    "widgets/My_Note/widget.toml": {
        "a widget's name": ('title = "A"\n', "bad-name 0:0", "free-shipping-bar"),
    },
    "widgets/app/widget.toml": {
        "a widget that would be called like the app": ("", "bad-name 0:0", "reserved"),
    },
    "widgets/other/widget.ts": {
        "a script without a widget.toml": ("", "file-missing 0:0", "title"),
    },
}
"""By file and case: the text, the rule and place of its diagnostic, and words of the hint."""
FAULTS = {case: (path, *row) for path, rows in FAULTS_IN.items() for case, row in rows.items()}


@pytest.mark.parametrize("case", FAULTS, ids=str)
def test_each_fault_is_reported_at_its_place(project, case):
    path, text, expected, hint = FAULTS[case]
    project.add_widget("note", data_schema_json=SCHEMA).add_file(path, text)
    with pytest.raises(Faulty) as raised:
        project.read()
    rule = expected.partition(" ")[0]
    found = next((d for d in raised.value.diagnostics if d.rule == rule), None)
    assert found, raised.value.message
    assert f"{rule} {found.place.line}:{found.place.column}" == expected, found.render()
    assert hint is None or hint in found.hint
    assert found.excerpt is None or found.place.line


@pytest.mark.parametrize(("missing", "hint"), [("lv", "copy en.toml to it"), ("en", "copy lv.toml to it")])
def test_missing_message_file_is_reported_with_what_to_do(project, missing, hint):
    project.add_widget("note")
    (project.root / f"widgets/note/messages/{missing}.toml").unlink()
    with pytest.raises(Faulty) as raised:
        project.read()
    [diagnostic] = raised.value.diagnostics
    path = f"widgets/note/messages/{missing}.toml"
    assert (diagnostic.rule, diagnostic.place.path) == ("file-missing", path)
    assert diagnostic.message.startswith(f"{path} is missing")
    assert diagnostic.hint.startswith(hint)
    assert f'remove "{missing}" from `languages`' in diagnostic.hint


def test_unreadable_schema_is_the_only_fault_of_a_state_with_data(project):
    project.add_widget("note", data_schema_json='{"properties": {},}')
    project.add_file("widgets/note/states.toml", STATE + "data = { days = 3 }\n")
    with pytest.raises(Faulty) as raised:
        project.read()
    assert [fault.rule for fault in raised.value.diagnostics] == ["json-syntax"]


UNKNOWN = {
    "at the top": (
        "manifest.toml",
        'app_titel = "A"\napp_title = "A"\napp_version = "1.0.0"\n',
        ("unknown-key", 1, 1, 'did you mean "app_title"?'),
    ),
    "in the vendor": (
        "manifest.toml",
        'app_title = "A"\napp_version = "1.0.0"\n[app_vendor]\ntos = "https://x.example"\n',
        ("unknown-key", 4, 1, 'did you mean "tos_url"?'),
    ),
}


@pytest.mark.parametrize("case", UNKNOWN)
def test_unknown_manifest_field_is_a_warning_at_its_place(project, case):
    path, text, (rule, line, column, hint) = UNKNOWN[case]
    project.add_widget("note").add_file(path, text)
    [diagnostic] = project.read().diagnostics
    assert (diagnostic.rule, diagnostic.severity, diagnostic.place.line, diagnostic.place.column) == (
        rule,
        "warning",
        line,
        column,
    )
    assert diagnostic.hint == hint


def test_value_that_the_portal_refuses_is_a_warning_at_its_place(project):
    project.add_widget("note").add_file(
        "manifest.toml",
        'app_title = "A"\napp_version = "one"\napp_tab_mode = "new"\n[app_vendor.tos_url]\nlv = "http://x.example"\n',
    )
    diagnostics = sorted(project.read().diagnostics, key=lambda d: d.place)
    assert [(d.rule, d.severity, d.place.line, d.place.column) for d in diagnostics] == [
        ("manifest-field", "warning", 3, 1),
        ("manifest-field", "warning", 5, 1),
    ]
    assert diagnostics[0].message == 'app_tab_mode must be "blank" or "self", not "new"'
    assert diagnostics[1].message == "app_vendor.tos_url.lv must begin with https://"


def test_all_faults_are_reported_at_once(project):
    project.add_widget("note", widget_toml="titel = 1\n").add_widget(
        "other", widget_toml='slot = "nowhere"\n'
    )
    project.add_file("manifest.toml", 'app_title = ""\n')
    with pytest.raises(Faulty) as raised:
        project.read()
    assert {d.place.path for d in raised.value.diagnostics} == {
        "manifest.toml",
        "widgets/note/widget.toml",
        "widgets/other/widget.toml",
    }


def test_secret_in_the_manifest_is_not_shown(project):
    project.add_file("manifest.toml", 'app_title = "A"\napp_version = "1"\napp_secret = "s3cr3t-value"\n')
    with pytest.raises(Faulty) as raised:
        project.add_widget().read()
    assert "s3cr3t-value" not in raised.value.message


def test_missing_script_is_reported(project):
    project.add_widget("note")
    (project.root / "widgets/note/widget.ts").unlink()
    with pytest.raises(Faulty, match=r"widgets/note/widget\.ts is missing"):
        project.read()


def test_file_that_is_not_utf_8_is_reported_at_its_place(project):
    project.add_widget("note")
    (project.root / "widgets/note/widget.toml").write_bytes(b'title = "\xff"\n')
    with pytest.raises(Faulty, match=r"widgets/note/widget\.toml:1:10: error\[file-encoding\]"):
        project.read()


def test_missing_workspace_is_reported_with_a_hint(tmp_path):
    with pytest.raises(ConfigurationError) as raised:
        find_workspace(tmp_path)
    assert "awning new" in raised.value.hint


def test_missing_workspace_is_reported_with_the_place_of_a_misspelt_table(tmp_path):
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.ruff]\n\n[tool.awnings]\nlanguages = ["en"]\n')
    (tmp_path / "widgets").mkdir()
    with pytest.raises(ConfigurationError) as raised:
        find_workspace(tmp_path / "widgets")
    assert raised.value.hint == f"{file}:3 has [tool.awnings]: did you mean [tool.awning]?"


@pytest.mark.parametrize("name", ["awnings", "awing", "awnning", "awnign", "aning", "Awning"])
def test_table_whose_name_is_a_misspelling_is_found(name):
    assert similar_table(["ruff", name]) == name


@pytest.mark.parametrize(
    "name", ["awning", "planning", "warning", "owning", "cawing", "spawning", "black", ""]
)
def test_table_of_another_tool_is_no_misspelling(name):
    assert similar_table([name]) is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[tool.awning]\n[tool.awning]\n", "Cannot declare [tool.awning] twice"),
        ("[tool]\n[tool]\n", "Cannot declare [tool] twice"),
    ],
)
def test_table_that_is_declared_twice_is_named_as_in_toml(project, text, message):
    project.add_file("pyproject.toml", text)
    with pytest.raises(Faulty) as raised:
        project.read()
    assert message in [diagnostic.message for diagnostic in raised.value.diagnostics]


def test_unknown_chosen_profile_is_a_configuration_error(project):
    with pytest.raises(ConfigurationError, match='no profile "live"'):
        read_workspace(project.add_widget().root, environ={"AWNING_PROFILE": "live"})


@pytest.mark.parametrize(
    ("missing", "present", "hint"),
    [
        ("widget.ts", "Widget.ts", "rename Widget.ts to widget.ts"),
        ("widget.ts", "widget.js", "rename widget.js to widget.ts"),
        ("widget.ts", "index.ts", "it exports the render function"),
        ("widget.toml", "widgets.toml", "rename widgets.toml to widget.toml"),
    ],
)
def test_file_with_a_similar_name_is_suggested(project, missing, present, hint):
    project.add_widget("other").add_widget("note")
    folder = project.root / "widgets/note"
    (folder / missing).rename(folder / present)
    with pytest.raises(Faulty) as raised:
        project.read()
    [diagnostic] = raised.value.diagnostics
    assert (diagnostic.rule, diagnostic.place.path) == ("file-missing", f"widgets/note/{missing}")
    assert diagnostic.hint.startswith(hint)
