"""Makes the job of a file for the child process: its scripts, rewritten, and the HTML around them."""

import re
from typing import Any

from awning.check.running.rewriting import awaits, is_module, rewritten
from awning.contract import event_names
from awning.script import ScriptFile

_SCRIPT = re.compile(
    r"""<script(?![^>]*\stype\s*=\s*["']?(?!module|(?:text|application)/(?:java|ecma)script))[^>]*>.*?</script\s*>""",
    re.IGNORECASE | re.DOTALL,
)
"""A script that runs. Those of other types hold data, which scripts read."""
_END_OF_HEAD = re.compile(r"</head\s*>|<body", re.IGNORECASE)
_AROUND = re.compile(r"<!doctype[^>]*>|</?(?:html|head|body)\b[^>]*>", re.IGNORECASE)


def job_of(file: ScriptFile) -> dict[str, Any]:
    """Return the job of a file. Raises NotRun."""
    root = file.tree.root
    programs = sorted(file.programs, key=lambda program: program.module)
    early = [range(program.start, program.end) for program in programs if program.early]
    edits = rewritten(root, early=early)
    scripts = []
    for program in programs:
        code = edits.text(program.start, program.end)
        if program.module or is_module(root, program.start, program.end):
            kind = "async function" if awaits(root, program.start, program.end) else "function"
            code = f'({kind}(){{"use strict";{code}\n}})()'
        scripts.append({"code": code, "early": program.early})
    head, body = _html_of(file)
    page = {
        "headHtml": head, "bodyHtml": body, "events": list(event_names(file.dialect)),
        "prefix": file.dialect.event_prefix, "global": file.dialect.global_object,
    }  # fmt: skip
    text = file.code.decode("utf-8", "replace")
    return {"programs": scripts, "counters": edits.counters, "raw": _is_raw(file), "text": text, "page": page}


def _html_of(file: ScriptFile) -> tuple[str, str]:
    """Return the HTML of a file in the page's head and in its body, without the scripts that run."""
    if not file.is_markup:
        return "", ""
    text = _SCRIPT.sub("", file.text)
    end = _END_OF_HEAD.search(text)
    if end is not None:
        head, body = text[: end.start()], text[end.start() :]
    elif all(program.early for program in file.programs):
        head, body = text, ""
    else:
        head, body = "", text
    return _AROUND.sub("", head), _AROUND.sub("", body)


def _is_raw(file: ScriptFile) -> bool:
    """Return whether a file may call the service itself, so that it can break an event rule."""
    dialect = file.dialect
    words = (dialect.global_object, f"{dialect.event_prefix}content", "subscribeEvent")
    return any(word in file.text for word in words)
