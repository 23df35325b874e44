"""How many bytes a price widget is, gzip: awning, written by hand with care, and with the usual libraries.

    python -m benchmarks.size.measure [--parts] [--json]

`handwritten.html` is what an experienced developer would paste into the snippet field, minified as ours is;
`widgets/saving` is the same widget made with awning, built as it is shipped; `peers/` the same with lit-html, Preact
and nunjucks (precompiled, slim runtime), bundled by awning's own bundler, with the hand-written style. All are
asserted to show the same in Chromium, through base event and updates, before anything is weighed.
`handwritten_with_promises.html` is the smallest code by hand for this one widget that keeps what awning's runtime keeps
for any (`promises.py`); the second ratio is to that. `--parts` says which
part of awning's bytes comes from where, so that one sees what to cut. Goal: at most 1.25 times hand-written.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

from awning.pipeline.flat import flat_source
from benchmarks.peers import LIT_HTML, NUNJUCKS, PREACT, install
from benchmarks.size.parts import Part, breakdown, weight
from benchmarks.size.promises import PROMISES, broken
from playwright.sync_api import Browser, Page, sync_playwright

from awning.bundle import BundleRequest, Entry, bundle, find_esbuild
from awning.jsrc import jsrc_root
from awning_harness.browser import find_browser, launch_arguments

HERE = Path(__file__).parent
GOAL = 1.25
SAME = "hand-written, same promises"
PEERS = ("lit-html", "preact", "nunjucks")
PRECOMPILE = """(text) => {
  const env = new nunjucks.Environment([], { autoescape: true });
  return nunjucks.precompileString(text, { name: "saving", env });
}"""
SCRIPT = re.compile(r"<script>(.*)</script>", re.DOTALL)


def minified(text: str, loader: str) -> str:
    command = [str(find_esbuild().path), "--minify", "--charset=utf8", f"--loader={loader}"]
    return subprocess.run(
        command, input=text, capture_output=True, encoding="utf-8", check=True
    ).stdout.strip()


def handwritten(file: str) -> tuple[str, str]:
    """Its style element, which the peers have too, and the snippet."""
    text = (HERE / file).read_text(encoding="utf-8")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    element = f"<style>{minified(style[1], 'css')}</style>"
    return element, f"{element}<script>{minified(script_of(text), 'js')}</script>"


def script_of(html: str) -> str:
    found = SCRIPT.search(html)
    assert found is not None
    return found[1]


def built(folder: Path) -> Path:
    """Built in a copy: a build writes its cache beside the sources."""
    copy = shutil.copytree(HERE, folder / "workspace", ignore=shutil.ignore_patterns(".awning", "dist"))
    command = [sys.executable, "-c", "from awning.cli import main; main()", "build"]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    return copy / "dist"


def bundled(folder: Path, stems: tuple[str, ...]) -> dict[str, str]:
    entries = tuple(Entry(stem, folder / f"{stem}.ts") for stem in stems)
    request = BundleRequest(entries=entries, root=folder, jsrc=jsrc_root(), source_maps=False)
    outputs = bundle(find_esbuild(), request).outputs
    return {stem: outputs[stem].code.decode().strip().removesuffix(";") for stem in stems}


def peers(folder: Path, browser: Browser) -> dict[str, str]:
    """The scripts of the peers."""
    sources = shutil.copytree(HERE / "peers", folder / "peers")
    install((LIT_HTML, PREACT, NUNJUCKS), sources)
    (sources / "precompiled.js").write_text(precompiled(sources, browser), encoding="utf-8")
    return bundled(sources, PEERS)


def precompiled(sources: Path, browser: Browser) -> str:
    """nunjucks' own compiler is JavaScript: it runs in a page."""
    page = browser.new_page()
    page.add_script_tag(
        content=(sources / "node_modules/nunjucks/browser/nunjucks.js").read_text(encoding="utf-8")
    )
    template = (sources / "saving.njk").read_text(encoding="utf-8").strip()
    code: str = page.evaluate(PRECOMPILE, template)
    page.close()
    return code


def runtime_alone(folder: Path) -> str:
    """The script of a widget whose render function returns one word."""
    known = {"NAME": '"saving"', "ROOT": '"aw-1a2b3c"', "SLOT": '"afterPrice"'}
    nothing = {"INSERT": "null", "ON": "true", "BEGIN": "0", "GIVEN": "{}"}
    text = f'const render = () => "x";\n{flat_source(known | nothing)}'
    (folder / "alone.ts").write_text(text, encoding="utf-8")
    return bundled(folder, ("alone",))["alone"]


def assert_equal(snippets: dict[str, str], browser: Browser) -> None:
    scenes = {name: scene(html, browser.new_page()) for name, html in snippets.items()}
    wanted = scenes["hand-written"]
    assert all(wanted[at] for at in (0, 1, 3)), wanted
    for name, found in scenes.items():
        assert found == wanted, f"{name} shows {found}, hand-written {wanted}"


def scene(html: str, page: Page) -> list[str]:
    page.add_script_tag(content=(HERE / "page.js").read_text(encoding="utf-8"))
    page.add_script_tag(content=script_of(html))
    found: list[str] = page.evaluate("() => scene()")
    page.close()
    return found


def measure(folder: Path) -> tuple[dict[str, str], dict[str, list[Part]], tuple[str, ...]]:
    """Every snippet by name, the parts of awning's, and the promises that are broken by hand."""
    found = find_browser()
    assert found is not None, "no Chromium on this machine"
    dist = built(folder)
    style, hand = handwritten("handwritten.html")
    _, careful = handwritten("handwritten_with_promises.html")
    ours = {
        "hand-written": hand,
        SAME: careful,
        "awning, lv": (dist / "lv/body.html").read_text(encoding="utf-8"),
        "awning, default": (dist / "body.html").read_text(encoding="utf-8"),
    }
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.path, args=launch_arguments())
        theirs = {name: f"{style}<script>{code}</script>" for name, code in peers(folder, browser).items()}
        assert_equal(ours | theirs, browser)
        for name in (SAME, "awning, lv", "awning, default"):
            missed = broken(script_of(ours[name]), browser)
            assert not missed, f"{name} does not keep: {missed}"
        left = broken(script_of(hand), browser)
        browser.close()
    html = ours["awning, lv"]
    apart = breakdown(html, script_of(html), (dist / "maps/lv/body.js.map").read_bytes())
    alone = {"awning's runtime": f"<script>{runtime_alone(folder)}</script>"}
    return ours | theirs | alone, apart, left


def rows(snippets: dict[str, str]) -> dict[str, dict[str, Any]]:
    anchors = {"ratio": weight(snippets["hand-written"]), "ratio_same_promises": weight(snippets[SAME])}
    return {
        name: {"raw": len(html.encode()), "gzip": weight(html)}
        | {key: round(weight(html) / anchor, 2) for key, anchor in anchors.items()}
        for name, html in snippets.items()
    }


def table(found: dict[str, dict[str, Any]], left: tuple[str, ...]) -> str:
    lines = [f"{'price widget':29}{'raw':>8}{'gzip':>8}{'ratio':>8}{'to same promises':>18}"]
    lines += [
        f"{name:29}{row['raw']:>8}{row['gzip']:>8}{row['ratio']:>8.2f}{row['ratio_same_promises']:>18.2f}"
        for name, row in found.items()
    ]
    over = found["awning, lv"]["gzip"] - int(found["hand-written"]["gzip"] * GOAL)
    lines.append(f"goal {GOAL} of hand-written: {'met' if over <= 0 else f'{over} bytes to cut'}")
    lines += [
        f"promises: {len(PROMISES)}, kept by awning and by {SAME!r}; hand-written breaks {len(left)}:",
        *(f"  {name}" for name in left),
    ]
    return "\n".join(lines)


def parts_table(apart: dict[str, list[Part]]) -> str:
    lines = []
    for name, found in apart.items():
        lines += ["", f"{'by ' + name:58}{'raw':>6}{'gzip':>7}"]
        lines += [f"{part.name:58}{part.raw:>6}{part.gzip:>7}" for part in found]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", action="store_true", help="Where awning's bytes come from.")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        snippets, apart, left = measure(Path(folder).resolve())
    found = rows(snippets)
    if options.json:
        parts = {name: [asdict(part) for part in own] for name, own in apart.items()}
        document = {"schema_version": 1, "widgets": found, "goal": GOAL, "broken": left, "parts": parts}
        print(json.dumps(document, indent=2))
        return
    print(table(found, left))
    if options.parts:
        print(parts_table(apart))


if __name__ == "__main__":
    main()
