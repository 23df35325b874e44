"""How many carts of 20 lines a template renders per second in Chromium: awning, code by hand, and the usual engines.

    python -m benchmarks.render.measure [--rounds 61] [--milliseconds 5] [--json]

awning's template and the code by hand are bundled and minified as in a snippet. nunjucks, Handlebars and Eta compile
their templates before anything is timed. First, all must render the same text. Then they take turns of a few
milliseconds. A rate is that of the best round, which is the least disturbed one. A ratio is the median of the rounds'
ratios; beside it is the ratio of the best rounds, which a busy machine changes less.

Goals: at least as fast as Eta on all data, at most 1.35 times the time of the code by hand on clean data, and faster
than "test first" on dirty data.
"""

import argparse
import json
import os
import shutil
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.peers import ETA, HANDLEBARS, NUNJUCKS, install
from playwright.sync_api import sync_playwright

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.jsrc import jsrc_root
from awning.template.compile import compile_template
from awning_harness.browser import find_browser, launch_arguments

HERE = Path(__file__).parent
KINDS = ("clean", "mixed", "dirty")
OWN = {"awning": "cart.html.j2", "hand-written": "handwritten.ts", "test first": "test_first.ts"}
COMPILED = {"nunjucks": "cart.html.j2", "Handlebars": "cart.hbs", "Eta": "cart.eta"}


def scripts(folder: Path) -> list[str]:
    """Return the scripts of the page, in order. Each of our own is bundled alone, so that no two share a function."""
    for file in HERE.glob("*.ts"):
        shutil.copy(file, folder)
    install((NUNJUCKS, HANDLEBARS, ETA), folder)
    source = (HERE / "cart.html.j2").read_text(encoding="utf-8").strip()
    compiled = compile_template(source, path="cart.html.j2")
    (folder / "cart.html.j2").write_text(compiled.code, encoding="utf-8")
    for number, (name, module) in enumerate(OWN.items()):
        entry = f'import render from "./{module}";\n(globalThis.peers ??= {{}})["{name}"] = render;\n'
        (folder / f"own{number}.ts").write_text(entry, encoding="utf-8")
    stems = [*(f"own{number}" for number in range(len(OWN))), "compiled", "contest"]
    request = BundleRequest(
        entry_points=tuple(EntryPoint(stem, folder / f"{stem}.ts") for stem in stems),
        root=folder,
        jsrc=jsrc_root(),
        defines={"AWNING_PLACEHOLDER_PREFIX": '"svc_"'},
        source_maps=False,
    )
    outputs = bundle(find_esbuild(), request).outputs
    return [outputs[stem].code.decode() for stem in stems]


def measure(rounds: int, milliseconds: float) -> dict[str, dict[str, list[float]]]:
    """Return renderings per second, by kind of data, peer and round. Each kind of data has a page of its own."""
    browser_file = find_browser()
    assert browser_file is not None, "no Chromium on this machine"
    sources = {name: (HERE / file).read_text(encoding="utf-8").strip() for name, file in COMPILED.items()}
    rates = {}
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        run = scripts(Path(folder).resolve())
        browser = playwright.chromium.launch(executable_path=browser_file.path, args=launch_arguments())
        for kind in KINDS:
            page = browser.new_page()
            for script in run:
                page.add_script_tag(content=script)
            page.evaluate(
                "(all) => { for (const name in all) peers[name] = compilers[name](all[name]); }", sources
            )
            rates[kind] = page.evaluate("(options) => contest(...options)", [kind, rounds, milliseconds])
            page.close()
        browser.close()
    return rates


def summary(rates: dict[str, list[float]]) -> dict[str, Any]:
    """Return the rows for one kind of data: the best rate of each peer, and how many times as fast awning is."""
    ours = rates["awning"]
    return {
        name: {
            "per_second": round(max(own)),
            "awning_median": round(median(b / a for a, b in zip(own, ours, strict=True)), 2),
            "awning_best": round(max(ours) / max(own), 2),
        }
        for name, own in rates.items()
    }


def table(kinds: dict[str, Any]) -> str:
    """Return the table of all kinds of data: each peer's rate, and how many times as fast awning is (median, best)."""
    lines = [f"{'cart of 20 lines':16}" + "".join(f"{kind + ' /s':>12} median   best" for kind in kinds)]
    for name in next(iter(kinds.values())):
        cells = [rows[name] for rows in kinds.values()]
        lines.append(
            f"{name:16}"
            + "".join(
                f"{cell['per_second']:>12,} {cell['awning_median']:>5.2f}x {cell['awning_best']:>5.2f}x"
                for cell in cells
            )
        )
    return "\n".join(lines)


def goals(kinds: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return the figures of the goals.

    They are how many times as fast as Eta and "test first" awning is, and its time relative to the code by hand.
    """
    hand, test_first = kinds["clean"]["hand-written"], kinds["dirty"]["test first"]
    return {
        **{
            f"eta_{kind}": {way: rows["Eta"][f"awning_{way}"] for way in ("median", "best")}
            for kind, rows in kinds.items()
        },
        "hand_written_clean": {way: round(1 / hand[f"awning_{way}"], 2) for way in ("median", "best")},
        "test_first_dirty": {way: test_first[f"awning_{way}"] for way in ("median", "best")},
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=61)
    parser.add_argument("--milliseconds", type=float, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    kinds = {kind: summary(rates) for kind, rates in measure(options.rounds, options.milliseconds).items()}
    ratios = goals(kinds)
    if options.json:
        print(
            json.dumps(
                {"schema_version": 1, "load": round(load, 1), "kinds": kinds, "goals": ratios}, indent=2
            )
        )
        return
    print(table(kinds))
    for kind in KINDS:
        eta = ratios[f"eta_{kind}"]
        print(f"{kind}: {eta['median']} x as fast as Eta, best {eta['best']} (goal: at least 1)")
    clean, dirty = ratios["hand_written_clean"], ratios["test_first_dirty"]
    print(f"clean: {clean['median']} x hand-written's time, best {clean['best']} (goal: at most 1.35)")
    print(f"dirty: {dirty['median']} x as fast as test first, best {dirty['best']} (goal: above 1)")
    print(f"load {load:.1f} on {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
