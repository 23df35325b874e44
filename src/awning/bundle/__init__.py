"""The bundler: runs esbuild for all entry points, and maps its messages to the sources.

    find_esbuild() -> Binary                        find.py
    syntax_fault(esbuild, code, loader)             syntax.py -> process.py
    bundle(esbuild, BundleRequest) -> BundleResult  run.py: request.py, process.py (protocol.py), esbuild_messages.py
    ResidentEsbuild(esbuild).bundle(BundleRequest)  resident.py: the same, by a process that serves many builds

This package knows nothing about widgets. Its input is entry points, a root and a function that maps paths to the
author's paths; its output is bytes and diagnostics. `emulator.py` and `emulator_module.py` bundle the emulator.
"""

from awning.bundle.find import find_esbuild
from awning.bundle.request import BundleRequest, BundleResult, EntryPoint, Output, OutsideFile, build_request
from awning.bundle.resident import ResidentEsbuild
from awning.bundle.run import bundle
from awning.bundle.syntax import Loader, SyntaxFault, syntax_fault

__all__ = [
    "BundleRequest",
    "BundleResult",
    "EntryPoint",
    "Loader",
    "Output",
    "OutsideFile",
    "ResidentEsbuild",
    "SyntaxFault",
    "build_request",
    "bundle",
    "find_esbuild",
    "syntax_fault",
]
