"""Takes a picture of one state: builds the widget, opens the state's page of the gallery offline, photographs it.

It is a program, run by `children.py`, because a widget's script may run without end.
"""

import asyncio
import json
import os
import sys
import tempfile
from dataclasses import asdict, dataclass
from pathlib import Path

from playwright.async_api import Error, Page, async_playwright

from awning.contract import Exit
from awning.contract.shop import THEMES
from awning.diagnostics import did_you_mean, printable
from awning.errors import AwningError, ConfigurationError, Faulty
from awning.json_document import json_document
from awning.pipeline.phases import build_workspace
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning_harness.agent.confinement import find_widget
from awning_harness.browser import ensure_browser, launch_arguments
from awning_harness.gallery.writing import make_gallery, state_path

PROGRAM = "from awning_harness.agent.picture import main; main()"
HEIGHT = 900
OPEN_MS = 15_000
STEPS_MS = 20_000
"""The most time that a page may take to open, and its steps to be taken, in milliseconds."""

PLAYS_STEPS = "awningSteps.begin("
STEPS_TAKEN = "html[data-staged]"
SLOT = "[data-stage]"
MOST_ERRORS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedPage:
    """The state to picture, in which language, theme and width (pixels of CSS), and the file for the picture."""

    widget: str
    state: str
    language: str | None
    theme: str | None
    width: int
    out: str


def main() -> None:
    """Write the picture that the first argument describes. Prints a document with the errors of the page."""
    wanted = PicturedPage(**json.loads(sys.argv[1]))
    try:
        print(json_document(_document(wanted)))  # noqa: T201 - a program
    except AwningError as error:
        reason = (
            "\n".join(each.render() for each in error.diagnostics)
            if isinstance(error, Faulty)
            else error.message
        )
        hint = f"\nhint: {error.hint}" if error.hint else ""
        sys.stderr.write(f"{reason}{hint}\n")
        sys.exit(Exit.FINDINGS)


def _document(wanted: PicturedPage) -> dict[str, object]:
    root = find_workspace(Path.cwd())
    workspace = read_workspace(root)
    language = _require_known(workspace, wanted)
    with tempfile.TemporaryDirectory(prefix="awning-picture-") as name:
        folder = Path(name)
        record = build_workspace(workspace, out=folder / "dist", only=(wanted.widget,), environ=os.environ)
        make_gallery(workspace, record, folder / "dist").write(folder / "gallery")
        page = folder / "gallery" / state_path(wanted.widget, wanted.state, language)
        errors, is_empty = asyncio.run(_photograph(page, wanted))
    return {**asdict(wanted), "language": language, "errors": errors, "is_empty": is_empty}


def _require_known(workspace: Workspace, wanted: PicturedPage) -> str:
    """Return the language of the picture. Raises ConfigurationError for a name that does not exist."""
    widget = find_widget(workspace, wanted.widget)
    language = wanted.language or widget.languages[0]
    for what, name, known in (
        ("state", wanted.state, [state.name for state in widget.states]),
        ("language of the widget", language, list(widget.languages)),
        ("theme", wanted.theme or next(iter(THEMES)), list(THEMES)),
    ):
        if name not in known:
            hint = did_you_mean(name, known) or f"there are: {', '.join(known) or 'none'}"
            raise ConfigurationError(f'no {what} is called "{printable(name)}"', hint=hint)
    return language


async def _photograph(file: Path, wanted: PicturedPage) -> tuple[list[str], bool]:
    """Write the picture. Returns the errors of the page, and whether the slot shows nothing.

    Raises ConfigurationError when the page does not open or cannot be photographed.
    """
    chromium = ensure_browser(lambda text: print(text, file=sys.stderr), os.environ)  # noqa: T201 - a program
    errors: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=str(chromium.path), args=launch_arguments()
        )
        viewport = {"width": wanted.width, "height": HEIGHT}
        context = await browser.new_context(viewport=viewport, offline=True)  # type: ignore[arg-type]
        page = await context.new_page()
        page.on("pageerror", lambda error: errors.append(printable(str(error))))
        try:
            is_empty = await _open(page, file, wanted)
        except Error as error:
            cause = f" after {errors[0]}" if errors else ""
            message = f"the page cannot be photographed{cause}: {printable(error.message.splitlines()[0])}"
            hint = "does a script of the widget run without end? awning test says more"
            raise ConfigurationError(message, hint=hint) from error
    return errors[:MOST_ERRORS], is_empty


async def _open(page: Page, file: Path, wanted: PicturedPage) -> bool:
    query = f"?theme={wanted.theme}" if wanted.theme else ""
    await page.goto(f"{file.as_uri()}{query}", timeout=OPEN_MS)
    if PLAYS_STEPS in file.read_text(encoding="utf-8"):  # noqa: ASYNC240 - one small file, and nothing else to do
        await page.wait_for_selector(STEPS_TAKEN, state="attached", timeout=STEPS_MS)
    await page.evaluate("document.fonts.ready")
    slot = page.locator(SLOT)
    is_empty = not await slot.evaluate(
        "slot => slot.innerText.trim() || slot.querySelector('img,svg,input,canvas')"
    )
    await slot.screenshot(path=wanted.out, animations="disabled", timeout=OPEN_MS)
    return is_empty
