"""The corpus: the compiled module and the reference environment render the same bytes, or both fail."""

from functools import cache

import pytest
from parity import Case, JavaScript, Rendered, by_jinja, by_reference, compiled, corpus

from awning.errors import Faulty
from awning.template.deviations import DEVIATIONS

CASES = corpus()


@cache
def reference(name: str) -> Rendered:
    """The reference's result for a case, which three tests need."""
    return by_reference(CASES[name].template, CASES[name].context)


@pytest.fixture(scope="session", params=[False, True], ids=["shipped", "dev"])
def in_javascript(request: pytest.FixtureRequest, javascript: JavaScript) -> dict[str, Rendered | Faulty]:
    """The cases of the corpus, compiled as for production or for a dev build, and rendered in one page."""
    built = {name: compiled(case.template, dev=request.param) for name, case in CASES.items()}
    accepted = {name: code for name, code in built.items() if isinstance(code, str)}
    answers = javascript.render(list(accepted.values()), [[CASES[name].context] for name in accepted])
    rendered: dict[str, Rendered | Faulty] = {
        name: code for name, code in built.items() if isinstance(code, Faulty)
    }
    rendered.update({name: results[0] for name, results in zip(accepted, answers, strict=True)})
    return rendered


@pytest.mark.parametrize(("name", "case"), CASES.items(), ids=list(CASES))
def test_compiled_module_agrees_with_reference(
    name: str, case: Case, in_javascript: dict[str, Rendered | Faulty]
) -> None:
    rendered = in_javascript[name]
    if isinstance(rendered, Faulty):
        assert case.refused, f"refused: {rendered}"
        return
    assert not case.refused, f"accepted: {rendered}"
    expected = reference(name)
    assert rendered.text == expected.text, (rendered.error, expected.error)


RENDERED = {name: case for name, case in CASES.items() if not case.refused}


@pytest.mark.parametrize(("name", "case"), RENDERED.items(), ids=list(RENDERED))
def test_reference_differs_from_jinja_only_by_documented_deviations(name: str, case: Case) -> None:
    results = reference(name), by_jinja(case.template, case.context)
    same = results[0].text == results[1].text
    assert same != bool(case.deviations), results


def test_corpus_has_a_case_for_each_documented_deviation() -> None:
    named = {deviation for case in CASES.values() for deviation in case.deviations}
    assert named == {deviation.id for deviation in DEVIATIONS}


def test_at_least_nine_of_ten_cases_are_accepted() -> None:
    accepted = sum(not case.refused for case in CASES.values())
    assert len(CASES) >= 600
    assert accepted >= 0.9 * len(CASES)
