"""How many bytes a price widget is, gzip, against the same one written by hand with care.

    python benchmarks/size/measure.py

Prints the runtime's own share too: the script of a widget whose render function returns one word.
`handwritten.html` is what an experienced developer would paste into the snippet field, minified as ours is;
`widgets/saving` is the same widget made with awning, built as it is shipped. Goal: at most 1.25 times.
"""

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from awning.bundle import BundleRequest, Entry, bundle, find_esbuild
from awning.jsrc import jsrc_root

HERE = Path(__file__).parent


def minified(text: str, loader: str) -> str:
    command = [find_esbuild().path, "--minify", "--charset=utf8", f"--loader={loader}"]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout.strip()


def handwritten() -> str:
    text = (HERE / "handwritten.html").read_text(encoding="utf-8")
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    script = re.search(r"<script>(.*?)</script>", text, re.DOTALL)
    assert style is not None
    assert script is not None
    return f"<style>{minified(style[1], 'css')}</style><script>{minified(script[1], 'js')}</script>"


def built(folder: Path) -> str:
    """Built in a copy: a build writes its cache beside the sources."""
    copy = shutil.copytree(HERE, folder / "workspace", ignore=shutil.ignore_patterns(".awning", "dist"))
    command = [sys.executable, "-c", "from awning.cli import main; main()", "build"]
    subprocess.run(command, cwd=copy, check=True, capture_output=True)
    return (copy / "dist" / "lv" / "body.html").read_text(encoding="utf-8")


def runtime_alone(folder: Path) -> str:
    entry = folder / "entry.ts"
    entry.write_text(
        'import { afterPrice } from "awning";\nimport { run } from "awning/run";\n'
        'run("saving", "aw-1a2b3c", afterPrice(() => "x"));\n',
        encoding="utf-8",
    )
    jsrc = jsrc_root()
    request = BundleRequest(entries=(Entry("entry", entry),), root=folder, jsrc=jsrc, source_maps=False)
    return bundle(find_esbuild(), request).outputs["entry"].code.decode()


def weight(html: str) -> int:
    return len(gzip.compress(html.encode(), 9))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        ours = built(Path(folder))
        runtime = runtime_alone(Path(folder))
    hand = handwritten()
    for name, html in (("handwritten", hand), ("awning", ours), ("its runtime", runtime)):
        print(f"{name:12} {len(html.encode()):6} raw {weight(html):6} gzip")
    print(f"{'ratio':12} {weight(ours) / weight(hand):17.2f}")


if __name__ == "__main__":
    main()
