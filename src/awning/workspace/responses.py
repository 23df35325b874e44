"""The responses of other hosts, as `widget.toml` and `states.toml` describe them."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from awning.workspace.document import Document
from awning.workspace.offsets import KeyPath
from awning.workspace.validation import is_file_path

_STATUS_AND_FILE = re.compile(r"([2-5]\d\d) +(\S.*)", re.DOTALL | re.ASCII)


def status_and_file(written: str, folder: Path) -> tuple[int, str]:
    """Return the HTTP status and the name of the file of a response: `near.json`, or `422 refused.json`.

    A file in `folder` whose own name begins with a number has the status 200.
    """
    with_status = _STATUS_AND_FILE.fullmatch(written)
    if not with_status or (is_file_path(written) and (folder / written).is_file()):
        return 200, written
    return int(with_status[1]), with_status[2]


def check_responses(document: Document, responses: Mapping[str, Any], at: KeyPath, folder: Path) -> None:
    """Check the responses of other hosts.

    A string names a file, which must be in the widget's folder.
    """
    hint = (
        "a response is JSON (a table or an array), a status, or the name of a file beside states.toml, which may "
        'have a status before it: "422 near.json"'
    )
    for url, response in responses.items():
        if not isinstance(response, str):
            continue
        _, file = status_and_file(response, folder)
        if not is_file_path(file):
            document.report(
                "wrong-type", "the name of a file is too long, or has U+0000", (*at, url), hint=hint
            )
            continue
        if not (folder / file).resolve().is_relative_to(folder.resolve()):
            message = f"the file {file} is outside of the widget"
            document.report("file-outside", message, (*at, url), hint=hint)
        elif not (folder / file).is_file():
            document.report("file-missing", f"there is no file {file}", (*at, url), hint=hint)
