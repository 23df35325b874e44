"""Builds a workspace: from the author's files to `dist/`.

    build              root -> BuildResult; does nothing if nothing has changed   incremental.py
    inspect_workspace  root -> Verdict, the same as a build's; writes nothing     incremental.py
    watch_workspace    root -> a build to dist/ now and after each change         watch.py
    Follower           for `awning dev`: patches and builds, never to dist/       follow.py, live.py
    build_workspace    workspace -> BuildRecord; always builds                    phases.py
    find_readers       workspace, paths -> the widgets that read each            readers.py
    write_types        root -> .awning/types, which editors read                  phases.py
    ScriptOrigins      place in a development script -> place in an author's file script_origin.py
    BuiltScript        place in a script of a test build -> place in its source   write/maps.py

Each name is imported at its first use, so an unchanged build imports almost nothing.
"""

from typing import TYPE_CHECKING

from awning.late_import import late_names

if TYPE_CHECKING:
    from awning.pipeline.follow import Follower
    from awning.pipeline.incremental import BuildResult, build, inspect_workspace
    from awning.pipeline.live import LiveWorkspace, Rebuilt, StylePatch, WidgetPatch
    from awning.pipeline.phases import build_workspace, write_types
    from awning.pipeline.readers import find_readers
    from awning.pipeline.script_origin import ScriptOrigins
    from awning.pipeline.watch import watch_workspace
    from awning.pipeline.write import BuiltScript

__all__ = [
    "BuildResult",
    "BuiltScript",
    "Follower",
    "LiveWorkspace",
    "Rebuilt",
    "ScriptOrigins",
    "StylePatch",
    "WidgetPatch",
    "build",
    "build_workspace",
    "find_readers",
    "inspect_workspace",
    "watch_workspace",
    "write_types",
]

__getattr__ = late_names(
    __name__,
    {
        "follow": "Follower",
        "incremental": "BuildResult build inspect_workspace",
        "live": "LiveWorkspace Rebuilt StylePatch WidgetPatch",
        "phases": "build_workspace write_types",
        "readers": "find_readers",
        "script_origin": "ScriptOrigins",
        "watch": "watch_workspace",
        "write": "BuiltScript",
    },
)
