"""`awning check` of files, folders and workspaces: which files it checks, suppressions, baseline and fixes."""

import json
import os
import subprocess
import sys

import pytest

TWICE = 'svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => { init(); init(); });\n'
NOT_KNOWN = (
    'import { show } from "./show.js";\n'
    'svcPlugins.subscribeEvent("svc-content-after-cart", (e, init) => show(init));\n'
)


def test_a_file_outside_a_workspace_gets_the_rules_over_files(check, write):
    write("app.js", TWICE)
    result = check("app.js")
    (finding,) = result.findings
    assert result.code == 1
    assert (finding["rule"], finding["severity"], finding["path"]) == ("init-once", "error", "app.js")
    assert (finding["line"], finding["column"]) == (1, TWICE.rindex("init()") + 1)
    assert finding["docs"] == "docs/rules/init-once.md"


def test_places_of_a_script_in_a_page_are_lines_of_the_page(check, write):
    write(
        "page.html",
        "<p>\u017b\u00f3\u0142w</p>\r\n<i>\u20ac</i><script>\r\n/* \u20ac */ eval('1');</script>\r\n",
    )
    (finding,) = check("page.html").findings
    assert (finding["line"], finding["column"]) == (3, 9)


def test_folder_outside_a_workspace_is_searched_for_scripts(check, write):
    write("src/a.js", "eval('1');\n")
    write("src/deep/b.tsx", "document.write('1');\n")
    write("src/node_modules/c.js", "eval('1');\n")
    write("src/notes.txt", "eval('1');\n")
    result = check("src")
    assert [finding["path"] for finding in result.findings] == ["src/a.js", "src/deep/b.tsx"]


def test_check_of_a_file_that_is_not_a_script_exits_2(check, write):
    write("notes.txt", "eval('1')")
    assert check("notes.txt").code == 2


def test_check_without_paths_outside_a_workspace_exits_2(check):
    assert check().code == 2


def test_scripts_of_a_workspace_are_checked_with_its_dialect(check, shop):
    shop.add_file(
        "pyproject.toml",
        '[tool.awning]\nlanguages = ["en", "lv"]\nprofile = "other"\n'
        '[tool.awning.profiles.other.dialect]\nglobal_object = "shopPlugins"\nevent_prefix = "shop-"\n',
    )
    shop.add_widget(head_js=TWICE.replace("svcPlugins", "shopPlugins").replace('"svc-', '"shop-'))
    result = check(cwd=shop.root)
    assert [(finding["rule"], finding["path"]) for finding in result.findings] == [
        ("init-once", "widgets/note/head.js")
    ]


def test_single_file_of_a_workspace_can_be_checked(check, shop):
    shop.add_widget(widget_ts="eval('1');\nexport default [];\n", head_js=TWICE)
    result = check("widgets/note/head.js", cwd=shop.root)
    assert [(finding["rule"], finding["path"]) for finding in result.findings] == [
        ("init-once", "widgets/note/head.js")
    ]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("_shared", ["widgets/_shared/a.ts", "widgets/_shared/deep/b.js", "widgets/_shared/part.html.j2"]),
        ("_shared/", ["widgets/_shared/a.ts", "widgets/_shared/deep/b.js", "widgets/_shared/part.html.j2"]),
        ("_shared/deep", ["widgets/_shared/deep/b.js"]),
        ("_shared/a.ts", ["widgets/_shared/a.ts"]),
    ],
)
def test_shared_files_can_be_checked(check, shop, path, expected):
    shop.add_widget(head_js=TWICE, view_html_j2='{% include "part.html.j2" %}{{ t("hello") }}')
    for name in ("a.ts", "deep/b.js"):
        shop.add_file(f"widgets/_shared/{name}", "eval('1');\n")
    shop.add_file("widgets/_shared/part.html.j2", '<p>{{ t("nothing-known") }}</p>\n')
    result = check(f"widgets/{path}", cwd=shop.root)
    assert sorted(finding["path"] for finding in result.findings) == expected


def test_finding_of_a_shared_folder_and_of_its_widgets_is_reported_once(check, shop):
    shop.add_widget(view_html_j2='<p>{{ t("hello") }}</p>').add_file("widgets/_shared/a.ts", "eval('1');\n")
    result = check("widgets/note", "widgets/_shared", cwd=shop.root)
    assert [finding["path"] for finding in result.findings] == ["widgets/_shared/a.ts"]


def test_fixes_of_a_shared_folder_stay_in_it(check, shop):
    code = 'const page = new Function("return this")();\n'
    shop.add_widget(head_js=code).add_file("widgets/_shared/a.js", code)
    assert check("widgets/_shared", "--fix", cwd=shop.root).code == 0
    assert "globalThis" in (shop.root / "widgets/_shared/a.js").read_text()
    assert (shop.root / "widgets/note/head.js").read_text() == code


@pytest.mark.parametrize("path", ["_shared", "_shared/a.ts", "note/head.js"])
def test_file_is_checked_when_another_file_cannot_be_built(check, shop, path):
    shop.add_widget("other", widget_toml='slot = "nowhere"\n').add_widget(head_js=TWICE)
    shop.add_file("widgets/_shared/a.ts", TWICE)
    result = check(f"widgets/{path}", cwd=shop.root)
    assert (result.code, result.rules) == (1, ["init-once"])


def test_a_second_run_reports_the_same_and_notices_a_change(check, shop):
    shop.add_widget(head_js=TWICE)
    first, second = check(cwd=shop.root), check(cwd=shop.root)
    assert first.findings == second.findings != []
    shop.add_file("widgets/note/head.js", "// nothing\n")
    assert check(cwd=shop.root).findings == []


@pytest.mark.usefixtures("processes")
def test_help_and_build_do_not_import_the_parser():
    code = "import awning.cli.verbs, awning.cli.check, sys; print('tree_sitter' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


def test_a_folder_without_scripts_is_a_usage_error(check, folder):
    (folder / "empty").mkdir(parents=True)
    result = check("empty", form="text")
    assert (result.code, result.out) == (2, "")
    assert "empty contains nothing to check" in result.err


def test_comment_in_markup_silences_a_diagnostic(check, write):
    write("page.html", "<!-- awning-ignore no-eval: wanted -->\n<script>eval('1')</script>\n")
    assert check("page.html").rules == []


def test_a_baseline_hides_known_diagnostics_and_shows_new_ones(check, write, folder):
    write("app.js", "eval('1');\n")
    noted = check("app.js", "--baseline", "known.json", "--update-baseline")
    assert (noted.code, noted.findings) == (0, [])
    write("app.js", "// moved down\n\neval('1');\n")
    assert check("app.js", "--baseline", "known.json").findings == []
    write("app.js", "eval('1');\neval('1');\neval('2');\n")
    assert [finding["line"] for finding in check("app.js", "--baseline", "known.json").findings] == [2, 3]
    assert json.loads((folder / "known.json").read_text())["schema_version"] == 1


def test_a_baseline_that_is_missing_or_damaged_exits_2(check, write):
    write("app.js", "")
    write("known.json", "[]")
    assert check("app.js", "--baseline", "nowhere.json").code == 2
    assert check("app.js", "--baseline", "known.json").code == 2
    assert check("app.js", "--update-baseline").code == 2


def test_fix_changes_only_unambiguous_diagnostics(check, write):
    text = (
        "<p>\u20ac</p>\r\n<script>\r\nvar l = {{svc_language}};\r\n"
        "var g = (new Function('return this'))();\r\neval('1');\r\n</script>\r\n"
    )
    file = write("page.html", text)
    result = check("page.html", "--fix")
    assert result.rules == ["no-eval"]
    assert file.read_bytes().decode() == text.replace("{{svc_language}}", '"{{svc_language}}"').replace(
        "(new Function('return this'))()", "globalThis"
    )


def test_fix_leaves_a_clean_file_alone(check, write):
    file = write("app.js", "const a = 1;\n")
    before = file.stat().st_mtime_ns
    check("app.js", "--fix")
    assert file.stat().st_mtime_ns == before


def test_fix_leaves_a_read_only_file_as_it_is_and_exits_2(check, write):
    file = write("app.js", "var g = (new Function('return this'))();\n")
    file.chmod(0o444)
    result = check("app.js", "--fix")
    assert (result.code, "new Function" in file.read_text()) == (2, True)
    assert "app.js is read-only" in result.out


def test_fix_leaves_built_files_alone(check, shop, tmp_path):
    """A link out of the workspace, a broken link and a named pipe are reported as without `--fix`."""
    outside = tmp_path / "outside.js"
    outside.write_text("var g = (new Function('return this'))();\n")
    shop.add_widget("note").add_file("widgets/note/own.js", outside.read_text())
    note = shop.root / "widgets/note"
    (note / "a.js").symlink_to(outside)
    (note / "b.js").symlink_to("none.js")
    os.mkfifo(note / "c.js")
    result = check("--fix", cwd=shop.root)
    assert sorted(result.rules) == ["file-missing", "file-outside", "file-unreadable"]
    assert "new Function" in outside.read_text()
    assert "globalThis" in (note / "own.js").read_text()


SECRET = "SVC-0a1b2c3d4e5f60718293a4b5c6d7e8f9"


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "junit"])
def test_no_format_shows_a_secret(check, write, form):
    write("app.js", f"const key = '{SECRET}'; eval(key);\n")
    result = check("app.js", form=form)
    assert result.code == 1
    assert SECRET not in result.out + result.err


def test_a_placeholder_in_a_template_is_reported_once_by_the_compiler(check, shop):
    shop.add_widget(view_html_j2='<p lang="{{ svc_language }}">{{ title }}{{svc_app_data}}</p>\n')
    (finding,) = check(cwd=shop.root).findings
    assert finding["rule"] == "template-placeholder"
    assert "page.language" in finding["hint"]


def test_a_placeholder_in_a_template_outside_a_workspace_has_a_hint_of_its_own(check, write):
    write("view.html.j2", '<p lang="{{ svc_language }}"></p>\n')
    (finding,) = check("view.html.j2").findings
    assert finding["rule"] == "placeholder-misuse"
    assert "page.language" in finding["hint"]
    assert "svc_" not in finding["hint"]
