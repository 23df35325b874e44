"""Production modules have smaller helpers: they render the reference's text, or raise an error."""

from parity import SHARED, JavaScript, by_reference, corpus

from awning.template import compile_template


def test_module_without_container_support_equals_the_reference_or_fails(javascript: JavaScript) -> None:
    cases = [case for case in corpus().values() if not case.refused]
    modules = [
        compile_template(case.template, path="case.html", loader=SHARED.get, containers=False).code
        for case in cases
    ]
    answers = [answer for (answer,) in javascript.render(modules, [[case.context] for case in cases])]
    expected = [by_reference(case.template, case.context) for case in cases]
    different = [
        (case.template, answer, wanted)
        for case, answer, wanted in zip(cases, answers, expected, strict=True)
        if answer.text is not None and answer.text != wanted.text
    ]
    assert different == []
    equal = sum(answer.text == wanted.text for answer, wanted in zip(answers, expected, strict=True))
    assert equal > 0.7 * len(cases)


def test_dev_build_has_the_texts_and_errors_of_the_production_build(javascript: JavaScript) -> None:
    cases = [case for case in corpus().values() if not case.refused]
    shipped, checked = (
        javascript.render(
            [
                compile_template(
                    case.template, path="case.html", loader=SHARED.get, containers=False, dev=dev
                ).code
                for case in cases
            ],
            [[case.context] for case in cases],
        )
        for dev in (False, True)
    )
    different = [
        (case.template, answer, wanted)
        for case, (answer,), (wanted,) in zip(cases, checked, shipped, strict=True)
        if answer.text != wanted.text
    ]
    assert different == []
