"""What the builds of one workspace share: its files as last looked at, the memory, a temporary folder, programs.

`build` and `check` open a session for one build. `awning dev` and `build --watch` keep theirs, so esbuild and
TypeScript run on between two builds.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path

from awning.bundle.run import ResidentEsbuild
from awning.file_lock import exclusive, is_taken
from awning.pipeline.bundle import Bundler
from awning.pipeline.cache.memory import FILE, Memory, user_secret
from awning.pipeline.cache.toolchain import TYPES
from awning.pipeline.read import Checkpoint, KnownSources
from awning.pipeline.stage import StageFolder
from awning.pipeline.types.type_server import TypeServer
from awning.programs import Binary
from awning.template.compiled_template import CompiledTemplate
from awning.workspace.model import Workspace
from awning.workspace.reader import read_workspace

_MEMORY_FOLDER = "/dev/shm"  # noqa: S108 - the folder made in it is only this user's
_PREFIX = "awning-"
_IN_USE = "in-use"
"""The name of a file in the folder. The process that uses the folder holds the lock on it."""
_LEAST_FREE = 512 * 2**20
"""The space in bytes that the folder must have. A container has 64 MB there, too little for a thousand widgets."""


@dataclass(slots=True, kw_only=True)
class BuildSession:
    """What the builds of one workspace share. `folder` is a temporary folder, `lasts` is whether there are many builds.

    With `writes`, types for editors and remembered results are written below `.awning` in the workspace. Without
    it, nothing is written there.
    """

    folder: Path
    sources: KnownSources
    stage: StageFolder
    memory: Memory
    lasts: bool
    writes: bool
    types: Path
    """The folder with the types for editors, from which TypeScript reads."""
    type_server: TypeServer
    declared: dict[str, CompiledTemplate] = field(default_factory=dict)
    """The templates whose types the folder `types` is known to have."""
    _resident: ResidentEsbuild | None = None

    def read_workspace(self, environ: Mapping[str, str]) -> Workspace:
        """Look for changed files, and read the workspace. Raises as `awning.workspace.reader.read_workspace` does."""
        self.sources.look()
        return read_workspace(
            self.sources.root, environ=environ, known=self.sources.widgets, listed=self.sources.listed
        )

    def bundler(self, esbuild: Binary, checkpoint: Checkpoint) -> Bundler:
        """Return what runs esbuild."""
        if self.lasts and (self._resident is None or self._resident.esbuild != esbuild):
            if self._resident is not None:
                self._resident.end()
            self._resident = ResidentEsbuild(esbuild)
        return Bundler(esbuild, self._resident, checkpoint)

    def end(self) -> None:
        """End the programs."""
        if self._resident is not None:
            self._resident.end()
        self.type_server.end()
        self.memory.close()


@contextmanager
def build_session(root: Path, *, lasts: bool = True, writes: bool = True) -> Iterator[BuildSession]:
    """Yield a session for builds of the workspace at `root`. Its programs end with the `with` block.

    Its folder is in /dev/shm (main memory) if the system has it and there is space. Folders there whose process was
    killed are removed.
    """
    if os.access(_MEMORY_FOLDER, os.W_OK):
        remove_abandoned(Path(_MEMORY_FOLDER))
    is_usable = os.access(_MEMORY_FOLDER, os.W_OK) and shutil.disk_usage(_MEMORY_FOLDER).free > _LEAST_FREE
    folder_in = _MEMORY_FOLDER if is_usable else None
    root = root.resolve()
    with (
        tempfile.TemporaryDirectory(prefix=_PREFIX, dir=folder_in) as name,
        _marked_in_use(Path(name)) if is_usable else nullcontext(),
    ):
        folder = Path(name).resolve()
        types = root / TYPES if writes else folder / "written"
        session = BuildSession(
            folder=folder,
            sources=KnownSources(root),
            stage=StageFolder(folder / "stage"),
            memory=Memory(root / ".awning" / "cache" / FILE, user_secret()),
            lasts=lasts,
            writes=writes,
            types=types,
            type_server=TypeServer(folder=folder / "types", types=types),
        )
        try:
            yield session
        finally:
            session.end()


def remove_abandoned(parent: Path) -> None:
    """Remove the folders of this user in `parent` whose process was killed. It could not remove them."""
    for folder in parent.glob(f"{_PREFIX}*"):
        lock = folder / _IN_USE
        with suppress(OSError):  # another process removes the folder, or it is not this user's
            is_own = folder.lstat().st_uid == os.getuid() and not folder.is_symlink()
            if is_own and lock.is_file() and not is_taken(lock):
                shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _marked_in_use(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder. It gets its name when it is taken, so that nobody finds it free before."""
    new = folder / f"{_IN_USE}.new"
    with exclusive(new):
        new.rename(folder / _IN_USE)
        yield
