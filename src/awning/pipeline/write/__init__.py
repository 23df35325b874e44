"""Phase 7: the files of `dist/`, written whole or not at all.

dist_files    every file as a value: snippets, maps, manifest, data schema, report, record
maps          source maps that lead to each line of a template
script_bytes  how many bytes of a script come from which file
report        report.html
folder        the folder, replaced in one step
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from awning.build_record import BuildRecord
from awning.bundle import Output
from awning.pipeline.assemble import Snippet
from awning.pipeline.write.dist_files import dist_files
from awning.pipeline.write.folder import check_output_folder, write_folder
from awning.template.sourcemap import Literal
from awning.workspace import Workspace

__all__ = ["check_output_folder", "write_dist"]


def write_dist(
    out: Path,
    workspace: Workspace,
    *,
    record: BuildRecord,
    snippets: tuple[Snippet, ...],
    outputs: Mapping[str, Output],
    literals: Iterable[Literal],
) -> tuple[str, ...]:
    """Replace the folder `out` by this build. Returns the paths in it.

    Raises ConfigurationError when it cannot be written; `out` is then as it was.
    """
    files = dist_files(workspace, record, snippets, outputs, literals)
    write_folder(out, files)
    return tuple(files)
