"""`awning emulator`: svcPlugins as one self-contained script.

Apart from the harness because a page of any kind can be tested with that one file: load it in the head, call
`awningEmulator.host(...)` where the storefront would, read `awningEmulator.trace()`.
"""

import json
from pathlib import Path

import click

from awning.bundle import BundleRequest, EntryPoint, Esbuild, bundle, find_esbuild
from awning.contract import Dialect
from awning.errors import ConfigurationError
from awning.jsrc import jsrc_root

TARGET = ("es2022",)
"""The emulator runs in a developer's browser, which is newer than a shopper's."""


def emulator_script(esbuild: Esbuild, *, dialect: Dialect | None = None, minify: bool = True) -> bytes:
    """The emulator as a script that defines the dialect's global and `awningEmulator`."""
    jsrc = jsrc_root()
    request = BundleRequest(
        entry_points=(EntryPoint(name="emulator", path=jsrc / "emulator" / "index.ts"),),
        root=jsrc,
        jsrc=jsrc,
        defines={"AWNING_GLOBAL_NAME": json.dumps((dialect or Dialect()).global_object)},
        minify=minify,
        source_maps=False,
        target=TARGET,
    )
    return bundle(esbuild, request).outputs["emulator"].code


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
