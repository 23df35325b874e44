"""A response outside the specification raises BadAnswer with a message; any other gives a typed result."""

import pytest

from awning.client import Response, Secret, apps, apps_access
from awning.client.apps import User, Website
from awning.client.responses import read
from awning.errors import BadAnswer, Refused, Unauthorized

ACCESS = apps_access("https://service.test/v1", Secret("SVC-key"))
CODE = Secret("the-code")


def of(body, **fields):
    return Response(**{"status": 200, "body": body if isinstance(body, bytes) else body.encode(), **fields})


@pytest.mark.parametrize(
    ("operation", "body", "result"),
    [
        (apps.installed(CODE), '{"error":false}', None),
        (apps.get_snippet(CODE), '{"error":false,"snippet":"<p>ā"}', "<p>ā"),
        (apps.get_snippet(CODE), '{"error":false,"snippet":null}', None),
        (apps.get_snippet(CODE, "lv"), '{"error":false}', None),
        (apps.get_data(CODE), '{"error":false,"data":{"a":[1]}}', {"a": [1]}),
        (apps.get_data(CODE), '{"error":false,"data":[]}', []),
        (apps.get_data(CODE), '{"error":false,"data":"text"}', "text"),
        (
            apps.user(CODE),
            '{"error":false,"user":{"email":"a@b.lv","email_confirmed":true}}',
            User(email="a@b.lv", email_confirmed=True),
        ),
        (apps.user(CODE), '{"error":false,"user":{"email":null}}', User(email=None, email_confirmed=None)),
        (
            apps.website(CODE),
            '\ufeff{"error":false,"website":{"url":"https://x.lv/","brandname":"X"}}',
            Website(url="https://x.lv/", brandname="X"),
        ),
        (apps.languages(CODE), '{"error":false,"languages":["lv","en"],"more":1}', ("lv", "en")),
        (apps.app_info(CODE), '{"error":false,"info":{"app_title":"T"}}', {"app_title": "T"}),
    ],
)
def test_a_good_answer_becomes_a_typed_result(operation, body, result):
    assert read(operation, of(body), ACCESS) == result


LANGUAGES = apps.languages(CODE)


def test_json_with_an_html_content_type_is_read():
    answer = of('{"error":false,"languages":["lv"]}', content_type="text/html; charset=UTF-8")
    assert read(LANGUAGES, answer, ACCESS) == ("lv",)


BAD = {
    "nothing": (of(""), "HTTP 200 with an empty body"),
    "cut short": (of('{"error":false,"lang'), "not JSON, or JSON cut short"),
    "two documents": (of('{"error":false}{}'), "not JSON"),
    "a list": (of("[]"), "JSON that is not an object"),
    "no error field": (of('{"languages":[]}'), 'without a boolean "error"'),
    "error is a word": (of('{"error":"false","languages":[]}'), 'without a boolean "error"'),
    "no languages": (of('{"error":false}'), '"languages" is not an array of strings'),
    "languages of numbers": (of('{"error":false,"languages":[1]}'), "array of strings"),
    "a page": (
        of(" <!doctype html><title>Log\n in {0}</title>", content_type="text/html"),
        'titled "Log in {0}"',
    ),
    "a page said to be JSON": (of("<html></html>"), "with a page instead of JSON"),
    "text": (of("OK", content_type="text/plain; a={b}"), "text/plain; a={b} instead of JSON"),
    "both at once": (
        of('{"error":false,"languages":[]}', status=500),
        "answered HTTP 500 with error false, a contradiction",
    ),
    "elsewhere": (of("", status=302), "HTTP 302, a redirect, which is not followed"),
    "not UTF-8": (of(b'{"error":false,"languages":["\xff"]}'), "not JSON"),
    "deep": (of("[" * 100_000), "not JSON"),
}


@pytest.mark.parametrize("case", BAD)
def test_unexpected_response_raises_bad_answer(case):
    answer, words = BAD[case]
    with pytest.raises(BadAnswer) as caught:
        read(LANGUAGES, answer, ACCESS)
    assert words in caught.value.message
    assert caught.value.message.startswith("languages: ")
    assert caught.value.status == answer.status


def test_field_of_a_wrong_type_is_named():
    with pytest.raises(BadAnswer, match='"email_confirmed" is a int, not a bool'):
        read(apps.user(CODE), of('{"error":false,"user":{"email_confirmed":1}}'), ACCESS)


def test_base_url_without_its_version_gets_a_hint():
    access = apps_access("https://service.test", Secret("k"))
    with pytest.raises(BadAnswer) as caught:
        read(LANGUAGES, of("<h1>Not found", status=404, content_type="text/html"), access)
    assert caught.value.hint == "the base URL does not end in /v1"


def test_refused_call_gets_a_hint_at_the_setting_that_may_be_wrong():
    with pytest.raises(Unauthorized) as caught:
        read(LANGUAGES, of('{"error":true,"error_code":401}', status=401), ACCESS)
    assert "AWNING_API_KEY" in caught.value.hint
    with pytest.raises(Refused) as caught:
        read(
            LANGUAGES,
            of('{"error":true,"error_code":404}', status=404),
            apps_access("https://a.test", Secret("k")),
        )
    assert caught.value.hint == "the base URL does not end in /v1"


@pytest.mark.parametrize(
    ("fields", "code", "words"),
    [
        (
            '"error_code":12,"error_message":"Bad\\u001b[31m\\nlanguage"',
            12,
            "Bad\ufffd[31m language (error 12",
        ),
        ('"error_code":"12"', 400, "no message (error 400"),
        ('"error_code":true,"error_message":""', 400, "no message (error 400"),
        ('"error_message":"' + "x" * 999 + '"', 400, "xxx\N{HORIZONTAL ELLIPSIS}"),
    ],
)
def test_message_of_a_refusal_is_printable(fields, code, words):
    with pytest.raises(Refused) as caught:
        read(LANGUAGES, of('{"error":true,' + fields + "}", status=400), ACCESS)
    assert words in caught.value.message
    assert caught.value.error_code == code
