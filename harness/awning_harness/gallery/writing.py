"""A gallery as files: its index, a page for each state in each language, and their shared files.

All addresses are relative, and no page needs a server or another host: a gallery is opened from files, or published
anywhere. The same workspace gives the same bytes.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from jinja2 import Environment

from awning.build_record import BuildRecord
from awning.bundle.emulator import dialect_defines
from awning.contract.shop import THEMES
from awning.json_document import json_document
from awning.pipeline.write.folder import NO_OUTPUT, README, OutputFolder, write_folder
from awning.workspace.model import Widget, WidgetState, Workspace
from awning_harness.gallery.index import ASSETS, SCRIPTS, Site, gallery_environment, index_values
from awning_harness.gallery.state_page import StatePage, StatePages, gzip_size, state_places
from awning_harness.storefront.assets import shop_assets
from awning_harness.storefront.page import policy

INDEX = "index.html"
LISTING = "gallery.json"
"""The file that lists the pages. By it, a folder is known as an earlier gallery."""

NONCE = "gallery"
"""The nonce of pages with a Content Security Policy. It protects nothing, because the bytes must always be the same."""

NO_OTHER_HOST = "default-src 'self' file: data: blob: 'unsafe-inline' 'unsafe-eval'"
"""The policy of every page of a state: it allows all but requests to other hosts."""

_ABOVE_A_STATE = "../../../"
_NOT_NEEDED = "shop.js"


def _is_gallery(folder: Path) -> bool:
    """Return whether a folder holds an earlier gallery and nothing else, such as `.git` or a site around it."""
    if {entry.name for entry in folder.iterdir()} - {INDEX, LISTING, README, "assets", "states"}:
        return False
    try:
        listing = json.loads((folder / LISTING).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return isinstance(listing, dict) and {"schema_version", "fingerprint", "pages"} <= listing.keys()


GALLERY_FOLDER = OutputFolder(
    what="gallery",
    is_earlier=_is_gallery,
    forbidden=(*NO_OUTPUT, "dist"),
    hint="name an empty folder elsewhere, or one with an earlier gallery",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPage:
    """The page of one state in one language. `path` is relative to the folder of the gallery."""

    path: str
    widget: str
    state: str
    title: str
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenGallery:
    """What a gallery consists of: its files by path, and its pages."""

    files: Mapping[str, bytes]
    pages: tuple[WrittenPage, ...]

    @property
    def size(self) -> int:
        """The bytes of all files."""
        return sum(map(len, self.files.values()))

    def write(self, out: Path) -> None:
        """Replace the folder `out`. Raises ConfigurationError when it cannot be written; it is then unchanged."""
        write_folder(out, self.files)


def state_path(widget: str, state: str, language: str) -> str:
    return f"states/{widget}/{state}/{language}.html"


def make_gallery(workspace: Workspace, record: BuildRecord, dist: Path) -> WrittenGallery:
    """Return the gallery of the widgets in a build, whose snippets are in `dist`."""
    return _Maker(workspace=workspace, record=record, dist=dist, templates=gallery_environment()).make()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Maker:
    workspace: Workspace
    record: BuildRecord
    dist: Path
    templates: Environment

    def make(self) -> WrittenGallery:
        assets = shop_assets(
            dialect_defines(self.workspace.profile.dialect),
            scripts={**SCRIPTS, "look": "inspector/look.ts"},
            files=ASSETS,
        )
        names = {name: url.rpartition("/")[2] for name, url in assets.urls.items() if name != _NOT_NEEDED}
        built = {widget.name for widget in self.record.widgets}
        widgets = [widget for widget in self.workspace.widgets if widget.name in built]
        pages = {page: html for widget in widgets for page, html in self._pages(widget, names)}
        listing = {
            "title": self.record.title,
            "fingerprint": self.record.fingerprint,
            "pages": [asdict(page) for page in pages],
        }
        files = {
            INDEX: self._index(widgets, names).encode(),
            LISTING: (json_document(listing, indent=2) + "\n").encode(),
            **{f"assets/{name}": assets.files[name] for name in names.values()},
            **{page.path: html.encode() for page, html in pages.items()},
        }
        return WrittenGallery(files=files, pages=tuple(pages))

    def _index(self, widgets: Sequence[Widget], assets: Mapping[str, str]) -> str:
        values = index_values(
            widgets,
            self.workspace.languages,
            page=state_path,
            gzip=lambda name: gzip_size(self.record, name),
        )
        return self._render("gallery", assets, "", **values)

    def _pages(self, widget: Widget, assets: Mapping[str, str]) -> Iterator[tuple[WrittenPage, str]]:
        snippets = {
            snippet.path: (self.dist / snippet.path).read_text(encoding="utf-8")
            for snippet in self.record.snippets
            if snippet.unit == widget.name
        }
        pages = StatePages(
            widget=widget,
            languages=self.workspace.languages,
            snippets=snippets,
            dialect=self.workspace.profile.dialect,
            store=self.workspace.store,
        )
        places = state_places(widget)
        for state in widget.states:
            for language in widget.languages:
                page = pages.make(self._answered(state), language, nonce=NONCE, themes=THEMES)
                about = {
                    "title": state.title,
                    "name": state.name,
                    "widget": widget.title,
                    "place": places[state.name],
                    "links": [
                        ("In the gallery", f"{_ABOVE_A_STATE}{INDEX}#state-{widget.name}-{state.name}")
                    ],
                }
                html = self._render(
                    "state",
                    assets,
                    _ABOVE_A_STATE,
                    page=page,
                    widget=widget,
                    about=about,
                    looks=_looks(page, assets),
                    policies=_policies(state),
                )
                yield (
                    WrittenPage(
                        path=state_path(widget.name, state.name, language),
                        widget=widget.name,
                        state=state.name,
                        title=state.title,
                        language=language,
                    ),
                    html,
                )

    def _answered(self, state: WidgetState) -> WidgetState:
        """Return the state with an answer to the reports of failed widgets, as tests have it."""
        beacon = self.workspace.beacon
        return replace(state, fetch={beacon: 204, **state.fetch}) if beacon else state

    def _render(self, name: str, assets: Mapping[str, str], above: str, **values: Any) -> str:
        site = Site(name=self.record.title, home=f"{above}{INDEX}")
        asset = {plain: f"{above}assets/{hashed}" for plain, hashed in assets.items()}
        return self.templates.get_template(f"{name}.html.j2").render(asset=asset, site=site, **values)


def _looks(page: StatePage, assets: Mapping[str, str]) -> Mapping[str, Mapping[str, Any]]:
    """Return the looks of a page as jsrc/inspector/look.ts takes them."""
    return {
        theme: {
            "sheets": [f"{_ABOVE_A_STATE}assets/{assets[sheet]}" for sheet in look.sheets],
            "direction": look.direction,
            "before": look.before,
            "after": look.after,
        }
        for theme, look in page.looks.items()
    }


def _policies(state: WidgetState) -> tuple[str, ...]:
    """Return the Content Security Policies of a page. The shop's files are files, too."""
    if state.csp is None:
        return (NO_OTHER_HOST,)
    return NO_OTHER_HOST, policy(NONCE, trusted_types=state.csp == "trusted-types", asset_origin="file:")
