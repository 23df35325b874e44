"""What another host says to a page, as a state or a test writes it down."""

import json
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.errors import ConfigurationError


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What another host says. `status` 0: nothing, the connection fails."""

    status: int
    body: bytes = b""
    content_type: str = "text/plain"


def answer_of(written: Any, folder: Path) -> Answer:
    """What a state or test writes down: JSON, a file below `folder`, or a status. Raises ConfigurationError."""
    if isinstance(written, int) and not isinstance(written, bool):
        return Answer(status=written)
    if isinstance(written, str):
        return _of_file(folder / written)
    body = json.dumps(written, ensure_ascii=False, default=_plain).encode()
    return Answer(status=200, body=body, content_type="application/json")


def _of_file(file: Path) -> Answer:
    try:
        body = file.read_bytes()
    except OSError as error:
        raise ConfigurationError(
            f"{file} cannot be read, which another host should answer with", hint=error.strerror
        ) from error
    return Answer(status=200, body=body, content_type=mimetypes.guess_type(file.name)[0] or "text/plain")


def _plain(value: Any) -> Any:
    """Frozen mappings and tuples as JSON can write them."""
    return dict(value) if isinstance(value, Mapping) else str(value)
