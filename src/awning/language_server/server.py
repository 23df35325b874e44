"""The server: what the editor sends, and what it gets. `editing.py` has what goes on between.

Standard output is the protocol's alone.
"""

import asyncio
import os
import sys
from collections.abc import Mapping
from pathlib import Path

from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path

from awning import __version__
from awning.language_server.answers import FIX_ALL, SOURCE, explanation, fixed_text, fixes_of, quick_fixes
from awning.language_server.editing import Editing
from awning.language_server.opened import OpenDocument
from awning.language_server.positions import overlap
from awning.pipeline.targets import workspace_around

WATCHED = ("**/widgets/**", "**/storefront/**", "**/tests/**", "**/pyproject.toml", "**/manifest.toml")
"""The files whose changes by other programs cause a check."""


def language_server(environ: Mapping[str, str] = os.environ) -> LanguageServer:
    """Return the server, which begins with the method `start_io`."""
    # With whole texts, awning's and the editor's text cannot differ. pygls applies parts by lines of its own.
    server = LanguageServer("awning", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    editing = Editing(server, environ)
    _follow_documents(server, editing)
    _answer_requests(server, editing)
    return server


def _follow_documents(server: LanguageServer, editing: Editing) -> None:
    """Let the server follow what the editor opens, changes, saves and closes."""

    async def follow(params: types.DidOpenTextDocumentParams) -> None:
        editing.open(params.text_document.uri)

    for method in (
        types.TEXT_DOCUMENT_DID_OPEN,
        types.TEXT_DOCUMENT_DID_CHANGE,
        types.TEXT_DOCUMENT_DID_SAVE,
    ):
        server.feature(method)(follow)

    @server.feature(types.INITIALIZED)
    async def initialized(_: types.InitializedParams) -> None:
        capabilities = server.client_capabilities.workspace
        watching = capabilities.did_change_watched_files if capabilities else None
        if watching and watching.dynamic_registration:
            await server.client_register_capability_async(_watching())
        names = (to_fs_path(folder.uri) for folder in server.workspace.folders.values())
        for root in (workspace_around(Path(name)) for name in names if name):
            if root:
                editing.check_workspace(root)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: types.DidCloseTextDocumentParams) -> None:
        editing.close(params.text_document.uri)

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    async def files_changed(_: types.DidChangeWatchedFilesParams) -> None:
        editing.check_workspaces()

    @server.feature(types.SHUTDOWN)
    async def ended(_: None) -> None:
        await editing.end()


def _watching() -> types.RegistrationParams:
    watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
    options = types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers)
    registration = types.Registration(
        id="awning-files", method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES, register_options=options
    )
    return types.RegistrationParams(registrations=[registration])


def _answer_requests(server: LanguageServer, editing: Editing) -> None:
    """Let the server answer with the fixes of a range, and with the page of the rule at a position."""
    kinds = [types.CodeActionKind.QuickFix, FIX_ALL]

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, types.CodeActionOptions(code_action_kinds=kinds))
    async def actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document = editing.documents.get(params.text_document.uri)
        if document is None or not document.is_script:
            return []
        return await asyncio.to_thread(_actions, editing, document, params)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        at = types.Range(start=params.position, end=params.position)
        diagnostics = editing.displayed.get(params.text_document.uri, ())
        rules = dict.fromkeys(str(each.code) for each in diagnostics if overlap(each.range, at))
        pages = [page for rule in rules if (page := explanation(rule))]
        if not pages:
            return None
        text = types.MarkupContent(kind=types.MarkupKind.Markdown, value="\n---\n\n".join(pages))
        return types.Hover(contents=text)


def _actions(
    editing: Editing, document: OpenDocument, params: types.CodeActionParams
) -> list[types.CodeAction]:
    """Return the actions of the kinds that the editor asks for; without such kinds, the quick fixes and all fixes."""
    wanted, dialect = params.context.only, editing.dialect(document)
    text, positions = document.text, editing.positions(document.text)

    def is_wanted(kind: str) -> bool:
        return not wanted or any(kind == each or kind.startswith(f"{each}.") for each in wanted)

    def action(
        title: str, kind: str, edit: types.TextEdit, mended: list[types.Diagnostic]
    ) -> types.CodeAction:
        change = types.WorkspaceEdit(changes={document.uri: [edit]})
        return types.CodeAction(title=title, kind=kind, diagnostics=mended or None, edit=change)

    actions: list[types.CodeAction] = []
    if is_wanted(types.CodeActionKind.QuickFix):
        displayed = editing.displayed.get(document.uri, ())
        if any(overlap(each.range, params.range) for each in displayed):
            fixes = fixes_of(document.path, text, dialect)
            for diagnostic, fix in quick_fixes(fixes, positions, params.range, displayed):
                edit = types.TextEdit(range=positions.of_bytes(fix.start, fix.end), new_text=fix.text)
                title = f"{SOURCE}: mend {fix.rule}"
                actions.append(action(title, types.CodeActionKind.QuickFix, edit, [diagnostic]))
    if is_wanted(FIX_ALL) and (fixed := fixed_text(document.path, text, dialect)) is not None:
        edit = types.TextEdit(range=positions.whole(), new_text=fixed)
        actions.append(action(f"{SOURCE}: make all safe fixes of this file", FIX_ALL, edit, []))
    return actions


def serve_editor(environ: Mapping[str, str] = os.environ) -> None:
    """Serve one editor on standard input and output until it ends the server.

    What else writes to standard output, also a program that a check starts, writes to standard error instead.
    """
    sys.stdout.flush()
    with os.fdopen(os.dup(1), "wb") as protocol:
        os.dup2(2, 1)
        language_server(environ).start_io(sys.stdin.buffer, protocol)
