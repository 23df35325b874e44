"""`awning manifest`: checks the app's manifest, shows, compares and submits it, and raises its version."""

import json
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from awning.cli.report import counted, dist_option, json_option, print_result, profile_option, say
from awning.cli.trust import OF_PORTAL, folder_that_names, require_trust
from awning.contract import Exit
from awning.contract.hosts import is_loopback_url
from awning.contract.manifest_fields import SECRET_FIELD
from awning.contract.manifest_rules import Finding, has_error
from awning.diagnostics import printable_lines
from awning.errors import AwningError, ConfigurationError
from awning.manifest.default_snippets import submitted_fields
from awning.manifest.difference import (
    FieldChange,
    compare_manifests,
    find_side,
    side_of_file,
    submitted_side,
)
from awning.manifest.file import (
    CheckOptions,
    ManifestFile,
    check_manifest_file,
    read_manifest_file,
    require_fields,
)
from awning.manifest.history import findings_of_last_version
from awning.manifest.portal import checked_portal_url
from awning.manifest.version import PARTS, VersionPart, last_submitted, next_version, raised
from awning.workspace.author_file import rewrite_file
from awning.workspace.reader import find_profile, read_profile
from awning.workspace.root import find_state_directory, find_workspace

if TYPE_CHECKING:
    from awning.manifest.submission import SubmissionResult

SAMPLES = "sample-manifests"
FILE = click.argument("file", required=False, type=click.Path(path_type=Path))
LOOPBACK = click.option("--allow-loopback", is_flag=True, help="Accept http for addresses on this machine.")
FETCH = click.option("--fetch-icon", is_flag=True, help="Fetch the icon from its URL and measure it.")
ASSUME = click.option(
    "--assume",
    "assumed",
    multiple=True,
    type=click.Choice((SAMPLES,)),
    help="An assumption to check by. sample-manifests accepts the app_version and app_type of public sample apps.",
)
DIST = dist_option("What was built; dist/ beside the manifest.")
PORTAL = click.option(
    "--portal-url",
    envvar="AWNING_PORTAL_URL",
    help="The portal's address. Default: the profile's portal_url.",
)


@click.group()
def manifest() -> None:
    """Check, show, compare or submit the app's manifest, which describes the app to the catalogue."""


@manifest.command()
@FILE
@json_option
@LOOPBACK
@FETCH
@PORTAL
@ASSUME
@click.option("--without-secret", is_flag=True, help="Expect a .json manifest without app_secret.")
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
    """Find all errors in FILE, a .toml or .json manifest. Without FILE, check the workspace's manifest.toml.

    Exit code 1 when an error is among the findings.
    """
    manifest_file = _read(file)
    options = CheckOptions(
        without_secret=without_secret,
        allow_loopback=allow_loopback or is_loopback_url(portal_url or _portal_of_profile(manifest_file)),
        fetch_icon=fetch_icon,
        samples=SAMPLES in assumed,
    )
    findings = check_manifest_file(manifest_file, options, os.environ)
    findings += _version_findings(manifest_file, portal_url)
    print_findings(findings, as_json=as_json)
    return Exit.FINDINGS if has_error(findings) else Exit.DONE


@manifest.command()
@FILE
@DIST
def show(file: Path | None, *, dist: Path | None) -> None:
    """Print the manifest as it will be submitted, but without the secret.

    FILE is a .json manifest, or manifest.toml, which gets the built default snippets.
    """
    manifest_file = _read(file)
    fields = submitted_fields(manifest_file, dist or _dist(manifest_file))
    click.echo(json.dumps(fields, ensure_ascii=False, indent=2, default=str))


@manifest.command()
@FILE
@json_option
@LOOPBACK
@FETCH
@PORTAL
@profile_option()
@ASSUME
@DIST
@click.option("--app-id", type=click.IntRange(min=1), help="Submit as a new version of this app.")
@click.option("--new", is_flag=True, help="Submit as a new app, even if apps were submitted before.")
@click.option("--same-version", is_flag=True, help="Allow a changed manifest to keep its version.")
@click.option("--key-file", type=click.Path(path_type=Path), help="The file for the API key of a new app.")
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

    awning recognises an app by its title. If other apps were submitted before, a new title needs --new for a new app,
    or --app-id to rename an app.

    FILE is a .json manifest, or manifest.toml, which gets the built default snippets. The secret comes from
    AWNING_APP_SECRET, or from a .json manifest. A new app's API key is written to a file that only you can read.
    """
    from awning.manifest.submission import SubmissionOptions, submit_manifest  # noqa: PLC0415 - imports SQLAlchemy

    if new and app_id is not None:
        raise ConfigurationError("--new and --app-id exclude each other")
    manifest_file = _read(file)
    options = SubmissionOptions(
        portal_url=checked_portal_url(portal_url or find_profile(profile, os.environ).portal_url),
        state=find_state_directory(os.environ),
        check=CheckOptions(
            without_secret=True,
            allow_loopback=allow_loopback,
            fetch_icon=fetch_icon,
            samples=SAMPLES in assumed,
        ),
        dist=dist or _dist(manifest_file),
        app_id=app_id,
        new=new,
        same_version=same_version,
        key_file=key_file,
    )
    fields = manifest_file.fields
    if not (
        isinstance(fields, dict) and fields.get(SECRET_FIELD)
    ):  # a secret in the manifest is not the user's
        named_by = folder_that_names(portal_url, "AWNING_PORTAL_URL", os.environ)
        require_trust(options.portal_url, named_by, OF_PORTAL, os.environ)
    result = submit_manifest(manifest_file, options, os.environ)
    if result.app_id is None:
        print_findings(result.findings, as_json=as_json)
    else:
        lines = _result_lines(result, show_key=show_key)
        print_result(as_json, lines, indent=2, **result.as_json(show_key=show_key))
    return result.exit_code


@manifest.command()
@click.argument("old", required=False)
@click.argument("new", required=False)
@PORTAL
@json_option
@DIST
def diff(
    old: str | None, new: str | None, *, portal_url: str | None, as_json: bool, dist: Path | None
) -> int:
    """Show which fields differ between the manifests OLD and NEW.

    Each is a .toml or .json file, or a commit of git, such as HEAD~1. Without OLD: what was submitted last from here.
    Without NEW: the workspace's manifest.toml. A built default snippet is compared when both sides have a build.

    \b
    awning manifest diff
    awning manifest diff v1.2.0
    """
    own = _read(None)
    if old is None:
        before = submitted_side(own, find_state_directory(os.environ), _bare(portal_url))
    else:
        before = find_side(old, own)
    after = side_of_file(own, dist or _dist(own)) if new is None else find_side(new, own)
    changes = compare_manifests(before, after)
    lines = (printable_lines(line) for change in changes for line in _change_lines(change))
    documents = [change.as_json() for change in changes]
    print_result(as_json, lines, indent=2, old=before.name, new=after.name, changes=documents)
    if not as_json:
        count = "1 field differs" if len(changes) == 1 else f"{len(changes)} fields differ"
        say(f"{count if changes else 'there is no difference'} from {before.name}")
    return Exit.DONE


def _change_lines(change: FieldChange) -> Iterator[str]:
    yield f"{change.field}: {change.change}"
    for sign, value in (("-", change.old), ("+", change.new)):
        if value is not None:
            yield f"  {sign} {json.dumps(value, ensure_ascii=False, default=str)}"


@manifest.command()
@click.argument("part", type=click.Choice(PARTS), default="patch")
@click.argument("file", required=False, type=click.Path(path_type=Path))
@PORTAL
@json_option
def bump(part: VersionPart, file: Path | None, *, portal_url: str | None, as_json: bool) -> None:
    """Raise app_version in manifest.toml: its PART major, minor or patch (by default).

    The new version is also greater than the one that was submitted last from here. The rest of the file stays as it is.
    """
    manifest_file = _read(file)
    if not manifest_file.toml:
        raise ConfigurationError(
            f"{manifest_file.path} is not a .toml file", hint="raise its app_version by hand"
        )
    try:
        root = find_workspace(manifest_file.path.absolute().parent)
    except ConfigurationError:  # no workspace, so nothing was submitted from it
        last = None
    else:
        last = last_submitted(manifest_file, find_state_directory(os.environ, root), _bare(portal_url))
    fields = require_fields(manifest_file)
    if "app_version" not in fields:
        raise ConfigurationError(f"{manifest_file.path} has no app_version", hint="such as 1.0.0")
    old = str(fields["app_version"])
    version = next_version(old, last, part)
    text = manifest_file.path.read_bytes().decode("utf-8")
    rewrite_file(manifest_file.path, raised(text, version))
    text = f"app_version: {old} -> {version}"
    print_result(as_json, text, file=str(manifest_file.path), old=old, new=version)


def _bare(portal_url: str | None) -> str | None:
    """Return the portal's address as the history has it."""
    return portal_url.rstrip("/") if portal_url else None


def _result_lines(result: "SubmissionResult", *, show_key: bool) -> Iterator[str]:
    action = "submitted as a new app" if result.new else "submitted again"
    status = "approved" if result.approved else "waits for approval"
    yield f'app {result.app_id}, "{result.title}": {action}, {status}'
    for other in result.namesakes:
        yield f'app {other} is called "{result.title}", too: choose one with --app-id from now on'
    for finding in result.findings:
        yield f"{finding.severity}: {finding.field}: {finding.message}"
    if result.key_file:
        yield f"API key: in {result.key_file} (export AWNING_API_KEY_FILE={result.key_file})"
    if show_key and result.api_key:
        yield result.api_key.reveal()


def print_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
    """Print the document of `manifest check --json`, or a line for each finding."""
    documents = [finding.as_json() for finding in findings]
    lines = (f"{finding.severity}: {finding.field or 'the file'}: {finding.message}" for finding in findings)
    print_result(as_json, lines, indent=2, valid=not has_error(findings), findings=documents)
    if not as_json:
        say(counted(Counter(finding.severity for finding in findings)) or "nothing found")


def _read(file: Path | None) -> ManifestFile:
    """Read the manifest. A folder means the manifest.toml in it; None means the manifest.toml of the workspace."""
    path = file if file is not None else find_workspace(Path.cwd())
    return read_manifest_file(path / "manifest.toml" if path.is_dir() else path)


def _dist(manifest_file: ManifestFile) -> Path:
    return manifest_file.path.absolute().parent / "dist"


def _portal_of_profile(manifest_file: ManifestFile) -> str | None:
    """Return the portal's address in the workspace's profile; None without one, or without a readable workspace.

    If the portal is on this machine, the check accepts http for addresses on this machine.
    """
    try:
        return read_profile(find_workspace(manifest_file.path.absolute().parent)).portal_url
    except AwningError:  # no workspace, or an unreadable workspace
        return None


def _version_findings(manifest_file: ManifestFile, portal_url: str | None) -> list[Finding]:
    """Return the findings about the version; none when the manifest is not a table, or not in a workspace."""
    if not isinstance(manifest_file.fields, dict):
        return []
    try:
        root = find_workspace(manifest_file.path.absolute().parent)
    except ConfigurationError:
        return []
    state = find_state_directory(os.environ, root)
    return findings_of_last_version(manifest_file.fields, state, portal_url, built=not manifest_file.toml)
