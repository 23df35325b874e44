"""How fast escapeText is in Chromium, against the usual ways, on clean and dirty values.

    python benchmarks/escape/run.py

Prints million values per second, the best of several rounds taken in turns: figures of one run on one machine may be
compared with each other, not with another machine's. "test first" is what most template engines ship: a test, then
one replace with a table.
"""

import json
import subprocess
from pathlib import Path

from playwright.sync_api import sync_playwright

from awning.bundle import find_esbuild
from awning.jsrc import jsrc_root
from awning_harness.browser import find_browser, launch_arguments

HERE = Path(__file__).parent


def script() -> str:
    """The escapers as the global `escape_`, minified as shipped."""
    entry = jsrc_root() / "runtime" / "escape" / "text.ts"
    command = [
        str(find_esbuild().path),
        str(entry),
        "--bundle",
        "--minify",
        "--target=es2020",
        "--global-name=escape_",
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout


def measure() -> dict[str, dict[str, float]]:
    found = find_browser()
    assert found is not None, "no Chromium on this machine"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.path, args=launch_arguments())
        page = browser.new_page()
        page.add_script_tag(content=script())
        page.add_script_tag(content=(HERE / "contest.js").read_text(encoding="utf-8"))
        figures: dict[str, dict[str, float]] = page.evaluate("() => contest()")
        browser.close()
        return figures


if __name__ == "__main__":
    figures = measure()
    print(json.dumps(figures, indent=2))
    for data, row in figures.items():
        print(f"{data:>12}: escapeText is {row['awning'] / row['test first']:.2f} x test first")
