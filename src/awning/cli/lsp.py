"""`awning lsp`: the check's findings and fixes in editors."""

import os

import click

from awning.cli.termination import input_that_signals_end
from awning.contract import Exit


@click.command()
@click.option(
    "--stdio", is_flag=True, help="Use standard input and output, as it does anyway; editors add it."
)
def lsp(*, stdio: bool) -> int:
    """Give an editor the findings of awning check and their fixes, over the Language Server Protocol.

    An editor starts it. It checks what the editor shows, saved or not, and writes no file. Type errors come from
    TypeScript's own server.

    \b
    awning lsp       on standard input and output
    """
    del stdio
    from awning.language_server.server import serve_editor  # noqa: PLC0415 - needs the extra

    with input_that_signals_end("an editor"):
        serve_editor(os.environ)
    return Exit.DONE
