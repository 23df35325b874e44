"""Bundles all entry points with one esbuild process, once or at each request, and finds a script's first syntax error.

Nothing is written. A process that stays between builds reads and parses only what has changed: for each different
request esbuild has a context, in which it keeps the syntax trees of all files. When the same request comes again, its
context is rebuilt. A different request, such as that of another widget, gets its own context. If there are too many
contexts, the least recently used one ends.
"""

import json
import os
import posixpath
import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from awning.bundle.esbuild_messages import read_diagnostics
from awning.bundle.process import EsbuildProcess, build
from awning.bundle.protocol import ENCODING, ERRORS, Value
from awning.bundle.request import OUT, BundleRequest, BundleResult, Output, OutsideFile, build_request, wire
from awning.diagnostics import Diagnostic, Place, Severity
from awning.errors import ConfigurationError, Faulty, ProgramUnusable
from awning.programs import ESBUILD, Binary, find_program


def find_esbuild(environ: Mapping[str, str] = os.environ) -> Binary:
    """Return the esbuild to run. Raises ProgramUnusable as `find_program` does."""
    return find_program(ESBUILD, environ)


_OF_SCRIPTS = frozenset({"import-statement", "require-call", "dynamic-import", "require-resolve"})
_NO_FILES = ("<", "(")
"""The first characters of inputs that are not files: `<define:x>`, `(disabled):x`."""


def bundle(esbuild: Binary, request: BundleRequest) -> BundleResult:
    """Bundle all entry points.

    Raises Faulty when esbuild reports errors: it holds them and the warnings, mapped to the author's files. Raises
    Faulty also when a script imports a style sheet. Raises ConfigurationError when esbuild refuses the request,
    ProgramUnusable when it does not run or answers as another version does. Raises ValueError when the names of the
    entry points are not plain and unique.
    """
    if not request.entry_points:
        return BundleResult(outputs={})
    check_names(request)
    return read_answer(esbuild, request, build(esbuild, build_request(request)))


def read_answer(esbuild: Binary, request: BundleRequest, answer: Value) -> BundleResult:
    """Return the result in esbuild's answer to a request.

    Raises Faulty, ConfigurationError or ProgramUnusable as `bundle` does.
    """
    if not isinstance(answer, dict):
        raise ProgramUnusable(f"{esbuild.path} does not answer as esbuild {ESBUILD.version} does")
    if "error" in answer:
        raise ConfigurationError(f"esbuild refuses the request: {answer['error']}")
    errors = read_diagnostics(answer["errors"], Severity.ERROR, request.author_path)
    warnings = (
        *_other_version(esbuild),
        *read_diagnostics(answer["warnings"], Severity.WARNING, request.author_path),
    )
    if errors:
        raise Faulty((*errors, *warnings))
    files = cast("list[dict[str, Value]]", answer["outputFiles"])
    contents = {str(file["path"]).replace("\\", "/"): cast("bytes", file["contents"]) for file in files}
    inputs = _inputs(cast("bytes", answer["metafile"]).decode(ENCODING, ERRORS))
    return BundleResult(
        outputs=_outputs(request, contents),
        outside=tuple(_outside_files(request, inputs)),
        diagnostics=warnings,
        reads=_reads(request, inputs),
        unresolved=frozenset(
            name
            for name, details in inputs.items()
            if any(
                imported.get("external") and imported["kind"] in _OF_SCRIPTS
                for imported in details["imports"]
            )
        ),
    )


def _is_below(path: str) -> bool:
    """Return whether an input is a file below the root."""
    return not path.startswith(("../", *_NO_FILES))


def _reads(request: BundleRequest, inputs: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the files below the root that are bundled into each output, by the output's name."""
    imports = {name: tuple(_imported(name, inputs)) for name in inputs if _is_below(name)}
    root = wire(request.root)
    return {
        entry.name: tuple(_reached(posixpath.relpath(wire(entry.path), root), imports))
        for entry in request.entry_points
    }


def _reached(entry: str, imports: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """Yield the entry point and the files that it imports, directly or through others."""
    waiting, seen = [entry], {entry}
    while waiting:
        path = waiting.pop()
        yield path
        further = [name for name in imports.get(path, ()) if name not in seen]
        seen.update(further)
        waiting += further


def _imported(name: str, inputs: Mapping[str, Any]) -> Iterator[str]:
    """Yield the inputs below the root that an input imports.

    For a path that is made at run time, such as `require("./data/" + code + ".json")`, esbuild names only its pattern:
    `./data/**/*.json`. All inputs that begin as the pattern does are yielded then.
    """
    for imported in inputs[name]["imports"]:
        path = str(imported["path"])
        if "*" not in path or path in inputs:
            yield from (path,) if _is_below(path) else ()
            continue
        folder, _, begin = path.partition("*")[0].rpartition("/")
        prefix = posixpath.normpath(posixpath.join(posixpath.dirname(name), folder)) + f"/{begin}"
        yield from (path for path in inputs if path.startswith(prefix) and _is_below(path))


def _inputs(metafile: str) -> Mapping[str, Any]:
    """Return the inputs of esbuild's metafile. Its outputs are not parsed."""
    inputs: Mapping[str, Any] = json.JSONDecoder().raw_decode(metafile, metafile.index("{", 1))[0]
    return inputs


def _outside_files(request: BundleRequest, inputs: Mapping[str, Any]) -> Iterator[OutsideFile]:
    """Yield the outside files among the inputs of esbuild's metafile."""
    root = wire(request.root)
    homes = tuple(f"{wire(folder.resolve())}/" for folder in (request.root, request.jsrc))
    for importer, details in inputs.items():
        for imported in details["imports"]:
            name = imported["path"]
            path = posixpath.normpath(posixpath.join(root, str(name)))
            if name in inputs and not name.startswith(_NO_FILES) and not path.startswith(homes):
                specifier = str(imported.get("original", name))
                yield OutsideFile(path=path, importer=request.author_path(importer), specifier=specifier)


def check_names(request: BundleRequest) -> None:
    """Raise ValueError when the names of the entry points are not relative, plain and unique.

    Outputs of the same name would overwrite each other, and the output of a name such as `../x` would not be found.
    """
    names = [entry.name for entry in request.entry_points]
    strange = [name for name in names if posixpath.normpath(name) != name or name.startswith(("../", "/"))]
    if strange or len(set(names)) != len(names):
        raise ValueError(f"entry names must be relative, plain and unique: {strange or names}")


def _other_version(esbuild: Binary) -> tuple[Diagnostic, ...]:
    if esbuild.version == ESBUILD.version:
        return ()
    return (
        Diagnostic(
            rule="esbuild-version",
            message=f"AWNING_ESBUILD names esbuild {esbuild.version}; awning is tested with {ESBUILD.version}",
            hint="the bytes of a snippet may differ from those that another machine builds",
        ),
    )


def _outputs(request: BundleRequest, contents: Mapping[str, bytes]) -> dict[str, Output]:
    out = posixpath.join(wire(request.root), OUT)
    outputs: dict[str, Output] = {}
    strays: list[Diagnostic] = []
    for entry in request.entry_points:
        ending = ".css" if entry.path.suffix == ".css" else ".js"
        stem = posixpath.join(out, entry.name)
        if ending == ".js" and f"{stem}.css" in contents:
            strays.append(
                Diagnostic(
                    rule="style-import",
                    message="a script imports a style sheet, which would not reach the page",
                    place=Place(path=request.author_path(wire(entry.path))),
                    hint="put the rules into the widget's style.css: it is bundled, scoped and inserted automatically",
                )
            )
        map_ = contents.get(f"{stem}{ending}.map")
        outputs[entry.name] = Output(
            code=contents[stem + ending],
            source_map=None if map_ is None else _mapped(request, map_, posixpath.dirname(stem)),
        )
    if strays:
        raise Faulty(strays)
    return outputs


def _mapped(request: BundleRequest, source_map: bytes, folder: str) -> bytes:
    """Return the source map with the author's paths.

    `folder` is the folder that esbuild's `sources` are relative to.
    """
    content = json.loads(
        source_map.decode(errors="replace")
    )  # a source may be in a folder whose name is not UTF-8
    content["sources"] = [
        request.author_path(posixpath.join(folder, source)) for source in content["sources"]
    ]
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()


Loader = Literal["js", "jsx", "ts", "tsx"]

_LINE_END = re.compile(rb"\r\n|[\n\r]|\xe2\x80[\xa8\xa9]")
"""The line ends of JavaScript in UTF-8, which include U+2028 and U+2029."""


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """A syntax error: esbuild's message, and the byte offset in the script."""

    message: str
    offset: int


def syntax_fault(esbuild: Binary, code: bytes, loader: Loader) -> SyntaxFault | None:
    """Return the first syntax error in `code`; None without one. Raises ProgramUnusable when esbuild does not run."""
    answer = build(
        esbuild,
        {
            "command": "transform",
            "flags": ["--color=false", "--log-level=silent", "--log-limit=1", f"--loader={loader}"],
            "inputFS": False,
            "input": code,
        },
    )
    errors = answer.get("errors") if isinstance(answer, dict) else None
    first = next(iter(cast("list[dict[str, object]]", errors or [])), None)
    if first is None:
        return None
    message, location = str(first["text"]), cast("dict[str, int] | None", first["location"])
    if location is None:
        return SyntaxFault(message, 0)
    starts = [0, *(match.end() for match in _LINE_END.finditer(code))]
    return SyntaxFault(message, min(starts[location["line"] - 1] + location["column"], len(code)))


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
        """Bundle as `bundle` does, and raise the same errors.

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
