"""What a test costs: awning's three kinds beside other runners, on the same page and Chromium, in one run.

    python -m benchmarks.harness.measure [--tests 100] [--browser /usr/bin/chromium] [--no-npm]

A test of each runner shows the widget of a product and reads its text, in one process. `render` renders the template
alone, the others open a page of the simulated shop. `wall` is the whole command. `steady` is the median time from the
end of one test to the end of the next, in the second half of the run. Playwright Test and Vitest come from npm, into a
temporary folder; their `steady` is the median duration that their reports state. Vitest's tests run in the browser, and
show the page in a frame.

First, `awning test` of what `awning new` writes: every check and the widget's own tests, with the start and the build,
beside as many seconds of pytest-playwright as PAGES plain tests take.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from awning.workspace.scaffolding import make_workspace
from awning_harness.browser import find_browser, launch_arguments
from awning_harness.shop import Shop, open_shop

TEXT = "In stock"
BLOCK = ".placeholder-after-price [data-order]"

PAGES = 40
"""How many plain tests `awning test` of a new workspace is compared with."""

KINDS = {
    "render": (
        "def test_{n}(render):\n"
        '    assert "{text}" in render("view.html.j2", {{"soldOut": False, "left": 0}}, language="en")\n'
    ),
    "widget": 'def test_{n}(widget):\n    assert "{text}" in widget.show("P3", language="en").text()\n',
    "storefront": 'def test_{n}(storefront):\n    assert "{text}" in storefront.product("P3", language="en").text()\n',
    "storefront, context": (
        "@pytest.mark.isolation('context')\n"
        'def test_{n}(storefront):\n    assert "{text}" in storefront.product("P3", language="en").text()\n'
    ),
    "pytest-playwright": (
        'def test_{n}(page):\n    page.goto("{url}")\n    assert "{text}" in page.locator("{block}").inner_text()\n'
    ),
}

STAMPS = '''\
"""Writes when each test ended."""

import json
import time
from pathlib import Path

stamps = []


def pytest_runtest_logfinish():
    stamps.append(time.perf_counter() * 1000)


def pytest_sessionfinish(session):
    (Path(session.config.rootpath) / "stamps.json").write_text(json.dumps(stamps))
'''

NPM = {
    "@playwright/test": "1.65.1",
    "playwright": "1.65.1",
    "vitest": "5.1.1",
    "@vitest/browser-playwright": "5.1.1",
}

PLAYWRIGHT_CONFIG = """\
export default {{
  testDir: ".", testMatch: "*.spec.mjs", workers: 1, reporter: [["json", {{ outputFile: "report.json" }}]],
  use: {{ launchOptions: {{ executablePath: "{browser}", args: {arguments} }} }},
}};
"""
PLAYWRIGHT_TESTS = """\
import {{ expect, test }} from "@playwright/test";
for (let n = 0; n < {tests}; n++) test(`test ${{n}}`, async ({{ page }}) => {{
  await page.goto("{url}");
  expect(await page.locator("{block}").innerText()).toContain("{text}");
}});
"""
VITEST_CONFIG = """\
import {{ playwright }} from "@vitest/browser-playwright";
const launchOptions = {{ executablePath: "{browser}", args: {arguments} }};
export default {{
  server: {{ proxy: {{ "^/(\\\\d+|assets)/": "{origin}" }} }},
  test: {{
    include: ["*.vitest.mjs"], reporters: [["json", {{ outputFile: "vitest.json" }}]],
    browser: {{ enabled: true, headless: true, screenshotFailures: false,
      provider: playwright({{ launchOptions }}), instances: [{{ browser: "chromium" }}] }},
  }},
}};
"""
VITEST_TESTS = """\
import {{ expect, test }} from "vitest";
for (let n = 0; n < {tests}; n++) test(`test ${{n}}`, async () => {{
  const frame = document.createElement("iframe");
  const loaded = new Promise((done) => frame.addEventListener("load", done, {{ once: true }}));
  frame.src = "{path}";
  document.body.append(frame);
  await loaded;
  expect(frame.contentDocument.querySelector("{block}").innerText).toContain("{text}");
  frame.remove();
}});
"""


def steady(stamps: list[float]) -> float:
    """Return the median of the differences between consecutive stamps, in the second half."""
    steps = [later - earlier for earlier, later in pairwise(stamps)]
    return statistics.median(steps[len(steps) // 2 :])


def run_pytest(
    root: Path, dist: Path, code: str, tests: int, environ: Mapping[str, str]
) -> tuple[float, float]:
    """Run one kind of test. Returns the seconds of the command and the steady milliseconds of a test."""
    file = root / "widgets" / "stock-note" / "test_measured.py"
    file.write_text("import pytest\n\n\n" + "\n\n".join(code.replace("{n}", str(n)) for n in range(tests)))
    (root / "conftest.py").write_text(STAMPS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        f"--awning-dist={dist}",
        str(file),
    ]
    seconds = run(command, root, environ)
    return seconds, steady(json.loads((root / "stamps.json").read_text()))


def run(command: list[str], folder: Path, environ: Mapping[str, str]) -> float:
    """Return the seconds of a command. Raises SystemExit with its output when it fails."""
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=dict(environ), capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
    return time.perf_counter() - start


def install(folder: Path) -> None:
    """Install the runners of npm at their pinned versions, without their browsers."""
    (folder / "package.json").write_text(json.dumps({"private": True, "type": "module", "dependencies": NPM}))
    environ = {**os.environ, "PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1"}
    run(["npm", "install", "--no-audit", "--no-fund", "--silent"], folder, environ)


def run_playwright(folder: Path, values: Mapping[str, str]) -> tuple[float, float]:
    (folder / "playwright.config.mjs").write_text(PLAYWRIGHT_CONFIG.format_map(values))
    (folder / "all.spec.mjs").write_text(PLAYWRIGHT_TESTS.format_map(values))
    seconds = run(["npx", "playwright", "test"], folder, os.environ)
    report = json.loads((folder / "report.json").read_text())
    results = [spec["tests"][0]["results"][0] for spec in report["suites"][0]["specs"]]
    return seconds, statistics.median(result["duration"] for result in results[len(results) // 2 :])


def run_vitest(folder: Path, values: Mapping[str, str]) -> tuple[float, float]:
    (folder / "vitest.config.mjs").write_text(VITEST_CONFIG.format_map(values))
    (folder / "all.vitest.mjs").write_text(VITEST_TESTS.format_map(values))
    seconds = run(["npx", "vitest", "run"], folder, os.environ)
    report = json.loads((folder / "vitest.json").read_text())
    results = report["testResults"][0]["assertionResults"]
    return seconds, statistics.median(result["duration"] or 0 for result in results[len(results) // 2 :])


def measure_new_workspace(browser: str, shop: Shop) -> tuple[float, float]:
    """Return the seconds of `awning test` of a new workspace, and of PAGES plain tests of pytest-playwright."""
    environ = {**os.environ, "AWNING_BROWSER": browser}
    root = shop.workspace.root
    command = [str(Path(sys.executable).with_name("awning")), "test", "-q"]
    run(command, root, environ)  # so that Python has compiled what both import
    whole = run(command, root, environ)
    url = shop.open("stock-note").url + "en/product/3"
    code = KINDS["pytest-playwright"].format(n="{n}", url=url, block=BLOCK, text=TEXT)
    plain, _ = run_pytest(root, shop.dist, code, PAGES, environ)
    return whole, plain


def measure(browser: str, tests: int, shop: Shop, npm: Path | None) -> dict[str, tuple[float, float]]:
    """Return, by runner, the seconds of the command and the steady milliseconds of a test."""
    url = shop.open("stock-note").url + "en/product/3"
    origin = shop.running.storefront_url
    values = {
        "browser": browser,
        "arguments": json.dumps(launch_arguments()),
        "tests": str(tests),
        "url": url,
        "origin": origin,
        "path": url.removeprefix(origin),
        "block": BLOCK,
        "text": TEXT,
    }
    environ = {**os.environ, "AWNING_BROWSER": browser}
    figures = {}
    for kind, template in KINDS.items():
        code = template.format_map({**values, "n": "{n}"})
        figures[kind] = run_pytest(shop.workspace.root, shop.dist, code, tests, environ)
    if npm:
        figures["Playwright Test"] = run_playwright(npm, values)
        figures["Vitest"] = run_vitest(npm, values)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tests", type=int, default=100)
    parser.add_argument("--browser", action="append", help="a Chromium; can be given several times")
    parser.add_argument("--no-npm", action="store_true", help="leave Playwright Test and Vitest out")
    options = parser.parse_args()
    chromium = find_browser()
    browsers = options.browser or ([str(chromium.path)] if chromium else [])
    with tempfile.TemporaryDirectory(prefix="awning-benchmark-") as name:
        folder = Path(name)
        npm = folder / "npm"
        if not options.no_npm and shutil.which("npm"):
            npm.mkdir()
            install(npm)
        make_workspace(folder / "app", slot="after-price")
        with open_shop(folder / "app", dist=None, folder=folder) as shop:
            for browser in browsers:
                whole, plain = measure_new_workspace(browser, shop)
                print(f"{browser}, {options.tests} tests")
                print(
                    f"  awning test, a new workspace {whole:5.1f} s, {whole / plain:.1f} x {PAGES} plain tests"
                )
                figures = measure(browser, options.tests, shop, npm if npm.is_dir() else None)
                for runner, (seconds, milliseconds) in figures.items():
                    print(f"  {runner:<20} wall {seconds:6.1f} s   steady {milliseconds:7.1f} ms")


if __name__ == "__main__":
    main()
