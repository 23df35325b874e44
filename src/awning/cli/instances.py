"""`awning instances`: the inventory. An authCode is never an argument, and only `export` prints authCodes.

`show` has what a shop holds now, with whose it is. Foreign text is shown with escapes.
"""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from awning.cli.publish.options import RunOptions, label_option, service_run_options
from awning.cli.publish.output import Spool, print_document, say_unread
from awning.cli.report import cut_line, is_confirmed, json_option, plural, print_result, say
from awning.cli.service_options import find_access, open_stores, read_secret, service_options
from awning.client import Calling, Client, Transport
from awning.client.secret import escaped, printable
from awning.contract import Exit
from awning.errors import ConfigurationError
from awning.publish.instance_view import (
    CellView,
    InstanceView,
    Owner,
    build_to_compare,
    view_instance,
)
from awning.publish.inventory.inventory import Instance
from awning.publish.inventory.refresh import RefreshedInstance, WebsiteWork
from awning.publish.inventory.table import import_csv, to_csv, write_csv
from awning.publish.reading import run_reading
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
    print_result(as_json, _view_lines(view), **_view_document(view, diff=diff))
    for call, reason in view.problems.items():
        say(f"error: {call}: {escaped(reason)}")
    return view.exit_code


def _view_document(view: InstanceView, *, diff: bool) -> dict[str, Any]:
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


def _view_lines(view: InstanceView) -> Iterator[str]:
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


@click.group()
def instances() -> None:
    """Manage the inventory: the instances where the app is installed.

    \b
    awning instances add --name shop-1 --languages "lv en" < code.txt
    awning instances refresh                   ask the service for languages
    """


instances.add_command(show)


@instances.command()
@click.option("--name", help="The name of the instance. Without a name it is shown by its keyed hash.")
@click.option("--languages", default="", help='Publish only these languages, such as "lv en".')
@click.option("--label", "more_labels", multiple=True, help="A label of the instance. Repeatable.")
@click.option("--labels", default="", help="Labels of the instance, separated by spaces.")
@json_option
def add(
    name: str | None, *, languages: str, more_labels: tuple[str, ...], labels: str, as_json: bool
) -> None:
    """Add an instance. Its authCode comes from AWNING_AUTH_CODE, the terminal or standard input."""
    inventory = open_stores(os.environ).inventory
    code = read_secret("AWNING_AUTH_CODE", "authCode")
    requested = inventory.instance(
        code, name=name, languages=languages, labels=" ".join((labels, *more_labels))
    )
    instance, change = inventory.add(requested)
    changes = {"added": change != "changed", "restored": change == "restored"}
    print_result(as_json, f"{instance.display_name}: {change}", **changes, **_document(instance))


@instances.command(name="list")
@click.option("--removed", is_flag=True, help="List the removed instances that are not purged yet.")
@json_option
def list_(removed: bool, as_json: bool) -> None:
    """Show all instances, by name or keyed hash."""
    inventory = open_stores(os.environ).inventory
    since = inventory.removed() if removed else {}
    listed = tuple(since) if removed else inventory.all()
    rows = [{**_document(i), **({"removed_at": since[i]} if removed else {})} for i in listed]
    print_result(as_json, _lines(listed, since), instances=rows)
    if not listed and not as_json:
        say("nothing was removed" if removed else "no instances: add one with `awning instances add`")


def _lines(listed: Sequence[Instance], since: Mapping[Instance, str]) -> Iterator[str]:
    width = max((len(i.display_name) for i in listed), default=0)
    for instance in listed:
        languages = " ".join(instance.languages) or "(all)"
        held = "" if instance.pinned is None else f"  held at release {instance.pinned}"
        removed_at = f"  removed {since[instance]}" if since else ""
        line = f"{instance.display_name:<{width}}  {languages}  {' '.join(instance.labels)}".rstrip()
        yield line + held + removed_at


@instances.command(name="import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
def import_(file: Path) -> None:
    """Add or change instances from a CSV file: auth_code, languages, name, labels."""
    inventory = open_stores(os.environ).inventory
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read as UTF-8 text ({type(error).__name__})") from None
    counts = import_csv(text, inventory, path=str(file))
    restored = f", {counts.restored} restored" if counts.restored else ""
    unchanged = f", {counts.unchanged} unchanged" if counts.unchanged else ""
    click.echo(f"{counts.added} added, {counts.changed} changed{restored}{unchanged}")


@instances.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path), required=False)
def export(file: Path | None) -> None:
    """Write all instances, authCodes included, to a CSV file that only you can read, or into a pipe."""
    known = open_stores(os.environ).inventory.all()
    if file is not None and str(file) != "-":
        write_csv(known, file)
    elif sys.stdout.isatty():
        raise ConfigurationError(
            "authCodes are secrets and are not written to a terminal", hint="name a file"
        )
    else:
        click.echo(to_csv(known), nl=False)


@instances.command()
@service_run_options
@click.argument("names", nargs=-1)
@label_option
@json_option
def refresh(names: tuple[str, ...], labels: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Ask the service for the website and the languages of the instances NAMES (names or keyed hashes), or of all.

    The inventory keeps the answers: `list --json` shows them, a plan skips the languages that a website does not use,
    and `publish verify` looks at the website's pages. Nothing is changed at the service.
    """
    run = RunOptions(**options, only=names, labels=labels)
    inventory = open_stores(os.environ).inventory
    with Spool() as spool:
        request = run.service_request(run.each_instance(inventory))
        settings = request.settings()

        states: Counter[str] = Counter()

        def sink(result: RefreshedInstance) -> None:
            states[result.state] += 1
            if as_json:
                spool.add(result.as_json())
            else:
                _print_refreshed(result)

        work = WebsiteWork(inventory, settings.calling, sink)
        interrupted = run_reading(request, settings, work)
        work.write()
        if as_json:
            document = {"ok": not work.causes}
            print_document(document, "instances", spool.rows())
        elif not work.count:
            say("no instances: the inventory is empty, or none has the label")
        else:
            say(", ".join(f"{count:,} {state}" for state, count in sorted(states.items())))
    say_unread(work.exit_code)
    if interrupted:
        raise KeyboardInterrupt
    return work.exit_code


def _print_refreshed(result: RefreshedInstance) -> None:
    website = result.instance.website_url or "(the service names no address)"
    languages = " ".join(result.instance.website_languages or ()) or "(no languages)"
    detail = result.problem.reason if result.problem else f"{printable(website)}  {languages}"
    click.echo(f"{result.state:<10}  {result.instance.display_name}  - {detail}")


YES = click.option("--yes", is_flag=True, help="Do not ask for confirmation. Required without a terminal.")


@instances.command()
@YES
@click.argument("names", nargs=-1, required=True)
def remove(names: tuple[str, ...], yes: bool) -> int:
    """Take instances out of the inventory, by name or keyed hash. Nothing is sent to the service.

    awning keeps them, with their authCodes: `awning instances restore` puts them back, `purge` deletes them for good.
    """
    inventory = open_stores(os.environ).inventory
    chosen = inventory.chosen(names)
    question = f"Remove {plural(len(chosen), 'instance')}? Nothing is published there any more."
    if not is_confirmed(question, yes=yes, names=[instance.display_name for instance in chosen]):
        return Exit.FINDINGS
    for instance in chosen:
        inventory.remove(instance)
        click.echo(f"{instance.display_name}: removed")
    return Exit.DONE


@instances.command()
@click.argument("names", nargs=-1, required=True)
def restore(names: tuple[str, ...]) -> None:
    """Put removed instances back, by name or keyed hash. A name that another instance has taken is dropped."""
    inventory = open_stores(os.environ).inventory
    for instance in inventory.select_removed(names):
        back = inventory.restore(instance)
        click.echo(f"{back.display_name}: restored")
        if back.name != instance.name:
            say(f'warning: the name "{instance.name}" belongs to another instance now')


@instances.command()
@YES
@click.argument("names", nargs=-1)
def purge(names: tuple[str, ...], yes: bool) -> int:
    """Delete removed instances for good, by name or keyed hash. Without names, delete all removed instances.

    Their authCodes are then lost, and the service does not send them again. So is what `awning probe` would put back.
    """
    inventory = open_stores(os.environ).inventory
    chosen = inventory.select_removed(names)
    if not chosen:
        say("nothing was removed")
        return Exit.DONE
    names_of_chosen = [instance.display_name for instance in chosen]
    if not is_confirmed(
        f"Delete {plural(len(chosen), 'instance')} for good?", yes=yes, names=names_of_chosen
    ):
        return Exit.FINDINGS
    inventory.purge(chosen)
    for instance in chosen:
        click.echo(f"{instance.display_name}: purged")
    return Exit.DONE


@instances.command()
@click.option("--decrypt", is_flag=True, help="Store every authCode plain again.")
@json_option
def rekey(decrypt: bool, as_json: bool) -> None:
    """Encrypt every stored authCode with the first key in AWNING_STATE_KEY, all or none.

    \b
    To change the key:
      1. AWNING_STATE_KEY="NEW OLD" on every machine, and restart the servers
      2. awning instances rekey
      3. AWNING_STATE_KEY="NEW"

    A new key: openssl rand -base64 32. Where servers and publishers have no AWNING_STATE_KEY, nothing is encrypted.
    """
    changed = open_stores(os.environ).inventory.rekey(decrypt=decrypt)
    done = "decrypted" if decrypt else "encrypted with the first key"
    sentence = f"{plural(changed, 'authCode')} {done}" if changed else f"every authCode is {done} already"
    print_result(as_json, sentence, ok=True, changed=changed)


def _document(instance: Instance) -> dict[str, Any]:
    return {
        "instance": instance.display_name,
        "name": instance.name,
        "key": instance.key,
        "languages": list(instance.languages),
        "labels": list(instance.labels),
        "website_url": instance.website_url,
        "website_languages": None if instance.website_languages is None else list(instance.website_languages),
        "refreshed_at": instance.refreshed_at,
        "pinned": instance.pinned,
    }
