"""The snippet of a language has the messages of that language. The default snippet has those of all languages."""

from collections.abc import Iterator

import pytest
from frames import SmallPages, open_small_pages
from playwright.sync_api import Browser
from project import Project
from shop_scripts import SHOP

from awning.bundle.emulator import emulator_script
from awning.bundle.run import find_esbuild
from awning.errors import Faulty

IMPORT = 'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
TEMPLATE = '<p title="{{ t("tip") }}">{{ t("hello", name=name) }}</p>'
RENDER = "({ item, t }) => view({ t, name: item.name })"

RING = "<b>Ring</b> $& {name}"
PLURAL = 'tip = "tip lv"\n[hello]\nzero = "0"\none = "{name} once"\nother = "{name} {count} times"\n'
COUNTED = '<p title="{{ t("tip") }}">{{ t("hello", name=name, count=2) }}</p>'

WIDGETS = {
    "texts that are handed on": ({}, f"Hello lv {RING}"),
    "a text that the script says too": (
        {"widget_ts": f"{IMPORT}export default afterPrice(({{ t }}) => view({{ t, name: t('tip') }}));"},
        "Hello lv tip lv",
    ),
    "a plural": ({"messages_lv_toml": PLURAL, "view_html_j2": COUNTED}, f"{RING} 2 times"),
    "a t of the script's own": (
        {
            "widget_ts": f"{IMPORT}export default afterPrice(({{ t }}) => view({{ t: (key) => `${{t(key)}}!` }}));"
        },
        "Hello lv {name}!",
    ),
    "content that comes later": (
        {"widget_ts": f"{IMPORT}export default afterPrice(async {RENDER});"},
        f"Hello lv {RING}",
    ),
    "an object with t that a function gets": (
        {
            "widget_ts": f"{IMPORT}const said = (o) => o.t('tip');\n"
            "export default afterPrice(({ item, t }) => view({ t, name: said({ t, item }) }));"
        },
        "Hello lv tip lv",
    ),
    "a slot that a second script looks at": (
        {
            "widget_ts": f"{IMPORT}import {{ said }} from './a.ts';\n"
            "export default afterPrice(({ t }) => view({ t, name: said() }));",
            "a_ts": "import slot from './widget.ts';\nexport const said = () => typeof slot;\n",
        },
        "Hello lv object",
    ),
    "settings": ({"data_schema_json": '{"properties": {"days": {"default": 3}}}'}, f"Hello lv {RING}"),
    "content that is patched": ({"view_html_j2": f"<button>{TEMPLATE}</button>"}, f"Hello lv {RING}"),
    "a template that all share": ({"view_html_j2": '{% include "text.html.j2" %}'}, f"Hello lv {RING}"),
}


@pytest.fixture(scope="session")
def small_pages(browser: Browser) -> Iterator[SmallPages]:
    yield from open_small_pages(browser, emulator_script(find_esbuild()).decode())


def added(project: Project, name: str, **files: str) -> Project:
    first = {
        "widget_ts": f"{IMPORT}export default afterPrice({RENDER});\n",
        "view_html_j2": TEMPLATE,
        **{
            f"messages_{language}_toml": f'hello = "Hello {language} {{name}}"\ntip = "tip {language}"\n'
            for language in ("en", "lv")
        },
    }
    project.add_file("widgets/_shared/text.html.j2", TEMPLATE)
    return project.add_widget(name, **{**first, **files})


def script(project: Project, path: str) -> str:
    body = project.dist(path)
    return body[body.rindex("<script>") + len("<script>") : body.rindex("</script>")]


def rendered_texts(small_pages: SmallPages, body: str) -> list[str]:
    """The text that each widget shows on a page in Latvian."""
    small = small_pages.load(SHOP, body, f"page.language = 'lv'; product({{ name: {RING!r} }});")
    assert (small.errors, small.console) == ([], [])
    return small.run("() => [...document.querySelectorAll('p')].map((one) => one.textContent)")


NAMES = {case: f"w{number}" for number, case in enumerate(WIDGETS)}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A workspace with all these widgets and one that says "Hello lv"."""
    project = Project(tmp_path_factory.mktemp("texts"))
    for case, name in NAMES.items():
        added(project, name, **WIDGETS[case][0])
    project.add_widget("z-other").build()
    return project


@pytest.mark.parametrize("case", WIDGETS, ids=str)
@pytest.mark.parametrize("path", ["body.html", "lv/body.html"])
def test_messages_render_in_the_default_snippet_and_in_that_of_a_language(
    built: Project, small_pages: SmallPages, case: str, path: str
) -> None:
    snippet = script(built, f"widgets/{NAMES[case]}/{path}")
    assert rendered_texts(small_pages, snippet) == [WIDGETS[case][1]]


@pytest.mark.parametrize("path", ["body.html", "lv/body.html"])
def test_messages_of_many_widgets_render_in_one_snippet(
    built: Project, small_pages: SmallPages, path: str
) -> None:
    texts = [text for _, text in WIDGETS.values()]
    assert rendered_texts(small_pages, script(built, path)) == [*texts, "Hello lv"]


def test_snippet_of_a_language_has_only_its_messages(project: Project) -> None:
    added(project, "note").build()
    for path, languages in {"body.html": "en lv", "lv/body.html": "lv", "en/body.html": "en"}.items():
        present = [language for language in ("en", "lv") if f"Hello {language}" in script(project, path)]
        assert present == languages.split(), path


def test_widget_of_one_language_has_the_same_messages_in_both_snippets(project: Project) -> None:
    added(project, "note", widget_toml='title = "A"\nslot = "after-price"\nlanguages = ["lv"]\n').build()
    assert script(project, "body.html") == script(project, "lv/body.html")


def test_script_error_is_reported_once_for_all_languages(project: Project) -> None:
    added(
        project,
        "note",
        widget_ts=f'{IMPORT}import x from "./no.ts";\nx();\nexport default afterPrice({RENDER});',
    )
    with pytest.raises(Faulty) as raised:
        project.build()
    places = [
        (diagnostic.rule, diagnostic.place and diagnostic.place.path)
        for diagnostic in raised.value.diagnostics
    ]
    assert len(places) == len(set(places)) == 1
    assert places[0][1] == "widgets/note/widget.ts"


def test_a_template_beside_the_widgets_folders_calls_t(project: Project, small_pages: SmallPages) -> None:
    project.add_file("widgets/_parts/foot.html.j2", '<p>{{ t("tip") }}</p>')
    foot = 'import foot from "../_parts/foot.html.j2";\n'
    render = "({ item, t }) => view({ t, name: item.name }) + foot({ t })"
    added(project, "note", widget_ts=f"{IMPORT}{foot}export default afterPrice({render});").build()
    for path in ("body.html", "lv/body.html"):
        assert rendered_texts(small_pages, script(project, path)) == [f"Hello lv {RING}", "tip lv"], path


def test_a_script_that_widgets_share_is_run_once(project: Project, small_pages: SmallPages) -> None:
    project.add_file("widgets/_shared/count.ts", "let n = 0;\nexport const count = () => ++n;\n")
    head = f'{IMPORT}import {{ count }} from "../_shared/count.ts";\n'
    render = "({ t }) => view({ t, name: count() })"
    added(project, "a", widget_ts=f"{head}export default afterPrice({render});")
    added(project, "b", widget_ts=f"{head}export default [afterPrice({render})];")
    project.build()
    for path in ("body.html", "lv/body.html"):
        assert rendered_texts(small_pages, script(project, path)) == ["Hello lv 1", "Hello lv 2"], path


def test_two_widgets_may_export_the_same_render_function(project: Project, small_pages: SmallPages) -> None:
    added(project, "note")
    added(project, "same", widget_ts='export { default } from "../note/widget.ts";')
    project.build()
    for path in ("body.html", "lv/body.html"):
        assert rendered_texts(small_pages, script(project, path)) == [f"Hello lv {RING}"] * 2, path
