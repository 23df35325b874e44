"""The rules for each field of a manifest (`MANIFEST_FIELDS`); `manifest check` and the portal agree on any manifest."""

import json

import pytest
from asgi_calls import ask
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from manifests import MANIFEST, SECRET, changed
from volumes import volume

from awning.contract.assumptions import ASSUMPTIONS
from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning.contract.manifest_kinds import Allowed
from awning.contract.manifest_rules import check_manifest, parse_version
from awning.manifest.file import CheckOptions, check_manifest_file, read_manifest_file
from awning.manifest.history import SubmissionRecord, version_findings
from awning_harness.service import Service
from awning_harness.service.portal.portal import portal_application

NAMES = [rule.name for rule in MANIFEST_FIELDS]
OPEN = Allowed(loopback=True, without_secret=True)


def found(changes, leave=OPEN, severity="error"):
    return [(f.field, f.message) for f in check_manifest(changed(changes), leave) if f.severity == severity]


def test_valid_manifest_has_no_findings():
    assert check_manifest(MANIFEST, OPEN) == []
    assert check_manifest({**MANIFEST, "app_secret": SECRET}) == []


@pytest.mark.parametrize("rule", [rule for rule in MANIFEST_FIELDS if rule.mandatory], ids=lambda r: r.name)
@pytest.mark.parametrize("value", [..., None])
def test_missing_mandatory_field_is_reported(rule, value):
    manifest = {**MANIFEST, "app_secret": SECRET}
    holder, _, name = rule.name.rpartition(".")
    within = {**manifest[holder]} if holder else manifest
    within.pop(name) if value is ... else within.update({name: value})
    whole = {**manifest, holder: within} if holder else within
    [finding] = [f for f in check_manifest(whole) if f.field == rule.name]
    assert (finding.severity, finding.message) == ("error", "is mandatory")


FAULTS = {
    "another type": ({"app_type": "PLUGIN"}, "app_type", '"APP"'),
    "a localized title": ({"app_title": {"en": "A"}}, "app_title", "app_display_title"),
    "an empty title": ({"app_title": " "}, "app_title", "empty"),
    "a number for a text": ({"app_description_short": 5}, "app_description_short", "languages object, not 5"),
    "a list of texts": ({"app_description_full": ["a"]}, "app_description_full", "not an array"),
    "a number for a language": ({"app_description_full": {"lv": 5}}, "app_description_full.lv", "not 5"),
    "a null for a language": ({"app_description_full": {"lv": None}}, "app_description_full.lv", "not null"),
    "an empty text for a language": ({"app_description_full": {"lv": ""}}, "app_description_full.lv", "empty"),
    "no language at all": ({"app_description_full": {}}, "app_description_full", "no language"),
    "a language that is none": ({"app_display_title": {"Latvian": "A"}}, "app_display_title.Latvian", "code"),
    "version of two parts": ({"app_version": "1.2"}, "app_version", "x.x.x"),
    "version of four parts": ({"app_version": "1.2.3.4"}, "app_version", "x.x.x"),
    "version with a word": ({"app_version": "1.2.3-beta"}, "app_version", "x.x.x"),
    "version with a v": ({"app_version": "v1.2.3"}, "app_version", "x.x.x"),
    "version with a line end": ({"app_version": "1.2.3\n"}, "app_version", "x.x.x"),
    "version in other digits": ({"app_version": "\u0661.2.3"}, "app_version", "x.x.x"),
    "version as a number": ({"app_version": 1.2}, "app_version", "x.x.x"),
    "no permissions": ({"app_permissions": []}, "app_permissions", '["FULL"]'),
    "permissions as text": ({"app_permissions": "FULL"}, "app_permissions", '["FULL"]'),
    "more permissions": ({"app_permissions": ["FULL", "READ"]}, "app_permissions", '["FULL"]'),
    "another tab mode": ({"app_tab_mode": "new"}, "app_tab_mode", '"blank" or "self"'),
    "a tab mode of another type": ({"app_tab_mode": ["blank"]}, "app_tab_mode", "not an array"),
    "http": ({"app_install_url": "http://app.example/i"}, "app_install_url", "https://"),
    "http in a language": (
        {"app_vendor.tos_url": {"lv": "http://app.example/lv"}},
        "app_vendor.tos_url.lv",
        "https://",
    ),
    "another scheme": ({"app_settings_url": "javascript:alert(1)"}, "app_settings_url", "https://"),
    "no host": ({"app_settings_url": "https:///settings"}, "app_settings_url", "https://"),
    "a path": ({"app_settings_url": "/settings"}, "app_settings_url", "https://"),
    "a broken host": ({"app_settings_url": "https://[::1"}, "app_settings_url", "URL"),
    "a broken port": ({"app_settings_url": "https://app.example:99999"}, "app_settings_url", "URL"),
    "a space": ({"app_settings_url": "https://app.example/a b"}, "app_settings_url", "URL"),
    "a password": ({"app_settings_url": "https://u:p@app.example"}, "app_settings_url", "password"),
    "URLs in languages": ({"app_install_url": {"en": "https://a.example"}}, "app_install_url", "URL"),
    "an icon of another type": ({"app_icon": 80}, "app_icon", "URL"),
    "screenshots as a list": ({"app_screenshots": ["https://a.example/1.png"]}, "app_screenshots", "languages"),
    "no vendor": ({"app_vendor": "Me"}, "app_vendor", "object"),
    "an address without a host": ({"app_vendor.developer_email": "dev@"}, "app_vendor.developer_email", "e-mail"),
    "an address with a space": ({"app_vendor.support_email": "a b@c.de"}, "app_vendor.support_email", "e-mail"),
    "an address in languages where there is one": (
        {"app_vendor.developer_email": {"en": "dev@app.example"}},
        "app_vendor.developer_email",
        "e-mail",
    ),
    "a snippet that is no text": ({"app_default_snippet": 5}, "app_default_snippet", "string"),
    "an empty address": ({"app_default_snippet_source_url": ""}, "app_default_snippet_source_url", "empty"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_each_fault_is_reported_at_its_field(case):
    changes, field, words = FAULTS[case]
    [(at, message)] = found(changes)
    assert at == field
    assert words in message


def test_all_faults_are_reported_at_once():
    changes = {
        "app_version": "1",
        "app_icon": "http://x.example/i.png",
        "app_vendor.tos_url": ...,
        "app_type": 1,
    }
    assert [at for at, _ in found(changes)] == ["app_type", "app_icon", "app_version", "app_vendor.tos_url"]


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8000", "[::1]:80", "app.localhost"])
def test_loopback_http_is_accepted_only_when_allowed(host):
    changes = {"app_install_url": f"http://{host}/install"}
    assert found(changes) == []
    [(_, message)] = found(changes, Allowed(without_secret=True))
    assert "--allow-loopback" in message


ODD = {
    "misspelt": ({"app_titel": "A"}, "app_titel", 'did you mean "app_title"?'),
    "misspelt in the vendor": ({"app_vendor.tos": "A"}, "app_vendor.tos", 'did you mean "tos_url"?'),
    "of the vendor, beside it": (
        {"support_email": "a@b.example"},
        "support_email",
        '"app_vendor.support_email"?',
    ),
    "unlike any": ({"zzz": 1}, "zzz", "ignores it"),
    "null": ({"app_screenshots": None}, "app_screenshots", "leave it out"),
}


@pytest.mark.parametrize("case", ODD)
def test_doubtful_value_is_a_warning(case):
    changes, field, words = ODD[case]
    assert found(changes) == []
    [(at, message)] = found(changes, severity="warning")
    assert at == field
    assert words in message


def test_dotted_name_at_the_top_is_an_unknown_field():
    assert [f.field for f in check_manifest({**MANIFEST, "app_vendor.tos_url": "x"}, OPEN)] == [
        "app_vendor.tos_url"
    ]


@pytest.mark.parametrize("manifest", [None, [], "text", 5, True])
def test_manifest_that_is_not_an_object_is_one_finding(manifest):
    [finding] = check_manifest(manifest)
    assert finding.field == ""


@pytest.mark.parametrize("secret", [5, ["s3cr3t"], {"s3cr3t": 1}])
def test_findings_never_show_the_secret(secret):
    findings = check_manifest({**MANIFEST, "app_secret": secret})
    assert [finding.field for finding in findings] == ["app_secret"]
    assert "s3cr3t" not in findings[0].message


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8)
    | st.sampled_from(["https://a.example", "http://localhost:1", "1.2.3", "a@b.example", "FULL", "lv", "blank"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["lv", "en", "x!"]), inner, max_size=2),
    max_leaves=4,
)  # fmt: skip


@pytest.fixture(scope="module")
def service():
    simulated = Service()
    yield simulated
    simulated.close()


def by_the_portal(service, text):
    """The findings of a submission, accepted or refused."""
    headers = ((b"content-type", b"application/json"),)
    answer = ask(portal_application(service), "POST", "/apps/", headers=headers, body=text)
    return json.loads(answer.body)["findings"]


def by_the_check(folder, text, *, samples=False):
    """The findings of `manifest check --allow-loopback` on a file."""
    (file := folder / "manifest.json").write_bytes(text)
    manifest = read_manifest_file(file)
    file.unlink()  # a test run may leave no file with a planted secret
    asked = CheckOptions(allow_loopback=True, samples=samples)
    return [finding.as_json() for finding in check_manifest_file(manifest, asked, {})]


@pytest.mark.parametrize("case", [*FAULTS, *ODD])
def test_portal_and_check_agree_on_a_faulty_manifest(case, service, tmp_path):
    changes, field, _ = {**FAULTS, **ODD}[case]
    text = json.dumps({**changed(changes), "app_secret": SECRET}).encode()
    findings = by_the_portal(service, text)
    assert [finding["field"] for finding in findings] == [field]
    assert findings == by_the_check(tmp_path, text)


UNREADABLE = {
    "nothing": b"",
    "no JSON": b"{'app_title': 1}",
    "a name given twice": b'{"app_title": "A", "app_title": "B"}',
    "no UTF-8": b'{"app_title": "\xff"}',
    "half a pair": b'{"app_title": "\\ud800"}',
    "NaN": b'{"app_title": NaN}',
    "too deep": b"[" * 100_000,
    "a list": b"[]",
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_portal_and_check_agree_on_an_unreadable_manifest(case, service, tmp_path):
    [finding] = by_the_portal(service, UNREADABLE[case])
    assert (finding["field"], finding["severity"]) == ("", "error")
    assert [finding] == by_the_check(tmp_path, UNREADABLE[case])


def test_portal_and_check_agree_on_a_byte_order_mark_and_a_short_secret(service, tmp_path):
    text = b"\xef\xbb\xbf" + json.dumps({**MANIFEST, "app_secret": "short"}).encode()
    [finding] = by_the_portal(service, text)
    assert (finding["field"], finding["severity"]) == ("app_secret", "warning")
    assert [finding] == by_the_check(tmp_path, text)


@settings(max_examples=volume("manifest"))
@given(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=6))
def test_portal_and_check_agree_on_any_manifest(tmp_path_factory, service, changes):
    manifest = json.loads(json.dumps({**MANIFEST, "app_secret": SECRET}))
    manifest |= {name: value for name, value in changes.items() if "." not in name}
    icon = manifest["app_icon"]
    assume(
        not isinstance(icon, str) or not icon or "://" in icon
    )  # else the check looks for a file of that name
    for name in (name for name in changes if "." in name):
        if isinstance(manifest["app_vendor"], dict):
            manifest["app_vendor"][name.removeprefix("app_vendor.")] = changes[name]
    text = json.dumps(manifest).encode()
    assert by_the_portal(service, text) == by_the_check(tmp_path_factory.getbasetemp(), text)


SAMPLES = {
    "two numbers": ({"app_version": "1.0"}, "app_version", "warning", "only sample apps"),
    "one number": ({"app_version": "3"}, "app_version", "warning", "only sample apps"),
    "a payment app": ({"app_type": "PAYMENT"}, "app_type", "warning", "is not simulated"),
    "a version that is none": ({"app_version": "1.0-beta"}, "app_version", "error", "x.x.x"),
    "a type that is no text": ({"app_type": 1}, "app_type", "error", "must be"),
    "an empty type": ({"app_type": ""}, "app_type", "error", "empty"),
    "another fault": ({"app_tab_mode": "new"}, "app_tab_mode", "error", "must be"),
}


@pytest.mark.parametrize("case", SAMPLES)
def test_sample_manifest_gets_warnings_when_sample_manifests_are_assumed(case, tmp_path):
    changes, field, severity, words = SAMPLES[case]
    service = Service()
    service.assumptions.set("sample-manifests", "accepted")
    text = json.dumps({**changed(changes), "app_secret": SECRET}).encode()
    findings = by_the_portal(service, text)
    assert [(f["field"], f["severity"]) for f in findings] == [(field, severity)]
    assert words in findings[0]["message"]
    assert findings == by_the_check(tmp_path, text, samples=True)
    service.close()


@pytest.mark.parametrize("case", ["two numbers", "a payment app"])
def test_sample_manifest_gets_errors_without_the_assumption(case, service, tmp_path):
    changes, field, *_ = SAMPLES[case]
    text = json.dumps({**changed(changes), "app_secret": SECRET}).encode()
    assert [(f["field"], f["severity"]) for f in by_the_portal(service, text)] == [(field, "error")]
    assert [(f["field"], f["severity"]) for f in by_the_check(tmp_path, text)] == [(field, "error")]


@pytest.mark.parametrize("name", ["documented", "observed", "hostile"])
def test_every_assumption_set_refuses_sample_manifests(name):
    assert ASSUMPTIONS["sample-manifests"].sets[name] == "refused"


def test_versions_are_compared_by_their_numbers_of_any_length():
    nines = "9" * 5_000
    descending = [
        f"1.{nines}.1",
        f"1.{nines}.0",
        f"1.{nines[1:]}.0",
        "1.10.0",
        "1.2.9",
        "1.0.0",
        "1.0",
        "0.9",
    ]
    assert sorted(descending, key=parse_version) == descending[::-1]
    assert parse_version("01.0") == parse_version("1.0") == (1, 0)
    assert [parse_version(text) for text in ("", "1.", "1.2-beta", "\u0661.0", None, 1.2)] == [None] * 6


@pytest.mark.parametrize(("now", "findings"), [("1.{}.0", 1), ("1.{}.1", 0), ("2.0.0", 0), ("1.2.3", 1)])
def test_version_with_a_very_long_number_is_compared_with_the_last_submission(now, findings):
    nines = "9" * 5_000
    last = SubmissionRecord(
        app_id=1,
        version=f"1.{nines}.0",
        whole="",
        own="",
        at="2026-01-01T00:00:00Z",
        portal_url="https://portal.example",
        title="A",
    )
    fields = {**MANIFEST, "app_version": now.format(nines)}
    assert len(version_findings(fields, last, built=True)) == findings
