"""Where the state directory is, without making it."""

from collections.abc import Mapping
from pathlib import Path

from awning.workspace.root import find_workspace


def state_path(environ: Mapping[str, str], root: Path | None = None) -> Path:
    """AWNING_STATE_DIR, or `.awning/state` of the workspace (`root`, or the one around here)."""
    given = environ.get("AWNING_STATE_DIR")
    return Path(given) if given else (root or find_workspace(Path.cwd())) / ".awning" / "state"
