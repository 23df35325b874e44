"""The bundler: runs esbuild for all entry points, and maps its messages to the sources.

    find_esbuild() -> Binary                        run.py
    syntax_fault(esbuild, code, loader)             run.py -> process.py
    bundle(esbuild, BundleRequest) -> BundleResult  run.py: request.py, process.py (protocol.py), esbuild_messages.py
    ResidentEsbuild(esbuild).bundle(BundleRequest)  run.py: the same, by a process that serves many builds

This package knows nothing about widgets. Its input is entry points, a root and a function that maps paths to the
author's paths; its output is bytes and diagnostics. `emulator.py` bundles the emulator.
"""

from awning.bundle.request import BundleRequest, BundleResult, EntryPoint, Output, OutsideFile, build_request
from awning.bundle.run import Loader, ResidentEsbuild, SyntaxFault, bundle, find_esbuild, syntax_fault

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
