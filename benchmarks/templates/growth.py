"""The growth of compile time with a template's length, compared with Jinja2's own parser on the same text.

    python -m benchmarks.templates.growth [--kilobytes 25 100 400] [--rounds 3] [--json]

Each template repeats one piece; there are several shapes. The figures are processor time, the best of the rounds. `x`
is the compile time in units of the time of Jinja2's parser. `growth` is the ratio of the compile times of the largest
and the smallest template, divided by the ratio of their lengths. It is 1 for linear growth.

Goal: at most 4 x for every shape and length, and a growth of about 1.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable

import jinja2

from awning.template.compile import compile_template

TEXT = (
    '<h2 class="title">Part § of the page</h2>\n<p>Some <b>text</b> with <a href="/page/§">a link</a>.</p>\n'
)
SHAPES = {
    "text": ("<p>", "just words without any markup, § of them\n", "</p>{{ a }}"),
    "tags": ("", TEXT, "{{ a }}"),
    "style": (
        "<style>",
        ".card-§ > b:hover { color: #1a2b3c; background: rgba(0, 0, 0, .5); }\n",
        "</style>",
    ),
    "script": ("<script>", "function f§(a) { return a < 3 ? 'x' : \"<b>\"; }\n", "</script>"),
    "comments": ("", "<!-- note § about this part -->\n", "{{ a }}"),
    "select": ("<select name=c>", '<option value="§">Country §</option>\n', "</select>"),
    "svg": ("<svg>", '<path d="M§ 0l5 5" fill="none"/><g><text x="1">t§</text></g>\n', "</svg>"),
    "no quotes": ("", "<p class=a§ title='t§'>text &amp; more</p>\n", "{{ a }}"),
    "attributes": (
        "",
        '<p style="margin: 0 auto">§</p><a href="https://x.example/?b=1&amp;c=2">x</a>\n',
        "{{ a }}",
    ),
    "values": ("", "<p>{{ v }}</p>\n", ""),
    "in attributes": ("", '<a href="{{ u }}" class="a {{ c }}">{{ t }}</a>\n', ""),
    "choices": ("", "<option{% if a == § %} selected{% endif %} value={{ v }}>t</option>\n", ""),
    "loops": (
        "",
        '{% for p in ps %}<a href="/p/{{ p.id }}">{{ loop.index }} {{ p.title }}</a>{% endfor %}\n',
        "",
    ),
    "macros": (
        "",
        '{% macro m§(a, b=2) %}<b class="{{ b }}">{{ a }}</b>{% endmacro %}{{ m§(x, b=y) }}\n',
        "",
    ),
    "sets": ("", "{% set v§ = a + § %}<b>{{ v§|upper }}</b>{{ v§ if a else 'n' }}\n", ""),
    "text and values": ("", TEXT * 3 + "<p>{{ v }}</p>\n", ""),
}


def template(shape: str, size: int) -> str:
    begin, piece, end = SHAPES[shape]
    pieces, length = [begin], len(begin)
    while length < size:
        pieces.append(piece.replace("§", str(len(pieces))))
        length += len(pieces[-1])
    return "".join(pieces) + end


def best(act: Callable[[], object], rounds: int) -> float:
    taken = []
    for _ in range(rounds):
        gc.collect()
        start = time.process_time()
        act()
        taken.append(time.process_time() - start)
    return min(taken)


def measure(shape: str, size: int, rounds: int) -> dict[str, float]:
    text, environment = template(shape, size), jinja2.Environment(autoescape=True)
    compiled = best(lambda: compile_template(text, path="grown.html.j2"), rounds)
    parsed = best(lambda: environment.parse(text), rounds)
    return {
        "kilobytes": size / 1000,
        "ms": compiled * 1000,
        "parse_ms": parsed * 1000,
        "ratio": compiled / parsed,
    }


def growth(rows: list[dict[str, float]]) -> float:
    first, last = rows[0], rows[-1]
    return last["ms"] / first["ms"] / (last["kilobytes"] / first["kilobytes"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kilobytes", type=int, nargs="+", default=[25, 100, 400])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    for shape in SHAPES:  # compile each shape once, so that nothing timed is made for the first time
        compile_template(template(shape, 200), path="warm")
    shapes = {
        shape: [measure(shape, size * 1000, options.rounds) for size in sorted(options.kilobytes)]
        for shape in SHAPES
    }
    if options.json:
        print(json.dumps({"schema_version": 1, "shapes": shapes}))
        return
    for shape, rows in shapes.items():
        figures = "  ".join(
            f"{row['kilobytes']:5.0f} kB {row['ms']:7.1f} ms {row['ratio']:4.1f} x" for row in rows
        )
        print(f"{shape:<16}{figures}  growth {growth(rows):.2f}")


if __name__ == "__main__":
    main()
