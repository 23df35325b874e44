"""Downloads the pinned esbuild from the npm registry to the user's cache. Only the exact binary is accepted.

This file is apart from `hatch_build.py`, so that it runs without hatchling. It uses only the standard library.
`src/awning/bundle/pin.py` has the names and hashes. Two installations can run at once: each writes the verified binary
to its own file, and then renames that file.

    is the binary in the cache, with the right hash? -> done
    else: download -> tarball's SHA-512 -> unpack one member -> binary's SHA-256 -> rename into the cache
"""

from __future__ import annotations

import atexit
import base64
import hashlib
import http.client
import importlib.util
import io
import os
import shutil
import ssl
import sys
import tarfile
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from awning.bundle.pin import Pin

REGISTRY = "https://registry.npmjs.org"
ATTEMPTS = 3
PAUSE_S = 1.0
TIMEOUT_S = 30.0
MOST_BYTES = 64 * 2**20
"""The most bytes that are read from a download. The largest tarball has 5 MB."""

RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
CERTIFICATES = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
"""Environment variables that other tools use for the file of a company's certificates."""


class FetchError(Exception):
    """esbuild cannot be downloaded or verified. The text has the reason and what to do."""


def load_pins() -> Any:
    """Return the module `awning.bundle.pin`, loaded by its path because awning is not installed during its own build.

    Raises OSError when the file cannot be read.
    """
    path = Path(__file__).resolve().parent.parent / "src" / "awning" / "bundle" / "pin.py"
    spec = importlib.util.spec_from_file_location("awning_pin", path)
    if spec is None or spec.loader is None:
        raise FetchError(f"{path} cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module here
    spec.loader.exec_module(module)
    return module


def fetch(
    pin: Pin, version: str, environ: Mapping[str, str] = os.environ, *, pause_s: float = PAUSE_S
) -> Path:
    """Return the path of the verified binary. It is downloaded if the cache does not have it.

    If the cache cannot be written, the binary is in a temporary folder, which is deleted when this process ends, after
    the wheel has been built. Raises FetchError when it cannot be downloaded
    or verified.
    """
    folder = cache_folder(environ) / f"esbuild-{version}" / pin.platform
    path = folder / pin.binary
    if is_right(path, pin):
        return path
    binary = unpack(download(pin, environ, pause_s=pause_s), pin)
    try:
        return _keep(binary, folder, pin)
    except OSError as error:
        folder = Path(tempfile.mkdtemp(prefix="awning-esbuild-"))
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        print(f"awning: the cache cannot be written ({error}); using {folder}", file=sys.stderr)
        return _keep(binary, folder, pin)


def cache_folder(environ: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path:
    """Return awning's folder in the user's cache, where the operating system expects caches."""
    home = Path(environ.get("HOME") or environ.get("USERPROFILE") or tempfile.gettempdir())
    if system == "win32":
        base = Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif system == "darwin":
        base = home / "Library" / "Caches"
    else:
        base = Path(environ.get("XDG_CACHE_HOME") or home / ".cache")
    return base / "awning"


def is_right(path: Path, pin: Pin) -> bool:
    """Return whether the file is exactly the pinned binary."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == pin.sha256
    except OSError:
        return False


def registry(environ: Mapping[str, str] = os.environ) -> str:
    """Return the address of the registry, or of the mirror that npm's own environment variables name."""
    named = environ.get("npm_config_registry") or environ.get("NPM_CONFIG_REGISTRY")
    return (named or REGISTRY).rstrip("/")


def download(pin: Pin, environ: Mapping[str, str] = os.environ, *, pause_s: float = PAUSE_S) -> bytes:
    """Return the tarball. Raises FetchError when it cannot be downloaded, or its hash differs from the pin's."""
    mirror, credentials = _apart(registry(environ))
    url = f"{mirror}/{pin.tarball}"
    content = _patiently(lambda: _read(url, credentials, environ), url, pause_s)
    algorithm, _, expected = pin.integrity.partition("-")
    actual = base64.b64encode(hashlib.new(algorithm, content).digest()).decode()
    if actual != expected:
        raise FetchError(
            f"{url} is not the pinned file, so it was not used: {algorithm} {actual}, expected {expected}.\n"
            "What to do: try again; if a proxy or mirror changes downloads, set npm_config_registry to another one."
        )
    return content


def unpack(tarball: bytes, pin: Pin) -> bytes:
    """Return the binary in the tarball. Raises FetchError when its hash differs. No other file is unpacked."""
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        member = archive.extractfile(pin.member)
        binary = member.read() if member else b""
    if hashlib.sha256(binary).hexdigest() != pin.sha256:
        raise FetchError(
            f"{pin.member} in {pin.tarball} is not the pinned binary. What to do: report it, please."
        )
    return binary


def _patiently(read: Callable[[], bytes], url: str, pause_s: float) -> bytes:
    """Call `read` up to `ATTEMPTS` times, because a download of 5 MB may fail by chance.

    Raises FetchError after the last attempt, and at once for an HTTP status that is not in `RETRIED_STATUSES`.
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return read()
        except (OSError, http.client.HTTPException) as error:
            if isinstance(error, urllib.error.HTTPError):
                error.close()
            lasting = isinstance(error, urllib.error.HTTPError) and error.code not in RETRIED_STATUSES
            if lasting or attempt == ATTEMPTS:
                raise FetchError(_unreachable(url, error)) from error
            time.sleep(pause_s * attempt)
    raise AssertionError("the last attempt returns or raises")


def _unreachable(url: str, error: Exception) -> str:
    return (
        f"esbuild could not be downloaded from {url}: {error}.\n"
        "What to do: check the network; behind a proxy set HTTPS_PROXY, with a company's certificates SSL_CERT_FILE; "
        "npm_config_registry names a mirror (a file:// address too)."
    )


def _apart(url: str) -> tuple[str, str]:
    """Return the address of a mirror without `user:password@`, and these credentials, which no message may show."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    credentials, _, host = host.rpartition("@")
    return f"{scheme}{mark}{host}{slash}{path}", urllib.parse.unquote(credentials)


def _read(url: str, credentials: str, environ: Mapping[str, str]) -> bytes:
    request = urllib.request.Request(url)
    if credentials:
        request.add_unredirected_header(
            "Authorization", f"Basic {base64.b64encode(credentials.encode()).decode()}"
        )
    with urllib.request.urlopen(request, timeout=TIMEOUT_S, context=_certificates(environ)) as answer:
        content: bytes = answer.read(MOST_BYTES)
        length = answer.headers.get("Content-Length")
    if length is not None and int(length) != len(content):
        raise http.client.IncompleteRead(content, int(length) - len(content))
    return content


def _certificates(environ: Mapping[str, str]) -> ssl.SSLContext:
    context = ssl.create_default_context()
    for name in CERTIFICATES:
        path = environ.get(name)
        if path and Path(path).is_file():
            context.load_verify_locations(cafile=path)
    system = Path("/etc/ssl/cert.pem")  # on macOS, python.org's Python has no certificates
    if not context.cert_store_stats()["x509_ca"] and system.is_file():
        context.load_verify_locations(cafile=system)
    return context


def _keep(binary: bytes, folder: Path, pin: Pin) -> Path:
    """Write the binary under a temporary name, then rename it, so that no other process sees half of it."""
    folder.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=folder, prefix=".new-")
    path = folder / pin.binary
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(binary)
        Path(name).chmod(0o755)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        if not is_right(
            path, pin
        ):  # on Windows another installation may have the file open; then it is complete
            raise
    return path
