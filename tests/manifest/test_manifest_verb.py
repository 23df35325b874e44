"""The commands `awning manifest check`, `show` and `submit`, with the simulated portal."""

import json
import stat
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from manifests import MANIFEST, SECRET, as_toml, changed, png

from awning.contract import Exit


def document(out):
    assert SECRET not in out
    return json.loads(out)


def findings(out):
    return [(f["severity"], f["field"]) for f in document(out)["findings"]]


def test_check_accepts_a_valid_manifest(awning):
    code, out, _ = awning("manifest", "check", "--json")
    assert (code, document(out)) == (0, {"schema_version": 1, "valid": True, "findings": []})


def test_check_notes_a_missing_secret(awning):
    code, out, _ = awning("manifest", "check", "--json", AWNING_APP_SECRET="")
    assert (code, document(out)["valid"], findings(out)) == (0, True, [("note", "app_secret")])
    assert findings(awning("manifest", "check", "--without-secret", "--json", AWNING_APP_SECRET="")[1]) == []


def test_check_reports_every_fault_in_one_run(awning, workspace):
    vendor = changed({"app_vendor.tos_url": "http://app.example", "app_vendor.company_url": ...})[
        "app_vendor"
    ]
    workspace.manifest(app_version="1", app_titel="x", app_vendor=vendor)
    code, out, err = awning("manifest", "check")
    assert code == Exit.FINDINGS
    assert [line.split(": ")[:2] for line in out.splitlines()] == [
        ["error", "app_version"],
        ["error", "app_vendor.company_url"],
        ["error", "app_vendor.tos_url"],
        ["warning", "app_titel"],
    ]
    assert err == "3 errors, 1 warning\n"


def test_secret_in_manifest_toml_is_an_error_and_not_shown(awning, workspace):
    workspace.manifest(app_secret=SECRET)
    for arguments in (["manifest", "check"], ["manifest", "check", "--without-secret", "--json"]):
        code, out, err = awning(*arguments)
        assert (code, SECRET in out + err) == (Exit.FINDINGS, False)
    assert SECRET not in awning("manifest", "show")[1]


JSON_SECRETS = {
    "missing": ({}, [], [("error", "app_secret")]),
    "there": ({"app_secret": SECRET}, [], []),
    "not asked for": ({}, ["--without-secret"], []),
    "there, though it should not be": ({"app_secret": SECRET}, ["--without-secret"], [("warning", "app_secret")]),
}  # fmt: skip


@pytest.mark.parametrize("case", JSON_SECRETS)
def test_secret_of_a_json_manifest_is_checked(awning, workspace, case):
    changes, flags, expected = JSON_SECRETS[case]
    (workspace.root / "app.json").write_text(json.dumps({**MANIFEST, **changes}))
    assert findings(awning("manifest", "check", "app.json", "--json", *flags)[1]) == expected


UNREADABLE = {
    "m.json": [b"{", b'{"app_type": "APP", "app_type": "APP"}', b"\xff", b"[" * 100_000, b"[]", b"1" * 5000],
    "m.toml": [b"app_type = ", b"\xff", b"a = 1\na = 2"],
}


@pytest.mark.parametrize(("name", "data"), [(n, d) for n, all_ in UNREADABLE.items() for d in all_])
def test_unreadable_manifest_is_one_finding(awning, workspace, name, data):
    (workspace.root / name).write_bytes(data)
    code, out, _ = awning("manifest", "check", name, "--json")
    assert (code, findings(out)) == (Exit.FINDINGS, [("error", "")])


def test_number_too_long_for_python_to_write_is_one_finding(awning, workspace):
    """Python reads such a number in base 16, and refuses to write it in base 10."""
    (workspace.root / "m.toml").write_text(f"app_title = 0x{'f' * 5000}\n")
    code, out, _ = awning("manifest", "check", "m.toml", "--json")
    assert (code, [f for f in findings(out) if f[1] == "app_title"]) == (
        Exit.FINDINGS,
        [("error", "app_title")],
    )


@pytest.mark.parametrize("name", ["none.json", "none.toml", "pyproject.txt"])
def test_missing_manifest_is_a_usage_error(awning, name):
    assert awning("manifest", "check", name)[0] == Exit.USAGE


def test_loopback_http_needs_allow_loopback_or_a_local_portal(awning, workspace):
    workspace.manifest(app_install_url="http://localhost:8000/install")
    assert awning("manifest", "check")[0] == Exit.FINDINGS
    assert awning("manifest", "check", "--allow-loopback")[0] == Exit.DONE
    for url, code in (("http://127.0.0.1:8431", Exit.DONE), ("https://portal.example", Exit.FINDINGS)):
        assert awning("manifest", "check", "--portal-url", url)[0] == code
    table = '[tool.awning]\nlanguages = ["en"]\n[tool.awning.profiles.default]\nportal_url = "http://[::1]:8431"\n'
    (workspace.root / "pyproject.toml").write_text(table)
    assert awning("manifest", "check")[0] == Exit.DONE, "as submit judges it"


@pytest.mark.parametrize(("side", "code"), [(80, Exit.DONE), (79, Exit.FINDINGS)])
def test_icon_file_is_measured(awning, workspace, side, code):
    (workspace.root / "icon.png").write_bytes(png(side, side))
    workspace.manifest(app_icon="icon.png")
    ended, out, _ = awning("manifest", "check", "--json")
    assert ended == code
    assert ("warning", "app_icon") in findings(out)


def test_icon_that_is_neither_file_nor_url_is_reported(awning, workspace):
    workspace.manifest(app_icon="icon.png")
    code, out, _ = awning("manifest", "check")
    assert (code, "neither an https address nor an existing file" in out) == (Exit.FINDINGS, True)


@pytest.mark.parametrize(("secret", "expected"), [("x", [("warning", "app_secret")]), ("x" * 16, [])])
def test_weak_secret_gets_a_warning(awning, workspace, portal, secret, expected):
    assert findings(awning("manifest", "check", "--json", AWNING_APP_SECRET=secret)[1]) == expected
    (workspace.root / "m.json").write_text(json.dumps({**MANIFEST, "app_secret": secret}))
    assert findings(awning("manifest", "check", "m.json", "--json")[1]) == expected
    assert findings(submit(awning, portal, "--json", AWNING_APP_SECRET=secret)[1]) == expected


IMAGES = {"/79.png": png(79, 79), "/80.png": png(80, 80), "/text": b"text"}


class Icons(BaseHTTPRequestHandler):
    def do_GET(self):
        image = IMAGES.get(self.path)
        self.send_response(302 if self.path == "/away" else 200 if image else 404)
        self.send_header("Location", "http://icons.example/80.png")
        self.end_headers()
        self.wfile.write(image or b"")

    def log_message(self, *_):
        pass


@pytest.fixture
def icons():
    with ThreadingHTTPServer(("127.0.0.1", 0), Icons) as server:
        Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_icon_at_a_url_is_measured_with_fetch_icon(awning, workspace, icons):
    workspace.manifest(app_icon=f"{icons}/79.png")
    assert awning("manifest", "check", "--allow-loopback")[0] == Exit.DONE
    code, out, _ = awning("manifest", "check", "--allow-loopback", "--fetch-icon")
    assert (code, "at least 80 x 80 px, not 79 x 79" in out) == (Exit.FINDINGS, True)
    workspace.manifest(app_icon=f"{icons}/80.png")
    assert awning("manifest", "check", "--allow-loopback", "--fetch-icon")[0] == Exit.DONE


@pytest.mark.parametrize(
    ("name", "words"),
    [("none.png", "HTTP 404"), ("away", "not https"), ("text", "PNG, JPEG")],
)
def test_icon_that_cannot_be_fetched_is_reported(awning, workspace, icons, name, words):
    workspace.manifest(app_icon=f"{icons}/{name}")
    code, out, _ = awning("manifest", "check", "--allow-loopback", "--fetch-icon")
    assert (code, words in out) == (Exit.FINDINGS, True)


def test_show_includes_the_built_snippet(awning):
    printed = document(awning("manifest", "show")[1])
    assert printed["app_default_snippet"] == "<b>{{svc_app_data}}</b>\n"
    assert {name: printed[name] for name in MANIFEST} == MANIFEST
    assert "app_default_head_snippet" not in printed


def test_show_keeps_the_snippet_of_the_manifest(awning, workspace):
    workspace.manifest(app_default_snippet_source_url="https://app.example/s.html")
    assert "app_default_snippet" not in document(awning("manifest", "show")[1])
    workspace.manifest(app_default_snippet="<i></i>")
    assert document(awning("manifest", "show")[1])["app_default_snippet"] == "<i></i>"


@pytest.mark.parametrize("built", [True, False], ids=["with a build", "without a build"])
def test_show_prints_what_submit_sends_of_a_json_manifest(awning, workspace, portal, built):
    """A .json manifest is submitted as it is, so neither verb adds a snippet or needs a build."""
    (workspace.root / "m.json").write_text(json.dumps({**MANIFEST, "app_secret": SECRET}))
    if not built:
        (workspace.root / "dist/build.json").unlink()
    code, out, _ = awning("manifest", "show", "m.json")
    assert (code, document(out)) == (0, MANIFEST)
    code, out, _ = submit(awning, portal, "m.json", "--json")
    sent = portal.service.app(document(out)["app_id"]).manifest
    assert (code, {**sent, "app_secret": ""}) == (0, {**MANIFEST, "app_secret": ""})


def test_show_prints_what_submit_sends_of_a_toml_manifest(awning, portal):
    shown = document(awning("manifest", "show")[1])
    sent = portal.service.app(document(submit(awning, portal, "--json")[1])["app_id"]).manifest
    assert {**sent, "app_secret": ""} == {**shown, "app_secret": ""}


def test_show_refuses_a_missing_or_changed_build(awning, workspace):
    (workspace.root / "dist/body.html").write_text("changed")
    code, _, err = awning("manifest", "show")
    assert (code, "changed after the build" in err) == (Exit.USAGE, True)
    (workspace.root / "dist/build.json").unlink()
    assert awning("manifest", "show")[0] == Exit.USAGE


def submit(awning, portal, *flags, **environ):
    return awning("manifest", "submit", "--portal-url", portal.portal_url, *flags, **environ)


def test_first_submission_stores_the_key_in_a_file(awning, workspace, portal):
    code, out, err = submit(awning, portal, "--json")
    assert (code, err) == (0, "")
    submission = document(out)
    app = portal.service.app(submission["app_id"])
    assert app.manifest["app_default_snippet"] == "<b>{{svc_app_data}}</b>\n"
    assert (submission["new"], submission["approved"], "api_key" in submission) == (True, False, False)
    key_file = workspace.root / submission["key_file"]
    assert stat.S_IMODE(key_file.stat().st_mode) == 0o600
    key = key_file.read_text().strip()
    assert key.startswith("SVC-")
    assert key not in out
    state = workspace.root / ".awning/state"
    assert not any(SECRET in f.read_text(errors="replace") for f in state.rglob("*") if f.is_file())


def test_submit_prints_the_key_only_with_show_key(awning, workspace, portal):
    _, out, _ = submit(awning, portal, "--show-key", "--key-file", "key.txt")
    assert (workspace.root / "key.txt").read_text().strip() in out.splitlines()


def test_existing_key_file_stops_the_submission(awning, workspace, portal):
    (workspace.root / "key.txt").write_text("old")
    code, _, err = submit(awning, portal, "--key-file", "key.txt")
    assert (code, "key.txt exists" in err) == (Exit.USAGE, True)
    assert (workspace.root / "key.txt").read_text() == "old"
    with pytest.raises(LookupError):
        portal.service.app(1)


AGAIN = f'app 1, "{MANIFEST["app_title"]}": submitted again'


def titles(portal):
    return [portal.service.app(number).manifest["app_title"] for number in (1, 2)]


def test_two_apps_of_one_workspace_are_submitted_separately(awning, workspace, portal):
    other = {**MANIFEST, "app_title": "Other"}
    (workspace.root / "other.json").write_text(json.dumps(other))
    assert submit(awning, portal)[0] == 0
    assert submit(awning, portal, "other.json", "--new", "--key-file", ".awning/state/api-key-other")[0] == 0
    assert submit(awning, portal)[1].startswith(AGAIN)
    assert submit(awning, portal, "other.json")[1].startswith('app 2, "Other": submitted again')
    assert titles(portal) == [MANIFEST["app_title"], "Other"]


def test_changed_title_needs_new_or_app_id(awning, workspace, portal):
    assert submit(awning, portal)[0] == 0
    workspace.manifest(app_title="Other", app_version="1.3.0")
    code, _, err = submit(awning, portal)
    assert (code, "--new" in err, "--app-id 1" in err) == (Exit.USAGE, True, True)
    assert portal.service.app(1).manifest["app_title"] == MANIFEST["app_title"]
    assert submit(awning, portal, "--app-id", "1")[0] == 0
    assert submit(awning, portal)[1].startswith('app 1, "Other": submitted again')


def test_title_of_two_apps_needs_app_id(awning, portal):
    assert submit(awning, portal)[0] == 0
    code, out, _ = submit(awning, portal, "--new", "--key-file", ".awning/state/api-key-second")
    assert (code, "app 1 is called" in out) == (0, True)
    code, _, err = submit(awning, portal)
    assert (code, "--app-id" in err) == (Exit.USAGE, True)
    assert submit(awning, portal, "--app-id", "1")[1].startswith(AGAIN)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"version": 1}, "submissions[0].version must be a string, not a whole number"),
        ({"title": None}, "submissions[0].title must be a string, not null"),
    ],
)
def test_unreadable_history_is_reported_with_the_field(awning, workspace, portal, change, reason):
    assert submit(awning, portal)[0] == 0
    file = workspace.root / ".awning/state/submissions.json"
    document = json.loads(file.read_text())
    document["submissions"][0] |= change
    file.write_text(json.dumps(document))
    code, _, err = submit(awning, portal)
    assert (code, f"submissions.json cannot be read: {reason}" in err) == (Exit.USAGE, True)


def test_changed_manifest_needs_a_higher_version(awning, workspace, portal):
    assert submit(awning, portal)[0] == 0
    assert submit(awning, portal)[1].startswith(AGAIN)
    workspace.manifest(app_description_short="Other")
    for verb in ("check", "submit"):
        code, out, _ = awning("manifest", verb, AWNING_PORTAL_URL=portal.portal_url)
        assert (code, "must be greater than 1.2.3" in out) == (Exit.FINDINGS, True)
    workspace.manifest(app_description_short="Other", app_version="1.3.0")
    code, out, _ = awning("manifest", "submit", AWNING_PORTAL_URL=portal.portal_url + "/")
    assert (code, out.startswith(AGAIN)) == (0, True)
    assert portal.service.app(1).manifest["app_version"] == "1.3.0"
    workspace.manifest(app_description_short="Other", app_version="1.2.9")
    assert awning("manifest", "check")[0] == Exit.FINDINGS


def test_changed_build_counts_as_a_changed_manifest(awning, workspace, portal):
    assert submit(awning, portal)[0] == 0
    workspace.build("<i>new</i>")
    assert awning("manifest", "check")[0] == Exit.DONE
    assert submit(awning, portal)[0] == Exit.FINDINGS
    assert submit(awning, portal, "--same-version")[0] == 0
    assert portal.service.app(1).manifest["app_default_snippet"] == "<i>new</i>"


def test_submit_checks_before_it_sends(awning, workspace, portal):
    workspace.manifest(app_version="1")
    code, out, _ = submit(awning, portal, "--json")
    assert (code, findings(out)) == (Exit.FINDINGS, [("error", "app_version")])
    (workspace.root / "icon.png").write_bytes(png(80, 80))
    workspace.manifest(app_icon="icon.png")
    assert findings(submit(awning, portal, "--json")[1]) == [("error", "app_icon")]
    (workspace.root / "m.json").write_text("{")
    assert submit(awning, portal, "m.json")[0] == Exit.FINDINGS
    assert not (workspace.root / ".awning/state/submissions.json").exists()


def test_json_manifest_is_submitted_with_its_own_secret(awning, workspace, portal):
    (workspace.root / "m.json").write_text(json.dumps({**MANIFEST, "app_secret": SECRET}))
    assert submit(awning, portal, "m.json", AWNING_APP_SECRET="")[0] == 0
    (workspace.root / "m.json").write_text(json.dumps(MANIFEST))
    code, _, err = submit(awning, portal, "m.json", "--new", AWNING_APP_SECRET="")
    assert (code, "AWNING_APP_SECRET" in err) == (Exit.USAGE, True)


def test_app_id_unknown_to_the_portal_is_refused(awning, portal):
    code, _, err = submit(awning, portal, "--app-id", "77")
    assert (code, "--new" in err) == (Exit.REFUSED, True)
    assert submit(awning, portal, "--app-id", "77", "--new")[0] == Exit.USAGE


def test_findings_of_the_portal_are_reported(awning, workspace, portal, monkeypatch):
    monkeypatch.setattr("awning.manifest.submission.check_manifest_file", lambda *_: [])
    workspace.manifest(app_version="1")
    code, out, _ = submit(awning, portal, "--json")
    assert (code, findings(out)) == (Exit.REFUSED, [("error", "app_version")])
    assert not list((workspace.root / ".awning/state").glob("api-key*"))


def test_missing_or_unreachable_portal_is_reported(awning):
    assert awning("manifest", "submit")[0] == Exit.USAGE
    assert awning("manifest", "submit", "--portal-url", "http://portal.example")[0] == Exit.USAGE
    code, _, err = awning("manifest", "submit", "--portal-url", "http://127.0.0.1:9")
    assert (code, "cannot connect" in err) == (Exit.FINDINGS, True)


def test_portal_url_can_come_from_the_profile(awning, workspace, portal, monkeypatch):
    monkeypatch.setenv("AWNING_TRUSTED_HOSTS", portal.portal_url)
    table = f'[tool.awning]\nlanguages = ["en"]\n[tool.awning.profiles.default]\nportal_url = "{portal.portal_url}"\n'
    (workspace.root / "pyproject.toml").write_text(table)
    assert awning("manifest", "submit")[0] == 0


def test_manifest_toml_round_trips(workspace):
    assert as_toml(MANIFEST) == (workspace.root / "manifest.toml").read_text()


def test_sample_manifest_passes_the_check_only_when_assumed(awning, workspace):
    workspace.manifest(app_version="1.0", app_type="PAYMENT")
    code, out, _ = awning("manifest", "check", "--json")
    assert (code, json.loads(out)["valid"]) == (Exit.FINDINGS, False)
    code, out, _ = awning("manifest", "check", "--json", "--assume", "sample-manifests")
    assert (code, json.loads(out)["valid"]) == (Exit.DONE, True)
    severities = {f["field"]: f["severity"] for f in json.loads(out)["findings"]}
    assert severities == {"app_type": "warning", "app_version": "warning"}
    assert awning("manifest", "check", "--assume", "everything")[0] == Exit.USAGE


def test_sample_manifest_is_submitted_when_both_sides_assume_it(awning, workspace, portal):
    workspace.manifest(app_title="A sample", app_version="1.0")
    workspace.build()
    flags = ("--new", "--assume", "sample-manifests")
    assert submit(awning, portal, *flags)[0] == Exit.REFUSED
    portal.service.assumptions.set("sample-manifests", "accepted")
    try:
        code, out, _ = submit(awning, portal, *flags, "--json")
        assert (code, findings(out)) == (Exit.DONE, [("warning", "app_version")])
        workspace.manifest(app_title="A sample", app_version="1.1", app_tab_mode="blank")
        assert submit(awning, portal, "--assume", "sample-manifests")[0] == Exit.DONE
        workspace.manifest(app_title="A sample", app_version="1.0", app_tab_mode="self")
        assert submit(awning, portal, "--assume", "sample-manifests")[0] == Exit.FINDINGS
    finally:
        portal.service.assumptions.set("sample-manifests", "refused")
