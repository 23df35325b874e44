"""The preview in a build, `dist/preview/`: what the settings form needs to show the widgets as they will look.

The pipeline writes it, and the host reads it. Publishing does not: no snippet has a part of it.

    states.json   the states of the widgets: their events in each language, and the responses of other hosts
    frame.js      the scripts of the page with the widget
    form.js       the script of the settings form, which follows its entries
"""

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from msgspec import Raw, Struct, json

from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.typed_values import Mismatch, decode

FOLDER = "preview"
STATES, FRAME, FORM = f"{FOLDER}/states.json", f"{FOLDER}/frame.js", f"{FOLDER}/form.js"
_OK = 200


class PlayedResponse(Struct, frozen=True):
    """A response of another host. `body` is in Base64. With status 0, the connection fails."""

    status: int
    type: str
    body: str


class PreviewEvents(Struct, frozen=True):
    """The events of a state in one language, as `awning.states.StateEvents` has them."""

    event: str
    params: Mapping[str, Any]
    automatic: tuple[Any, ...]
    steps: tuple[Mapping[str, Any], ...]
    direction: Literal["ltr", "rtl"]


class PreviewState(Struct, frozen=True):
    """A state of a widget. `whole` is whether the widget may show something outside of its slot."""

    widget: str
    widget_title: str
    name: str
    title: str
    slot: str
    events: Mapping[str, PreviewEvents]
    answers: Mapping[str, PlayedResponse]
    now: str | None = None
    whole: bool = False

    @property
    def id(self) -> str:
        return f"{self.widget}/{self.name}"


class PreviewRecord(Struct, frozen=True):
    """The content of `states.json`. It belongs to the build with this fingerprint."""

    fingerprint: str
    app_data_placeholder: str
    language_placeholder: str
    states: tuple[PreviewState, ...]
    schema_version: Literal[1] = 1

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages in which there are states."""
        return tuple(dict.fromkeys(language for state in self.states for language in state.events))


def encode_state(state: PreviewState) -> bytes:
    return json.encode(state)


def encode_preview(fingerprint: str, dialect: Dialect, states: Iterable[bytes]) -> bytes:
    """Return the content of `states.json`, from states as `encode_state` returns them."""
    record = {
        "schema_version": 1,
        "fingerprint": fingerprint,
        "app_data_placeholder": dialect.app_data_placeholder,
        "language_placeholder": dialect.language_placeholder,
        "states": [Raw(state) for state in states],
    }
    return json.encode(record) + b"\n"


class Preview(Struct, frozen=True):
    """The preview of a build: its record and its scripts."""

    record: PreviewRecord
    frame: bytes
    form: str

    @property
    def mark(self) -> str:
        """The beginning of a hash of the frame's scripts, for their address."""
        return sha256(self.frame).hexdigest()[:12]


def find_preview(dist: Path, fingerprint: str) -> Preview | None:
    """Return the preview of the build in `dist`; None when the build has none, or that of another build.

    Raises ConfigurationError when it cannot be read or is not valid.
    """
    try:
        record = decode((dist / STATES).read_bytes(), PreviewRecord)
        if record.fingerprint != fingerprint or not record.states:
            return None
        return Preview(
            record=record,
            frame=(dist / FRAME).read_bytes(),
            form=(dist / FORM).read_text(encoding="utf-8"),
        )
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(
            f"{dist / FOLDER} cannot be read ({error})", hint="run: awning build"
        ) from None
    except Mismatch as mismatch:
        message = f"{dist / STATES} is not the record of a preview: {mismatch.of('it')}"
        raise ConfigurationError(message, hint="run: awning build") from None


_BEFORE = r"""\b(?:src|href|poster)\s*=\s*["']?|\burl\(\s*["']?|\b(?:from|import)\s*\(?\s*["'`]"""
_FILE = rf"""(?P<before>{_BEFORE})%s(?:\?[^"'`\s<>)]*)?(?=["'`\s<>)])"""


def with_files_of_other_hosts(html: str, answers: Mapping[str, PlayedResponse]) -> str:
    """Return a snippet in which the files that a browser loads by itself are `data:` addresses with their responses.

    These are scripts, style sheets and pictures of other hosts: in attributes, in `url()` in style sheets, and in
    imports of modules. An address without a successful response stays as it is.
    """
    for url, answer in answers.items():
        if answer.status == _OK and url in html:
            # Base64 has no character that is special in a replacement.
            address = f"data:{answer.type};base64,{answer.body}"
            html = re.sub(_FILE % re.escape(url), rf"\g<before>{address}", html)
    return html
