"""Finds the author's file, line and column for a place in a script of a development build.

The builds of `awning dev` have no source maps, because a saved change must be visible at once. So the first request for
a place in a script bundles that script again, with a source map.
"""

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from awning.build_record import WHOLE_APP
from awning.diagnostics import Place
from awning.pipeline.build_session import build_session
from awning.pipeline.phases import BuildOptions, run_phases
from awning.pipeline.read import Units
from awning.pipeline.write.maps import texts_of, with_each_line
from awning.source_map import SourceMap


@dataclass(slots=True)
class ScriptOrigins:
    """Finds the place in the author's files from which a place in a body script comes. Threads may share it.

    It keeps the scripts that it has bundled, so after a change of the workspace a new object is needed.
    """

    root: Path
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)
    _scripts: dict[tuple[str | None, str], "_MappedScript | None"] = field(default_factory=dict)
    """The scripts by language and unit; None for one that the workspace does not have."""
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def place(self, *, language: str | None, unit: str = WHOLE_APP, line: int, column: int) -> Place | None:
        """Return the place in the author's files from which a place in a body script comes.

        None if the code there is not an author's, or there is no such script or place.

        `unit` and `language` tell which script: the app's or one widget's, and the language of the page (None for a
        language that the app does not have). Lines and columns count from 1.

        Raises Faulty when the workspace cannot be read, ConfigurationError when its profile does not exist or esbuild
        cannot be used.
        """
        with self._lock:
            name = (language, unit)
            if name not in self._scripts:
                self._scripts[name] = self._bundled(language, unit)
            script = self._scripts[name]
        if script is None:
            return None
        place = script.source_map.place(line, column)
        if place is None or place.path not in script.files:
            return None
        return place

    def _bundled(self, language: str | None, unit: str) -> "_MappedScript | None":
        with build_session(self.root, lasts=False, writes=False) as session:
            options = BuildOptions(
                units=Units.ALL,
                dev=True,
                inspects=False,
                weighs=False,
                for_tests=True,
                chosen=lambda planned: planned.unit == unit and planned.place == "body",
            )
            built = run_phases(session.read_workspace(self.environ), options, self.environ, session)
        names = (f"{unit}/{language}/body", f"{unit}/default/body")
        output = next((built.bundle.outputs[name] for name in names if name in built.bundle.outputs), None)
        if output is None or output.source_map is None:
            return None
        source_map = with_each_line(output.source_map, output.code, texts_of(built.literals))
        return _MappedScript(SourceMap.read(source_map), frozenset(built.sources.files))


@dataclass(frozen=True, slots=True)
class _MappedScript:
    """A script's source map, and the paths of the author's files."""

    source_map: SourceMap
    files: frozenset[str]
