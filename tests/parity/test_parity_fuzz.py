"""Differential fuzz: random templates with random contexts, in JavaScript as in the reference environment.

`million.py` runs the same grammar at length.
"""

from random import Random

import grammar
from coverage_of import features, supported
from differential import Totals, compare, pairs, stricter
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from parity import JavaScript
from shrink import shrunk
from volumes import volume

BATCH = 20
RENDERINGS = 12


@settings(
    max_examples=volume("template-parity"),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # not shrink: `shrunk` does it below
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 2**64))
def test_random_templates_agree_with_reference(javascript: JavaScript, seed: int) -> None:
    totals = Totals()
    findings = compare(javascript, pairs(seed, BATCH, RENDERINGS), totals)
    disagreements = [finding for finding in findings if stricter(finding.actual) is None]
    assert totals.refused < BATCH / 2
    assert not disagreements, f"\n{shrunk(javascript, disagreements[0])}"


def test_grammar_generates_every_supported_feature() -> None:
    dice = Random(1)
    reached: set[str] = set()
    for _ in range(4000):
        reached |= features(grammar.template(dice))
        if supported() <= reached:
            return
    assert supported() - reached == set()


def test_generated_contexts_of_a_template_differ() -> None:
    dice = Random(1)
    for _ in range(100):
        contexts = grammar.contexts(grammar.template(dice), dice, 50)
        assert len({repr(context) for context in contexts}) == 50
