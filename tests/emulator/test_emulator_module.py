"""`awning emulator --module DIR`: a package for unit tests in Node, tried with node:test, jsdom and TypeScript."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from command_line import run_awning
from typescript import type_errors

from awning import __version__
from awning.cli.emulator import emulator

DOCS = (Path(__file__).parents[2] / "docs" / "emulator.md").read_text(encoding="utf-8")
EXAMPLE = re.search(r"```js\n// test/badge\.test\.mjs\n(.*?)```", DOCS, re.DOTALL)[1]
JSDOM = "jsdom@26.1.0"

BADGE = """
(function () {
  var handler;
  function show(text) { handler.setContent("<b>" + text + "</b>"); }
  svcPlugins.subscribeEvent("svc-content-after-price", function (event, init) { handler = init(); show("Mug"); });
  svcPlugins.subscribeEvent("svc-content-after-price-updated", function (event, init, params, updated) {
    show("Variant " + updated.selectedVariantId);
  });
})();
"""
INITS_TWICE = BADGE.replace("handler = init();", "init(); handler = init();")

TYPED = """
import { install, type TraceEntry } from "./awning-emulator/index.mjs";

const { service, emulator } = install();
service.subscribeEvent("svc-content-after-price-updated", (_event, init, params, updated) => {
  init().setContent(`${params.item.name} ${updated.selectedVariant?.price}`);
});
export const entries: TraceEntry[] = emulator.trace();
service.subscribeEvent("svc-content-before-price", () => undefined);
"""
CONFIG = {
    "compilerOptions": {
        "strict": True, "noEmit": True, "module": "NodeNext", "target": "ES2022", "types": [],
        "lib": ["ES2022", "DOM"],
    },
    "files": ["use.ts"],
}  # fmt: skip


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A folder with the module."""
    folder = tmp_path_factory.mktemp("unit-tests")
    done = CliRunner().invoke(emulator, ["--module", str(folder / "awning-emulator")])
    assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def node_project(processes, project) -> Path:
    """The folder `project`, where npm has installed jsdom and the module."""
    (project / "package.json").write_text('{"private": true, "type": "module"}')
    needed = os.environ.get("AWNING_TEST_NODE") == "needed"
    if shutil.which("npm") is None and not needed:
        pytest.skip("NOT TESTED WITH NODE: there is no npm")
    install = ["npm", "install", "--silent", "--no-audit", "--no-fund", JSDOM, "./awning-emulator"]
    done = subprocess.run(install, cwd=project, capture_output=True, text=True, check=False)
    if done.returncode and not needed:
        pytest.skip(f"NOT TESTED WITH NODE: {JSDOM} cannot be installed: {done.stderr.strip()[-200:]}")
    assert done.returncode == 0, done.stderr
    (project / "test").mkdir()
    (project / "test" / "badge.test.mjs").write_text(EXAMPLE)
    return project


def test_module_is_a_package_whose_files_exist(project):
    folder = project / "awning-emulator"
    package = json.loads((folder / "package.json").read_text())
    entry = package["exports"]["."]
    assert (package["version"], package["type"]) == (__version__, "module")
    assert all((folder / path).is_file() for path in (entry["default"], entry["types"], package["types"]))
    imported = re.findall(r'from "\./([\w/]+)\.js"', "".join(p.read_text() for p in folder.glob("*.d.*ts")))
    assert sorted(set(imported)) == ["index", "types/index"]
    assert not re.search(r'\.ts"', "".join(p.read_text() for p in folder.rglob("*.d.ts")))


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    ("script", "passes"), [(BADGE, True), (INITS_TWICE, False)], ids=["correct", "inits twice"]
)
def test_example_of_the_docs_passes_for_a_script_that_breaks_no_rule(node_project, script, passes):
    (node_project / "badge.js").write_text(script)
    command = ["node", "--test", "test/badge.test.mjs"]
    done = subprocess.run(command, cwd=node_project, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is passes, done.stdout + done.stderr
    assert ("init-once" in done.stdout) is not passes


@pytest.mark.usefixtures("processes")
def test_types_know_the_events_and_what_they_carry(project):
    (project / "use.ts").write_text(TYPED)
    (project / "tsconfig.json").write_text(json.dumps(CONFIG))
    errors = type_errors(project)
    [(line, message)] = errors.pop("use.ts")
    assert (line, "svc-content-before-price" in message) == (9, True)
    assert not errors


@pytest.mark.parametrize("options", [(), ("-o", "a.js", "--module", "a")])
def test_file_or_folder_must_be_named(capfd, options):
    done = run_awning(capfd, "emulator", *options)
    assert (done.code, "hint: -o emulator.js, or --module DIR" in done.err) == (2, True)


def test_folder_that_is_a_file_is_refused(capfd, tmp_path):
    (tmp_path / "taken").write_text("")
    assert run_awning(capfd, "emulator", "--module", tmp_path / "taken").code == 2
