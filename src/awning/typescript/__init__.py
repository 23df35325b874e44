"""Finds type errors with the TypeScript that awning carries.

    TypeProject(folder=..., ...).write(scripts)     project.py: the tsconfig.json of a check, in a folder of its own
    LanguageServer(binary, folder).diagnose(paths)  server.py: the problems of files
    text_with_additions(script, ...)                additions.py: what is added to a script for the check
    findings(CheckedScript, problems)               findings.py: problems as diagnostics
    MemberCheck(script=..., ...).findings(problems) members.py: fields that payloads and data do not have

This package knows nothing about builds. Its input is scripts and the folder with their types.
"""
