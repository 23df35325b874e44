"""Valid and invalid requests of every kind: response, information revealed, changes made."""

import re
from dataclasses import replace

import pytest

from awning.client.access import find_apps_access
from awning.errors import ConfigurationError
from awning.host import application, checked_public_url, from_environ, to_environ
from awning.host.guard import HEADERS

OTHER = "another-secret"


def bad_requests(ask, sign, code):
    parameters = {
        "authCode": code,
        "appId": "1",
        "language": "en",
        "callback": "https://service.example/back",
    }
    good = sign("/settings", parameters)
    return {
        "other secret": sign("/settings", parameters, OTHER),
        "no hash": good.partition("&hash=")[0],
        "empty hash": good.partition("&hash=")[0] + "&hash=",
        "changed": good.replace("language=en", "language=lv"),
        "another code": good.replace(code, "x" + code[1:]),
        "a parameter more": good.replace("?", "?extra=1&"),
        "hash twice": good + "&hash=" + good.rpartition("=")[2],
        "upper-case hash": good.rpartition("=")[0] + "=" + good.rpartition("=")[2].upper(),
        "nothing": "/settings",
        "hash alone": sign("/settings", {}),
        "bytes": "/settings?%ff%fe=%00&hash=%ff",
    }


@pytest.mark.parametrize("path", ["/settings", "/install"])
def test_forged_requests_all_get_the_same_refusal(world, ask, sign, path, caplog):
    caplog.set_level("INFO", logger="awning.host")
    browser, code = world.browser(), world.new_code(state="installed")
    pages = set()
    for kind, url in bad_requests(ask, sign, code).items():
        seen = browser.get(url.replace("/settings", path, 1))
        assert seen.status == 403, kind
        pages.add(seen.text)
    assert len(pages) == 1, "all refusals look the same"
    assert "hash" not in pages.pop().lower().replace("hash=", "")
    assert world.calls == []
    assert world.inventory() == []
    assert "matches neither" in caplog.text
    assert code not in caplog.text


@pytest.mark.parametrize(
    ("path", "changed"),
    [
        ("/install", {"callback": ""}),
        ("/install", {"callback": "javascript:alert(1)"}),
        ("/install", {"callback": "//service.example/back"}),
        ("/install", {"callback": "https:///back"}),
        ("/settings", {}),
    ],
)
def test_authentic_request_without_a_required_parameter_is_400(world, ask, path, changed):
    seen = world.browser().get(ask(path, **changed))
    assert seen.status == 400
    assert seen.location == ""


@pytest.mark.parametrize("code", ["a b", "ā", "x" * 600])
@pytest.mark.parametrize("path", ["/install", "/settings"])
def test_malformed_code_is_refused(world, ask, path, code):
    assert world.browser().get(ask(path, code)).status == 400
    assert world.inventory() == []


@pytest.mark.parametrize(
    ("callback", "link"),
    [
        ("https://service.example/back", "https://service.example/back?appId=1&language=en&svcVersion=1.0.0"),
        (
            "https://service.example/back?a=1",
            "https://service.example/back?a=1&appId=1&language=en&svcVersion=1.0.0",
        ),
        ("https://service.example/#x", "https://service.example/?appId=1&language=en&svcVersion=1.0.0#x"),
    ],
)
def test_return_link_is_the_callback_with_the_other_parameters(world, ask, callback, link):
    assert world.browser().get(ask("/install", callback=callback)).location == link


def test_return_link_keeps_parameters_byte_for_byte(world, sign):
    query = {"appId": "1", "note": "ā b~*+/", "callback": "https://service.example/back"}
    assert world.browser().get(sign("/install", query)).location == (
        "https://service.example/back?appId=1&note=%C4%81+b~%2A%2B%2F"
    )


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("app.example", 302),
        ("APP.example:443", 302),
        ("app.example:80", 421),
        ("evil.example", 421),
        ("app.example.evil.example", 421),
        ("127.0.0.1", 421),
    ],
)
def test_only_the_host_of_the_public_url_is_served(world, ask, host, status):
    assert world.browser().get(ask("/install"), host=host).status == status


@pytest.mark.parametrize(
    ("behind", "headers", "status"),
    [
        (False, {"host": "inner:8440", "x_forwarded_host": "app.example"}, 421),
        (True, {"host": "inner:8440", "x_forwarded_host": "app.example"}, 302),
        (True, {"host": "app.example", "x_forwarded_proto": "https"}, 302),
        (True, {"host": "app.example", "x_forwarded_proto": "http"}, 421),
        (True, {"host": "app.example", "x_forwarded_host": "evil.example"}, 421),
        (False, {"host": "app.example", "x_forwarded_host": "evil.example"}, 302),
        (False, {"host": "app.example", "x_forwarded_proto": "http"}, 302),
    ],
)
def test_forwarded_headers_count_only_behind_a_proxy(world, ask, behind, headers, status):
    assert world.browser(behind_proxy=behind).get(ask("/install"), **headers).status == status


@pytest.mark.parametrize(
    ("behind", "headers", "reason"),
    [
        (False, {"host": "localhost:8440"}, "Host is 'localhost:8440'"),
        (False, {"host": "a\nb"}, r"Host is 'a\nb'"),
        (True, {"x_forwarded_host": "evil.example"}, "X-Forwarded-Host is 'evil.example'"),
        (True, {"x_forwarded_proto": "http"}, "X-Forwarded-Proto is 'http'"),
    ],
)
def test_log_names_the_header_of_a_misdirected_request(world, ask, behind, headers, reason, caplog):
    seen = world.browser(behind_proxy=behind).get(ask("/install"), **headers)
    assert (seen.status, "the log of the server has the reason" in seen.text) == (421, True)
    assert f"misdirected: {reason}, and the public URL is https://app.example" in caplog.messages


def test_path_of_the_public_url_is_a_prefix(world, ask):
    browser, code = world.browser(public_url="https://app.example/awning"), world.new_code()
    assert browser.get(ask("/install", code)).status == 404
    assert browser.get(ask("/awning/install", code)).status == 302
    opened = browser.get(ask("/awning/settings", code))
    assert opened.location.startswith("/awning/settings/")
    page = browser.follow(opened)
    assert page.soup.find("link", rel="stylesheet")["href"].startswith("/awning/style.css?")
    assert browser.get(page.soup.find("link", rel="stylesheet")["href"]).status == 200


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("GET", "/", 404),
        ("GET", "/nothing", 404),
        ("POST", "/install", 405),
        ("POST", "/settings", 405),
        ("HEAD", "/install", 405),
        ("HEAD", "/settings", 405),
        ("GET", "/settings/unknown/", 403),
        ("POST", "/settings/unknown/", 403),
        ("POST", "/settings/unknown/uninstall", 403),
        ("GET", "/settings/unknown/uninstall", 405),
        ("GET", "/healthz", 200),
        ("GET", "/style.css", 200),
    ],
)
def test_every_response_has_the_security_headers(world, method, url, status):
    seen = world.browser().send(method, url, b"", {})
    assert seen.status == status
    names = {name for name, _ in seen.headers}
    assert {name.decode() for name in HEADERS} | {"strict-transport-security"} <= names
    assert "default-src 'none'" in seen.header("content-security-policy")
    assert "script-src" not in seen.header("content-security-policy")
    assert "server" not in names
    cached = seen.header("cache-control")
    assert ("immutable" in cached) if url == "/style.css" else (cached == "no-store")
    assert not re.search(r"<script|\son\w+=|\sstyle=", seen.text)


def test_a_head_request_installs_nothing(world, ask):
    code = world.new_code()
    browser = world.browser()
    assert browser.send("HEAD", ask("/install", code), b"", {}).status == 405
    assert not world.installed(code)
    assert browser.get(ask("/install", code)).status == 302
    assert world.installed(code)


def test_healthz_works_by_address_and_is_503_without_a_build(world):
    browser = world.browser()
    assert browser.get("/healthz", host="10.0.0.7:8440").text == '{"status":"ok"}'
    (world.dist / "build.json").unlink()
    assert browser.get("/healthz").status == 503


def test_internal_error_is_a_page_without_details(world, ask, monkeypatch):
    browser = world.browser()
    monkeypatch.setattr("awning.host.visits.install", None)
    seen = browser.get(ask("/install", world.new_code()))
    assert (seen.status, seen.heading) == (500, "Something went wrong here")
    assert "NoneType" not in seen.text
    assert "default-src 'none'" in seen.header("content-security-policy")
    assert [type(error) for error in browser.errors] == [TypeError]


@pytest.mark.parametrize(
    ("text", "normalized"),
    [
        ("https://app.example/", "https://app.example"),
        ("https://app.example/awning/", "https://app.example/awning"),
        ("http://127.0.0.1:8440", "http://127.0.0.1:8440"),
        ("http://app.example", None),
        ("ftp://app.example", None),
        ("app.example", None),
        ("https://user@app.example", None),
        ("https://app.example/?a", None),
        ("https://[x", None),
        ("https://app.example:port", None),
        ("https://āpp.example", None),
    ],
)
def test_public_url_is_normalized_or_refused(text, normalized):
    if normalized is None:
        with pytest.raises(ConfigurationError):
            checked_public_url(text)
    else:
        assert checked_public_url(text) == normalized


COMPLETE = {
    "AWNING_PUBLIC_URL": "https://app.example/",
    "AWNING_STATE_DIR": "state",
    "AWNING_APP_SECRET": "the secret",
    "AWNING_API_KEY": "SVC-key",
    "AWNING_BASE_URL": "https://service.example/v1/",
    "AWNING_BEHIND_PROXY": "1",
}


def test_all_settings_can_come_from_the_environment():
    settings = from_environ(COMPLETE)
    assert settings.public_url == "https://app.example"
    assert settings.behind_proxy
    assert not settings.head_snippets
    assert "the secret" not in repr(settings)
    assert "SVC-key" not in repr(settings)


@pytest.mark.parametrize("value", ["0", "no", "Off", "false", "N", " "])
def test_variable_that_says_no_turns_nothing_on(value):
    plain = {**COMPLETE, "AWNING_BASE_URL": "http://service.example/v1", "AWNING_ALLOW_PLAIN_HTTP": value}
    with pytest.raises(ConfigurationError, match="unencrypted"):
        from_environ(plain)
    with pytest.raises(ConfigurationError, match="unencrypted"):
        find_apps_access(plain["AWNING_BASE_URL"], plain)
    assert not from_environ({**COMPLETE, "AWNING_BEHIND_PROXY": value}).behind_proxy


def test_workers_get_the_settings_of_the_command():
    settings = from_environ(COMPLETE)
    secrets = {name: COMPLETE[name] for name in ("AWNING_APP_SECRET", "AWNING_API_KEY")}
    again = from_environ({**to_environ(settings), **secrets})
    assert replace(again, access=settings.access, state=settings.state, dist=settings.dist) == settings
    assert again.access.base_url == settings.access.base_url
    assert not set(secrets.values()) & set(to_environ(settings).values())


@pytest.mark.parametrize("name", [n for n in COMPLETE if n != "AWNING_BEHIND_PROXY"])
def test_missing_setting_is_named(name):
    with pytest.raises(ConfigurationError) as caught:
        from_environ({k: v for k, v in COMPLETE.items() if k != name})
    message = f"{caught.value.message} {caught.value.hint}"
    assert name in message


def test_server_does_not_start_without_a_build(world):
    (world.dist / "build.json").unlink()
    with pytest.raises(ConfigurationError, match="nothing is built"):
        application(world.settings(), send=world.send)
