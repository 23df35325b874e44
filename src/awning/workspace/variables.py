"""Describes every environment variable of awning, apart from those that are named after a flag.

A workspace may come from somebody else, so its `.env` sets only what cannot make awning start a program, load a
library or loosen what the user decided. `refused` says why a variable is not taken from there. `awning doctor`, the
reader of `.env` and docs/reference/variables.md all use this table.
"""

from collections.abc import Mapping
from dataclasses import dataclass

FILE = "_FILE"
"""The ending of a variable that names the file of a secret."""

PROGRAM = "it names a program"
BROWSER = "it chooses the browser that runs"
DECISION = "it says whom or what you trust"
INSTALL = "it takes effect before a workspace is read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Variable:
    """One variable. `refused` is the reason why `.env` may not set it; None when it may.

    A secret's value is never shown. It may also come from a keyring, or from the file that `<name>_FILE` names, unless
    `prompted`: then a verb asks for it where it is not set.
    """

    name: str
    about: str
    secret: bool = False
    prompted: bool = False
    refused: str | None = None

    @property
    def has_file(self) -> bool:
        return self.secret and not self.prompted


VARIABLES: tuple[Variable, ...] = (
    Variable(name="AWNING_PROFILE", about="The profile in pyproject.toml to use."),
    Variable(name="AWNING_BASE_URL", about="The address of the Apps API, ending in /v1."),
    Variable(name="AWNING_RESELLER_URL", about="The address of the Reseller API, without /api/..."),
    Variable(name="AWNING_PORTAL_URL", about="The address of the portal, where manifests are submitted."),
    Variable(name="AWNING_STATE_DIR", about="The folder of inventory, releases and journal."),
    Variable(
        name="AWNING_ESBUILD", about="Another esbuild than the one that came with awning.", refused=PROGRAM
    ),
    Variable(
        name="AWNING_TYPESCRIPT",
        about="Another TypeScript (`tsc`, 7 or later) than the one that came with awning.",
        refused=PROGRAM,
    ),
    Variable(name="AWNING_BROWSER", about="The Chromium or Chrome that runs the tests.", refused=PROGRAM),
    Variable(
        name="AWNING_BROWSER_ADDRESS", about="The address of a browser that already runs.", refused=BROWSER
    ),
    Variable(name="AWNING_API_KEY", about="The key of the Apps API.", secret=True),
    Variable(
        name="AWNING_APP_SECRET", about="The manifest's app_secret, which verifies requests.", secret=True
    ),
    Variable(
        name="AWNING_AUTH_CODE",
        about="The authCode that `instances add` stores.",
        secret=True,
        prompted=True,
    ),
    Variable(
        name="AWNING_DATABASE_URL",
        about="A PostgreSQL database in place of the state directory.",
        secret=True,
    ),
    Variable(name="AWNING_RESELLER_EMAIL", about="The e-mail of the reseller account."),
    Variable(name="AWNING_RESELLER_PASSWORD", about="The password of the reseller account.", secret=True),
    Variable(
        name="AWNING_RESELLER_NEW_PASSWORD",
        about="The password that `reseller password set` sets.",
        secret=True,
        prompted=True,
    ),
    Variable(
        name="AWNING_RESELLER_TOKEN",
        about="A token of the Reseller API, in place of a password.",
        secret=True,
    ),
    Variable(
        name="AWNING_RESELLER_TIME_ZONE", about="The offset of the Reseller API's dates, such as +02:00."
    ),
    Variable(name="AWNING_STATE_KEY", about="The key that encrypts stored authCodes.", secret=True),
    Variable(name="AWNING_PUBLIC_URL", about="The app server's address for browsers."),
    Variable(name="AWNING_DIST", about="The build that the app's server installs."),
    Variable(
        name="AWNING_BEHIND_PROXY",
        about="Whether a trusted proxy is in front of the app's server.",
        refused=DECISION,
    ),
    Variable(name="AWNING_HEAD_SNIPPETS", about="Whether the service has calls for head snippets."),
    Variable(name="AWNING_OPERATOR", about="Who publishes, in journal and releases."),
    Variable(
        name="AWNING_TRUSTED_HOSTS",
        about="Hosts that may get your secrets, separated by commas, where nobody can be asked.",
        refused=DECISION,
    ),
    Variable(
        name="AWNING_ALLOW_PLAIN_HTTP",
        about="Whether secrets may be sent unencrypted, in a closed network.",
        refused=DECISION,
    ),
    Variable(
        name="AWNING_BUILD_TARGET", about="The platform of a wheel that is being made.", refused=INSTALL
    ),
)


def known_variable(name: str) -> Variable | None:
    """Return the variable that `name` is, or whose file it names; None when there is none."""
    return _BY_NAME.get(name)


_BY_NAME: Mapping[str, Variable] = {
    **{variable.name: variable for variable in VARIABLES},
    **{variable.name + FILE: variable for variable in VARIABLES if variable.has_file},
}
