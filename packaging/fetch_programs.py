"""Downloads the pinned programs from the npm registry to the user's cache. Only the exact packages are accepted.

This file is apart from `hatch_build.py`, so that it runs without hatchling. It uses only the standard library.
`src/awning/programs/pin.py` has the names and hashes. Two installations can run at once: each unpacks to its own
folder, and then renames that folder.

    is the package in the cache, with the right hash of all files? -> done
    else: download -> tarball's SHA-512 -> unpack -> SHA-256 of all files -> rename into the cache
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

    from awning.programs.pin import Pin, Program

REGISTRY = "https://registry.npmjs.org"
ATTEMPTS = 3
PAUSE_S = 1.0
TIMEOUT_S = 30.0
MOST_BYTES = 64 * 2**20
"""The most bytes that are read from a download. The largest tarball has 10 MB."""

RETRIED_STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
CERTIFICATES = ("SSL_CERT_FILE", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS")
"""Environment variables that other tools use for the file of a company's certificates."""


class FetchError(Exception):
    """A package cannot be downloaded or verified. The text has the reason and what to do."""


def load_pins() -> Any:
    """Return the module `awning.programs.pin`, loaded by its path because awning is not installed during its own build.

    Raises OSError when the file cannot be read.
    """
    path = Path(__file__).resolve().parent.parent / "src" / "awning" / "programs" / "pin.py"
    spec = importlib.util.spec_from_file_location("awning_pin", path)
    if spec is None or spec.loader is None:
        raise FetchError(f"{path} cannot be read")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look up their module here
    spec.loader.exec_module(module)
    return module


def fetch(
    program: Program, pin: Pin, environ: Mapping[str, str] = os.environ, *, pause_s: float = PAUSE_S
) -> Path:
    """Return the folder with the files to install. The package is downloaded if the cache does not have them.

    If the cache cannot be written, the files are in a temporary folder, which is deleted when this process ends, after
    the wheel has been built. Raises FetchError when the package cannot be downloaded or verified.
    """
    folder = cache_folder(environ) / f"{program.name.lower()}-{program.version}" / pin.platform
    if is_right(folder, pin):
        return folder
    content = download(program.tarball_for(pin.platform), pin.integrity, environ, pause_s=pause_s)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        unpacked = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".new-"))
    except OSError as error:
        unpacked = Path(tempfile.mkdtemp(prefix="awning-program-"))
        print(f"awning: the cache cannot be written ({error}); using {unpacked}", file=sys.stderr)
        atexit.register(shutil.rmtree, unpacked, ignore_errors=True)
        return _unpack(content, program, pin, unpacked)
    try:
        return _keep(_unpack(content, program, pin, unpacked), folder, pin)
    finally:
        shutil.rmtree(unpacked, ignore_errors=True)


def is_right(package: Path, pin: Pin) -> bool:
    """Return whether a folder has exactly the files that are pinned."""
    try:
        hashes = {
            path.relative_to(package).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in package.rglob("*")
            if not path.is_dir()
        }
    except OSError:
        return False
    return hashlib.sha256(load_pins().listing(hashes).encode()).hexdigest() == pin.sha256


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


def registry(environ: Mapping[str, str] = os.environ) -> str:
    """Return the address of the registry, or of the mirror that npm's own environment variables name."""
    named = environ.get("npm_config_registry") or environ.get("NPM_CONFIG_REGISTRY")
    return (named or REGISTRY).rstrip("/")


def download(
    path: str, integrity: str, environ: Mapping[str, str] = os.environ, *, pause_s: float = PAUSE_S
) -> bytes:
    """Return the tarball. Raises FetchError when it cannot be downloaded, or its hash differs."""
    mirror, credentials = _apart(registry(environ))
    url = f"{mirror}/{path}"
    content = _patiently(lambda: _read(url, credentials, environ), url, pause_s)
    algorithm = integrity.partition("-")[0]
    actual = f"{algorithm}-{base64.b64encode(hashlib.new(algorithm, content).digest()).decode()}"
    if actual != integrity:
        raise FetchError(
            f"{url} is not the pinned file, so it was not used: {actual}, expected {integrity}.\n"
            "What to do: try again; if a proxy or mirror changes downloads, set npm_config_registry to another one."
        )
    return content


def _unpack(tarball: bytes, program: Program, pin: Pin, folder: Path) -> Path:
    """Unpack the files to install, and return their folder. Raises FetchError when they are not the pinned ones."""
    package = folder / "files"
    package.mkdir()
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        for member in archive:
            name = program.installed_as(member.name.partition("/")[2], pin.platform)
            file = archive.extractfile(member) if name else None
            if name and file:
                (package / name).write_bytes(file.read())
    if not is_right(package, pin):
        path = program.tarball_for(pin.platform)
        raise FetchError(f"the files in {path} are not the pinned ones. What to do: report it, please.")
    (package / program.binary_for(pin.platform)).chmod(0o755)
    return package


def _keep(package: Path, folder: Path, pin: Pin) -> Path:
    """Rename the folder to its name in the cache, so that no other process sees half of it."""
    if folder.exists() and not is_right(folder, pin):
        folder.rename(package.parent / "damaged")
    try:
        package.rename(folder)
    except OSError:
        if not is_right(folder, pin):  # another installation may have been quicker
            raise
    return folder


def _patiently(read: Callable[[], bytes], url: str, pause_s: float) -> bytes:
    """Call `read` up to `ATTEMPTS` times, because a download may fail by chance.

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
        f"{url} could not be downloaded: {error}.\n"
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
