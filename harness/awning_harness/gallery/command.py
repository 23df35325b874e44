"""`awning gallery`: writes the gallery of every state to a folder."""

import os
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from awning.cli.report import json_option
from awning.contract import Exit
from awning.json_document import json_document
from awning.pipeline.phases import build_workspace
from awning.workspace.reader import read_workspace
from awning.workspace.root import find_workspace
from awning_harness.gallery.writing import GALLERY_FOLDER, INDEX, WrittenGallery, make_gallery


@click.command("gallery")
@click.argument("widgets", metavar="[WIDGET]...", nargs=-1)
@click.option(
    "--out",
    metavar="DIR",
    type=click.Path(path_type=Path),
    required=True,
    help="The folder to write: a new one, an empty one, or one with an earlier gallery, which is replaced.",
)
@json_option
def gallery(widgets: tuple[str, ...], *, out: Path, as_json: bool) -> int:
    """Write a gallery of every state to the folder DIR, as `awning dev` shows it.

    Open index.html in DIR: it needs no server and no network, and in each state the widget can be tried. Responses of
    other hosts are those of states.toml and widget.toml. The same workspace gives the same files. dist/ is not changed.

    \b
    awning gallery --out gallery                      every widget
    awning gallery delivery-estimate --out gallery    one widget

    Exit codes: 0 written, 1 a widget does not build, 2 usage or configuration.
    """
    root = find_workspace(Path.cwd())
    GALLERY_FOLDER.check(out.resolve(), root.resolve())
    workspace = read_workspace(root)
    with TemporaryDirectory(prefix="awning-gallery-") as folder:
        dist = Path(folder) / "dist"
        record = build_workspace(workspace, out=dist, only=widgets, environ=os.environ)
        written = make_gallery(workspace, record, dist)
    written.write(out)
    click.echo(_document(written, out) if as_json else _text(written, out))
    return Exit.DONE


def _document(written: WrittenGallery, out: Path) -> str:
    document = {
        "out": str(out.resolve()),
        "index": INDEX,
        "files": len(written.files),
        "bytes": written.size,
        "pages": [asdict(page) for page in written.pages],
    }
    return json_document(document, indent=2)


def _text(written: WrittenGallery, out: Path) -> str:
    states = {(page.widget, page.state) for page in written.pages}
    parts = (
        _counted(len({widget for widget, _ in states}), "widget"),
        _counted(len(states), "state"),
        _counted(len(written.pages), "page"),
        f"{written.size / 1_000_000:.1f} MB",
    )
    return f"{out / INDEX}: {', '.join(parts)}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
