"""The runtime's TypeScript, and JSON Schemas of widget.toml and states.toml, for editors.

With the TypeScript, `awning` resolves in the editor as in the build: the workspace's tsconfig.json points to it.
"""

import json
from pathlib import Path

from awning.jsrc import jsrc_root
from awning.pipeline.cache.toolchain import EDITORS, STAMP, package_stamp
from awning.workspace.schemas import editor_schemas


def write_runtime_sources(workspace_root: Path) -> None:
    """Write them, unless those of this version of awning are there."""
    types = workspace_root / ".awning" / "types"
    stamp = workspace_root / STAMP
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == package_stamp():
        return
    jsrc = jsrc_root()
    for room in EDITORS:
        for source in sorted((jsrc / room).rglob("*.ts")):
            target = types / source.relative_to(jsrc)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(source.read_bytes())
    for name, schema in editor_schemas().items():
        (types / name).write_text(json.dumps(schema, indent=2) + "\n", encoding="utf-8")
    stamp.write_text(package_stamp(), encoding="utf-8")
