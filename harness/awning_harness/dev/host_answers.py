"""The responses of other hosts that widgets name in widget.toml, for the pages of the dev server.

A page's requests to these addresses go to the dev server (`jsrc/inspector/answers.ts`), which gives the response.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from awning.errors import ConfigurationError
from awning.states.host_responses import HostResponse, read_host_response
from awning.workspace.validation import RESPONSES

LATE_S = 3.0
"""How long a late response takes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedResponse:
    """A response as a widget describes it."""

    widget: str
    folder: Path
    written: Any

    def read(self) -> HostResponse:
        """Return the response. A file that cannot be read, or is outside of the widget's folder, is no response."""
        if isinstance(self.written, str):
            file = (self.folder / self.written).resolve()
            if not file.is_relative_to(self.folder.resolve()):
                return HostResponse(status=0)
        try:
            return read_host_response(self.written, self.folder)
        except ConfigurationError:
            return HostResponse(status=0)


@dataclass(slots=True)
class HostAnswers:
    """Reads the tables [fetch] below `root`. A file is parsed again when it has changed."""

    root: Path
    _known: dict[Path, tuple[tuple[int, int], Mapping[str, Any]]] = field(default_factory=dict)

    def by_address(self) -> dict[str, NamedResponse]:
        """Return the responses. Where two widgets name one address, the first widget by name counts."""
        named: dict[str, NamedResponse] = {}
        for file in sorted(self.root.glob("widgets/*/widget.toml")):
            for url, written in self._table(file).items():
                response = NamedResponse(widget=file.parent.name, folder=file.parent, written=written)
                named.setdefault(url, response)
        return named

    def find(self, url: str) -> NamedResponse | None:
        """Return the response for an address, with its query or without. A fragment does not count."""
        named, url = self.by_address(), url.partition("#")[0]
        return named.get(url) or named.get(url.partition("?")[0])

    def _table(self, file: Path) -> Mapping[str, Any]:
        try:
            status = file.stat()
            stamp = (status.st_mtime_ns, status.st_size)
            known = self._known.get(file)
            if known is None or known[0] != stamp:
                table = tomllib.loads(file.read_text(encoding="utf-8-sig")).get("fetch", {})
                known = self._known[file] = (stamp, table if RESPONSES.accepts(table) else {})
        except (OSError, ValueError):  # the build reports it
            return {}
        return known[1]
