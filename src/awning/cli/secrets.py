"""Reads a secret that the user enters for one command."""

import os
import sys

import click

from awning.client import Secret
from awning.errors import ConfigurationError

secret_env_option = click.option(
    "--secret-env",
    default="AWNING_APP_SECRET",
    show_default=True,
    metavar="NAME",
    help="The environment variable that holds the app secret.",
)


def secret_in(variable: str) -> Secret:
    """Return the secret in an environment variable. Raises ConfigurationError when it has none."""
    secret = os.environ.get(variable, "")
    if not secret:
        raise ConfigurationError(f"the environment variable {variable} is not set or is empty")
    return Secret(secret)


def read_secret(variable: str, name: str, *, confirm: bool = False) -> str:
    """Read a secret from the environment variable, the terminal, or standard input.

    With `confirm`, the terminal asks for it twice. Raises ConfigurationError when standard input is empty.
    """
    secret = os.environ.get(variable, "").strip()
    if secret:
        return secret
    if sys.stdin.isatty():
        return str(click.prompt(name, hide_input=True, confirmation_prompt=confirm, err=True)).strip()
    secret = sys.stdin.read(4096).strip()
    if not secret:
        raise ConfigurationError(f"there is no {name}", hint=f"set {variable}, or write it to standard input")
    return secret
