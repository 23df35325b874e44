"""The methods that change the case of letters give what Python gives, for every letter that has cases."""

import sys

import pytest
from parity import JavaScript, by_reference, compiled


def letters_with_cases() -> list[str]:
    return [
        letter
        for letter in map(chr, range(sys.maxunicode + 1))
        if not {letter.upper(), letter.lower(), letter.title(), letter.casefold()} <= {letter}
    ]


def by_javascript(javascript: JavaScript, method: str, texts: list[str]) -> list[str]:
    code = compiled(template_of(method))
    assert isinstance(code, str)
    [[result]] = javascript.render([code], [[{"texts": texts}]])
    assert result.text is not None
    return result.text.split("|")[:-1]


def by_python(method: str, texts: list[str]) -> list[str]:
    text = by_reference(template_of(method), {"texts": texts}).text
    assert text is not None
    return text.split("|")[:-1]


def template_of(method: str) -> str:
    return f"{{% for text in texts %}}{{{{ text.{method}() }}}}|{{% endfor %}}"


@pytest.fixture(scope="module")
def letters(javascript: JavaScript) -> list[str]:
    """The letters whose upper and lower case is the same in Python and in JavaScript.

    Others are few. Their case depends on the version of Unicode.
    """
    letters = letters_with_cases()
    upper, lower = (by_javascript(javascript, method, letters) for method in ("upper", "lower"))
    cases = zip(letters, upper, lower, strict=True)
    same = [letter for letter, *both in cases if both == [letter.upper(), letter.lower()]]
    assert len(same) > 0.95 * len(letters)
    return same


@pytest.mark.parametrize("method", ["title", "capitalize", "swapcase", "casefold"])
def test_letter_changes_its_case_as_in_python(
    javascript: JavaScript, letters: list[str], method: str
) -> None:
    texts = [text for letter in letters for text in (letter, f"a{letter}b", f"{letter}{letter}")]
    results = zip(texts, by_javascript(javascript, method, texts), by_python(method, texts), strict=True)
    assert [case for case in results if case[1] != case[2]] == []
