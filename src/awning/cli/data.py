"""`awning data`: the app data of instances, read, checked and written through the Apps API."""

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from awning.cli.data_check import check
from awning.cli.expected_data import data_findings, expected_data
from awning.cli.report import say
from awning.cli.service_settings import chosen_profile, open_access, open_state, service_options
from awning.client import Calling, Client, Transport, apps, decode_app_data, encode_app_data
from awning.diagnostics import Severity
from awning.errors import BadAnswer, ConfigurationError, Faulty, ServiceError
from awning.publish import Instance, Inventory


@click.group()
def data() -> None:
    """Read, check or write the app data of instances."""


data.add_command(check)


@data.command()
@service_options
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Wrapped in a document with schema_version.")
def get(base_url: str | None, profile: str | None, name: str, as_json: bool) -> None:
    """Print the app data stored for the instance NAME, as JSON."""
    instance = _instance(name)
    with _client(base_url, profile) as client:
        stored = decode_app_data(client.run(apps.get_data(instance.code)))
    document = {"schema_version": 1, "instance": instance.shown, "data": stored} if as_json else stored
    click.echo(json.dumps(document, ensure_ascii=False, indent=None if as_json else 2))


@data.command(name="set")
@service_options
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, allow_dash=True, path_type=Path))
@click.option("--force", is_flag=True, help="Store also what does not fit dist/data.schema.json.")
def set_(base_url: str | None, profile: str | None, name: str, file: Path, force: bool) -> None:
    """Store the JSON object in FILE (or - for standard input) for the instance NAME, and read it back.

    It must fit dist/data.schema.json, the settings that the last build's widgets read; what does not is refused with
    exit code 1, and nothing is sent. With --force it is stored all the same: for a release that is yet to come.
    """
    given, text = _object(file)
    encoded = encode_app_data(given)
    _hold(given, text, "<stdin>" if str(file) == "-" else str(file), force=force)
    instance = _instance(name)
    with _client(base_url, profile) as client:
        problem = _set_data(client, instance, encoded)
        now = client.run(apps.get_data(instance.code))
    if now != encoded and decode_app_data(now) != json.loads(encoded):
        raise problem or BadAnswer("set_data: accepted, but something else reads back", call="set_data")
    click.echo(f"{instance.shown}: stored, {len(encoded)} bytes")


def _hold(given: Any, text: str, path: str, *, force: bool) -> None:
    app = expected_data()
    if app is None:
        say("note: not checked, since there is no dist/data.schema.json here (awning build)")
        return
    found = list(data_findings(given, text, path, app))
    if found and not force:
        raise Faulty(found, hint="nothing was sent; --force stores it all the same")
    for one in found:
        say(replace(one, severity=Severity.WARNING).render())


def _set_data(client: Client, instance: Instance, encoded: str) -> ServiceError | None:
    """Send it; a result that only reading back can tell is given back, not raised."""
    try:
        client.run(apps.set_data(instance.code, encoded))
    except ServiceError as problem:
        if not problem.unclear:
            raise
        return problem
    return None


def _instance(name: str) -> Instance:
    return Inventory.open(open_state(os.environ)).chosen([name])[0]


def _client(base_url: str | None, profile: str | None) -> Client:
    access = open_access(base_url, chosen_profile(profile, os.environ), os.environ)
    return Client(Calling(access=access), Transport(access, environ=os.environ))


def _object(file: Path) -> tuple[Any, str]:
    """App data is one JSON object, keyed by widget name. Its values, and its text."""
    try:
        text = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8-sig")
        value = json.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise ConfigurationError(f"{file} is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise ConfigurationError(
            f"{file} does not hold a JSON object", hint='app data is keyed by widget: {"my-widget": {}}'
        )
    return value, text
