"""`awning emulator`: writes svcPlugins as one self-contained script, or as a module for unit tests."""

from collections.abc import Mapping
from pathlib import Path

import click

from awning.bundle.emulator import emulator_module, emulator_script
from awning.bundle.run import find_esbuild
from awning.contract import Dialect
from awning.errors import ConfigurationError


@click.command()
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="File to write: a script.")
@click.option(
    "--module",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write: a module for Node, with types.",
)
@click.option("--no-minify", is_flag=True, help="Keep it readable.")
@click.option(
    "--global",
    "global_object",
    default=Dialect().global_object,
    show_default=True,
    help="Name of the service's global.",
)
def emulator(out: Path | None, module: Path | None, *, no_minify: bool, global_object: str) -> None:
    """Write svcPlugins, as the service runs it, as one self-contained script or as a module for unit tests.

    The script also defines awningEmulator: configure(assumptions), host(container, event, params),
    fire(event, updatedItem), trace(). The module exports install(window), which defines svcPlugins and awningEmulator
    on a window, and returns them.
    """
    if (out is None) == (module is None):
        raise ConfigurationError(
            "the emulator is written to a file or to a folder", hint="-o emulator.js, or --module DIR"
        )
    if not global_object.isidentifier():
        raise ConfigurationError(
            f"{global_object!r} cannot be the name of a global", hint="give a JavaScript identifier"
        )
    esbuild, dialect = find_esbuild(), Dialect(global_object=global_object)
    if out is not None:
        _write({out: emulator_script(esbuild, dialect=dialect, minify=not no_minify)})
    elif module is not None:
        files = emulator_module(esbuild, dialect=dialect, minify=not no_minify)
        _write({module / path: text.encode() for path, text in files.items()})


def _write(files: Mapping[Path, bytes]) -> None:
    """Write the files. Raises ConfigurationError when one cannot be written."""
    for path, content in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        except OSError as error:
            raise ConfigurationError(f"{path} cannot be written: {error.strerror}") from error
