"""`awning lsp` as an editor starts it, with pygls' own client. One process serves the tests of a module."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.lsp.client import LanguageClient

AWNING = [sys.executable, "-c", "from awning.cli import main; main()"]
WAIT_S = 60


class Editor:
    """An editor with one server. `messages` are what the server tells the user."""

    def __init__(self, encoding: str | None = None, *words: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.client = LanguageClient("tests", "1")
        self.diagnostics: dict[str, list[types.Diagnostic]] = {}
        self.messages: list[str] = []
        self.logged: list[str] = []
        self.news = threading.Condition()
        self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda params: self._published(params))  # noqa: PLW0108
        self.client.feature(types.WINDOW_SHOW_MESSAGE)(lambda params: self._told(self.messages, params))
        self.client.feature(types.WINDOW_LOG_MESSAGE)(lambda params: self._told(self.logged, params))
        self.wait_for(self.client.start_io(*AWNING, "lsp", *words))
        general = types.GeneralClientCapabilities(position_encodings=[encoding] if encoding else None)
        self.initialized = self.ask(
            "initialize",
            types.InitializeParams(capabilities=types.ClientCapabilities(general=general), process_id=None),
        )
        self.client.initialized(types.InitializedParams())

    def wait_for(self, coroutine):
        future = asyncio.run_coroutine_threadsafe(coroutine, self.loop)
        return future.result(WAIT_S)

    def ask(self, method: str, params):
        return self.wait_for(getattr(self.client, f"{method}_async")(params))

    def _published(self, params: types.PublishDiagnosticsParams) -> None:
        with self.news:
            self.diagnostics[params.uri] = list(params.diagnostics)
            self.news.notify_all()

    def _told(self, texts: list[str], params) -> None:
        with self.news:
            texts.append(params.message)
            self.news.notify_all()

    def tell(self, method: str, params) -> None:
        async def send() -> None:
            getattr(self.client, method)(params)

        self.wait_for(send())

    def open(self, file: Path, text: str | None = None) -> str:
        text = file.read_bytes().decode() if text is None else text
        item = types.TextDocumentItem(uri=file.as_uri(), language_id="x", version=1, text=text)
        self.tell("text_document_did_open", types.DidOpenTextDocumentParams(text_document=item))
        return item.uri

    def change(self, uri: str, text: str, version: int = 2) -> None:
        document = types.VersionedTextDocumentIdentifier(uri=uri, version=version)
        whole = types.TextDocumentContentChangeWholeDocument(text=text)
        self.tell(
            "text_document_did_change",
            types.DidChangeTextDocumentParams(text_document=document, content_changes=[whole]),
        )

    def close(self, uri: str) -> None:
        document = types.TextDocumentIdentifier(uri=uri)
        self.tell("text_document_did_close", types.DidCloseTextDocumentParams(text_document=document))

    def until(self, is_so) -> None:
        """Wait until `is_so` returns something true. It is asked again after each message of the server."""
        with self.news:
            assert self.news.wait_for(is_so, WAIT_S), (self.diagnostics, self.messages, self.logged)

    def rules(self, uri: str) -> list[str]:
        return [str(diagnostic.code) for diagnostic in self.diagnostics.get(uri, [])]

    def until_rule(self, uri: str, rule: str) -> types.Diagnostic:
        self.until(lambda: rule in self.rules(uri))
        return next(each for each in self.diagnostics[uri] if each.code == rule)

    def actions(self, uri: str, at: types.Range, *only: str) -> list[types.CodeAction]:
        params = types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=uri),
            range=at,
            context=types.CodeActionContext(diagnostics=[], only=list(only) or None),
        )
        return self.ask("text_document_code_action", params)

    def end(self) -> int:
        self.ask("shutdown", None)
        self.tell("exit", None)
        process = self.client._server
        code = self.wait_for(process.wait())
        self.wait_for(self.client.stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()
        return code


@contextmanager
def started_editor(encoding: str | None = None) -> Iterator[Editor]:
    editor = Editor(encoding)
    try:
        yield editor
    finally:
        assert editor.end() == 0


@pytest.fixture(scope="module")
def kept_editor(processes) -> Iterator[Editor]:
    with started_editor() as editor:
        yield editor


@pytest.fixture
def editor(kept_editor) -> Editor:
    """The editor of the module, which has forgotten what the server told the tests before."""
    with kept_editor.news:
        for texts in (kept_editor.messages, kept_editor.logged):
            texts.clear()
    return kept_editor
