"""The emulator as a module for Node.js, which unit tests of a script import, with jsdom or happy-dom for the page.

The module is a folder in the form of an npm package: `package.json`, `index.mjs` and type declarations. The files of
`jsrc/types` contain only types, so they are copied as declarations.
"""

import json
import re
from collections.abc import Mapping

from awning import __version__
from awning.bundle.emulator import emulator_script
from awning.contract import Dialect
from awning.jsrc import jsrc_root
from awning.programs import Binary

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
