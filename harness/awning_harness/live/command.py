"""`awning preview`: a live page with the local build in it."""

import asyncio
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from awning.build_record import WHOLE_APP
from awning.cli.report import json_option, profile_option, say
from awning.contract import Exit
from awning.diagnostics import did_you_mean, printable_lines
from awning.errors import AwningError, ConfigurationError
from awning.json_document import json_document
from awning.pipeline.build_session import build_session
from awning.pipeline.live import LiveWorkspace
from awning.pipeline.phases import build_workspace
from awning.workspace.app_data import parse_app_data
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning_harness.browser import ensure_browser, ensure_window
from awning_harness.dev.command import open_session
from awning_harness.live.local_build import LocalBuild
from awning_harness.live.page_gate import GateRules
from awning_harness.live.preview import OpenPreview, PreviewResult, open_preview
from awning_harness.live.public_proxy import require_allowed
from awning_harness.live.window import PreviewWindow, follow_saves


@click.command("preview")
@click.argument("url")
@click.option("--widget", metavar="NAME", help="Show this widget alone. Default: all widgets.")
@click.option("--language", metavar="xx", help="The language of the snippets. Default: the page's.")
@click.option("--headed", is_flag=True, help="Open a window, and show each save there.")
@profile_option("whose names the page has")
@click.option(
    "--data",
    "data_file",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="App data, a JSON file. Default: those in the deployed snippet.",
)
@click.option("--allow-submit", is_flag=True, help="Let requests pass that could submit an order.")
@click.option("--allow-private", is_flag=True, help="Open private addresses, and those of this machine.")
@click.option(
    "--screenshot",
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a picture of the page (PNG).",
)
@json_option
def preview(
    url: str,
    *,
    widget: str | None,
    language: str | None,
    headed: bool,
    profile: str | None,
    data_file: Path | None,
    allow_submit: bool,
    allow_private: bool,
    screenshot: Path | None,
    as_json: bool,
) -> int:
    """Open the published page at URL with the local build in the place of the deployed snippets.

    Nothing is deployed. The app's snippets are cut out of the page, or added where there are none, and the widgets get
    the shop's own app data. Other apps and the shop's own code stay. The page gets a browser profile of its own, which
    is thrown away. Requests other than GET are refused, so that no order is submitted.

    \b
    awning preview https://shop.example/en/product/1 --headed                      in a window, shown again at each save
    awning preview https://shop.example/en/product/1 --json --screenshot page.png  for CI

    Exit codes: 0 every widget rendered, 1 a widget did not, a rule broke or the page cannot be shown, 2 usage, a
    refused address.
    """
    if headed and as_json:
        raise ConfigurationError("--headed and --json exclude each other", hint="leave one of them out")
    require_allowed(url, allow_private=allow_private)
    workspace = read_workspace(find_workspace(Path.cwd()), profile=profile)
    _require_known(workspace, widget, language)
    data = None
    if data_file is not None:
        data = (_read_data(data_file),)
    rules = GateRules(allow_submit=allow_submit, allow_private=allow_private, language=language, data=data)
    named = {**os.environ, **({"AWNING_PROFILE": profile} if profile else {})}
    if headed:
        with build_session(workspace.root) as builds:
            live = LiveWorkspace(builds, environ=named, types=False, only=widget)
            result = asyncio.run(_show(url, live, rules, screenshot))
    else:
        with TemporaryDirectory(prefix="awning-preview-") as folder:
            dist = Path(folder) / "dist"
            record = build_workspace(workspace, out=dist, only=(widget,) if widget else (), environ=named)
            build = LocalBuild.of(
                record,
                lambda path: (dist / path).read_text(encoding="utf-8"),
                workspace.profile.dialect,
                unit=widget or WHOLE_APP,
            )
            result = asyncio.run(_look(url, build, rules, screenshot))
    if as_json:
        click.echo(json_document(result.as_json(), indent=2))
    elif not headed:
        _print(result)
    return Exit.DONE if result.is_right else Exit.FINDINGS


def _read_data(file: Path) -> dict[str, Any] | str:
    try:
        return parse_app_data(file.read_text(encoding="utf-8-sig"), str(file))
    except UnicodeDecodeError:
        raise ConfigurationError(f"{file} is not UTF-8", hint="save it as UTF-8") from None
    except OSError as error:
        raise ConfigurationError(f"cannot read {file}: {error.strerror}") from None


def _require_known(workspace: Workspace, widget: str | None, language: str | None) -> None:
    for name, known, what in (
        (widget, [w.name for w in workspace.widgets], "widget"),
        (language, list(workspace.languages), "language of the app"),
    ):
        if name is not None and name not in known:
            hint = did_you_mean(name, known) or f"there are: {', '.join(known)}"
            raise ConfigurationError(f'no {what} is called "{name}"', hint=hint)


async def _look(url: str, build: LocalBuild, rules: GateRules, screenshot: Path | None) -> PreviewResult:
    chromium = ensure_browser(say, os.environ)
    async with open_preview(url, build, rules, chromium, say) as opened:
        return await _with_picture(await opened.load(), opened, screenshot)


async def _show(url: str, live: LiveWorkspace, rules: GateRules, screenshot: Path | None) -> PreviewResult:
    """Show the page in a window until it is closed, with each save. Returns what it showed at its last load."""
    chromium, session = ensure_window(os.environ), open_session(live)
    with closing(session.service), follow_saves(live, session) as saves:
        async with open_preview(
            url, saves.first(), rules, chromium, say, headed=True, follows=True
        ) as opened:
            window = PreviewWindow(opened=opened, saves=saves, say=say, show=_print)
            window.connect()
            result = await _with_picture(await opened.load(), opened, screenshot)
            _print(result)
            say("Save a file, and the page is redrawn. Close the window to stop.")
            return await window.follow() or result


def _print(result: PreviewResult) -> None:
    click.echo(printable_lines("\n".join(_lines(result))))


async def _with_picture(result: PreviewResult, opened: OpenPreview, file: Path | None) -> PreviewResult:
    """Write a picture of the page to a file. Returns the result, with an error if there is no picture."""
    if file is None:
        return result
    try:
        picture = await opened.picture()
        file.write_bytes(picture)  # noqa: ASYNC240 - one small file, and nothing else to do
    except AwningError as error:
        return replace(result, errors=(*result.errors, str(error)))
    except OSError as error:
        return replace(result, errors=(*result.errors, f"cannot write {file}: {error.strerror}"))
    return result


def _lines(result: PreviewResult) -> Iterator[str]:
    if result.added or any(result.replaced.values()):
        yield f"{'added to' if result.added else 'replaced in'} {result.url}"
    for widget in result.widgets:
        has_failed = any(error.startswith(f"{widget.name} ") for error in result.errors)
        silent = (
            "did not render" if has_failed else "did not render, and reported no error: it showed nothing"
        )
        yield f"{widget.name}: " + (f"rendered after {widget.ms} ms" if widget.rendered else silent)
    for rule in result.violations:
        yield f"broken rule: {rule} (awning explain {rule})"
    for error in result.errors:
        yield f"error: {error}"
