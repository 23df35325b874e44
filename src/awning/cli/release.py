"""`awning release`: freezes builds, lists them and compares them."""

import os
from pathlib import Path

import click

from awning.build_record import shorten_fingerprint
from awning.cli.report import dist_option, json_option, print_result, say
from awning.cli.service_options import open_stores
from awning.contract import Exit
from awning.publish.operator import operator_name, source_revision
from awning.publish.release.build_files import read_files
from awning.publish.release.difference import compare, difference_lines
from awning.publish.release.releases import Release
from awning.workspace.root import find_workspace


@click.group()
def release() -> None:
    """Freeze builds as numbered releases, list and compare them.

    \b
    awning release create --note "free delivery from 50"
    awning release diff 6 7
    awning publish apply --release 6
    """


@release.command()
@dist_option()
@click.option("--note", default="", help="What is new, for people.")
@click.option("--revision", help="The commit of the sources. Default: git's, where there is one.")
@click.option("--allow-errors", is_flag=True, help="Accept a build that was made with --allow-errors.")
@json_option
def create(dist: Path | None, note: str, revision: str | None, allow_errors: bool, as_json: bool) -> None:
    """Freeze the current build under the next number.

    A build with the same content as a release gets no new number. `publish apply` also freezes a build that is not yet
    a release.
    """
    folder = dist or find_workspace(Path.cwd()) / "dist"
    files = read_files(folder, allow_errors=allow_errors)
    frozen, is_new = open_stores(os.environ).releases.create(
        files,
        operator=operator_name(os.environ),
        revision=revision or source_revision(folder.parent),
        note=note,
    )
    text = f"release {frozen.number}" + ("" if is_new else " (it has the same content)")
    print_result(as_json, text, new=is_new, **frozen.as_json())


@release.command(name="list")
@json_option
def list_(as_json: bool) -> None:
    """Show all releases, newest first."""
    listed = list(reversed(open_stores(os.environ).releases.all()))
    print_result(as_json, map(_line, listed), releases=[frozen.as_json() for frozen in listed])
    if not listed and not as_json:
        say("there are no releases: awning release create")


def _line(frozen: Release) -> str:
    revision = f"  {frozen.revision[:12]}" if frozen.revision else ""
    note = f"  {frozen.note}" if frozen.note else ""
    build = shorten_fingerprint(frozen.fingerprint)
    return f"{frozen.number:>4}  {build}  {frozen.created_at}  {frozen.created_by}{revision}{note}"


@release.command()
@click.argument("first", type=click.IntRange(1))
@click.argument("second", type=click.IntRange(1), required=False)
@dist_option()
@json_option
def diff(first: int, second: int | None, dist: Path | None, as_json: bool) -> int:
    """Compare release FIRST with release SECOND. Without SECOND, compare it with the current build."""
    releases = open_stores(os.environ).releases
    before = releases.files(first)
    folder = dist or (None if second else find_workspace(Path.cwd()) / "dist")
    after = releases.files(second) if second else read_files(folder or Path(), allow_errors=True)
    difference = compare(before, after)
    lines = list(difference_lines(difference))
    print_result(as_json, lines, **difference)
    if not lines and not as_json:
        say("there is no difference")
    return Exit.DONE
