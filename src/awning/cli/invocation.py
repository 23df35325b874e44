"""How the reader of a hint can type `awning`: by name where it is on the search path, else by its place."""

import shutil
import sys
from pathlib import Path


def awning_command() -> str:
    """`awning`, or the path of this environment's own."""
    own = Path(sys.executable).with_name("awning")
    if shutil.which("awning") or not own.exists():
        return "awning"
    return str(own)
