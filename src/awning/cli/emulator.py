"""`awning emulator`: writes svcPlugins as one self-contained script."""

from pathlib import Path

import click

from awning.bundle import find_esbuild
from awning.bundle.emulator import emulator_script
from awning.contract import Dialect
from awning.errors import ConfigurationError


@click.command()
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), required=True, help="File to write."
)
@click.option("--no-minify", is_flag=True, help="Keep it readable.")
@click.option(
    "--global",
    "global_object",
    default=Dialect().global_object,
    show_default=True,
    help="Name of the service's global.",
)
def emulator(out: Path, *, no_minify: bool, global_object: str) -> None:
    """Write svcPlugins, as the service runs it, as one self-contained script.

    The script also defines awningEmulator: configure(assumptions), host(container, event, params),
    fire(event, updatedItem), trace().
    """
    if not global_object.isidentifier():
        raise ConfigurationError(
            f"{global_object!r} cannot be the name of a global", hint="give a JavaScript identifier"
        )
    script = emulator_script(
        find_esbuild(), dialect=Dialect(global_object=global_object), minify=not no_minify
    )
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_bytes(script)
    except OSError as error:
        raise ConfigurationError(f"{out} cannot be written: {error.strerror}") from error
