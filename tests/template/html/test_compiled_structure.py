"""The property of test_structure_property.py for compiled templates: branches, loops, block sets, macros, filters.

Templates are random but the same in each run. All are bundled into one script and rendered in one page, with each
choice of branches and several sets of hostile values.
"""

import json
import subprocess
from pathlib import Path
from random import Random

import pytest
from volumes import volume

from awning.bundle.run import find_esbuild
from awning.errors import Faulty
from awning.jsrc import jsrc_root
from awning.template.compile import compile_template

pytestmark = pytest.mark.usefixtures("processes")

HERE = Path(__file__).parent
FILTERS = ["", "", "", "|e", "|urlencode", "|upper", " ~ v1", "|join(',')", "|default('x')", "|title"]
CLOSERS = ["", ">", "'>", '">']
BRANCHES = 3
DECLARED = "{#def v0: string, v1: string, v2: string, c0: boolean, c1: boolean, c2: boolean #}"
"""The declaration of every second template."""

RENDER = r"""([branches, sets]) => {
  const faults = [];
  templates.forEach((render, at) => {
    for (let choice = 0; choice < 1 << branches; choice++) {
      const flags = Object.fromEntries(Array.from({ length: branches }, (_, n) => ["c" + n, !!(choice & (1 << n))]));
      const filled = ([v0, v1, v2, ...l]) => render({ ...flags, v0, v1, v2, l });
      const expected = laboratory.skeleton(filled(Array(5).fill("x")));
      for (const set of sets) {
        const html = filled(set);
        if (laboratory.skeleton(html) !== expected || !laboratory.addressed(html)) faults.push([at, html]);
      }
    }
  });
  return faults;
}"""


def soup(random: Random, table: dict[str, list[str]], depth: int = 0) -> str:
    return "".join(piece(random, table, depth) for _ in range(random.randrange(1, 6)))


def piece(random: Random, table: dict[str, list[str]], depth: int) -> str:
    kind = random.random()
    if kind < 0.55 or depth > 1:
        return random.choice(table["text"])
    if kind < 0.8:
        return f"{{{{ v{random.randrange(3)}{random.choice(FILTERS)} }}}}"
    inside = soup(random, table, depth + 1)
    if kind < 0.9:
        other = "{% else %}" + soup(random, table, depth + 1) if random.random() < 0.6 else ""
        return f"{{% if c{random.randrange(BRANCHES)} %}}{inside}{other}{{% endif %}}"
    if kind < 0.95:
        return f"{{% for v{random.randrange(3)} in l %}}{inside}{{% endfor %}}"
    if kind < 0.975:
        return f"{{% set v0 %}}{inside}{{% endset %}}"
    return f"{{% macro m(v0) %}}{inside}{{% endmacro %}}{{{{ m(v1) }}}}"


def compiled(template: str) -> str | None:
    for closer in CLOSERS:
        try:
            return compile_template(template + closer, path="soup.html.j2").code
        except Faulty:
            continue
    return None


def accepted(random: Random, table: dict[str, list[str]], count: int) -> list[tuple[str, str]]:
    templates: list[tuple[str, str]] = []
    while len(templates) < count:
        template = DECLARED * (len(templates) % 2) + soup(random, table)
        code = compiled(template) if "{{" in template else None
        if code is not None:
            templates.append((template, code))
    return templates


def bundled(folder: Path, codes: list[str]) -> str:
    """One script with all modules as the global `templates`."""
    for number, code in enumerate(codes):
        (folder / f"t{number}.mjs").write_text(code, encoding="utf-8")
    imports = "".join(f'import t{number} from "./t{number}.mjs";\n' for number in range(len(codes)))
    names = ",".join(f"t{number}" for number in range(len(codes)))
    (folder / "all.mjs").write_text(f"{imports}globalThis.templates = [{names}];", encoding="utf-8")
    runtime = jsrc_root() / "runtime"
    aliases = [f"--alias:awning/{folder}={runtime / folder}" for folder in ("escape", "template")]
    options = ["--bundle", "--minify", "--target=es2020", *aliases]
    command = [find_esbuild().path, folder / "all.mjs", *options]
    return subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8").stdout


def test_tags_and_attributes_of_a_compiled_template_do_not_depend_on_values(
    laboratory, tmp_path: Path
) -> None:
    table = json.loads((HERE / "soup.json").read_text(encoding="utf-8"))
    random = Random("compiled structure")
    templates = accepted(random, table, volume("html-compiled"))
    sets = [["".join(random.choices(table["values"], k=2)) for _ in range(5)] for _ in range(12)]
    laboratory.page.add_script_tag(content=bundled(tmp_path, [code for _template, code in templates]))
    faults = laboratory.page.evaluate(RENDER, [BRANCHES, sets])
    assert [(templates[at][0], html) for at, html in faults] == []
