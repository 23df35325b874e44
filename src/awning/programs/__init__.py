"""The programs that awning carries: esbuild bundles widgets, TypeScript finds type errors.

find_program(ESBUILD) -> Binary      pin.py, find.py
verify(binary)                       find.py; call it right before each start
"""

from awning.programs.find import Binary, check_program, find_program, unusable, verify
from awning.programs.pin import ESBUILD, PROGRAMS, TYPESCRIPT, Program

__all__ = [
    "ESBUILD",
    "PROGRAMS",
    "TYPESCRIPT",
    "Binary",
    "Program",
    "check_program",
    "find_program",
    "unusable",
    "verify",
]
