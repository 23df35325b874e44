"""Reads a secret that the user enters for one command."""

import os
import sys

import click

from awning.errors import ConfigurationError


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
