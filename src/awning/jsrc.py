"""Finds `jsrc`, the folder with awning's own TypeScript: the runtime, its types, the emulator and more.

In a checkout the folder is beside `src`, in a wheel it is inside the package.
"""

from pathlib import Path

from awning.errors import ConfigurationError


def jsrc_root(package: Path = Path(__file__).parent) -> Path:
    """Return the folder with `runtime/`, `types/`, `emulator/`. `package` is awning's own folder.

    Raises ConfigurationError when the installation is incomplete.
    """
    for candidate in (package / "_jsrc", package.parent.parent / "jsrc"):
        if candidate.is_dir():
            return candidate
    raise ConfigurationError(
        f"awning's TypeScript sources are missing from {package}",
        hint="install awning again: the installation is incomplete",
    )
