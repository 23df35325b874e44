"""Finds the esbuild to run."""

import os
from collections.abc import Mapping

from awning.programs import ESBUILD, Binary, find_program


def find_esbuild(environ: Mapping[str, str] = os.environ) -> Binary:
    """Return the esbuild to run. Raises ProgramUnusable as `find_program` does."""
    return find_program(ESBUILD, environ)
