"""An esbuild process that stays between builds, so that it reads and parses only what has changed.

For each different request esbuild has a context, in which it keeps the syntax trees of all files. When the same request
comes again, its context is rebuilt. A different request, such as that of another widget, gets its own context. If there
are too many contexts, the least recently used one ends.
"""

import json
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from awning.bundle.process import EsbuildProcess
from awning.bundle.protocol import Value
from awning.bundle.request import BundleRequest, BundleResult, build_request
from awning.bundle.run import check_names, read_answer
from awning.errors import ProgramUnusable
from awning.programs import Binary

MOST_CONTEXTS = 4
"""The maximum number of contexts at a time. Each keeps the syntax trees of its own files."""


@dataclass(slots=True)
class ResidentEsbuild:
    """Bundles with one process of esbuild until `end`. A process that has died is started again.

    Use it in one thread at a time.
    """

    esbuild: Binary
    _process: EsbuildProcess | None = None
    _contexts: "OrderedDict[str, int]" = field(default_factory=OrderedDict)
    """The key of each context, by the JSON text of its request. The most recently used context is last."""
    _keys: int = 0

    def bundle(self, request: BundleRequest, checkpoint: Callable[[], object] | None = None) -> BundleResult:
        """Bundle as `awning.bundle.bundle` does, and raise the same errors.

        While esbuild works, `checkpoint` is called again and again. If it raises an exception, the work is cancelled,
        and the exception is raised here. If the process has died, it is started again once.
        """
        if not request.entry_points:
            return BundleResult(outputs={})
        check_names(request)
        try:
            answer = self._ask(request, checkpoint)
        except ProgramUnusable:
            if self._process is None:  # esbuild could not even be started
                raise
            self.end()
            answer = self._ask(request, checkpoint)
        return read_answer(self.esbuild, request, answer)

    def end(self) -> None:
        """End the process. The next request starts another."""
        process, self._process = self._process, None
        self._contexts.clear()
        if process is not None:
            process.end()

    def _ask(self, request: BundleRequest, checkpoint: Callable[[], object] | None) -> Value:
        if self._process is None:
            self._process = EsbuildProcess(self.esbuild, resident=True)
        content = build_request(request)
        name = json.dumps(content)
        if name not in self._contexts:
            self._keys += 1
            refused = self._process.ask({**content, "context": True, "key": self._keys})
            if not isinstance(refused, dict) or "error" in refused or refused.get("errors"):
                return refused
            self._contexts[name] = self._keys
        self._contexts.move_to_end(name)
        while len(self._contexts) > MOST_CONTEXTS:
            _, oldest = self._contexts.popitem(last=False)
            self._process.ask({"command": "dispose", "key": oldest})
        if checkpoint is None:
            return self._process.ask({"command": "rebuild", "key": self._contexts[name]})
        return self._process.rebuild(self._contexts[name], checkpoint)
