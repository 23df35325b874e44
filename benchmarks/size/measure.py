"""The size of snippets after gzip: awning's, careful code by hand, and code with the usual libraries.

    python -m benchmarks.size.measure [--parts] [--json]

Shops load an app, so `app` is compared first. It has the two reference widgets and the price widget of `widgets/saving`
in one snippet. The script by hand (`by_hand/app.js`) keeps the same promises for all three widgets (`promises.py`,
`app_promises.py`). Each promise is checked in Chromium for both. Goals: the app has at most 1.2 times the bytes of the
script by hand, and each widget adds at most 1.1 times the bytes that it adds to that script.

The price widget alone is compared with more code. `handwritten.html` is what an experienced developer would paste into
the snippet field. `handwritten_with_promises.html` is the smallest code by hand that keeps the promises. `peers/` has
the same widget with lit-html, Preact and nunjucks (precompiled, slim runtime), bundled by awning's bundler. All must
show the same in Chromium, for base events and updates. `--parts` lists the origin of awning's bytes.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.peers import LIT_HTML, NUNJUCKS, PREACT, install
from benchmarks.size.app_promises import APP_PROMISES, LANGUAGES
from benchmarks.size.parts import Part, breakdown, weight
from benchmarks.size.promises import PROMISES, Promise, broken
from playwright.sync_api import Browser, Page, sync_playwright

from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.jsrc import jsrc_root
from awning_harness.browser import find_browser, launch_arguments

HERE = Path(__file__).parent
WIDGETS = HERE.parents[1] / "widgets"
GOAL, GOAL_OF_EACH = 1.2, 1.1
APP = {"saving": "saving", "delivery-estimate": "estimate", "free-shipping-bar": "bar"}
"""The widgets of the app, and their names in the script by hand."""
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
    """Return the style element of a file, which the peers use too, and the snippet."""
    text = (HERE / file).read_text(encoding="utf-8")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    element = f"<style>{minified(style[1], 'css')}</style>"
    return element, f"{element}<script>{minified(script_of(text), 'js')}</script>"


def script_of(html: str) -> str:
    script = SCRIPT.search(html)
    assert script is not None
    return script[1]


def built(folder: Path, widgets: Collection[str]) -> Path:
    """Build these widgets in a copy of the workspace, because a build writes its cache beside the sources.

    Returns the folder `dist/` of the build.
    """
    copy = folder / app_folder(widgets)
    for name in ("pyproject.toml", "manifest.toml"):
        copy.mkdir(exist_ok=True)
        shutil.copy2(HERE / name, copy / name)
    for name in widgets:
        source = HERE / "widgets" / name
        shutil.copytree(source if source.is_dir() else WIDGETS / name, copy / "widgets" / name)
    command = [sys.executable, "-c", "from awning.cli import main; main()", "build"]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    return copy / "dist"


def by_hand(widgets: Collection[str], *, one_language: bool) -> str:
    """Return the snippet of the script by hand with these widgets, in Latvian or in all languages."""
    folder = HERE / "by_hand"
    defines = {own.upper(): name in widgets for name, own in APP.items()} | {"LV_ALONE": one_language}
    flags = [f"--define:{name}={json.dumps(value)}" for name, value in defines.items()]
    command = [str(find_esbuild().path), str(folder / "app.js"), "--bundle", "--minify", "--charset=utf8"]
    command += ["--format=iife", "--target=es2020", *flags]
    script = subprocess.run(command, capture_output=True, encoding="utf-8", check=True).stdout.strip()
    styles = [
        (folder / f"{own}.css").read_text(encoding="utf-8") for name, own in APP.items() if name in widgets
    ]
    data = '<script type="application/json" lang="{{svc_language}}">{{svc_app_data}}</script>'
    return f"<style>{minified(''.join(styles), 'css')}</style>{data}<script>{script}</script>"


def bundled(folder: Path, stems: tuple[str, ...]) -> dict[str, str]:
    entry_points = tuple(EntryPoint(stem, folder / f"{stem}.ts") for stem in stems)
    request = BundleRequest(entry_points=entry_points, root=folder, jsrc=jsrc_root(), source_maps=False)
    outputs = bundle(find_esbuild(), request).outputs
    return {stem: outputs[stem].code.decode().strip().removesuffix(";") for stem in stems}


def peers(folder: Path, browser: Browser) -> dict[str, str]:
    """Return the scripts of the peers."""
    sources = shutil.copytree(HERE / "peers", folder / "peers")
    install((LIT_HTML, PREACT, NUNJUCKS), sources)
    (sources / "precompiled.js").write_text(precompiled(sources, browser), encoding="utf-8")
    return bundled(sources, PEERS)


def precompiled(sources: Path, browser: Browser) -> str:
    """Return the precompiled template of nunjucks. Its compiler runs in a page, because it is JavaScript."""
    page = browser.new_page()
    page.add_script_tag(
        content=(sources / "node_modules/nunjucks/browser/nunjucks.js").read_text(encoding="utf-8")
    )
    template = (sources / "saving.njk").read_text(encoding="utf-8").strip()
    code: str = page.evaluate(PRECOMPILE, template)
    page.close()
    return code


def assert_equal(snippets: dict[str, str], browser: Browser) -> None:
    scenes = {name: scene(html, browser.new_page()) for name, html in snippets.items()}
    wanted = scenes["hand-written"]
    assert all(wanted[at] for at in (0, 1, 3)), wanted
    for name, texts in scenes.items():
        assert texts == wanted, f"{name} shows {texts}, hand-written {wanted}"


def scene(html: str, page: Page) -> list[str]:
    page.add_script_tag(content=(HERE / "page.js").read_text(encoding="utf-8"))
    page.add_script_tag(content=script_of(html))
    texts: list[str] = page.evaluate("() => scene()")
    page.close()
    return texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Snippets by name; `parts` of awning's app; the `broken` promises of the widget that was written by hand."""

    alone: dict[str, str]
    app: dict[str, tuple[str, str]]
    """The apps by variant, each as awning's snippet and the snippet by hand."""
    parts: dict[str, list[Part]]
    broken: tuple[str, ...]


def measure(folder: Path) -> Measured:
    browser_file = find_browser()
    assert browser_file is not None, "no Chromium on this machine"
    app = measured_apps(folder)
    style, hand = handwritten("handwritten.html")
    _, careful = handwritten("handwritten_with_promises.html")
    dist = built(folder, ("saving",))
    ours = {"hand-written": hand, SAME: careful, "awning": read(dist / "lv/body.html")}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file.path, args=launch_arguments())
        theirs = {name: f"{style}<script>{code}</script>" for name, code in peers(folder, browser).items()}
        assert_equal(ours | theirs, browser)
        for name in (SAME, "awning"):
            assert_kept(name, ours[name], PROMISES, browser)
        left = tuple(broken(hand, browser))
        assert_apps_keep_their_promises(app, browser)
        browser.close()
    whole, _ = app["default"]
    code = script_of(whole)
    parts = breakdown(whole, code, (folder / app_folder(APP) / "dist/maps/body.js.map").read_bytes())
    return Measured(alone=ours | theirs, app=app, parts=parts, broken=left)


def app_folder(widgets: Collection[str]) -> str:
    return "-".join(sorted(widgets))


def measured_apps(folder: Path) -> dict[str, tuple[str, str]]:
    """Return variants of the app: for all languages, in Latvian, and, for each widget, for all languages without it."""
    dist = built(folder, APP)
    apps = {
        "default": (read(dist / "body.html"), by_hand(APP, one_language=False)),
        "lv": (read(dist / "lv/body.html"), by_hand(APP, one_language=True)),
    }
    for name in APP:
        others = [other for other in APP if other != name]
        ours = read(built(folder, others) / "body.html")
        apps[f"without {name}"] = (ours, by_hand(others, one_language=False))
    return apps


def assert_apps_keep_their_promises(app: Mapping[str, tuple[str, str]], browser: Browser) -> None:
    for variant, promises in {"default": {**APP_PROMISES, **LANGUAGES}, "lv": APP_PROMISES}.items():
        for maker, snippet in zip(("awning", "by hand"), app[variant], strict=True):
            assert_kept(f"{maker}, {variant}", snippet, promises, browser)


def assert_kept(name: str, snippet: str, promises: Mapping[str, Promise], browser: Browser) -> None:
    missed = broken(snippet, browser, promises)
    assert not missed, f"{name} does not keep: {missed}"


def read(file: Path) -> str:
    return file.read_text(encoding="utf-8")


def rows(snippets: dict[str, str]) -> dict[str, dict[str, Any]]:
    anchors = {"ratio": weight(snippets["hand-written"]), "ratio_same_promises": weight(snippets[SAME])}
    return {
        name: {"raw": len(html.encode()), "gzip": weight(html)}
        | {key: round(weight(html) / anchor, 2) for key, anchor in anchors.items()}
        for name, html in snippets.items()
    }


def app_rows(app: Mapping[str, tuple[str, str]]) -> dict[str, dict[str, Any]]:
    """Return the weights of the app, from awning and by hand, and the bytes that each widget adds."""
    weights = {name: (weight(ours), weight(hand)) for name, (ours, hand) in app.items()}
    whole = weights["default"]
    rows = {name: weights[name] for name in ("default", "lv")}
    for name in APP:
        without = weights[f"without {name}"]
        rows[f"+ {name}"] = (whole[0] - without[0], whole[1] - without[1])
    return {
        name: {"awning": ours, "by_hand": hand, "ratio": round(ours / hand, 2)}
        for name, (ours, hand) in rows.items()
    }


def app_table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    lines = [f"{'app of three widgets, gzip':29}{'awning':>8}{'by hand':>9}{'ratio':>8}{'goal':>7}"]
    for name, row in rows.items():
        goal = GOAL_OF_EACH if name.startswith("+") else GOAL
        verdict = "met" if row["ratio"] <= goal else "missed"
        lines.append(f"{name:29}{row['awning']:>8}{row['by_hand']:>9}{row['ratio']:>8.2f}{goal:>7} {verdict}")
    count = len(APP_PROMISES) + len(LANGUAGES)
    return "\n".join([*lines, f"promises kept by both, asserted in Chromium: {count}"])


def table(rows: dict[str, dict[str, Any]], left: tuple[str, ...]) -> str:
    lines = [f"{'price widget alone':29}{'raw':>8}{'gzip':>8}{'ratio':>8}{'to same promises':>18}"]
    lines += [
        f"{name:29}{row['raw']:>8}{row['gzip']:>8}{row['ratio']:>8.2f}{row['ratio_same_promises']:>18.2f}"
        for name, row in rows.items()
    ]
    lines += [
        f"promises: {len(PROMISES)}, kept by awning and by {SAME!r}; hand-written breaks {len(left)}:",
        *(f"  {name}" for name in left),
    ]
    return "\n".join(lines)


def parts_table(apart: dict[str, list[Part]]) -> str:
    lines = []
    for name, rows in apart.items():
        lines += ["", f"{'by ' + name:58}{'raw':>6}{'gzip':>7}"]
        lines += [f"{part.name:58}{part.raw:>6}{part.gzip:>7}" for part in rows]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--parts", action="store_true", help="Where awning's bytes come from.")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measured = measure(Path(folder).resolve())
    alone, app = rows(measured.alone), app_rows(measured.app)
    if options.json:
        parts = {name: [asdict(part) for part in own] for name, own in measured.parts.items()}
        goals = {"app": GOAL, "each": GOAL_OF_EACH}
        document = {"schema_version": 2, "app": app, "goals": goals, "widgets": alone}
        print(json.dumps(document | {"broken": measured.broken, "parts": parts}, indent=2))
        return
    print(app_table(app), table(alone, measured.broken), sep="\n\n")
    if options.parts:
        print(parts_table(measured.parts))


if __name__ == "__main__":
    main()
