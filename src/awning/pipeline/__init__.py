"""Joins the rooms: reads a workspace, compiles, bundles, composes, writes `dist/` with its build record.

    build            root -> Built; skips what is unchanged            rebuild.py
    build_workspace  workspace -> BuildRecord; always builds           full.py
    watch_workspace  root -> one Rebuilt per change                    watch.py
    source_place     place in a development script -> author's file    origin.py
    find             root -> what a build would find; writes nothing   rebuild.py
    write_types      root -> .awning/types, what editors read          full.py

They are imported when they are asked for: an unchanged build imports almost nothing.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from awning.pipeline.full import build_workspace, write_types
    from awning.pipeline.origin import source_place
    from awning.pipeline.rebuild import Built, Found, build, find, inspect_workspace
    from awning.pipeline.watch import Rebuilt, watch_workspace

__all__ = [
    "Built",
    "Found",
    "Rebuilt",
    "build",
    "build_workspace",
    "find",
    "inspect_workspace",
    "source_place",
    "watch_workspace",
    "write_types",
]

_HOMES = {
    "Built": "rebuild",
    "Found": "rebuild",
    "build": "rebuild",
    "find": "rebuild",
    "build_workspace": "full",
    "Rebuilt": "watch",
    "watch_workspace": "watch",
    "write_types": "full",
    "inspect_workspace": "rebuild",
    "source_place": "origin",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - see above

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
