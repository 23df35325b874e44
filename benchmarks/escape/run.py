"""The speed of escapeText in Chromium, compared with the usual ways to escape, on clean and dirty values.

    python benchmarks/escape/run.py

The script prints million values per second: the best of several rounds, in which the candidates take turns. Compare
only figures of one run. "test first" is what most template engines do: a test, then one replace with a table.
"""

import json
import subprocess
from pathlib import Path

from playwright.sync_api import sync_playwright

from awning.bundle.run import find_esbuild
from awning.jsrc import jsrc_root
from awning_harness.browser import find_browser, launch_arguments

HERE = Path(__file__).parent


def script() -> str:
    """Return the escapers as the global `escape_`, minified as in a snippet."""
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
    browser_file = find_browser()
    assert browser_file is not None, "no Chromium on this machine"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=browser_file.path, args=launch_arguments())
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
