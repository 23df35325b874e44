"""The errors that `awning check` reports in the most used browser libraries, plain and minified, and the time it takes.

    python benchmarks/check/libraries.py [FOLDER]

The script installs the libraries with npm into FOLDER (by default a temporary one), outside of the repository. One
process checks all of them; the figures are wall time, because scripts run in a child process. The exit code is 1 if a
rule reports an error that is not described as found in libraries, as `no-eval` is: lodash, Vue and others make
functions from text.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity
from awning.rules import all_rules

BUILDS = {
    "jquery": "dist/jquery.js dist/jquery.min.js",
    "lodash": "lodash.js lodash.min.js",
    "underscore": "underscore-umd.js underscore-umd-min.js",
    "moment": "moment.js min/moment.min.js",
    "dayjs": "dayjs.min.js esm/index.js",
    "axios": "dist/axios.js dist/axios.min.js",
    "react@18": "umd/react.development.js umd/react.production.min.js",
    "react-dom@18": "umd/react-dom.development.js umd/react-dom.production.min.js",
    "vue": "dist/vue.global.js dist/vue.global.prod.js",
    "preact@10": "dist/preact.umd.js dist/preact.min.umd.js",
    "swiper": "swiper-bundle.js swiper-bundle.min.js",
    "slick-carousel": "slick/slick.js slick/slick.min.js",
    "bootstrap": "dist/js/bootstrap.js dist/js/bootstrap.bundle.min.js",
    "@popperjs/core": "dist/umd/popper.js dist/umd/popper.min.js",
    "d3": "dist/d3.js dist/d3.min.js",
    "chart.js": "dist/chart.umd.js dist/chart.umd.min.js",
    "three": "build/three.module.js build/three.core.js",
    "gsap": "dist/gsap.js dist/gsap.min.js",
    "handlebars": "dist/handlebars.js dist/handlebars.min.js",
    "alpinejs": "dist/cdn.js dist/cdn.min.js",
    "htmx.org": "dist/htmx.js dist/htmx.min.js",
    "sortablejs": "Sortable.js Sortable.min.js",
}
EXPECTED = {rule.id for rule in all_rules() if rule.is_found_in_libraries}


def install(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    command = [
        "npm",
        "install",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--prefix",
        str(folder),
        *BUILDS,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=folder)


def package_folder(folder: Path, package: str) -> Path:
    name = package if package.startswith("@") else package.split("@", maxsplit=1)[0]
    return folder / "node_modules" / name


def main() -> int:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[1] if len(sys.argv) > 1 else temporary)
        install(folder)
        check_text("first.js", "document.title", Dialect())  # load the parser before anything is timed
        failed = False
        for package, builds in BUILDS.items():
            for build in builds.split():
                path = package_folder(folder, package) / build
                if not path.exists():
                    print(f"       -          -  {package} {build}: not in this version")
                    continue
                text = path.read_text(encoding="utf-8")
                start = time.perf_counter()
                diagnostics = check_text(path.name, text, Dialect()).diagnostics
                taken = time.perf_counter() - start
                errors = {
                    diagnostic.rule for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR
                }
                failed |= not errors <= EXPECTED
                print(
                    f"{taken:6.2f} s {len(text) / 1000:7.0f} kB  {package} {build}: {', '.join(sorted(errors))}"
                )
        return int(failed)


if __name__ == "__main__":
    sys.exit(main())
