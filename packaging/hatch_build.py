"""The build hook: adds the pinned programs and `jsrc` to the wheel, and sets its platform tag.

An editable wheel gets only the programs. They go into `awning_esbuild/` and `awning_typescript/` in site-packages, for
ordinary and for editable wheels, so a checkout never contains them. The target platform is this machine, or the one
that AWNING_BUILD_TARGET names (`linux-arm64`, ...). With `none`, or on a machine for which none is pinned, the wheel
has no program, and its users set AWNING_ESBUILD and AWNING_TYPESCRIPT.
"""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

HERE = Path(__file__).resolve().parent


def _fetch_programs() -> Any:
    """Return the module `fetch_programs.py` beside this file.

    hatchling loads the hook by its path, so the folder is not on `sys.path`, and `import` would not find the module.
    """
    spec = importlib.util.spec_from_file_location("awning_fetch_programs", HERE / "fetch_programs.py")
    if spec is None or spec.loader is None:
        raise ImportError("packaging/fetch_programs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class ProgramsHook(BuildHookInterface):  # type: ignore[type-arg]  # no configuration of its own
    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files. hatchling calls this before it builds a wheel; `version` is `standard` or `editable`."""
        forced = build_data["force_include_editable" if version == "editable" else "force_include"]
        if version != "editable":
            forced[str(Path(self.root) / "jsrc")] = "awning/_jsrc"
        fetching = _fetch_programs()
        pins = fetching.load_pins()
        platform = self._platform(pins)
        if platform is None:
            return
        for program in pins.PROGRAMS:
            try:
                package = fetching.fetch(program, program.pin_for(platform))
            except fetching.FetchError as error:
                self.app.abort(f"awning: {error}")
            forced[str(package)] = program.folder
        forced[str(HERE / "esbuild-LICENSE.md")] = f"{pins.ESBUILD.folder}/{pins.ADDED}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{'.'.join(pins.WHEEL_TAGS[platform])}"

    def _platform(self, pins: Any) -> str | None:
        """Return the target platform; None for a wheel without programs.

        Aborts the build for an unknown AWNING_BUILD_TARGET, and on Windows for another system.
        """
        named = os.environ.get("AWNING_BUILD_TARGET")
        platform: str = named or pins.this_platform()
        if platform not in pins.WHEEL_TAGS:
            if named not in (None, "", "none"):
                known = ", ".join(pins.WHEEL_TAGS)
                self.app.abort(f"awning: AWNING_BUILD_TARGET is {named!r}; it can be {known} or none")
            wanted = " and ".join(
                f"{program.variable} to a binary of {program.name} {program.version}"
                for program in pins.PROGRAMS
            )
            self.app.display_warning(
                f"awning: no programs are pinned for {platform}: this wheel contains none, "
                f"so set {wanted} before building widgets"
            )
            return None
        if os.name == "nt" and not platform.startswith("win32"):
            self.app.abort(
                "awning: Windows does not store the executable bit: make wheels for other systems elsewhere"
            )
        return platform
