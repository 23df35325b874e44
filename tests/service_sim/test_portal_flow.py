"""The portal as a person and an app use it: submit, approve, install, settings, uninstall. Each redirect is signed."""

import hashlib
import hmac
import json
import re
from dataclasses import dataclass
from urllib.parse import parse_qsl, urlencode, urlsplit

import pytest
from asgi_calls import ask
from bs4 import BeautifulSoup
from manifests import mandatory_manifest

from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning_harness.service import Service
from awning_harness.service.portal.portal import portal_application

SECRET = "app secret, long enough ~*ā"
MANIFEST = {
    **mandatory_manifest("Tests <b>&"),
    "app_version": "1.0.0",
    "app_install_url": "http://127.0.0.1:9/install?own=a%20b~",
    "app_settings_url": "https://app.example/settings",
    "app_default_snippet": "<p>default</p>",
    "app_secret": SECRET,
}


@dataclass
class Browser:
    """Calls the portal without sockets."""

    service: Service

    def ask(self, method, url, form=None, manifest=None, **headers):
        all_headers = {"host": "127.0.0.1"} | headers
        body = urlencode(form or {}).encode()
        if manifest is not None:
            all_headers["content-type"] = "application/json"
            body = manifest if isinstance(manifest, bytes) else json.dumps(manifest).encode()
        return ask(
            portal_application(self.service),
            method,
            urlsplit(url).path,
            query=urlsplit(url).query,
            headers=tuple((key.encode(), value.encode()) for key, value in all_headers.items()),
            body=body,
        )

    def follow(self, method, url, form=None):
        """The address a call redirects to."""
        answer = self.ask(method, url, form)
        assert answer.status == 303, answer.body.decode()
        return dict(answer.headers)[b"location"].decode()

    def page(self, url, status=200):
        answer = self.ask("GET", url)
        assert answer.status == status
        assert answer.content_type == b"text/html; charset=utf-8"
        return answer.body.decode()


def authentic(url):
    """Check the hash as an app does, on the raw query string (Apps Integration API, Verifying request authenticity)."""
    remaining, _, digest = urlsplit(url).query.rpartition("&hash=")
    return hmac.compare_digest(
        hmac.new(SECRET.encode(), remaining.encode(), hashlib.sha256).hexdigest(), digest
    )


def parameters(url):
    return dict(parse_qsl(urlsplit(url).query))


def return_link(url):
    """The callback, with all other parameters of the request except the hash."""
    fields = parameters(url)
    return fields.pop("callback") + "?" + urlencode({k: v for k, v in fields.items() if k != "hash"})


@pytest.fixture
def browser(service):
    return Browser(service)


@pytest.fixture
def submitted(browser):
    return json.loads(browser.ask("POST", "/apps/", manifest=MANIFEST).body)


def test_app_is_submitted_approved_installed_and_uninstalled(browser, service, submitted):
    assert submitted["approved"] is False
    app = f"/apps/{submitted['app_id']}/"
    assert "waits for approval" in browser.page(app)
    browser.follow("POST", f"{app}approval/")
    assert "waits for approval" not in browser.page(app)
    website = browser.follow("POST", "/websites/", {"languages": "lv, en", "brandname": "Shop"})
    assert "not installed" in browser.page(website)

    to_app = browser.follow("POST", f"{website}install/{submitted['app_id']}/", {"language": "en"})
    assert to_app.startswith("http://127.0.0.1:9/install?own=a+b%7E&appId=1&language=en&callback=http")
    assert authentic(to_app)
    assert "authCode" not in parameters(to_app)
    assert "?" not in parameters(to_app)["callback"]

    permission = browser.page(return_link(to_app))
    assert "asks for full access" in permission
    buttons = BeautifulSoup(permission, "html.parser").select("form button")
    assert [button["name"] for button in buttons] == ["accept", "decline"]
    assert "return link is not" not in permission
    accept = urlsplit(parameters(to_app)["callback"]).path
    to_app = browser.follow("POST", accept, {"accept": "yes"})
    assert authentic(to_app)
    fields = parameters(to_app)
    assert list(fields) == ["own", "authCode", "appId", "language", "callback", "svcVersion", "hash"]
    assert service.instance(fields["authCode"]).state == "installing"
    assert service.page_snippets(1, "lv") == ()
    assert "has not called" in browser.page(return_link(to_app))

    with service.database.writing() as db:
        db.execute("UPDATE instance SET state = 'installed'")
    assert "Installed." in browser.page(return_link(to_app))
    assert service.page_snippets(1, "lv")[0].body == "<p>default</p>"

    to_settings = browser.follow("POST", "/instances/1/settings/", {"language": "lv"})
    assert to_settings.startswith("https://app.example/settings?authCode=")
    assert authentic(to_settings)
    assert parameters(to_settings)["authCode"] == fields["authCode"]
    assert parameters(to_settings)["language"] == "lv"

    browser.follow("POST", "/instances/1/uninstall/")
    assert service.instance(fields["authCode"]).state == "uninstalled"
    assert service.page_snippets(1, "lv") == ()
    assert "not installed" in browser.page(website)


def test_a_permission_screen_is_decided_once(browser, submitted):
    website = browser.follow("POST", "/websites/")
    accept = urlsplit(
        parameters(browser.follow("POST", f"{website}install/{submitted['app_id']}/"))["callback"]
    ).path
    assert browser.follow("POST", accept, {"decline": "yes"}) == website
    assert "already accepted or declined" in browser.page(accept, 404)
    assert browser.ask("POST", accept, {"accept": "yes"}).status == 404


def test_a_wrong_return_link_is_explained(browser, submitted):
    website = browser.follow("POST", "/websites/")
    to_app = browser.follow("POST", f"{website}install/{submitted['app_id']}/")
    page = browser.page(parameters(to_app)["callback"] + "?language=xx&hash=1")
    for complaint in ("appId is missing", "language was changed", "hash must not be returned"):
        assert complaint in page


def test_settings_callback_works_without_return_link_parameters(browser, service, submitted):
    """Observed: an app returns from its settings to the bare callback address."""
    website = service.create_website()
    code = service.install(submitted["app_id"], website.id)
    to_app = browser.follow("POST", f"/instances/{service.instance(code).id}/settings/")
    callback = parameters(to_app)["callback"]
    assert "?" not in callback
    for address in (callback, f"{callback}/", return_link(to_app)):
        page = browser.page(address)
        assert "Back from the settings" in page
        assert "return link" not in page


@pytest.mark.parametrize(
    ("value", "while_waiting"), [("live", ("New", "1.0.1")), ("waits", ("Tests <b>&", "1.0.0"))]
)
def test_an_assumption_decides_whether_a_waiting_version_is_live(
    browser, service, submitted, value, while_waiting
):
    service.assumptions.set("unapproved-version", value)
    service.approve_app(1)
    code = service.install(1, service.create_website().id)
    new = {
        **MANIFEST,
        "app_title": "New",
        "app_version": "1.0.1",
        "app_secret": "another secret, long enough",
    }
    for manifest in ({**new, "app_version": "1.0.0"}, new):
        assert json.loads(browser.ask("POST", "/apps/1", manifest=manifest).body)["approved"] is False
    app = service.app(1)
    assert (app.title, app.manifest["app_version"], app.approved) == (*while_waiting, False)
    assert authentic(browser.follow("POST", "/instances/1/settings/")) is (value == "waits")
    assert "1.0.1" in browser.page("/apps/1/").partition("<textarea")[2]
    browser.follow("POST", "/apps/1/approval/")
    app = service.app(1)
    assert (app.title, app.manifest["app_version"], app.approved, app.waiting) == ("New", "1.0.1", True, None)
    assert not authentic(browser.follow("POST", "/instances/1/settings/"))
    assert service.instance(code).app_id == 1


def test_replaced_live_version_stays_approved(service):
    """A control call replaces the live version, and with it a version that waits. The next version waits again."""
    service.assumptions.set("unapproved-version", "waits")
    app_id, _ = service.register_app(MANIFEST)
    service.submit_version(app_id, {**MANIFEST, "app_version": "2.0.0"})
    service.resubmit_app(app_id, {**MANIFEST, "app_version": "1.0.1"})
    assert (service.app(app_id).approved, service.app(app_id).waiting) == (True, None)
    service.submit_version(app_id, {**MANIFEST, "app_version": "3.0.0"})
    assert service.app(app_id).manifest["app_version"] == "1.0.1"


def test_unapproved_app_has_one_version(browser, service, submitted):
    service.assumptions.set("unapproved-version", "waits")
    browser.ask("POST", "/apps/1", manifest={**MANIFEST, "app_version": "1.0.1"})
    assert service.app(1).manifest["app_version"] == "1.0.1"


@pytest.mark.parametrize(("mode", "target"), [("blank", "_blank"), ("self", "_self")])
def test_tab_mode_decides_the_target_of_links(browser, mode, target):
    browser.ask("POST", "/apps/", manifest={**MANIFEST, "app_tab_mode": mode})
    assert f'target="{target}"' in browser.page(browser.follow("POST", "/websites/"))


def test_app_without_secret_or_install_url_cannot_be_installed(browser, service):
    browser.follow("POST", "/websites/")
    for manifest, why in (
        ({"app_secret": "s"}, "no app_install_url"),
        ({"app_install_url": "https://a"}, "no app_secret"),
    ):
        app_id, _ = service.register_app(manifest)
        answer = browser.ask("POST", f"/websites/1/install/{app_id}/")
        assert answer.status == 400
        assert why in answer.body.decode()


def test_the_api_key_is_shown_once_and_titles_are_escaped(browser):
    answer = browser.ask("POST", "/apps/", {"manifest": json.dumps(MANIFEST)})
    key = re.search(rb"SVC-[0-9a-f]{32}", answer.body)[0].decode()
    assert key not in browser.page("/apps/1/")
    for url in ("/apps/", "/apps/1/"):
        assert "Tests &lt;b&gt;&amp;" in browser.page(url)
        assert "Tests <b>" not in browser.page(url)
        assert SECRET not in browser.page(url)


def test_submitting_again_keeps_the_secret_and_waits_for_approval(browser, service, submitted):
    service.approve_app(1)
    new = {k: v for k, v in MANIFEST.items() if k != "app_secret"} | {"app_version": "1.0.1"}
    answer = json.loads(browser.ask("POST", "/apps/1", manifest=new).body)
    assert answer == {"error": False, "app_id": 1, "approved": False, "findings": []}
    assert service.app(1).waiting["app_version"] == "1.0.1"
    service.approve_app(1)
    assert service.app(1).manifest["app_version"] == "1.0.1"
    assert service.vault.open(service.app(1).sealed_secret) == SECRET
    assert browser.follow("POST", "/apps/1/", {"manifest": json.dumps(new)}) == "/apps/1/"


def test_all_problems_of_a_manifest_are_shown_at_once(browser):
    answer = browser.ask("POST", "/apps/", manifest={"app_vendor": {}, "app_titel": "x"})
    document = json.loads(answer.body)
    assert (answer.status, document["error"], document["error_code"]) == (400, True, 400)
    mandatory = {rule.name for rule in MANIFEST_FIELDS if rule.mandatory} - {"app_vendor"}
    assert {f["field"] for f in document["findings"] if f["severity"] == "error"} == mandatory
    assert {
        "field": "app_titel",
        "message": 'is unknown: did you mean "app_title"?',
        "severity": "warning",
    } in document["findings"]
    page = browser.ask("POST", "/apps/", {"manifest": '{"app_type": "X"}'})
    assert page.status == 400
    assert "must be &#34;APP&#34;" in page.body.decode()
    assert "&#34;app_type&#34;" in page.body.decode()


def test_page_reports_whether_a_manifest_was_submitted(browser):
    refused = browser.ask("POST", "/apps/", {"manifest": json.dumps({**MANIFEST, "app_type": "X"})})
    assert "Not submitted: 1 error" in refused.body.decode()
    taken = browser.ask("POST", "/apps/", {"manifest": json.dumps({**MANIFEST, "app_titel": "x"})})
    assert "Submitted, with something to look at" in taken.body.decode()
    assert "warning: <code>app_titel</code>" in taken.body.decode()


def test_form_for_a_new_version_contains_the_last_manifest(browser, submitted):
    form = browser.page(f"/apps/{submitted['app_id']}/").partition("<textarea")[2]
    assert MANIFEST["app_version"] in form
    assert SECRET not in form


@pytest.mark.parametrize("manifest", [b"", b"{", b"[]", b"null", b"\xff"])
def test_a_malformed_manifest_is_refused(browser, manifest):
    assert browser.ask("POST", "/apps/", manifest=manifest).status == 400
    assert browser.ask("POST", "/apps/", {"manifest": manifest}).status == 400


def test_assumptions_are_read_and_set(browser, service):
    assert "What does get_snippet answer" in browser.page("/assumptions/")
    assert browser.follow("POST", "/assumptions/", {"id": "unset-snippet", "value": "empty"}).endswith(
        "#unset-snippet"
    )
    assert service.assumptions["unset-snippet"] == "empty"
    browser.follow("POST", "/assumptions/", {"assumption_set": "hostile"})
    assert service.assumptions["unset-snippet"] == "absent"
    assert browser.ask("POST", "/assumptions/", {"id": "none"}).status == 400


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://["])
def test_form_of_another_site_is_refused(browser, origin):
    assert browser.ask("POST", "/websites/", origin=origin).status == 403
    assert browser.service.websites() == ()
    assert browser.ask("POST", "/websites/", origin="http://127.0.0.1").status == 303


@pytest.mark.parametrize(
    ("method", "url", "status"),
    [
        ("GET", "/none", 404),
        ("GET", "/apps/7/", 404),
        ("GET", "/websites/7/", 404),
        ("GET", "/installed/7", 404),
        ("POST", "/websites/7/install/1/", 404),
        ("POST", "/instances/7/settings/", 404),
        ("POST", "/requests/", 405),
        ("PUT", "/apps/", 405),
        ("GET", f"/apps/{'9' * 16}/", 404),
        ("GET", f"/websites/{'9' * 5000}/", 404),
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("GET", "/requests/", 200),
        ("GET", "/requests", 200),
        ("GET", "/style.css", 200),
    ],
)
def test_pages_have_their_status(browser, method, url, status):
    assert browser.ask(method, url).status == status


def test_a_bad_language_of_a_website_is_shown_on_a_page(browser):
    answer = browser.ask("POST", "/websites/", {"languages": "<script>"})
    assert answer.status == 400
    assert b"language codes" in answer.body


def test_the_request_page_lists_calls(browser, caller):
    caller.call("GET", "/apps/languages/")
    page = browser.page("/requests/")
    assert "/v1/apps/languages/" in page
    assert caller.auth_code not in page


@pytest.mark.parametrize(
    ("status", "error_code", "message"),
    [(200, None, None), (404, 404, "404"), (200, 500, "200, error 500"), (0, None, "no answer")],
)
def test_request_page_marks_errors_with_status_200(browser, service, status, error_code, message):
    called = {
        "at": "2026-03-01T12:00:00Z",
        "method": "GET",
        "path": "/v1/apps/account/",
        "operation": "account",
    }
    service.log.add(**called, status=status, error_code=error_code)
    marked = BeautifulSoup(browser.page("/requests/"), "html.parser").select("td.bad")
    assert [cell.get_text() for cell in marked] == ([message] if message else [])
