"""`awning manifest`: check the app's manifest, show it as it will be submitted, submit it to the portal."""

import json
import os
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click

from awning.cli.manifest_built import with_snippets
from awning.cli.report import counted, say
from awning.cli.state_path import state_path
from awning.client.access import is_loopback
from awning.contract import Exit
from awning.contract.manifest_rules import Finding
from awning.errors import AwningError, ConfigurationError, Faulty
from awning.manifest.file import Asked, ManifestFile, check_manifest_file, read_manifest_file
from awning.manifest.history import FILE_NAME, History, version_findings
from awning.workspace.find import find_workspace
from awning.workspace.read import read_profile

SAMPLES = "sample-manifests"
FILE = click.argument("file", required=False, type=click.Path(path_type=Path))
LOOPBACK = click.option("--allow-loopback", is_flag=True, help="Take http for addresses on this machine.")
FETCH = click.option("--fetch-icon", is_flag=True, help="Fetch the icon from its URL and measure it.")
ASSUME = click.option(
    "--assume",
    "assumed",
    multiple=True,
    type=click.Choice((SAMPLES,)),
    help="Judge by this assumption too. sample-manifests: take the app_version and app_type of public sample apps.",
)
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document.")
PORTAL = click.option(
    "--portal-url", envvar="AWNING_PORTAL_URL", help="The portal; else the profile's portal_url."
)
PROFILE = click.option(
    "--profile", envvar="AWNING_PROFILE", help="Which service, of pyproject.toml's profiles."
)


@click.group()
def manifest() -> None:
    """What the catalogue knows of the app: check it, show it, submit it."""


@manifest.command()
@FILE
@JSON
@LOOPBACK
@FETCH
@PORTAL
@ASSUME
@click.option("--without-secret", is_flag=True, help="For a .json manifest without app_secret.")
def check(
    file: Path | None,
    *,
    as_json: bool,
    allow_loopback: bool,
    fetch_icon: bool,
    portal_url: str | None,
    assumed: tuple[str, ...],
    without_secret: bool,
) -> int:
    """Find every fault of FILE, a .toml or .json manifest; without FILE of the workspace's manifest.toml.

    Exit code 1 when an error is among the findings.
    """
    given = _read(file)
    loopback = allow_loopback or _at_a_portal_here(given, portal_url)
    asked = Asked(
        without_secret=without_secret,
        allow_loopback=loopback,
        fetch_icon=fetch_icon,
        samples=SAMPLES in assumed,
    )
    findings = check_manifest_file(given, asked, os.environ)
    findings += _version(given, portal_url)
    print_findings(findings, as_json=as_json)
    return Exit.FINDINGS if _errors(findings) else Exit.DONE


@manifest.command()
@FILE
@click.option("--dist", type=click.Path(path_type=Path), help="What was built; dist/ beside the manifest.")
def show(file: Path | None, *, dist: Path | None) -> None:
    """Print the manifest as it will be submitted, with the built default snippets; never the secret."""
    given = _read(file)
    shown = with_snippets(_fields(given), dist or _dist(given))
    click.echo(json.dumps(shown, ensure_ascii=False, indent=2, default=str))


@manifest.command()
@FILE
@JSON
@LOOPBACK
@FETCH
@PORTAL
@PROFILE
@ASSUME
@click.option("--dist", type=click.Path(path_type=Path), help="What was built; dist/ beside the manifest.")
@click.option("--app-id", type=click.IntRange(min=1), help="Submit as a new version of this app.")
@click.option("--new", is_flag=True, help="Submit as a new app, beside those submitted before.")
@click.option("--same-version", is_flag=True, help="Let a changed manifest keep its version.")
@click.option("--key-file", type=click.Path(path_type=Path), help="Where the API key of a new app goes.")
@click.option("--show-key", is_flag=True, help="Print the API key too.")
def submit(
    file: Path | None,
    *,
    as_json: bool,
    allow_loopback: bool,
    fetch_icon: bool,
    portal_url: str | None,
    profile: str | None,
    assumed: tuple[str, ...],
    dist: Path | None,
    app_id: int | None,
    new: bool,
    same_version: bool,
    key_file: Path | None,
    show_key: bool,
) -> int:
    """Submit the manifest to the portal: a new app the first time, a new version from then on.

    An app is known again by its title. A title that was not submitted before needs --new, or --app-id to rename one.

    FILE is a .json manifest, or manifest.toml, which gets the built default snippets. The secret comes from
    AWNING_APP_SECRET, or from a .json manifest. A new app's API key is written to a file that only you can read.
    """
    from awning.cli.manifest_submit import (  # noqa: PLC0415 - `check` needs no client
        Sending,
        portal_of,
        submit_manifest,
    )

    if new and app_id is not None:
        raise ConfigurationError("--new and --app-id exclude each other")
    given = _read(file)
    sending = Sending(
        portal_url=portal_of(portal_url, profile, os.environ),
        state=state_path(os.environ),
        asked=Asked(
            without_secret=True,
            allow_loopback=allow_loopback,
            fetch_icon=fetch_icon,
            samples=SAMPLES in assumed,
        ),
        app_id=app_id,
        new=new,
        same_version=same_version,
        key_file=key_file,
    )
    built = given.toml and isinstance(given.fields, dict)
    whole = with_snippets(given.fields, dist or _dist(given)) if built else None
    outcome = submit_manifest(given, whole, sending, os.environ)
    if outcome.app_id is None:
        print_findings(outcome.findings, as_json=as_json)
        return outcome.exit_code
    if as_json:
        click.echo(json.dumps(outcome.as_json(show_key=show_key), ensure_ascii=False, indent=2))
    else:
        click.echo("\n".join(outcome.lines(show_key=show_key)))
    return outcome.exit_code


def print_findings(findings: Iterable[Finding], *, as_json: bool) -> None:
    """All findings: the document of `manifest check --json`, or a line for each."""
    found = list(findings)
    if as_json:
        document = {
            "schema_version": 1,
            "valid": not _errors(found),
            "findings": [finding.as_json() for finding in found],
        }
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
        return
    for finding in found:
        click.echo(f"{finding.severity}: {finding.field or 'the file'}: {finding.message}")
    say(counted(Counter(finding.severity for finding in found)) or "nothing found")


def _errors(findings: Iterable[Finding]) -> bool:
    return any(finding.severity == "error" for finding in findings)


def _read(file: Path | None) -> ManifestFile:
    """The file; a folder stands for its manifest.toml, and nothing for the workspace's."""
    path = file if file is not None else find_workspace(Path.cwd())
    return read_manifest_file(path / "manifest.toml" if path.is_dir() else path)


def _fields(given: ManifestFile) -> dict[str, Any]:
    """The fields of a manifest that can be read at all."""
    if given.findings or not isinstance(given.fields, dict):
        why = given.findings[0].message if given.findings else "does not hold an object"
        raise ConfigurationError(f"{given.path} {why}", hint="awning manifest check says more")
    return given.fields


def _dist(given: ManifestFile) -> Path:
    return given.path.absolute().parent / "dist"


def _at_a_portal_here(given: ManifestFile, portal_url: str | None) -> bool:
    """Whether the portal is on this machine, which takes addresses on this machine: as `submit` judges it."""
    portal = portal_url
    if portal is None:
        with suppress(AwningError):  # no workspace, or none that can be read, names no portal
            portal = read_profile(find_workspace(given.path.absolute().parent)).portal_url
    try:
        return is_loopback(urlsplit(portal or "").hostname or "")
    except ValueError:
        return False


def _version(given: ManifestFile, portal_url: str | None) -> list[Finding]:
    """Against the last submission, where there is a workspace that knows of one."""
    if not isinstance(given.fields, dict):
        return []
    try:
        root = find_workspace(given.path.absolute().parent)
    except (ConfigurationError, Faulty):
        return []
    history = History(state_path(os.environ, root) / FILE_NAME)
    titled = history.titled(
        str(given.fields.get("app_title")), portal_url.rstrip("/") if portal_url else None
    )
    return version_findings(given.fields, titled[-1] if titled else None, built=not given.toml)
