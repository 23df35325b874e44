"""Bundles the emulator, which stands for the service's `svcPlugins`, into one self-contained script.

The script makes any page testable: load it in the head, call `awningEmulator.host(...)` for each container of a slot,
and read `awningEmulator.trace()`.
"""

import json
import re
from collections.abc import Mapping

from awning import __version__
from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle
from awning.contract import SLOTS, Dialect
from awning.contract.assumptions import assumptions_of
from awning.jsrc import jsrc_root
from awning.programs import Binary

TARGET = ("es2022",)
"""The JavaScript of the emulator. A developer's browser runs it, which is newer than the browsers of shoppers."""


def emulator_defines() -> dict[str, str]:
    """Return what each bundle with the emulator defines: the assumptions, and how the events that repeat end."""
    assumptions = {
        id_: {"alternatives": list(assumption.alternatives), "sets": dict(assumption.sets)}
        for id_, assumption in assumptions_of("browser").items()
    }
    repeating = [slot.event(Dialect(event_prefix="")) for slot in SLOTS.values() if slot.repeats]
    return {"AWNING_ASSUMPTIONS": json.dumps(assumptions), "AWNING_REPEATING": json.dumps(repeating)}


def dialect_defines(dialect: Dialect) -> dict[str, str]:
    """Return the names of a dialect, and what the emulator needs, as esbuild's defines."""
    return {
        "AWNING_GLOBAL": dialect.global_object,
        "AWNING_GLOBAL_NAME": json.dumps(dialect.global_object),
        "AWNING_EVENT_PREFIX": json.dumps(dialect.event_prefix),
        **emulator_defines(),
    }


def emulator_script(esbuild: Binary, *, dialect: Dialect | None = None, minify: bool = True) -> bytes:
    """Return the emulator as a script that defines the dialect's global object and `awningEmulator`.

    Raises ProgramUnusable when esbuild does not run.
    """
    jsrc = jsrc_root()
    request = BundleRequest(
        entry_points=(EntryPoint(name="emulator", path=jsrc / "emulator" / "index.ts"),),
        root=jsrc,
        jsrc=jsrc,
        defines={
            "AWNING_GLOBAL_NAME": json.dumps((dialect or Dialect()).global_object),
            **emulator_defines(),
        },
        minify=minify,
        source_maps=False,
        target=TARGET,
    )
    return bundle(esbuild, request).outputs["emulator"].code


TYPE_FILES = ("assumed", "documented", "events", "index", "observed", "service", "subscribing")
"""The files of `jsrc/types` that the emulator's types need."""

_IMPORTED = re.compile(r'(from "\./\w+)\.ts"')

INDEX = """\
// svcPlugins as the service runs it, for unit tests. Written by `awning emulator --module` of awning {version}.
const SCRIPT = {script};

/** Define the service's global and awningEmulator on a window. index.d.ts describes it. */
export function install(window = globalThis.window) {{
  if (!window?.document) throw new TypeError("install needs a window with a document, such as new JSDOM().window");
  // The script's names are those of this window, whichever globals Node or the test runner has.
  new Function("window", `with (window) {{ ${{SCRIPT}} }}`)(window);
  return {{ service: window[{global_object}], emulator: window.awningEmulator }};
}}
"""


def emulator_module(esbuild: Binary, *, dialect: Dialect, minify: bool) -> Mapping[str, str]:
    """Return the files of the module, by path. Raises ProgramUnusable when esbuild does not run."""
    script = emulator_script(esbuild, dialect=dialect, minify=minify).decode()
    index = INDEX.format(
        version=__version__, script=json.dumps(script), global_object=json.dumps(dialect.global_object)
    )
    return {"package.json": _package(), "index.mjs": index, **_types()}


def _package() -> str:
    entry = {"types": "./index.d.ts", "default": "./index.mjs"}
    package = {
        "name": "awning-emulator",
        "version": __version__,
        "private": True,
        "type": "module",
        "types": "./index.d.ts",
        "exports": {".": entry},
    }
    return json.dumps(package, indent=2) + "\n"


def _types() -> dict[str, str]:
    """Return the files of type declarations, by path. Where the sources in jsrc import `.ts`, they import `.js`."""
    root = jsrc_root()
    published = (root / "emulator" / "published.ts").read_text("utf-8")
    published = published.replace('"../types/index.ts"', '"./types/index.js"')
    files = {
        "index.d.ts": f"{published}\nexport declare const install: Install;\n",
        "index.d.mts": 'export * from "./index.js";\n',  # the types of index.mjs, when it is imported by its path
    }
    for name in TYPE_FILES:
        text = (root / "types" / f"{name}.ts").read_text("utf-8")
        files[f"types/{name}.d.ts"] = _IMPORTED.sub(r'\1.js"', text)
    return files
