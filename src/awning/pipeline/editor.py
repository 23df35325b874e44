"""`.awning/types`: what an author's editor reads. May be deleted at any time; the next build writes it again.

The runtime's TypeScript, so that `awning` resolves in the editor as it does in the build (tsconfig.json of the
workspace points here), and JSON Schemas of widget.toml and states.toml.
"""

import json
from pathlib import Path

from awning.jsrc import jsrc_root
from awning.pipeline.tooling import EDITORS, STAMP, package_stamp
from awning.workspace.schemas import editor_schemas


def write_editor_files(workspace_root: Path) -> None:
    """Bring `.awning/types` to this version of awning; does nothing when it is there."""
    types = workspace_root / ".awning" / "types"
    stamp = workspace_root / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == package_stamp():
        return
    jsrc = jsrc_root()
    for room in EDITORS:
        for source in sorted((jsrc / room).rglob("*.ts")):
            _copy(source, types / source.relative_to(jsrc))
    for name, schema in editor_schemas().items():
        (types / name).write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8")
    stamp.write_text(package_stamp(), encoding="utf-8")


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(source.read_bytes())
