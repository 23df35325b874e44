"""Production modules have smaller helpers: they never render another text than the reference, but more errors."""

from parity import SHARED, JavaScript, by_reference, corpus

from awning.template import compile_template


def test_module_without_container_support_equals_the_reference_or_fails(javascript: JavaScript) -> None:
    cases = [case for case in corpus().values() if not case.refused]
    modules = [
        compile_template(case.template, path="case.html", loader=SHARED.get, containers=False).code
        for case in cases
    ]
    answers = [found for (found,) in javascript.render(modules, [[case.context] for case in cases])]
    expected = [by_reference(case.template, case.context) for case in cases]
    different = [
        (case.template, found, wanted)
        for case, found, wanted in zip(cases, answers, expected, strict=True)
        if found.text is not None and found.text != wanted.text
    ]
    assert different == []
    equal = sum(found.text == wanted.text for found, wanted in zip(answers, expected, strict=True))
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
        (case.template, found, wanted)
        for case, (found,), (wanted,) in zip(cases, checked, shipped, strict=True)
        if found.text != wanted.text
    ]
    assert different == []
