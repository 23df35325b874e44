"""Bundles the emulator, which stands for the service's `svcPlugins`, into one self-contained script.

The script makes any page testable: load it in the head, call `awningEmulator.host(...)` for each container of a slot,
and read `awningEmulator.trace()`.
"""

import json

from awning.bundle import BundleRequest, EntryPoint, bundle
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
