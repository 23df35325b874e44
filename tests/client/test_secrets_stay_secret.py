"""Keys and authCodes are in no repr, log or exception, and are masked when a service echoes them."""

import logging
import pickle
import traceback

import pytest

from awning.client import (
    Calling,
    Client,
    Limits,
    Response,
    Retry,
    Secret,
    Transport,
    apps,
    apps_access,
    find_secret,
)
from awning.client.reseller import reseller_client
from awning.client.reseller.actions import SetPassword
from awning.client.responses import read
from awning.errors import AwningError, ConfigurationError, Refused

KEY, CODE = "SVC-canary-key", "canary/code+1"


@pytest.mark.parametrize(
    "show", [repr, str, "{}".format, "%s".__mod__, lambda s: f"{s!r:>20}", lambda s: repr([s])]
)
def test_no_text_form_of_a_secret_shows_it(show):
    assert KEY not in show(Secret(KEY))


def test_secret_cannot_be_pickled():
    with pytest.raises(TypeError):
        pickle.dumps(Secret(KEY))


def test_secrets_compare_by_value():
    assert Secret("a") == Secret("a")
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"
    assert len({Secret("a"), Secret("a")}) == 1


def test_reprs_of_access_and_operation_hide_secrets():
    access = apps_access("https://service.test/v1", Secret(KEY))
    text = repr((access, Calling(access=access), apps.set_snippet(Secret(CODE), "<p>", "lv")))
    assert "canary" not in text


STRINGS_AS_SECRETS = {
    "the API key": lambda: apps_access("https://service.test/v1", KEY),
    "the authCode": lambda: apps.get_data(KEY),
    "the authCode of a change": lambda: apps.set_data(KEY, {}),
    "the password": lambda: reseller_client("https://reseller.test", "me@reseller.test", KEY),
    "the token": lambda: reseller_client("https://reseller.test", "", None, token=KEY),
    "the new password": lambda: SetPassword(KEY),
}


@pytest.mark.parametrize("what", STRINGS_AS_SECRETS)
def test_string_in_the_place_of_a_secret_is_refused_at_once_and_not_shown(what):
    with pytest.raises(
        TypeError, match=rf"{what.removesuffix(' of a change')} is a Secret, not str"
    ) as caught:
        STRINGS_AS_SECRETS[what]()
    assert KEY not in str(caught.value)


@pytest.mark.parametrize("value", [None, b"canary"])
def test_secret_of_something_else_than_a_string_is_refused(value):
    with pytest.raises(TypeError, match=f"a Secret holds a str, not {type(value).__name__}"):
        Secret(value)


@pytest.mark.parametrize("echo", [KEY, CODE, "canary%2Fcode%2B1"])
def test_echoed_secret_is_masked(echo):
    access = apps_access("https://service.test/v1", Secret(KEY))
    body = b'{"error":true,"error_code":3,"error_message":"what is ' + echo.encode() + b'?"}'
    with pytest.raises(Refused, match=r"what is \*\*\*\? \(error 3") as caught:
        read(apps.user(Secret(CODE)), Response(status=400, body=body), access)
    assert "canary" not in repr(caught.value)


@pytest.mark.parametrize(
    "case", [b"", None, b"junk\r\n\r\n", b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{CUT"]
)
def test_logs_and_exceptions_contain_no_secret(server, case, caplog):
    caplog.set_level(logging.DEBUG)
    server.answers = [case]
    access = apps_access(server.base_url, Secret(KEY))
    calling = Calling(access=access, retry=Retry(attempts=2, first_s=0))
    with (
        Client(calling, Transport(access, limits=Limits(total_s=0.2))) as client,
        pytest.raises(AwningError) as caught,
    ):
        client.run(apps.user(Secret(CODE)))
    # The traceback's source lines are left out, because the tests' own code contains the canary.
    text = "".join(traceback.format_exception_only(caught.value)) + repr(caught.value.__dict__) + caplog.text
    assert "canary" not in text


class TestWhereSecretsComeFrom:
    def test_secret_is_read_from_the_environment(self):
        assert find_secret("AWNING_API_KEY", {"AWNING_API_KEY": f" {KEY}\n"}) == Secret(KEY)

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
    def test_secret_is_read_from_a_file(self, tmp_path, encoding):
        (tmp_path / "key").write_text(f"{KEY}\n", encoding=encoding)
        assert find_secret("AWNING_API_KEY", {"AWNING_API_KEY_FILE": str(tmp_path / "key")}) == Secret(KEY)

    def test_missing_secret_is_none(self):
        assert find_secret("AWNING_API_KEY", {"AWNING_API_KEY": "  "}) is None

    @pytest.mark.parametrize("content", [None, b"", b"\xff"])
    def test_invalid_secret_file_is_refused(self, tmp_path, content):
        path = tmp_path / "key"
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(ConfigurationError, match="AWNING_API_KEY_FILE"):
            find_secret("AWNING_API_KEY", {"AWNING_API_KEY_FILE": str(path)})

    @pytest.mark.parametrize("key", ["", "a b", "ā", "a\nb"])
    def test_key_that_would_break_the_header_is_refused(self, key):
        with pytest.raises(ConfigurationError):
            apps_access("https://service.test/v1", Secret(key))
