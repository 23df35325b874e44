"""The time to compile 1000 templates (parse, escape, emit, source map, types of variables), and to find them unchanged.

    python -m benchmarks.templates.measure [--templates 1000] [--rounds 5] [--json]

The templates are those of the reference widgets and of other benchmarks in turn, each under a path of its own. They are
compiled in one process. The figures are wall and processor time, the best of the rounds.

    compiled    the compiler alone
    declared    as in a first build: the modules are cached, and .awning/types gets the declarations for editors
    unchanged   the same again: all modules come from the cache

Goal: 1000 templates are compiled in under 2 s.
"""

import argparse
import json
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from awning.contract import Dialect
from awning.pipeline.cache.memory import Memory
from awning.pipeline.compile import compile_templates
from awning.pipeline.editor import write_template_types
from awning.pipeline.read import SourceFile
from awning.template.compile import compile_template

ROOT = Path(__file__).parents[2]
SOURCES = (
    "benchmarks/render/cart.html.j2",
    "benchmarks/size/widgets/saving/view.html.j2",
    "widgets/delivery-estimate/view.html.j2",
    "widgets/free-shipping-bar/view.html.j2",
)


def timed(act: Callable[[], object]) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    act()
    return time.perf_counter() - wall, time.process_time() - cpu


def measure(count: int, rounds: int) -> dict[str, dict[str, float]]:
    texts = [(ROOT / source).read_bytes() for source in SOURCES]
    paths = [f"widgets/w{number}/view.html.j2" for number in range(count)]
    files = {path: SourceFile(path, texts[number % len(texts)]) for number, path in enumerate(paths)}
    compile_template("<p>{{ a }}</p>", path="warm")
    folder = Path(tempfile.mkdtemp(prefix="awning-templates-"))

    def compiled() -> None:
        for path, file in files.items():
            compile_template(file.text, path=path)

    def declared() -> None:
        memory = Memory(folder / "results.sqlite")
        modules = compile_templates(files, memory, dialect=Dialect())
        memory.save()
        memory.close()
        write_template_types(folder, modules, {}, all_templates=True)

    times: dict[str, list[tuple[float, float]]] = {"compiled": [], "declared": [], "unchanged": []}
    try:
        for _ in range(rounds):
            times["compiled"].append(timed(compiled))
            shutil.rmtree(folder)
            folder.mkdir()
            times["declared"].append(timed(declared))
            times["unchanged"].append(timed(declared))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return {name: {"wall": min(wall), "cpu": min(cpu)} for name, (wall, cpu) in transposed(times).items()}


def transposed(times: dict[str, list[tuple[float, float]]]) -> dict[str, tuple[tuple[float, ...], ...]]:
    return {name: tuple(zip(*rounds, strict=True)) for name, rounds in times.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--templates", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    best = measure(options.templates, options.rounds)
    if options.json:
        rounded = {name: {key: round(value, 3) for key, value in took.items()} for name, took in best.items()}
        print(json.dumps({"schema_version": 1, "templates": options.templates, "seconds": rounded}))
        return
    print(f"{options.templates} templates, seconds    wall    cpu")
    for name, took in best.items():
        print(f"{name:<26}{took['wall']:6.2f} {took['cpu']:6.2f}")


if __name__ == "__main__":
    main()
