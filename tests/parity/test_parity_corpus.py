"""The corpus: the compiled module and the reference environment render the same bytes, or both fail."""

from collections.abc import Callable
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


InJavaScript = Callable[[bool], dict[str, Rendered | Faulty]]


@pytest.fixture(scope="session")
def in_javascript(javascript: JavaScript) -> InJavaScript:
    """Compile the cases of the corpus, as for production or for a dev build, and render them in one page."""

    @cache
    def rendered_in_page(dev: bool) -> dict[str, Rendered | Faulty]:
        built = {name: compiled(case.template, dev=dev) for name, case in CASES.items()}
        accepted = {name: code for name, code in built.items() if isinstance(code, str)}
        answers = javascript.render(list(accepted.values()), [[CASES[name].context] for name in accepted])
        rendered: dict[str, Rendered | Faulty] = {
            name: code for name, code in built.items() if isinstance(code, Faulty)
        }
        rendered.update({name: results[0] for name, results in zip(accepted, answers, strict=True)})
        return rendered

    return rendered_in_page


FILES = sorted({name.partition(":")[0] for name in CASES})


def cases_of(file: str) -> dict[str, Case]:
    """Return the cases of a file of the corpus."""
    return {name: case for name, case in CASES.items() if name.partition(":")[0] == file}


def mistake(name: str, case: Case, rendered: Rendered | Faulty) -> str | None:
    """Return in what the compiled module disagrees; None when it agrees."""
    if isinstance(rendered, Faulty):
        return None if case.refused else f"refused: {rendered}"
    if case.refused:
        return f"accepted: {rendered}"
    expected = reference(name)
    return None if rendered.text == expected.text else f"{rendered} instead of {expected}"


@pytest.mark.parametrize("dev", [False, True], ids=["shipped", "dev"])
@pytest.mark.parametrize("file", FILES)
def test_compiled_modules_agree_with_reference(file: str, dev: bool, in_javascript: InJavaScript) -> None:
    rendered = in_javascript(dev)
    mistakes = {name: mistake(name, case, rendered[name]) for name, case in cases_of(file).items()}
    assert {name: text for name, text in mistakes.items() if text} == {}


@pytest.mark.parametrize("file", FILES)
def test_reference_differs_from_jinja_only_by_documented_deviations(file: str) -> None:
    wrong = {}
    for name, case in cases_of(file).items():
        if not case.refused:
            results = reference(name), by_jinja(case.template, case.context)
            if (results[0].text == results[1].text) == bool(case.deviations):
                wrong[name] = results
    assert wrong == {}


def test_corpus_has_a_case_for_each_documented_deviation() -> None:
    named = {deviation for case in CASES.values() for deviation in case.deviations}
    assert named == {deviation.id for deviation in DEVIATIONS}


def test_at_least_nine_of_ten_cases_are_accepted() -> None:
    accepted = sum(not case.refused for case in CASES.values())
    assert len(CASES) >= 600
    assert accepted >= 0.9 * len(CASES)
