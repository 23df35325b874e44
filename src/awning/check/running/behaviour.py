"""What the scripts of a file do: the broken rules, at their places, and what was not looked at."""

import re
from dataclasses import dataclass
from typing import Any

from awning.check.running.dom_events import defect_of
from awning.check.running.engine import NoEngine, engine
from awning.check.running.payloads import name_of
from awning.check.running.rewriting import NotRun, awaits, has_imports, rewritten
from awning.contract import event_names
from awning.line_process import missing_engine
from awning.script.file import ScriptFile
from awning.script.tree import Node

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
        is_module = program.module or has_imports(root, program.start, program.end)
        waits = (is_module or not file.is_markup) and awaits(root, program.start, program.end)
        if is_module or waits:
            kind = "async function" if waits else "function"
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


_SINKS = frozenset({
    "setContent", "html", "append", "prepend", "before", "after", "replaceWith", "insertAdjacentHTML", "write",
    "writeln", "appendTo", "parseHTML", "insertBefore", "appendChild", "replaceChildren", "$", "jQuery",
})  # fmt: skip
"""Functions that insert HTML. The message of `raw-html` names the one that was called."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A broken rule at a byte offset. It is `doubtful` if it depends on what a page has."""

    rule: str
    offset: int
    message: str
    doubtful: bool = False


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The result of running the scripts of a file. `left_out` maps what was not looked at to a byte offset."""

    observations: list[Observation]
    left_out: dict[str, int]


def behaviour_of(file: ScriptFile) -> Behaviour:
    """Run the scripts of a file.

    Nothing is run if one cannot be parsed, which another rule reports, or if there is no engine for this machine
    (`missing_engine`).
    """
    if missing_engine() or file.tree.broken_at is not None:
        return Behaviour([], {})
    try:
        job = job_of(file)
    except NotRun as error:
        return Behaviour([], {f"what it does: the check does not run {error}": 0})
    try:
        answer = engine().verdict(job)
    except NoEngine as error:
        return Behaviour([], {f"what it does: {error}": 0})
    observations = [_observation(file, finding) for finding in answer["findings"]]
    by_place = {(item.offset, item.rule): item for item in observations if item}
    return Behaviour([by_place[place] for place in sorted(by_place)], dict(answer["left"]))


def page_difference(before: ScriptFile, after: ScriptFile) -> str:
    """Return what differs between the pages of two versions of a file, in words; empty if running shows no difference.

    All that the first version may do is run, or else that is the difference.
    """
    if missing := missing_engine():
        return f"no script was run: {missing}"
    try:
        return engine().difference(job_of(before), job_of(after))
    except (NotRun, NoEngine) as error:
        return f"the check does not run it: {error}"


def _observation(file: ScriptFile, finding: dict[str, Any]) -> Observation | None:
    rule, at, message = finding["rule"], finding["at"], finding["message"]
    doubtful = bool(finding.get("doubtful"))
    if rule == "unknown-event":
        message = f'the storefront fires no event "{message}"'
    elif rule == "raw-html":
        message = _of_raw_html(file, at, message, finding["source"])
    elif rule == "early-dom":
        message = _of_early_dom(message)
    elif rule == "unhandled-error":
        field = finding["source"].rpartition(".")[2]
        place = _member_after(file, at, field, message, is_null=finding["is_null"])
        if place is None:
            return None
        at, message = place, _of_nothing(finding["source"], message, is_null=finding["is_null"])
    elif rule == "dead-handler":
        defect = defect_of(message)
        if defect is None:
            return None
        at, message = _key_after(file, at, message), defect
    return Observation(rule, at, message, doubtful)


def _of_early_dom(lookup: str) -> str:
    if lookup == "document.body":
        return "document.body is null when a head script runs: the page has no body yet"
    if lookup.startswith("document.documentElement."):
        return f"{lookup} changes the page before the document is ready"
    return f"{lookup or 'a look-up'} finds nothing of the page: a head script runs before there is a body"


def _of_raw_html(file: ScriptFile, at: int, sink: str, source: str) -> str:
    where = _sink_at(file.tree.root, at) or sink
    text = (
        "the render function returns a value of the payload as HTML without escaping"
        if sink == "render"
        else f"a value of the payload or of the address goes into {where} without escaping"
    )
    return f"{text}: {source}" if source else text


def _member_after(file: ScriptFile, at: int, field: str, member: str, *, is_null: bool) -> int | None:
    """Return where code reads a member of a field, after an offset or anywhere; None if it is not written so.

    A field that has no value must be followed by a member wherever it is named. Then no other read can be meant, as of
    a condition that asks for the field.
    """
    code = file.code
    name = rb"\b%b\b" % re.escape(field.encode())
    followed = re.findall(name + rb"\s*[.\[]", code)
    if not is_null and len(followed) != len(re.findall(name, code)):
        return None
    own = re.escape(member.encode())
    pattern = re.compile(name + rb"\s*(?:\.\s*%b\b|\[\s*[\"']?%b\b)" % (own, own))
    match = pattern.search(code, at) or pattern.search(code)
    return match.start() if match else None


def _of_nothing(path: str, member: str, *, is_null: bool) -> str:
    field = name_of(path)
    state = "may be null" if is_null else "is not in the payload"
    return f'{field} {state}, and reading "{member}" of it throws'


def _sink_at(root: Node, at: int) -> str:
    """Return the name of what inserts HTML in the expression at an offset, such as `setContent()`."""
    name = ""
    node: Node | None = root
    while node is not None:
        if node.start == at and node.type == "call_expression":
            called = node.fields["function"].text.rpartition(".")[2]
            if called in _SINKS:
                return f"{called}()"
        if node.start == at and node.type in {"assignment_expression", "augmented_assignment_expression"}:
            return node.fields["left"].text.rpartition(".")[2]
        node = next((kid for kid in node.kids if kid.start <= at < kid.end), None)
    return name


def _key_after(file: ScriptFile, at: int, key: str) -> int:
    match = re.compile(rb"""["'`]""" + re.escape(key.encode()) + rb"""["'`]""").search(file.code, at)
    return match.start() if match else at
