"""`awning instances`: the inventory, where the app is installed. No authCode is an argument or an output."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path

import click

from awning.cli.service_settings import open_state
from awning.errors import ConfigurationError
from awning.publish import Instance, Inventory, from_csv, to_csv


@click.group()
def instances() -> None:
    """The inventory: where the app is installed."""


@instances.command()
@click.option("--name", help="What to call it. Without a name it is shown by a keyed hash.")
@click.option("--languages", default="", help='Publish only these, such as "lv en".')
@click.option("--labels", default="", help="Words separated by spaces.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def add(name: str | None, languages: str, labels: str, as_json: bool) -> None:
    """Add an instance; its authCode comes from AWNING_AUTH_CODE or standard input."""
    inventory = Inventory.open(open_state(os.environ))
    given = inventory.instance(_auth_code(), name=name, languages=languages, labels=labels)
    known = next((i for i in inventory.all() if i.key == given.key), None)
    instance = _over(known, given) if known else given
    inventory.put([instance])
    if as_json:
        click.echo(json.dumps({"schema_version": 1, "added": known is None, **_shown(instance)}))
    else:
        click.echo(f"{instance.shown}: {'changed' if known else 'added'}")


@instances.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def list_(as_json: bool) -> None:
    """Show all instances, by name or keyed hash."""
    found = Inventory.open(open_state(os.environ)).all()
    if as_json:
        click.echo(
            json.dumps({"schema_version": 1, "instances": [_shown(i) for i in found]}, ensure_ascii=False)
        )
        return
    width = max((len(i.shown) for i in found), default=0)
    for instance in found:
        languages = " ".join(instance.languages) or "(all)"
        click.echo(f"{instance.shown:<{width}}  {languages}  {' '.join(instance.labels)}".rstrip())
    if not found:
        click.echo("no instances: add one with `awning instances add`", err=True)


@instances.command(name="import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
def import_(file: Path) -> None:
    """Add or change instances from a CSV file: auth_code, languages, name, labels."""
    inventory = Inventory.open(open_state(os.environ))
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{file} cannot be read as UTF-8 text ({type(error).__name__})") from None
    added, changed = inventory.put(from_csv(text, inventory, path=str(file)))
    click.echo(f"{added} added, {changed} changed")


@instances.command()
@click.argument("file", type=click.Path(dir_okay=False, allow_dash=True, path_type=Path), required=False)
def export(file: Path | None) -> None:
    """Write all instances, authCodes included, to a CSV file that only you can read, or into a pipe."""
    text = to_csv(Inventory.open(open_state(os.environ)).all())
    if file is not None and str(file) != "-":
        descriptor = os.open(file, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
        file.chmod(0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as out:
            out.write(text)
    elif sys.stdout.isatty():
        raise ConfigurationError("authCodes are secrets and do not go to a terminal", hint="name a file")
    else:
        click.echo(text, nl=False)


@instances.command()
@click.argument("names", nargs=-1, required=True)
def remove(names: tuple[str, ...]) -> None:
    """Forget instances, by name or keyed hash. Nothing is sent to the service."""
    inventory = Inventory.open(open_state(os.environ))
    for instance in inventory.chosen(names):
        inventory.remove(instance)
        click.echo(f"{instance.shown}: removed")


def _auth_code() -> str:
    code = os.environ.get("AWNING_AUTH_CODE", "").strip()
    if code:
        return code
    if sys.stdin.isatty():
        return str(click.prompt("authCode", hide_input=True, err=True)).strip()
    code = sys.stdin.read(4096).strip()
    if not code:
        raise ConfigurationError(
            "there is no authCode", hint="set AWNING_AUTH_CODE, or write it to standard input"
        )
    return code


def _over(known: Instance, given: Instance) -> Instance:
    """What was given, over what is known."""
    return replace(
        known,
        name=given.name or known.name,
        languages=given.languages or known.languages,
        labels=given.labels or known.labels,
    )


def _shown(instance: Instance) -> dict[str, object]:
    return {
        "instance": instance.shown,
        "name": instance.name,
        "key": instance.key,
        "languages": list(instance.languages),
        "labels": list(instance.labels),
    }
