"""Bundles the scripts of `jsrc/recorder`, which capture and redact the events of a page."""

import json
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.contract import SLOTS, Dialect
from awning.contract.slots import event_names
from awning.jsrc import jsrc_root
from awning.live.redaction import redaction_rules

Script = Literal["console", "visit", "second_pass", "snippet"]
"""An entry point of `jsrc/recorder`."""


def recorder_script(
    name: Script, dialect: Dialect, options: Mapping[str, object] = MappingProxyType({})
) -> str:
    """Return one of the scripts, on one line. `options` are its further constants, without their prefix `AWNING_`.

    Raises ProgramUnusable when esbuild does not run.
    """
    root = jsrc_root()
    request = BundleRequest(
        entry_points=(EntryPoint(name=name, path=root / "recorder" / f"{name}.ts"),),
        root=root,
        jsrc=root,
        defines={
            "AWNING_GLOBAL": dialect.global_object,
            "AWNING_GLOBAL_NAME": json.dumps(dialect.global_object),
            "AWNING_EVENTS": json.dumps(event_names(dialect)),
            "AWNING_SLOTS": json.dumps([*SLOTS]),
            "AWNING_REDACTION": redaction_rules(dialect),
            **{f"AWNING_{key}": json.dumps(value) for key, value in options.items()},
        },
        source_maps=False,
    )
    return bundle(find_esbuild(), request).outputs[name].code.decode().strip()
