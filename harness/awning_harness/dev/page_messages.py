"""The messages to open pages, and their text as server-sent events (`jsrc/inspector/server.ts` reads them)."""

import json
from typing import Any

from awning.errors import AwningError, Faulty
from awning.pipeline.live import StylePatch

Message = dict[str, Any]


def hello(revision: int, failure: AwningError | None, *, is_built: bool) -> Message:
    """Return the first message of a stream. A page with another revision reloads."""
    return {
        "kind": "hello",
        "revision": revision,
        "failure": failure_json(failure, is_built=is_built) if failure else None,
    }


def redraw(revision: int, body: str, *, keeps_changes: bool) -> Message:
    """Return the message with the app's new body snippet.

    `keeps_changes` is true when no script has changed. The page then keeps the changes that event handlers made in it.
    """
    return {"kind": "redraw", "revision": revision, "body": body, "keepsChanges": keeps_changes}


def patch(
    revision: int, widget: str, *, style: StylePatch | None, body: str | None, keeps_changes: bool
) -> Message:
    """Return the message that one widget has changed, with its new style sheet, the HTML with its script, or both."""
    sheet = None if style is None else {"before": style.before, "after": style.after}
    return {
        "kind": "patch",
        "revision": revision,
        "widget": widget,
        "style": sheet,
        "body": body,
        "keepsChanges": keeps_changes,
    }


def reload(revision: int, why: str) -> Message:
    """Return the message that pages must load again, and why they cannot show the change in place."""
    return {"kind": "reload", "revision": revision, "why": why}


def beside(message: Message, failure: AwningError | None) -> Message:
    """Return `message`, with the errors of the build that it shows, if there are errors."""
    return {**message, "failure": failure_json(failure, is_built=True)} if failure else message


def failed(failure: AwningError, *, is_built: bool) -> Message:
    """Return the message that there are errors.

    `is_built` is whether open pages show a build of the files as they are now, and not the last build that worked.
    """
    return {"kind": "failed", "failure": failure_json(failure, is_built=is_built)}


def fixed(revision: int) -> Message:
    """Return the message that the workspace builds without errors again, and that its snippets are unchanged."""
    return {"kind": "fixed", "revision": revision}


def failure_json(failure: AwningError, *, is_built: bool) -> Message:
    findings = failure.diagnostics if isinstance(failure, Faulty) else ()
    hint = f"\n{failure.hint}" if failure.hint else ""
    return {
        "message": f"{failure.message}{hint}",
        # as `awning build --json` writes them, with their source lines
        "findings": [{**item.as_json(), "excerpt": item.excerpt} for item in findings],
        "isBuilt": is_built,
    }


def wire(message: Message) -> str:
    """Return the message as one server-sent event (HTML, 9.2.5). JSON in ASCII has no line breaks."""
    return f"data: {json.dumps(message)}\n\n"
