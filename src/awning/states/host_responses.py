"""The responses of other hosts, as a state or a test describes them."""

import json
import mimetypes
from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from awning.errors import ConfigurationError
from awning.preview_record import PlayedResponse
from awning.states.json_values import thaw
from awning.workspace.responses import status_and_file

_TYPES = {"stylesheet": "text/css", "script": "text/javascript", "document": "text/html"}


@dataclass(frozen=True, slots=True, kw_only=True)
class HostResponse:
    """A response of another host. With `status` 0, the connection fails and there is no response.

    Without a `content_type`, the response has the type that the request asks for.
    """

    status: int
    body: bytes = b""
    content_type: str | None = None

    def type_for(self, resource_type: str) -> str:
        """Return the content type for a request of Playwright's `resource_type`.

        Chromium refuses a module of the type text/plain (observed), and HTML's standard such a style sheet, too.
        """
        return self.content_type or _TYPES.get(resource_type, "text/plain")

    def played(self) -> PlayedResponse:
        """Return the response as a page plays it (`jsrc/inspector/state_answers.ts`)."""
        body = b64encode(self.body).decode()
        return PlayedResponse(status=self.status, type=self.type_for("fetch"), body=body)


def read_host_response(written: Any, folder: Path) -> HostResponse:
    """Return the response that a state or test describes: JSON, a status (int), or a file below `folder` (str).

    A status may precede the name of the file. A HostResponse is returned as it is.

    Raises ConfigurationError when the file cannot be read.
    """
    if isinstance(written, HostResponse):
        return written
    if isinstance(written, int) and not isinstance(written, bool):
        return HostResponse(status=written)
    if isinstance(written, str):
        status, name = status_and_file(written, folder)
        file = folder / name
        try:
            body = file.read_bytes()
        except OSError as error:
            raise ConfigurationError(
                f"{file}, the response of another host, cannot be read", hint=error.strerror
            ) from error
        content_type = mimetypes.guess_type(file.name)[0] or "text/plain"
        return HostResponse(status=status, body=body, content_type=content_type)
    body = json.dumps(thaw(written), ensure_ascii=False, default=str).encode()
    return HostResponse(status=200, body=body, content_type="application/json")
