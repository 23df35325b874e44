"""The settings of the server. The command line, `from_environ` and tests each create a `Settings`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from awning.client import Access, Limits, Retry, Secret, api_key, apps_access, find_secret
from awning.client.access import is_loopback, is_on, is_plain_http_allowed
from awning.errors import ConfigurationError
from awning.host.turn import Timing
from awning.publish.pacing import Pace
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.server import database_url

NEEDED = (
    "set AWNING_PUBLIC_URL, AWNING_STATE_DIR (or AWNING_DATABASE_URL), AWNING_BASE_URL, AWNING_API_KEY "
    "and AWNING_APP_SECRET"
)
# A visitor waits for the response, so there are fewer retries and shorter timeouts than in a publish.
PATIENT = Retry(attempts=3, first_s=0.2, ceiling_s=2.0, patience_s=5.0)
BRIEF = Limits(connect_s=5.0, total_s=15.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of one app's server. `public_url` is its address for browsers, without a final slash."""

    public_url: str
    dist: Path
    state: Path
    app_secret: Secret
    access: Access
    database: Secret | None = None
    """The URL of a PostgreSQL database; None for SQLite files in `state`."""
    cipher: CodeCipher | None = None
    """The cipher that encrypts stored authCodes (AWNING_STATE_KEY); None to store them in plain text."""
    behind_proxy: bool = False
    """Whether a trusted proxy sets X-Forwarded-Host, -Proto and -For."""
    head_snippets: bool = False
    pace: Pace = field(default_factory=Pace)
    retry: Retry = PATIENT
    limits: Limits = BRIEF
    session_s: float = 4 * 3600.0
    """How many seconds a session of the settings page lasts."""
    turns: Timing = field(default_factory=Timing)

    @property
    def prefix(self) -> str:
        """The path of the public URL, which precedes every path of the server; empty at the root."""
        return urlsplit(self.public_url).path

    @property
    def secure(self) -> bool:
        return self.public_url.startswith("https://")

    @property
    def authority(self) -> str:
        """The host of the public URL in lower case, with the port if the URL has one."""
        return urlsplit(self.public_url).netloc.lower()

    @property
    def origin(self) -> str:
        parts = urlsplit(self.public_url)
        return f"{parts.scheme}://{parts.netloc.lower()}"


def checked_public_url(text: str) -> str:
    """Return `text` without final slashes and surrounding white space.

    The app must be hosted over HTTPS (Apps Integration API, Limits). Raises ConfigurationError when `text` is not an
    https URL of host, port and path. An http URL is allowed only for this machine.
    """
    url = text.strip().rstrip("/")
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise ConfigurationError(f"the public URL is not a URL: {error}") from None
    if parts.scheme not in {"http", "https"} or not host or not url.isascii() or not url.isprintable():
        raise ConfigurationError(
            "the public URL is not an http or https address", hint="such as https://app.example"
        )
    if parts.username is not None or any(mark in url for mark in "?# "):
        raise ConfigurationError("the public URL must consist of scheme, host, port and path only")
    if parts.scheme == "http" and not is_loopback(host):
        raise ConfigurationError(
            "the public URL must begin with https://", hint="http is accepted for this machine only"
        )
    return url


def app_secret(environ: Mapping[str, str]) -> Secret:
    """Return the secret that verifies requests. Raises ConfigurationError when it is not set or cannot be read."""
    secret = find_secret("AWNING_APP_SECRET", environ)
    if secret is None:
        raise ConfigurationError(
            "there is no app secret",
            hint="set AWNING_APP_SECRET to the manifest's app_secret, or name a file in AWNING_APP_SECRET_FILE",
        )
    return secret


def from_environ(environ: Mapping[str, str]) -> Settings:
    """Return the settings for a server that a process manager starts. They come from `AWNING_*`, without a workspace.

    Raises ConfigurationError when a variable is missing or wrong.
    """
    database = database_url(environ)
    # A server with a database does not need a state directory.
    state = environ.get("AWNING_STATE_DIR", "") if database else _needed("AWNING_STATE_DIR", environ)
    return Settings(
        public_url=checked_public_url(_needed("AWNING_PUBLIC_URL", environ)),
        dist=Path(environ.get("AWNING_DIST", "dist")),
        state=Path(state),
        database=database,
        cipher=CodeCipher.found_in(environ),
        app_secret=app_secret(environ),
        access=apps_access(
            _needed("AWNING_BASE_URL", environ),
            api_key(environ),
            allow_plain_http=is_plain_http_allowed(environ),
        ),
        behind_proxy=is_on("AWNING_BEHIND_PROXY", environ),
        head_snippets=is_on("AWNING_HEAD_SNIPPETS", environ),
    )


def to_environ(settings: Settings) -> dict[str, str]:
    """Return the variables from which `from_environ` makes these settings in another process.

    Secrets, AWNING_ALLOW_PLAIN_HTTP and the settings that no variable sets, such as the pace, are left out.
    """
    return {
        "AWNING_PUBLIC_URL": settings.public_url,
        "AWNING_DIST": str(settings.dist.absolute()),
        "AWNING_STATE_DIR": str(settings.state.absolute()),
        "AWNING_BASE_URL": settings.access.base_url,
        "AWNING_BEHIND_PROXY": "1" if settings.behind_proxy else "",
        "AWNING_HEAD_SNIPPETS": "1" if settings.head_snippets else "",
    }


def _needed(name: str, environ: Mapping[str, str]) -> str:
    value = environ.get(name, "").strip()
    if not value:
        error = ConfigurationError(f"{name} is not set", hint=NEEDED)
        error.add_note(NEEDED)  # uvicorn prints a traceback, which does not have the hint
        raise error
    return value
