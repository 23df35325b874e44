"""Bundles the storefront's TypeScript (`jsrc/emulator`, `jsrc/storefront`) when its application is made.

The dev server adds entry points of its own, and the laboratory bundles its script with the same function.
"""

from collections.abc import Mapping

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.jsrc import jsrc_root

_ENTRIES = {
    "clock": "storefront/clock.ts",
    "emulator": "emulator/index.ts",
    "shop": "storefront/index.ts",
}


def shop_scripts(defines: Mapping[str, str], more: Mapping[str, str]) -> dict[str, bytes]:
    """Return the minified code of `clock.js`, `emulator.js`, `shop.js` and each entry point in `more`, by file name."""
    return bundle_scripts({**_ENTRIES, **more}, defines)


def bundle_scripts(entries: Mapping[str, str], defines: Mapping[str, str]) -> dict[str, bytes]:
    """Bundle entry points below `jsrc` into self-contained JavaScript. Returns the code by file name (`shop.js`)."""
    root = jsrc_root()
    request = BundleRequest(
        entry_points=tuple(EntryPoint(name, root / path) for name, path in entries.items()),
        root=root,
        jsrc=root,
        defines=defines,
        source_maps=False,
        target=("es2022",),
    )
    outputs = bundle(find_esbuild(), request).outputs
    return {f"{name}.js": output.code for name, output in outputs.items()}
