"""The build hook: adds the pinned esbuild, `jsrc` and the pages of the rules to the wheel, and sets its platform tag.

An editable wheel gets only esbuild. The binary goes into `awning_esbuild/` in site-packages, for ordinary and for
editable wheels, so a checkout never contains it. The target platform is this machine, or the one that
AWNING_BUILD_TARGET names (`linux-arm64`, ...). With `none`, or on a machine for which no esbuild is pinned, the wheel
has no binary, and its users set AWNING_ESBUILD.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent


def _fetch_esbuild() -> Any:
    """Return the module `fetch_esbuild.py` beside this file.

    hatchling loads the hook by its path, so the folder is not on `sys.path`, and `import` would not find the module.
    """
    spec = importlib.util.spec_from_file_location("awning_fetch_esbuild", HERE / "fetch_esbuild.py")
    if spec is None or spec.loader is None:
        raise ImportError("packaging/fetch_esbuild.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class EsbuildHook(BuildHookInterface):  # type: ignore[type-arg]  # no configuration of its own
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files. hatchling calls this before it builds a wheel; `version` is `standard` or `editable`."""
        forced = build_data["force_include_editable" if version == "editable" else "force_include"]
        if version != "editable":
            forced[str(Path(self.root) / "jsrc")] = "awning/_jsrc"
            forced[str(Path(self.root) / "docs" / "rules")] = "awning/_rules"
        fetching = _fetch_esbuild()
        pins = fetching.load_pins()
        pin = self._pin(pins)
        if pin is None:
            return
        try:
            binary = fetching.fetch(pin, pins.VERSION)
        except fetching.FetchError as error:
            self.app.abort(f"awning: {error}")
        forced[str(binary)] = f"{pins.FOLDER}/{pin.binary}"
        forced[str(HERE / "esbuild-LICENSE.md")] = f"{pins.FOLDER}/LICENSE.md"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{'.'.join(pin.wheel_tags)}"

    def _pin(self, pins: Any) -> Any:
        """Return the pin of the target platform; None for a wheel without a binary.

        Aborts the build for an unknown AWNING_BUILD_TARGET, and on Windows for another system.
        """
        named = os.environ.get("AWNING_BUILD_TARGET")
        platform = named or pins.this_platform()
        pin = pins.pin_for(platform)
        if pin is None and named not in (None, "", "none"):
            known = ", ".join(pin.platform for pin in pins.PINS)
            self.app.abort(f"awning: AWNING_BUILD_TARGET is {named!r}; it can be {known} or none")
        if pin is None:
            self.app.display_warning(
                f"awning: no esbuild is pinned for {platform}: this wheel contains none, "
                f"so set AWNING_ESBUILD to an esbuild {pins.VERSION} binary before building widgets"
            )
        elif os.name == "nt" and not pin.platform.startswith("win32"):
            self.app.abort(
                "awning: Windows does not store the executable bit: make wheels for other systems elsewhere"
            )
        return pin
