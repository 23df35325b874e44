"""The examples of docs/messages.md and docs/formatting.md are widgets without errors; pseudo-texts are as shown."""

import re
from pathlib import Path

from awning.pipeline.incremental import inspect_workspace
from awning.workspace.messages import pseudo_text

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "messages.md").read_text(encoding="utf-8")
FORMATTING = (DOCS / "formatting.md").read_text(encoding="utf-8")


def test_examples_of_the_messages_page_are_a_valid_widget(project):
    en, lv = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    (view,) = re.findall(r"```html\n(.*?)```", PAGE, re.DOTALL)
    (script,) = re.findall(r"```ts\n(.*?)```", PAGE, re.DOTALL)
    project.add_widget(
        "note", messages_en_toml=en, messages_lv_toml=lv, view_html_j2=view, widget_ts=script
    ).build()
    assert inspect_workspace(project.root, types=False).counted() == ()


def test_formatting_example_is_a_valid_widget(project):
    (view,) = re.findall(r"```html\n(.*?)```", FORMATTING, re.DOTALL)
    (script,) = re.findall(r"```ts\n(.*?)```", FORMATTING, re.DOTALL)
    widget = {"messages_en_toml": "", "messages_lv_toml": "", "view_html_j2": view, "widget_ts": script}
    project.add_widget("note", **widget).build()
    assert inspect_workspace(project.root, types=False).counted() == ()


def test_pseudo_language_is_as_the_docs_show():
    (text, pseudo) = re.findall(r"`(Arrives .*?)` becomes `(.*?)`", PAGE)[0]
    assert pseudo_text(text) == pseudo
