"""The check of one workspace, again and again, while its author types.

Everything that it works out is in a build session, as in `awning dev`, so that a change costs only what it reaches.
Nothing is written in the workspace.
"""

import asyncio
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from awning.pipeline.build_session import BuildSession, build_session
from awning.pipeline.incremental import inspect_in
from awning.pipeline.phases import BuildOptions
from awning.pipeline.read import BuildCancelled, Checkpoint
from awning.pipeline.verdict import Verdict


def _one_thread() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=1, thread_name_prefix="awning-check")


@dataclass(slots=True)
class WorkspaceCheck:
    """The check of the workspace at `root`. Its session belongs to one thread, which does one inspection at a time."""

    root: Path
    environ: Mapping[str, str]
    _latest: int = 0
    _thread: ThreadPoolExecutor = field(default_factory=_one_thread)
    _opened: ExitStack = field(default_factory=ExitStack)
    _session: BuildSession | None = None

    def overtake(self) -> None:
        """Let the inspection that runs end at its next checkpoint, because what it looks at is out of date."""
        self._latest += 1

    async def inspect(self, unsaved: Mapping[str, bytes], *, only: tuple[str, ...] = ()) -> Verdict | None:
        """Return the verdict, with `unsaved` in place of files. None when it was overtaken.

        With names of widgets in `only`, it is that on these widgets, and comes much sooner. Raises ConfigurationError
        as `inspect_workspace` does.
        """
        self.overtake()
        mine = self._latest
        checkpoint = Checkpoint(lambda: self._latest != mine)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._inspect, unsaved, only, checkpoint)
        except BuildCancelled:
            return None

    def _inspect(
        self, unsaved: Mapping[str, bytes], only: tuple[str, ...], checkpoint: Checkpoint
    ) -> Verdict:
        checkpoint.check()
        if self._session is None:
            self._session = self._opened.enter_context(build_session(self.root, writes=False))
        self._session.sources.unsaved = unsaved
        # Editors ask TypeScript's own server for type errors.
        options = BuildOptions(only=only, adds=bool(only), types=False, checkpoint=checkpoint)
        return inspect_in(self._session, options, self.environ)

    def has_source(self, path: str) -> bool:
        """Return whether the last inspection looked at the file at a path."""
        return self._session is not None and self._session.sources.is_known(path)

    def end(self) -> None:
        """End the programs of the session, and wait for that."""
        self.overtake()
        self._thread.submit(self._opened.close)
        self._thread.shutdown()
