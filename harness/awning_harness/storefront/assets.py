"""The shop's own files. A file's address contains a hash of its content, so that browsers can cache it forever."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files as package_files
from pathlib import PurePosixPath

from starlette.requests import Request
from starlette.responses import Response

from awning.jsrc import jsrc_root
from awning_harness.storefront.scripts import shop_scripts
from awning_harness.storefront.themes import SHOP_SHEET, theme_sheets

_TYPES = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_STATIC = (SHOP_SHEET, "mark.svg")
_JQUERY = "jquery-2.2.4.min.js"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assets:
    """Files by hashed name (`shop.1a2b3c4d.css`), and their addresses by plain name."""

    files: Mapping[str, bytes]
    urls: Mapping[str, str]

    async def respond(self, request: Request) -> Response:
        name = str(request.path_params["name"])
        if name not in self.files:
            return Response("no such asset", status_code=404, media_type="text/plain")
        forever = {
            "cache-control": "public, max-age=31536000, immutable",
            "access-control-allow-origin": "*",  # for the storefront's other origins
        }
        media_type = _TYPES[PurePosixPath(name).suffix]
        return Response(self.files[name], media_type=media_type, headers=forever)


def hashed(contents: Mapping[str, bytes], prefix: str = "/assets") -> Assets:
    """Return the assets with hashed names: `shop.css` becomes `shop.<hash>.css`."""
    names: dict[str, str] = {}
    for name, content in contents.items():
        stem, dot, ending = name.rpartition(".")
        names[name] = f"{stem}.{hashlib.sha256(content).hexdigest()[:8]}{dot}{ending}"
    return Assets(
        files={names[name]: content for name, content in contents.items()},
        urls={name: f"{prefix}/{hashed_name}" for name, hashed_name in names.items()},
    )


def shop_assets(
    defines: Mapping[str, str],
    *,
    scripts: Mapping[str, str] | None = None,
    files: Mapping[str, str] | None = None,
) -> Assets:
    """Return the style sheets, the logo and the JavaScript of the storefront. The TypeScript is bundled first.

    `scripts` holds further entry points below `jsrc`, by name. `files` maps the names of further files to the packages
    whose `assets/` have them.
    """
    packages = {**dict.fromkeys(_STATIC, "awning_harness.storefront"), **(files or {})}
    static = {
        name: (package_files(package) / "assets" / name).read_bytes() for name, package in packages.items()
    }
    static[_JQUERY] = (jsrc_root() / "vendor" / _JQUERY).read_bytes()
    static |= {name: text.encode() for name, text in theme_sheets(static[SHOP_SHEET].decode()).items()}
    return hashed({**static, **shop_scripts(defines, scripts or {})})
