# ruff: noqa: T201 - results on standard output, talk on standard error
"""The long differential run: 20,200 random templates with 50 contexts each, in both engines
(some hundred are refused).

    nice -n 19 .venv/bin/python tests/parity/million.py --seed 1

Progress goes to standard error, one JSON line of totals to standard output. Batches depend only on the seed and their
number. With `--state FILE` a stopped run continues after its last finished batch. Exit code 1 means a difference.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from coverage_of import supported
from differential import Finding, Totals, compare, pairs, stricter
from parity import JavaScript
from playwright.sync_api import sync_playwright

from awning.template.deviations import STRICTER
from awning_harness.browser import find_browser, launch_arguments

BATCH = 50
PAGES: list[JavaScript] = []
"""The page of this process, once it is open."""


def open_page() -> None:
    executable = find_browser()
    assert executable is not None, "no Chromium on this machine"
    browser = (
        sync_playwright().start().chromium.launch(executable_path=executable.path, args=launch_arguments())
    )
    folder = tempfile.mkdtemp(prefix="parity-")
    PAGES.append(JavaScript(browser.new_page(), Path(folder)))


def run_batch(job: tuple[str, int, int]) -> tuple[Totals, list[Finding]]:
    seed, templates, contexts = job
    totals = Totals()
    findings: dict[str, Finding] = {}
    for finding in compare(PAGES[0], pairs(seed, templates, contexts), totals):
        if stricter(finding.actual) is None:
            findings.setdefault(finding.template, finding)
    return totals, list(findings.values())


def values_of(totals: Totals) -> dict[str, object]:
    return {field.name: getattr(totals, field.name) for field in fields(totals)}


def read_state(path: Path | None) -> tuple[int, float, Totals]:
    if path is None or not path.exists():
        return 0, 0.0, Totals()
    held = json.loads(path.read_text(encoding="utf-8"))
    values = {
        name: Counter(value) if isinstance(value, dict) else value for name, value in held["totals"].items()
    }
    return held["batches"], held["seconds"], Totals(**values)


def summary(totals: Totals, seed: str, seconds: float) -> dict[str, object]:
    texts = totals.equal + totals.differ + totals.only_reference.total()
    wanted = supported()
    return {
        "seed": seed,
        "seconds": round(seconds),
        **{name: value for name, value in values_of(totals).items() if name != "features"},
        "refused_share": round(totals.refused / max(totals.templates, 1), 4),
        "text_share": round(texts / max(totals.renderings, 1), 4),
        "features_supported": len(wanted),
        "features_never_in_a_text": sorted(wanted - set(totals.features)),
    }


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", default="1")
    parser.add_argument("--templates", type=int, default=20_200)
    parser.add_argument("--contexts", type=int, default=50)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--state", type=Path, help="a file that holds how far the run is")
    parser.add_argument("--findings", type=Path, help="a file that differences are added to")
    return parser.parse_args()


def main() -> int:
    options = arguments()
    done, before, totals = read_state(options.state)
    started = time.monotonic()
    jobs = [
        (f"{options.seed} {number}", min(BATCH, options.templates - number * BATCH), options.contexts)
        for number in range(done, -(-options.templates // BATCH))
    ]
    seconds = before
    with ProcessPoolExecutor(options.workers, get_context("spawn"), open_page) as pool:
        for number, (more, findings) in enumerate(pool.map(run_batch, jobs), done + 1):
            totals += more
            seconds = before + time.monotonic() - started
            report(findings, options.findings)
            if options.state:
                held = {"batches": number, "seconds": seconds, "totals": values_of(totals)}
                options.state.write_text(json.dumps(held), encoding="utf-8")
            print(
                f"{totals.templates} templates, {totals.renderings} renderings, {seconds:.0f} s",
                file=sys.stderr,
            )
    print(json.dumps(summary(totals, options.seed, seconds)))
    documented = sum(totals.only_reference[reason] for reason in STRICTER)
    differences = (
        totals.differ + totals.other_error + totals.only_compiled.total() + totals.only_reference.total()
    )
    return int(differences > documented)


def report(findings: list[Finding], path: Path | None) -> None:
    for finding in findings:
        print(f"{finding}\n", file=sys.stderr)
        if path:
            with path.open("a", encoding="utf-8") as file:
                file.write(f"{finding}\n\n")


if __name__ == "__main__":
    sys.exit(main())
