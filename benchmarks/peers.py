"""The libraries that awning is compared with: pinned, verified, and unpacked where esbuild finds them.

The tarballs come from the npm registry, by the same code that fetches esbuild (packaging/fetch_programs.py). It needs
only the standard library, checks the registry's hash each time, and caches the tarballs outside of the repository. Of a
tarball, only the code that a benchmark bundles is run, and only in the browser. The versions are the newest at the time
of the figures in README.md. To use another version, change version and integrity (`npm view PACKAGE dist`).
"""

import importlib.util
import io
import os
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True, slots=True)
class Peer:
    """One npm package. `integrity` is the registry's hash of the tarball."""

    name: str
    version: str
    integrity: str

    @property
    def tarball(self) -> str:
        """The path of the tarball below the registry's address."""
        return f"{self.name}/-/{self.name}-{self.version}.tgz"


NUNJUCKS = Peer(
    "nunjucks",
    "3.2.4",
    "sha512-26XRV6BhkgK0VOxfbU5cQI+ICFUtMLixv1noZn1tGU38kQH5A5nmmbk/O45xdyBhD1esk47nKrY0mvQpZIhRjQ==",
)
HANDLEBARS = Peer(
    "handlebars",
    "4.7.10",
    "sha512-P5VJMVM7qgBn6vjXMw8WG9uVI+ncf2pi72j4de4yz5ZULLj2RGqLYaKOYGsgyrViQ0tePOVlN1tDCCXXtFqXKg==",
)
ETA = Peer(
    "eta",
    "4.6.0",
    "sha512-lW6is4T1NFOYnmqGZIfvixqj7A7sSvScF+DN8EK6K58xI5MZ5UvYe0GjopxOXQtZvUn4eDdVuZ8XSoYWTMEKwA==",
)
LIT_HTML = Peer(
    "lit-html",
    "3.3.3",
    "sha512-el8M6jK2o3RXBnrSHX3ZKrsN8zEV63pSExTO1wYJz7QndGYZ8353e2a5PPX+qHe2aGayfnchQmkAojaWAREOIA==",
)
PREACT = Peer(
    "preact",
    "11.2.0",
    "sha512-/HfHI/7N84e6GrWBJ3J280z3mLaRJiDcSvj/A+y/4AbLnND/1UlGHe1sR6oYuTGwId0nP7dqDU9OnLxMPZ7xBg==",
)


def install(peers: tuple[Peer, ...], folder: Path) -> None:
    """Unpack the packages to `folder/node_modules`, where a bundler looks for them."""
    fetching = _fetching()
    for peer in peers:
        with tarfile.open(fileobj=io.BytesIO(_tarball(peer, fetching)), mode="r:gz") as archive:
            archive.extractall(folder / "unpacked" / peer.name, filter="data")
        modules = folder / "node_modules"
        modules.mkdir(exist_ok=True)
        (folder / "unpacked" / peer.name / "package").rename(modules / peer.name)


def _tarball(peer: Peer, fetching: Any) -> bytes:
    """Return the tarball from the cache, or else from the registry.

    The cache has the layout of the registry, so the same code reads and verifies both.
    """
    cache: Path = fetching.cache_folder() / "benchmark-peers"
    path = cache / peer.tarball
    if path.is_file():
        cached: bytes = fetching.download(
            peer.tarball, peer.integrity, {"npm_config_registry": cache.as_uri()}
        )
        return cached
    content: bytes = fetching.download(peer.tarball, peer.integrity)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    Path(name).replace(path)
    return content


def _fetching() -> Any:
    """Return the module `packaging/fetch_programs.py`.

    It is loaded by its path, because its folder has the name of an installed package.
    """
    path = ROOT / "packaging" / "fetch_programs.py"
    spec = importlib.util.spec_from_file_location("awning_fetch_programs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
