"""The time of `awning check` for 1000 widgets: cold, after a build and one change, and after a build without changes.

    python benchmarks/check/run.py [--widgets 1000] [--raw 50]

All widgets are written with awning. `--raw` of them also have a raw script, which calls svcPlugins itself
and is run in the engine. The figures are for whole commands, with the start of Python, and each is the
best of three. For the cold command the processor time is given too, because a busy machine does not change it.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

RAW = """
import {{ esc }} from "./esc.js";
const NAME = "svc-content-after-price";
let block;
const money = (amount, currency) => new Intl.NumberFormat("en", {{ style: "currency", currency }}).format(amount);
function render(item, variant) {{
  const price = variant ? variant.price : item.price;
  const left = item.stock !== null && item.stock < {number} ? "<b>Only " + item.stock + " left</b>" : "";
  let html = "<p>" + esc(item.name) + " " + money(price, item.currency) + "</p>" + left;
  for (const one of item.variants) if (one.price < price) html += "<i>" + money(one.price, item.currency) + "</i>";
  block.setContent(html);
}}
svcPlugins.subscribeEvent(NAME, (event, init, params) => {{ block = init(); render(params.item); }});
svcPlugins.subscribeEvent(NAME + "-updated", (event, init, params, updated) => {{
  if (updated.selectedVariant) render(params.item, updated.selectedVariant);
}});
"""
WIDGET = """
import {{ afterPrice }} from "awning";
import view from "./view.html.j2";
export default afterPrice(({{ item, t }}) => view({{ t, name: item.name, few: (item.stock ?? 0) < {number} }}));
"""
MANIFEST = Path(__file__).parents[2] / "manifest.toml"


def make(root: Path, count: int, raw: int) -> None:
    files = {"pyproject.toml": '[tool.awning]\nlanguages = ["en"]\n', "manifest.toml": MANIFEST.read_text()}
    for number in range(count):
        folder = f"widgets/widget-{number:04}"
        files[f"{folder}/widget.toml"] = (
            f'title = "Widget {number}"\nslot = "after-price"\nhead = "head.js"\n'
        )
        files[f"{folder}/widget.ts"] = WIDGET.format(number=number)
        files[f"{folder}/head.js"] = RAW.format(number=number) if number < raw else "document.title;\n"
        files[f"{folder}/esc.js"] = 'export const esc = (text) => text.replace(/[&<>"]/g, "");\n'
        files[f"{folder}/view.html.j2"] = '<p>{{ t("hello") }} {{ name }}{% if few %}!{% endif %}</p>\n'
        files[f"{folder}/messages/en.toml"] = f'hello = "Hello {number}"\n'
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")


def seconds(root: Path, *verb: str) -> float:
    start = time.perf_counter()
    command: list[str | Path] = [
        Path(sys.executable).with_name("awning"),
        *(verb or ("check", "--format", "json")),
    ]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    taken = time.perf_counter() - start
    assert done.returncode == 0, done.stdout + done.stderr
    return taken


def processor_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def clear(folder: Path) -> None:
    for file in folder.rglob("*"):
        if file.is_file():
            file.unlink()


def measure(count: int, raw: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        make(root, count, raw)
        figures: dict[str, list[float]] = {
            "cold": [],
            "cold, processor": [],
            "one change": [],
            "nothing changed": [],
        }
        for turn in range(3):
            clear(root / ".awning")
            before = processor_seconds()
            figures["cold"].append(seconds(root))
            figures["cold, processor"].append(processor_seconds() - before)
            seconds(root, "build")
            (root / "widgets/widget-0001/head.js").write_text(
                RAW.format(number=count + turn), encoding="utf-8"
            )
            figures["one change"].append(seconds(root))
            time.sleep(1.2)  # a build reads a file again if it changed less than a second ago
            seconds(root, "build")
            figures["nothing changed"].append(seconds(root))
        return {what: round(min(taken), 3) for what, taken in figures.items()}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--widgets", type=int, default=1000)
    parser.add_argument("--raw", type=int, default=50)
    options = parser.parse_args()
    print(json.dumps(measure(options.widgets, options.raw), indent=2))


if __name__ == "__main__":
    main()
