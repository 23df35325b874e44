"""The bundler: runs esbuild for all entry points, and maps its messages to the sources.

    request            BundleRequest, BundleResult: what is bundled, and what comes of it
    run                bundle(esbuild, request), once or by a process that serves many builds (ResidentEsbuild)
    process, protocol  esbuild's own protocol over a pipe
    esbuild_messages   its messages as diagnostics
    emulator           the emulator as one script

This package knows nothing about widgets. Its input is entry points, a root and a function that maps paths to the
author's paths; its output is bytes and diagnostics. This file imports nothing.
"""
