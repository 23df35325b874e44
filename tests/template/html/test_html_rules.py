"""Each rule has a page, and the examples of the page are true."""

import re
from pathlib import Path

import pytest

from awning.rules import find_rule
from awning.template import html
from awning.template.html import START, HtmlContext, HtmlRefusal, advance, finish, join, output

SOURCES = Path(html.__file__).parent
RULES = sorted({
    rule
    for path in SOURCES.glob("*.py")
    for rule in re.findall(r'"(template-[a-z-]+)"', path.read_text(encoding="utf-8"))
})  # fmt: skip
BRANCH = re.compile(r"{% if \w+ %}(.*?)(?:{% else %}(.*?))?{% endif %}")


def refusing_rule(template: str) -> str | None:
    """The rule that refuses a template made of text, values and plain branches."""
    try:
        context, rest = START, re.sub(r"{#.*?#}", "", template)
        for branch in BRANCH.finditer(rest):
            start = rest.index(branch.group())
            context = read(context, rest[:start])
            context = join(read(context, branch[1]), read(context, branch[2] or ""))
            rest = rest[start + len(branch.group()) :]
        finish(read(context, rest))
    except HtmlRefusal as fault:
        return fault.rule
    return None


def read(context: HtmlContext, text: str) -> HtmlContext:
    for number, piece in enumerate(re.split(r"{{.*?}}", text)):
        if number:
            context, _hole = output(context)
        context, _emitted = advance(context, piece)
    return context


@pytest.mark.parametrize("rule", RULES)
def test_examples_of_each_rule_are_true(rule: str) -> None:
    described = find_rule(rule)
    assert described is not None
    assert refusing_rule(described.wrong[0].code) == rule
    assert [refusing_rule(example.code) for example in described.right if example.kind == "html"] == [None]
