"""Finds type errors with the TypeScript that awning carries.

    TypeProject(folder=..., ...).write(scripts)     project.py: the tsconfig.json of a check, in a folder of its own
    LanguageServer(binary, folder).diagnose(paths)  server.py: the problems of files
    findings(CheckedScript, problems)               findings.py: problems as diagnostics

This package knows nothing about builds. Its input is scripts and the folder with their types.
"""

from awning.typescript.findings import CheckedScript, findings
from awning.typescript.project import CONFIG, TypeProject, page_script
from awning.typescript.server import CHANGED, CREATED, DELETED, LanguageServer, Problem

__all__ = [
    "CHANGED",
    "CONFIG",
    "CREATED",
    "DELETED",
    "CheckedScript",
    "LanguageServer",
    "Problem",
    "TypeProject",
    "findings",
    "page_script",
]
