"""A workspace of two widgets whose settings form has a preview, with hostile labels and values."""

import json
from pathlib import Path

from project import Project

from awning.pipeline.incremental import build

MARKUP = "<img src=x onerror=\"parent.document.title='hit'\">"
BAR_SCHEMA = {
    "type": "object",
    "title": {"en": "Bar", "lv": "Josla", "de": "Leiste"},
    "properties": {
        "text": {"type": "string", "default": "Free from 75", "title": f"Text {MARKUP}"},
        "least": {
            "type": "number",
            "minimum": 1,
            "default": 75,
            "title": {"en": "From", "lv": "No", "de": "Ab"},
        },
        "token": {"type": "string", "format": "password", "title": "Token"},
        "steps": {
            "type": "array",
            "title": "Steps",
            "items": {
                "type": "object",
                "properties": {"gift": {"type": "string", "title": "Gift", "maxLength": 40}},
            },
        },
    },
}
BAR = """\
import { afterCart } from "awning";
import view from "./view.html.j2";
export default afterCart(({ data, cart }) => view({ data, total: cart.total }));
"""
BAR_VIEW = """\
<p class="text">{{ data.text }} / {{ data.least }} / {{ data.token }}</p>
<ul>{% for step in data.steps %}<li>{{ step.gift }}</li>{% endfor %}</ul>
<a href="https://shop.example/else">else</a>
<button data-action="{{ total }}">Open</button>
"""
BAR_STATES = """\
[[state]]
name = "full"
title = "A full cart"
payload = "C1"

[[state]]
name = "other-data"
title = "Other data"
payload = "C1"
data = { text = "Other" }

[[state]]
name = "empty"
title = "An empty cart"
payload = "empty"
"""
NOTE_SCHEMA = {
    "type": "object",
    "title": "Note",
    "properties": {
        "enabled": {"type": "boolean", "default": True, "title": "Show the note"},
        "picture": {"type": "string", "format": "picture", "title": "Picture"},
    },
}
NOTE = """\
import { afterPrice } from "awning";
import view from "./view.html.j2";
export default afterPrice(({ data, item, t }) => view({ data, item, t }));
"""
NOTE_VIEW = """\
<p>{{ t("hello") }} {{ item.name }}</p>{% if data.picture %}<img src="{{ data.picture }}" alt="">{% endif %}
"""
NOTE_STATES = '[[state]]\nname = "mug"\ntitle = "A mug"\npayload = "P2"\n'


def build_previewed(folder: Path) -> Path:
    """Build the workspace below `folder`. Returns its dist."""
    project = Project(folder, languages=("en", "lv", "de"))
    project.add_widget(
        "bar",
        slot="after-cart",
        widget_ts=BAR,
        view_html_j2=BAR_VIEW,
        data_schema_json=json.dumps(BAR_SCHEMA),
        states_toml=BAR_STATES,
    )
    project.add_widget(
        "note",
        widget_ts=NOTE,
        view_html_j2=NOTE_VIEW,
        data_schema_json=json.dumps(NOTE_SCHEMA),
        states_toml=NOTE_STATES,
    )
    build(folder, types=False)
    return folder / "dist"
