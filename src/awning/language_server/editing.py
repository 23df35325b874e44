"""What one editor has open, and what it is shown: a check follows a pause in typing.

It covers the whole workspace, as `awning check` does, so files that are not open have their findings too. A problem of
awning's own is a message, and the server goes on.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from awning.contract import Dialect
from awning.diagnostics import Diagnostic, printable
from awning.errors import AwningError, ConfigurationError
from awning.language_server.answers import shown_diagnostic
from awning.language_server.opened import OpenDocument, unsaved_texts
from awning.language_server.positions import Positions
from awning.pipeline.build_session import BuildSession, build_session
from awning.pipeline.incremental import inspect_in
from awning.pipeline.phases import BuildOptions
from awning.pipeline.read import BuildCancelled, Checkpoint
from awning.pipeline.targets import dialect_of, script_findings
from awning.pipeline.verdict import Verdict
from awning.workspace.sources import read_source


def _one_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="awning-check")


@dataclass(slots=True)
class WorkspaceCheck:
    """The check of the workspace at `root`. Its session belongs to one thread, which does one inspection at a time.

    All that it works out is in a build session, as in `awning dev`, so that a change costs only what it reaches. It
    writes nothing in the workspace.
    """

    root: Path
    environ: Mapping[str, str]
    _latest: int = 0
    _thread: ThreadPoolExecutor = field(default_factory=_one_thread)
    _opened: ExitStack = field(default_factory=ExitStack)
    _session: BuildSession | None = None

    def overtake(self) -> None:
        """Let the inspection that runs end at its next checkpoint, because what it looks at is out of date."""
        self._latest += 1

    async def inspect(self, unsaved: Mapping[str, bytes], *, only: tuple[str, ...] = ()) -> Verdict | None:
        """Return the verdict, with `unsaved` in place of files. None when it was overtaken.

        With names of widgets in `only`, it is that on these widgets, and comes much sooner. Raises ConfigurationError
        as `inspect_workspace` does.
        """
        self.overtake()
        mine = self._latest
        checkpoint = Checkpoint(lambda: self._latest != mine)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._inspect, unsaved, only, checkpoint)
        except BuildCancelled:
            return None

    def _inspect(
        self, unsaved: Mapping[str, bytes], only: tuple[str, ...], checkpoint: Checkpoint
    ) -> Verdict:
        checkpoint.check()
        if self._session is None:
            self._session = self._opened.enter_context(build_session(self.root, writes=False))
        self._session.sources.unsaved = unsaved
        # Editors ask TypeScript's own server for type errors.
        options = BuildOptions(only=only, adds=bool(only), types=False, checkpoint=checkpoint)
        return inspect_in(self._session, options, self.environ)

    def has_source(self, path: str) -> bool:
        """Return whether the last inspection looked at the file at a path."""
        return self._session is not None and self._session.sources.is_known(path)

    def end(self) -> None:
        """End the programs of the session, and wait for that."""
        self.overtake()
        self._thread.submit(self._opened.close)
        self._thread.shutdown()


PAUSE_S = 0.25
"""The time without a change, in seconds, after which the check begins."""

NO_PLACE = "pyproject.toml"
"""Where a finding about the workspace as a whole is shown."""


@dataclass(slots=True)
class Editing:
    """What one editor has open, and what it is shown."""

    server: LanguageServer
    environ: Mapping[str, str]
    documents: dict[str, OpenDocument] = field(default_factory=dict)
    """The open documents, by address."""
    checks: dict[Path, WorkspaceCheck] = field(default_factory=dict)
    displayed: dict[str, Sequence[types.Diagnostic]] = field(default_factory=dict)
    """The diagnostics that the editor has, by address. Addresses without any are left out."""
    _owned: dict[Path, frozenset[str]] = field(default_factory=dict)
    """The addresses with diagnostics of each workspace."""
    _changed: dict[Path, OpenDocument] = field(default_factory=dict)
    """The document of each workspace that changed last, if its findings are older."""
    _waiting: dict[Path | str, "asyncio.Task[None]"] = field(default_factory=dict)
    _messages: set[str] = field(default_factory=set)
    """The messages that the user has, so that a problem that stays is told once."""

    def open(self, uri: str) -> None:
        """Take the text of a document from the editor, and check what it belongs to."""
        document = OpenDocument.read(uri, self.server.workspace.get_text_document(uri).source)
        if document is None:
            return
        self.documents[uri] = document
        if document.root is not None:
            self._changed[document.root] = document
        self._check_later(document)

    def close(self, uri: str) -> None:
        document = self.documents.pop(uri, None)
        if document is None:
            return
        if document.root is None:
            if waiting := self._waiting.pop(uri, None):
                waiting.cancel()
            self._show(uri, ())
        else:
            self._check_later(document)

    def check_workspace(self, root: Path) -> None:
        """Check a workspace after a pause, unless something changes before."""
        check = self.checks.setdefault(root, WorkspaceCheck(root, self.environ))
        check.overtake()
        self._later(root, lambda: self._check_workspace(check))

    def check_workspaces(self) -> None:
        for root in self.checks:
            self.check_workspace(root)

    def _check_later(self, document: OpenDocument) -> None:
        if document.root is not None:
            self.check_workspace(document.root)
        elif document.is_script:
            self._later(document.uri, lambda: self._check_script(document))

    def _later(self, key: Path | str, work: Callable[[], Awaitable[None]]) -> None:
        if waiting := self._waiting.get(key):
            waiting.cancel()
        self._waiting[key] = asyncio.ensure_future(self._after_a_pause(work))

    async def _after_a_pause(self, work: Callable[[], Awaitable[None]]) -> None:
        await asyncio.sleep(PAUSE_S)
        try:
            await work()
        except AwningError as error:
            self._tell(
                f"{error.message}{f' ({error.hint})' if error.hint else ''}", types.MessageType.Warning
            )
        except Exception as error:  # noqa: BLE001 - the server must outlive a fault of a check
            self._tell(f"the check failed: {type(error).__name__}: {error}", types.MessageType.Error)

    async def _check_workspace(self, check: WorkspaceCheck) -> None:
        unsaved = unsaved_texts(self.documents.values(), check.root)
        changed = self._changed.pop(check.root, None)
        if changed is not None and changed.widget is not None and check.root in self._owned:
            await self._check_widget(check, changed, changed.widget, unsaved)
        verdict = await check.inspect(unsaved)
        if verdict is None:
            return
        diagnostics = list(verdict.counted())
        self._messages.clear()
        if verdict.unchecked:
            self._log(verdict.unchecked)
        for document in self._unread_scripts(check, diagnostics, is_cut_short=bool(verdict.unchecked)):
            diagnostics += await asyncio.to_thread(self._findings_of_script, document)
        self._show_workspace(check.root, diagnostics)

    async def _check_widget(
        self, check: WorkspaceCheck, document: OpenDocument, widget: str, unsaved: Mapping[str, bytes]
    ) -> None:
        """Show the findings of a document by the check of its widget, before that of the whole workspace."""
        with suppress(ConfigurationError):  # no widget has this name any more, which the next check reports
            verdict = await check.inspect(unsaved, only=(widget,))
            if verdict is not None and self.documents.get(document.uri) is document:
                positions = self.positions(document.text)
                own = (item for item in verdict.counted() if item.place and item.place.path == document.path)
                self._show(document.uri, [shown_diagnostic(each, positions) for each in own])
                self._owned[check.root] |= {document.uri}

    def _unread_scripts(
        self, check: WorkspaceCheck, diagnostics: Iterable[Diagnostic], *, is_cut_short: bool
    ) -> list[OpenDocument]:
        """Return the open scripts that the check has not looked at.

        They are no sources of the workspace, such as a file that was never saved, or an error in another file has ended
        the check before the rules for scripts.
        """
        reported = {diagnostic.place.path for diagnostic in diagnostics if diagnostic.place}
        return [
            document
            for document in self.documents.values()
            if document.root == check.root
            and document.is_script
            and document.path not in reported
            and (is_cut_short or not check.has_source(document.path))
        ]

    async def _check_script(self, document: OpenDocument) -> None:
        diagnostics = await asyncio.to_thread(self._findings_of_script, document)
        if self.documents.get(document.uri) is document:
            positions = self.positions(document.text)
            self._show(document.uri, [shown_diagnostic(each, positions) for each in diagnostics])

    def _findings_of_script(self, document: OpenDocument) -> list[Diagnostic]:
        return script_findings(document.path, document.text.removeprefix("\ufeff"), self.dialect(document))

    def _show_workspace(self, root: Path, diagnostics: Iterable[Diagnostic]) -> None:
        """Show the diagnostics of a workspace, and remove those of its files that have none any more."""
        by_path: dict[str, list[Diagnostic]] = {}
        for diagnostic in diagnostics:
            by_path.setdefault(diagnostic.place.path if diagnostic.place else NO_PLACE, []).append(diagnostic)
        opened = {document.path: document for document in self.documents.values() if document.root == root}
        published: dict[str, list[types.Diagnostic]] = {}
        for path, own in by_path.items():
            document = opened.get(path)
            positions = self.positions(document.text if document else _saved_text(root, path))
            uri = document.uri if document else (root / path).as_uri()
            published[uri] = [shown_diagnostic(each, positions) for each in own]
        for uri in self._owned.get(root, frozenset()) - published.keys():
            self._show(uri, ())
        for uri, listed in published.items():
            self._show(uri, listed)
        self._owned[root] = frozenset(published)

    def _show(self, uri: str, diagnostics: Sequence[types.Diagnostic]) -> None:
        if diagnostics == self.displayed.get(uri, ()):
            return
        self.displayed[uri] = diagnostics
        if not diagnostics:
            del self.displayed[uri]
        params = types.PublishDiagnosticsParams(uri=uri, diagnostics=list(diagnostics))
        self.server.text_document_publish_diagnostics(params)

    def positions(self, text: str) -> Positions:
        encoding = self.server.workspace.position_encoding or types.PositionEncodingKind.Utf16
        return Positions(text, encoding)

    def dialect(self, document: OpenDocument) -> Dialect:
        return dialect_of(document.root) if document.root else Dialect()

    def _tell(self, text: str, kind: types.MessageType) -> None:
        if text not in self._messages:
            self._messages.add(text)
            message = f"awning: {printable(text)}"
            self.server.window_show_message(types.ShowMessageParams(type=kind, message=message))

    def _log(self, text: str) -> None:
        params = types.LogMessageParams(type=types.MessageType.Info, message=f"awning: {printable(text)}")
        self.server.window_log_message(params)

    async def end(self) -> None:
        for waiting in self._waiting.values():
            waiting.cancel()
        await asyncio.gather(*(asyncio.to_thread(check.end) for check in self.checks.values()))


def _saved_text(root: Path, path: str) -> str:
    """Return the text of a file; empty when it cannot be read, so that its findings are at its beginning."""
    with suppress(OSError, ValueError):
        content = read_source(root / path, path)
        if isinstance(content, bytes):
            return content.decode("utf-8", "replace").removeprefix("\ufeff")
    return ""
