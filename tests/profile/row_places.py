"""Looks for the rows that `new_rows.py` adds, in every place that has to know them. Writes the result as JSON.

It runs in a process of its own, with a copy of awning as the path of imports.
"""

import asyncio
import http.client
import io
import json
import sys
import urllib.request
from contextlib import redirect_stderr, redirect_stdout, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import click.testing
import httpx
import new_rows as rows
from fault_effects import every_fault, name_of
from manifests import mandatory_manifest
from project import Project

from awning.bundle.emulator import emulator_script
from awning.bundle.run import find_esbuild
from awning.check.running.engine import page_script
from awning.cli import main
from awning.cli.doctor import doctor
from awning.cli.env_variables import refusal
from awning.cli.instances import refresh
from awning.cli.publish.apply import apply, resume
from awning.contract import SLOTS, Dialect, event_names
from awning.contract.asyncapi import asyncapi
from awning.contract.descriptions import slot_functions
from awning.contract.manifest_fields import manifest_schema
from awning.contract.manifest_rules import check_manifest
from awning.contract.payload_types import TYPES, payloads_page
from awning.contract.slots import EVENTS
from awning.data_schema import hint_for, misfits, read_schema, sentence_for
from awning.errors import Faulty
from awning.host.languages import all_sentences
from awning.manifest.file import CheckOptions, check_manifest_file, read_manifest_file
from awning.publish.pacing import Pace
from awning.publish.requests import FleetSettings
from awning.script.imports import SLOT_FUNCTIONS
from awning.states.state_events import state_events
from awning.template.compile import compile_template, helper_files
from awning.template.coverage import coverage_page
from awning.template.types.declaration import declaration
from awning.workspace.scaffolding import make_workspace
from awning.workspace.shapes import STATE, editor_schemas
from awning.workspace.steps import BLOCK_STEPS, example_of, read_step, steps_of
from awning.workspace.store.store_files import shipped_store
from awning_harness.checks.situation import THEMES as THEMES_OF_CHECKS
from awning_harness.checks.situation import ordinary_state
from awning_harness.dev.overview import THEMES as THEMES_OF_THE_INSPECTOR
from awning_harness.dev.overview import payload_fields
from awning_harness.explore.machine import ExploredPage
from awning_harness.service import serve
from awning_harness.service.faults.faults import Faults
from awning_harness.storefront import FixedSource, FixedWebsite, storefront_app
from awning_harness.visit.pages.address import page_address
from awning_harness.visit.steps.visit_script import visit_script
from awning_harness.visit.tab import _themes

ROOT = Path(sys.argv[1])
FOLDER = Path(sys.argv[2])
ALERT = 'alert("a");\n'


@cache
def reference():
    """Return the pages of docs/reference by their path."""
    from make_reference import pages  # noqa: PLC0415 - in packaging, which the copy has

    return dict(pages())


class Shop:
    """A running service with one website, which has one app."""

    def __init__(self, running):
        self.running = running
        self.service = running.service
        website = self.service.create_website(languages=("lv", "de", "en"))
        number, self.key = self.service.register_app({"app_title": "A"})
        self.code = self.service.install(number, website.id)
        self.address = f"{running.storefront_url}/{website.id}/en/"

    def call(self, name):
        request = urllib.request.Request(
            f"{self.running.apps_url}/apps/{name}/?authCode={self.code}",
            headers={"Authorization": f"ApiKey {self.key}"},
        )
        with urllib.request.urlopen(request, timeout=10) as response:
            return json.load(response)

    def page(self, address):
        with urllib.request.urlopen(address, timeout=10) as response:
            return response.read().decode()

    def fails_halfway(self):
        self.service.faults.put([{"fault": rows.FAULT}], ())
        try:
            self.call("languages")
        except http.client.IncompleteRead:
            return self.service.requests()[-1].fault == rows.FAULT
        finally:
            self.service.faults.put([], ())
        return False

    def has_theme(self):
        text = self.page(f"{self.address}?theme={rows.THEME}")
        [sheet] = [part for part in text.split('"') if f"theme-{rows.THEME}" in part]
        return "max-width:120rem" in self.page(self.running.storefront_url + sheet)

    def answers(self, id_, value):
        self.service.assumptions.set(id_, value)
        return self.call("languages")["languages"]


def doctor_assumptions():
    result = click.testing.CliRunner().invoke(doctor, ["--assumptions", "--json"])
    return [assumption["id"] for assumption in json.loads(result.stdout)["assumptions"]]


def new_manifest():
    make_workspace(FOLDER / "new")
    return (FOLDER / "new/manifest.toml").read_text("utf-8")


def manifest_findings():
    manifest = read_manifest_file(ROOT / "manifest.toml")
    return [f.field for f in check_manifest_file(manifest, CheckOptions(), {}) if f.severity == "error"]


def options_of(command):
    return [option for parameter in command.params for option in parameter.opts]


def printed(*words):
    """Return what a command prints."""
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out), suppress(SystemExit):
        main([*words])
    return out.getvalue()


def page_of_the_rule():
    page = printed("explain", rows.RULE)
    return page.startswith("# no-alert\n\nA script calls `alert`.\n") and "(docs/check.md)" in page


def checked(name, code, *options):
    """Check a script. Return what is printed, and the script's text then."""
    file = FOLDER / name
    file.write_text(code, "utf-8")
    return printed("check", str(file), *options), file.read_text("utf-8")


def found(name, code):
    return json.loads(checked(name, code, "--format", "json")[0])["findings"]


def of_json():
    [finding] = found("of_json.js", ALERT)
    return [finding[name] for name in ("rule", "severity", "message", "docs")]


def of_sarif():
    [run] = json.loads(checked("of_sarif.js", ALERT, "--format", "sarif")[0])["runs"]
    return [(rule["id"], rule["shortDescription"]["text"]) for rule in run["tool"]["driver"]["rules"]]


def page_of_the_site():
    from docs_site import stage  # noqa: PLC0415 - in packaging, which the copy has

    with TemporaryDirectory() as site:
        stage(Path(site))
        page = Path(site, "rules/no-alert.md").read_text("utf-8")
    return page.startswith("---\norphan: true\n---\n# no-alert\n") and "([the check](../check.md))" in page


def widget(name, more):
    """Return the widget of a workspace whose widget.toml has more lines, or what is found in it."""
    toml = f'title = "A"\nslot = "after-price"\n{more}\n'
    try:
        return Project(FOLDER / name).add_widget(widget_toml=toml).read().widgets[0]
    except Faulty as error:
        [item] = error.diagnostics
        return item.rule, item.place.line, item.hint


def schema_of_widgets():
    return editor_schemas()["widget.schema.json"]["properties"]


def event_of_the_slot():
    return SLOTS[rows.SLOT].event(Dialect())


def event_of_the_row():
    [event] = [event for event in EVENTS if event.short_name == rows.EVENT]
    return event.name(Dialect())


def subscription(event):
    return f'svcPlugins.subscribeEvent("{event}", function () {{}});\n'


async def page_of_the_slot():
    address = page_address(shipped_store(), rows.SLOT, None, "en", {})
    transport = httpx.ASGITransport(app=storefront_app(FixedSource(site=FixedWebsite(languages=("en",)))))
    async with httpx.AsyncClient(transport=transport, base_url="http://shop.example") as client:
        return (await client.get(f"/1/{address.path}")).text


def has_the_slot(page):
    call = f'awningStorefront.host(".placeholder-{rows.SLOT}","{event_of_the_slot()}",{{"order":{{"number":'
    return f'<div class="placeholder-{rows.SLOT}">' in page and call in page


def params_in_the_gallery():
    return list(state_events(ordinary_state(rows.SLOT), "en", ("en",), Dialect()).params)


def rendered(name, template):
    """Return what `awning template render` prints."""
    file = FOLDER / name
    file.write_text(template, "utf-8")
    return printed("template", "render", str(file), "--context", "{}")


def declared(name):
    """Return the TypeScript declaration of a template that prints a variable by a filter."""
    return declaration("", compile_template(f"{{{{ x|{name} }}}}", path="view.html.j2").reads, up="")


def schema_problems(schema):
    return [problem.message for problem in read_schema({"properties": {"a": schema}})[1]]


def misfit(schema, value):
    part, problems = read_schema({"properties": {"a": schema}})
    [found] = misfits({"a": value}, part)
    return [problem.message for problem in problems], sentence_for(found), hint_for(found)


def places(shop):
    """Return a function for each place, by kind and place. It returns whether the place knows the row."""
    [theme_key] = [key for key in STATE.keys if key.name == "theme"]
    minute = {"per_minute": 6.0, "per_instance": None}
    return {
        "slot, events": lambda: event_of_the_slot() in event_names(Dialect()),
        "slot, function of the module awning": lambda: SLOTS[rows.SLOT].function in SLOT_FUNCTIONS,
        "slot, AsyncAPI": lambda: rows.SLOT in asyncapi()["channels"],
        "slot, page of payloads": lambda: (
            f"Slots: `{rows.SLOT}`. The order that was just finished. Type `Order`." in payloads_page()
        ),
        "slot, inspector": lambda: event_of_the_slot() in payload_fields(Dialect())["events"],
        "slot, gallery": lambda: params_in_the_gallery() == ["order", "currency", "page"],
        "slot, a page": lambda: has_the_slot(asyncio.run(page_of_the_slot())),
        "event, names": lambda: event_of_the_row() in event_names(Dialect()),
        "event, AsyncAPI": lambda: rows.EVENT in asyncapi()["channels"],
        "event, types for editors": lambda: f'"content-{rows.EVENT}":' in TYPES["jsrc/types/events.ts"](),
        "event, runtime": lambda: f"content-{rows.EVENT}`" in slot_functions(),
        "event, inspector": lambda: event_of_the_row() in payload_fields(Dialect())["events"],
        "event, check": lambda: found("event.js", subscription(event_of_the_row())) == [],
        "page step, read": lambda: read_step(example_of(rows.PAGE_STEP)).verb == rows.PAGE_STEP,
        "page step, of a page": lambda: rows.PAGE_STEP in [step.verb for step in steps_of("cart")],
        "page step, explored": lambda: hasattr(ExploredPage, rows.PAGE_STEP.replace("-", "_")),
        "page step, reference": lambda: rows.PAGE_STEP in reference()["workspace-files.md"],
        "block step, read": lambda: read_step(example_of(rows.BLOCK_STEP)).verb == rows.BLOCK_STEP,
        "block step, reference": lambda: f'{rows.BLOCK_STEP} "#note"' in reference()["workspace-files.md"],
        "block step, a live page": lambda: BLOCK_STEPS[rows.BLOCK_STEP].method == "clear",
        "action, read": lambda: read_step(example_of(rows.ACTION_STEP)).verb == rows.ACTION_STEP,
        "action, the scripts of steps": lambda: '"dblclick"' in visit_script(),
        "filter, Python": lambda: rendered("filter.j2", f"{{{{ 3|{rows.FILTER} }}}}") == "&lt;3&gt;",
        "filter, its helper": lambda: helper_files()[f"filter_{rows.FILTER}"].endswith("/filters/values"),
        "filter, coverage": lambda: f"`{rows.FILTER}`" not in coverage_page(),
        "own filter, Python": lambda: (
            rendered("own.j2", f"{{{{ 'Anna Berg'|{rows.OWN_FILTER} }}}}") == "A. B."
        ),
        "own filter, a list": lambda: (
            "cannot be printed" in rendered("own_list.j2", f"{{{{ []|{rows.OWN_FILTER} }}}}")
        ),
        "own filter, its helper": lambda: helper_files()[f"filter_{rows.OWN_FILTER}"].endswith("/text"),
        "own filter, types for editors": lambda: "x: Printable;" in declared(rows.OWN_FILTER),
        "own filter, coverage": lambda: f"- `{rows.OWN_FILTER}()`: " in coverage_page(),
        "own filter, a misspelt name": lambda: (
            f'did you mean "{rows.OWN_FILTER}"?' in rendered("own_misspelt.j2", "{{ 'A'|initial }}")
        ),
        "filter of Intl, its helper": lambda: helper_files()[f"filter_{rows.INTL_FILTER}"].endswith("/intl"),
        "filter of Intl, types for editors": lambda: (
            "language: string;" in (types := declared(rows.INTL_FILTER)) and "x: Amount;" in types
        ),
        "filter of Intl, coverage": lambda: f"`{rows.INTL_FILTER}(language=language)`" in coverage_page(),
        "filter of Intl, module awning": lambda: f"### {rows.INTL_FILTER}\n" in reference()["runtime.md"],
        "filter of Intl, Python": lambda: (
            "formats with the browser" in rendered("intl.j2", f"{{{{ 1|{rows.INTL_FILTER} }}}}")
        ),
        "template test, Python": lambda: rendered("test.j2", f"{{{{ ' ' is {rows.TEST} }}}}") == "True",
        "template test, a list": lambda: (
            "cannot be printed" in rendered("list.j2", f"{{{{ [] is {rows.TEST} }}}}")
        ),
        "template test, its helper": lambda: helper_files()[f"is_{rows.TEST}"].endswith("/is"),
        "template test, a misspelt name": lambda: (
            f'did you mean "{rows.TEST}"?' in rendered("misspelt.j2", "{{ 3 is blanc }}")
        ),
        "keyword, a misfit": lambda: (
            misfit({"type": "object", "additionalProperties": {}, rows.KEYWORD: 1}, {"a": 1, "b": 2})
            == ([], '"a" is an object, and must be an object of at most 1 keys', None)
        ),
        "keyword, a wrong value": lambda: (
            schema_problems({"type": "object", rows.KEYWORD: -1})
            == [f'"{rows.KEYWORD}" must be a whole number from 0, not -1']
        ),
        "keyword, another type": lambda: (
            schema_problems({"type": "string", rows.KEYWORD: 1})
            == [f'"{rows.KEYWORD}" is not checked: it is about values of type object']
        ),
        "keyword, reference": lambda: f"- `{rows.KEYWORD}` (object): " in reference()["workspace-files.md"],
        "format, a misfit": lambda: (
            misfit({"type": "string", "format": rows.FORMAT}, "x")
            == ([], '"a" is "x", and must be an EAN such as 4006381333931', None)
        ),
        "format, reference": lambda: f"- `{rows.FORMAT}`: " in reference()["workspace-files.md"],
        "format, settings form": lambda: f"problem-format-{rows.FORMAT}" in all_sentences()["en"].texts,
        "fault, control API": lambda: Faults().put([{"fault": rows.FAULT}], ()) is None,
        "fault, reference": lambda: f"| `{rows.FAULT}` |" in reference()["service.md"],
        "fault, tests of clients and publisher": lambda: rows.FAULT in map(name_of, every_fault(1)),
        "fault, a call": shop.fails_halfway,
        "theme, states": lambda: rows.THEME in theme_key.kind.choices,
        "theme, schema for editors": lambda: (
            f'"{rows.THEME}"' in json.dumps(editor_schemas()["states.schema.json"])
        ),
        "theme, reference of files": lambda: f'`"{rows.THEME}"`' in reference()["workspace-files.md"],
        "theme, reference": lambda: f"- `{rows.THEME}`: " in reference()["service.md"],
        "theme, a page and its sheet": shop.has_theme,
        "theme, contrast": lambda: rows.THEME in [theme["name"] for theme in _themes()],
        "theme, inspector": lambda: rows.THEME in THEMES_OF_THE_INSPECTOR,
        "theme, checks": lambda: rows.THEME in THEMES_OF_CHECKS,
        "assumption, doctor": lambda: rows.ASSUMPTION in doctor_assumptions(),
        "assumption, reference": lambda: f"- `{rows.ASSUMPTION}`: " in reference()["service.md"],
        "assumption, portal": lambda: (
            rows.ASSUMPTION in [a["id"] for a in shop.service.assumptions.listing()]
        ),
        "assumption, a call": lambda: shop.answers(rows.ASSUMPTION, "by-code") == ["de", "en", "lv"],
        "quirk, doctor": lambda: rows.QUIRK in doctor_assumptions(),
        "quirk, reference": lambda: f"- `{rows.QUIRK}`: " in reference()["service.md"],
        "quirk, emulator": lambda: emulator_script(find_esbuild()).count(rows.QUIRK.encode()) == 2,
        "quirk, page of the check": lambda: page_script().count(rows.QUIRK) == 2,
        "quirk, a page": lambda: (
            rows.QUIRK in shop.page(f"{shop.address}product/1?assumptions={rows.QUIRK}=absent")
        ),
        "field, check": lambda: rows.FIELD in [f.field for f in check_manifest({}) if f.severity == "error"],
        "field, schema for editors": lambda: rows.FIELD in manifest_schema()["required"],
        "field, reference": lambda: f"- `{rows.FIELD}`: " in reference()["workspace-files.md"],
        "field, a new workspace": lambda: f'{rows.FIELD} = "9 to 17"' in new_manifest(),
        "field, manifests of tests": lambda: mandatory_manifest("A")[rows.FIELD] == "9 to 17",
        "field, this repository's manifest": lambda: (
            manifest_findings() == [] and rows.FIELD in (ROOT / "manifest.toml").read_text("utf-8")
        ),
        "rule, explain": lambda: rows.RULE in printed("explain").split(),
        "rule, its page": page_of_the_rule,
        "rule, a misspelt name": lambda: f'did you mean "{rows.RULE}"?' in printed("explain", "no-alrt"),
        "rule, a comment that silences": lambda: (
            found("silent.js", f"// awning-ignore no-alert: a trial\n{ALERT}") == []
        ),
        "rule, a misspelt comment": lambda: (
            f'did you mean "{rows.RULE}"?'
            in [each["hint"] for each in found("misspelt.js", f"// awning-ignore no-alrt: a trial\n{ALERT}")]
        ),
        "rule, check": lambda: (
            of_json() == [rows.RULE, "warning", "alert stops the page", "docs/rules/no-alert.md"]
        ),
        "rule, SARIF": lambda: of_sarif() == [(rows.RULE, "A script calls alert.")],
        "rule, a fix": lambda: checked("fixed.js", ALERT, "--fix")[1] == 'console.log("a");\n',
        "rule, reference": lambda: (
            "- [`no-alert`](../../src/awning/rules/pages/no-alert.md) (warning): A script calls alert.\n"
            in reference()["rules.md"]
        ),
        "rule, reference of fixes": lambda: (
            "`--fix` writes `console.log` for `alert`." in reference()["rules.md"].partition("## Fixes")[2]
        ),
        "rule, site": page_of_the_site,
        "check, explain": lambda: rows.CHECK in printed("explain").split(),
        "check, its page": lambda: (
            f"# {rows.CHECK}\n\nThe block has a text that moves.\n" in printed("explain", rows.CHECK)
        ),
        "check, reference": lambda: (
            f"- `{rows.CHECK}`: The block has a text that moves.\n" in reference()["checks.md"]
        ),
        "check, schema for editors": lambda: rows.CHECK in schema_of_widgets()["checks"]["properties"],
        "check, a misspelt name": lambda: (
            widget("check", '[checks]\nhas-no-marquees = "a trial"')
            == ("unknown-key", 4, f'did you mean "{rows.CHECK}"?')
        ),
        "key, a widget": lambda: getattr(widget("key", 'owner = "Ilze"'), rows.KEY) == "Ilze",
        "key, another type": lambda: widget("type", "owner = 3")[:2] == ("wrong-type", 3),
        "key, a misspelt name": lambda: (
            widget("name", 'ownr = "Ilze"') == ("unknown-key", 3, f'did you mean "{rows.KEY}"?')
        ),
        "key, schema for editors": lambda: (
            schema_of_widgets()[rows.KEY]["description"] == "Who answers questions about the widget."
        ),
        "key, reference": lambda: (
            f"- `{rows.KEY}`: a text. Who answers questions about the widget.\n"
            in reference()["workspace-files.md"]
        ),
        "pace, options": lambda: all(rows.OPTION in options_of(verb) for verb in (apply, resume, refresh)),
        "pace, reference": lambda: f"`{rows.OPTION}" in reference()["cli/publish.md"],
        "pace, .env": lambda: refusal("AWNING_PUBLISH_APPLY_MINUTE_PACE") is None,
        "pace, a run": lambda: [rate.span_s for rate in Pace(**minute).rates("host")] == [60.0],
        "pace, a fleet": lambda: (
            FleetSettings.from_text(FleetSettings(pace=Pace(**minute)).to_text()).pace.host_per_s == 0.1
        ),
    }


def is_known(place):
    """Return whether a place knows the row, or the error instead."""
    try:
        return bool(place())
    except Exception as error:  # noqa: BLE001 - the test shows it
        return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    with serve() as running:
        known = {name: is_known(place) for name, place in places(Shop(running)).items()}
    sys.stdout.write(json.dumps(known))
