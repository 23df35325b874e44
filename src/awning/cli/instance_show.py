"""`awning instances show`: what a shop holds now, with whose it is. Foreign text is shown with escapes."""

import os
from collections.abc import Iterator
from typing import Any

import click

from awning.cli.report import json_option, print_result, say
from awning.cli.service_options import find_access, open_stores, service_options
from awning.cli.terminal_text import cut_line
from awning.client import Calling, Client, Transport
from awning.client.secret import escaped
from awning.errors import ConfigurationError
from awning.publish.instance_view import (
    CellView,
    InstanceView,
    Owner,
    build_to_compare,
    view_instance,
)
from awning.workspace.reader import find_profile

_MARKS = {Owner.NOBODY: "nobody's"}


@click.command()
@service_options
@click.argument("name")
@click.option("--diff", is_flag=True, help="Show how each snippet differs from that of the release.")
@click.option(
    "--release", type=click.IntRange(1), help="Compare with this release. Default: held, or newest."
)
@json_option
def show(
    base_url: str | None, profile: str | None, name: str, *, diff: bool, release: int | None, as_json: bool
) -> int:
    """Show what the shop of the instance NAME holds now: each cell and whose it is, its user and its website.

    ours: the journal wrote it, or a release holds it. nobody's: empty, or the manifest's default. conflict: somebody
    else's, or changed by hand. Everything is read from the service; nothing is changed.

    \b
    Exit code 0: everything was read. 5: some calls failed. 1 and 6: as for `awning publish apply`.
    """
    heads = find_profile(profile, os.environ).head_snippets
    access = find_access(base_url, profile, os.environ)
    stores = open_stores(os.environ)
    (instance,) = stores.inventory.chosen([name])
    build = build_to_compare(instance, stores.releases, number=release, heads=heads)
    if diff and build is None:
        raise ConfigurationError("there is no release to compare with", hint="awning release create")
    with Client(Calling(access=access), Transport(access, environ=os.environ)) as client:
        view = view_instance(instance, client, stores, build, heads=heads, diff=diff)
    print_result(as_json, _lines(view), **_document(view, diff=diff))
    for call, reason in view.problems.items():
        say(f"error: {call}: {escaped(reason)}")
    return view.exit_code


def _document(view: InstanceView, *, diff: bool) -> dict[str, Any]:
    instance, user, website = view.instance, view.user, view.website
    return {
        "ok": not view.problems,
        "instance": instance.display_name,
        "key": instance.key,
        "labels": list(instance.labels),
        "languages": list(instance.languages),
        "pinned": instance.pinned,
        "release": view.release,
        "user": user and {"email": user.email, "email_confirmed": user.email_confirmed},
        "website": website and {"url": website.url, "brandname": website.brandname},
        "website_languages": None if view.languages is None else list(view.languages),
        "cells": [cell.as_json() | ({"diff": list(cell.difference)} if diff else {}) for cell in view.cells],
        "problems": dict(view.problems),
    }


def _lines(view: InstanceView) -> Iterator[str]:
    instance, user, website = view.instance, view.user, view.website
    rows = [("instance", f"{instance.display_name}  {' '.join(instance.labels)}".rstrip())]
    if website is not None:
        rows.append(("website", f"{website.url or '(no address)'}  {website.brandname or ''}".rstrip()))
    if view.languages is not None:
        rows.append(("languages", " ".join(view.languages) or "(none)"))
    if user is not None:
        confirmed = {True: "confirmed", False: "not confirmed", None: ""}[user.email_confirmed]
        rows.append(("user", f"{user.email or '(no email)'}  {confirmed}".rstrip()))
    if view.release is not None:
        held = ", at which it is held" if instance.pinned == view.release else ""
        rows.append(("against", f"release {view.release}{held}"))
    for label, text in rows:
        yield f"{label:<9}  {escaped(text)}"
    width = max(len(_place(cell)) for cell in view.cells)
    for cell in view.cells:
        yield f"{_MARKS.get(cell.owner, cell.owner):<9}  {_place(cell):<{width}}  {_facts(cell)}"
        yield from (f"    {cut_line(line)}" for line in cell.difference)


def _place(cell: CellView) -> str:
    head = " head" if cell.place == "head" else ""
    return escaped(f"{cell.language or '(website)'}{head}")


def _facts(cell: CellView) -> str:
    size = "" if cell.text is None else f"{len(cell.text.encode('utf-8', 'surrogatepass')):,} bytes"
    release = "" if cell.release is None else f"release {cell.release}"
    differs = {True: "the same", False: "differs", None: ""}[cell.is_wanted]
    return escaped(", ".join(filter(None, (size, release, differs, cell.detail))))
