"""Renders templates with many contexts in both engines, and counts how they agree."""

import json
import re
import signal
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

import grammar
import jinja2
from coverage_of import features
from parity import SHARED, JavaScript, Rendered, compiled

from awning.template.deviations import STRICTER
from awning.template.reference import reference_environment
from awning.template.reference_texts import NO_TEXT

SECONDS = 20
NUMERALS = re.compile(r"\d+")
Contexts = list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Finding:
    """One template with one context, and the results of the two engines."""

    template: str
    context: dict[str, Any]
    actual: Rendered
    expected: Rendered

    def __str__(self) -> str:
        def described(rendered: Rendered) -> str:
            return f"raises {rendered.error}"[:200] if rendered.text is None else repr(rendered.text)[:500]

        return (
            f"template   {self.template!r}\ncontext    {json.dumps(self.context, ensure_ascii=False)}\n"
            f"javascript {described(self.actual)}\nreference  {described(self.expected)}"
        )


@dataclass(slots=True)
class Totals:
    """Counts of templates and of their renderings. The totals of two runs can be added."""

    templates: int = 0
    refused: int = 0
    too_slow: int = 0
    renderings: int = 0
    equal: int = 0
    both_raised: int = 0
    other_error: int = 0
    """How often both raised, but only one of them because a list or a mapping has no text."""
    differ: int = 0
    only_compiled: Counter[str] = field(default_factory=Counter)
    """How often only the reference raised, by its error. The compiled module rendered a text."""
    only_reference: Counter[str] = field(default_factory=Counter)
    """How often only the compiled module raised, by its error. The reference rendered a text."""
    refusals: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    """For each part of the language, the number of templates with this part that the reference renders."""

    def __add__(self, other: "Totals") -> "Totals":
        return Totals(*(getattr(self, name) + getattr(other, name) for name in Totals.__slots__))


class Slow(Exception):
    pass


@contextmanager
def limited() -> Iterator[None]:
    """Limit the time of the block, because `'x' * n * n` may never end. Raises Slow after SECONDS."""

    def stop(*_: object) -> None:
        raise Slow

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def referred(template: str, contexts: Contexts) -> list[Rendered]:
    """Return the reference's result for each context. The template is compiled once."""
    environment = reference_environment()
    environment.loader = jinja2.DictLoader({**SHARED, "case.html": template})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            compiled_template = environment.get_template("case.html")
        except Exception as error:  # noqa: BLE001 - whatever Python raises is the answer
            return [Rendered(None, f"{type(error).__name__}: {error}")] * len(contexts)
    return [answer(compiled_template, context) for context in contexts]


def answer(template: jinja2.Template, context: dict[str, Any]) -> Rendered:
    try:
        return Rendered(template.render(context))
    except Slow:
        raise
    except Exception as error:  # noqa: BLE001
        return Rendered(None, f"{type(error).__name__}: {error}")


def compare(
    javascript: JavaScript, pairs: Sequence[tuple[str, Contexts]], totals: Totals
) -> Iterator[Finding]:
    """Render each template with its contexts in both engines, and yield the results that disagree."""
    accepted: list[tuple[str, Contexts, str, list[Rendered]]] = []
    for template, contexts in pairs:
        totals.templates += 1
        code = compiled(template)
        if not isinstance(code, str):
            totals.refused += 1
            totals.refusals[code.diagnostics[0].rule] += 1
            continue
        try:
            with limited():
                expected = referred(template, contexts)
        except Slow:
            totals.too_slow += 1
            continue
        if any(rendered.text is not None for rendered in expected):
            totals.features.update(features(template))
        accepted.append((template, contexts, code, expected))
    answers = javascript.render(
        [code for _, _, code, _ in accepted], [contexts for _, contexts, _, _ in accepted]
    )
    for (template, contexts, _, expected), rendered in zip(accepted, answers, strict=True):
        for context, wanted, actual in zip(contexts, expected, rendered, strict=True):
            if not agree(actual, wanted, totals):
                yield Finding(template, context, actual, wanted)


def agree(actual: Rendered, expected: Rendered, totals: Totals) -> bool:
    totals.renderings += 1
    if actual.text is expected.text is None:
        same = (NO_TEXT in actual.error) == (NO_TEXT in expected.error)
        totals.both_raised += same
        totals.other_error += not same
        return same
    if actual.text == expected.text:
        totals.equal += 1
        return True
    if actual.text is not None and expected.text is not None:
        totals.differ += 1
    elif expected.text is None:
        totals.only_compiled[NUMERALS.sub("0", expected.error)] += 1
    else:
        totals.only_reference[stricter(actual) or NUMERALS.sub("0", actual.error)] += 1
    return False


def stricter(actual: Rendered) -> str | None:
    """Return the documented reason for which a module raises though Jinja2 renders; None for any other result."""
    return next((reason for reason in STRICTER if reason in actual.error), None)


def pairs(seed: object, templates: int, contexts: int) -> list[tuple[str, Contexts]]:
    """Return random templates, each with up to `contexts` different contexts. The same seed gives the same result."""
    dice = Random(str(seed))
    random_templates = [grammar.template(dice) for _ in range(templates)]
    return [(template, grammar.contexts(template, dice, contexts)) for template in random_templates]
