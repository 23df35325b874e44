"""`awning manifest diff` and `bump`: what differs from which manifest, and the next version."""

import json
import subprocess
import tomllib

import pytest
from manifests import SECRET

from awning.errors import ConfigurationError
from awning.manifest.version import next_version, raised


@pytest.mark.parametrize(
    ("version", "last", "part", "expected"),
    [
        ("1.2.3", None, "patch", "1.2.4"),
        ("1.2.3", None, "minor", "1.3.0"),
        ("1.2.3", None, "major", "2.0.0"),
        ("1.2.3", "1.10.0", "patch", "1.10.1"),
        ("1.10.0", "1.9.9", "minor", "1.11.0"),
        ("1.2.9", "1.0", "patch", "1.2.10"),
    ],
)
def test_next_version_is_greater_than_both(version, last, part, expected):
    assert next_version(version, last, part) == expected


@pytest.mark.parametrize("version", ["1.0", "1.2.3.4", "v1.2.3", "", "1.2." + "9" * 5000])
def test_version_of_another_form_is_refused(version):
    with pytest.raises(ConfigurationError, match=r"not x\.x\.x"):
        next_version(version, None, "patch")


def test_raising_keeps_everything_else():
    text = '# top\r\napp_title = "A"\r\napp_version   = "1.2.3"  # why\r\n\r\n[app_vendor]\r\napp_version = "no"\r\n'
    assert raised(text, "1.2.4") == text.replace("1.2.3", "1.2.4")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeffapp_version='1.2.3'\n",
        'note = """\napp_version = "1.2.3"\n"""\n"app_version" = "1.2.3"\n',
        'app_version = "1.2.3"\n[other]\napp_version = "1.2.3"\n',
    ],
)
def test_raising_finds_the_field_among_lines_that_look_like_it(text):
    before, after = (tomllib.loads(one.removeprefix("\ufeff")) for one in (text, raised(text, "9.9.9")))
    assert after == {**before, "app_version": "9.9.9"}


def test_version_in_a_place_that_is_not_found_is_refused():
    with pytest.raises(ConfigurationError, match="not found"):
        raised('app_version = """1.2.3"""\n', "1.2.4")


def run_json(awning, *words):
    code, out, err = awning("manifest", *words, "--json")
    assert code == 0, err
    return json.loads(out)


def fields_of(document):
    return {
        change["field"]: (change["change"], change["old"], change["new"]) for change in document["changes"]
    }


def test_bump_writes_the_version_and_goes_beyond_the_last_submission(awning, workspace, portal):
    assert run_json(awning, "bump")["new"] == "1.2.4"
    workspace.manifest(app_version="7.0.0")
    assert awning("manifest", "submit", AWNING_PORTAL_URL=portal.portal_url)[0] == 0
    workspace.manifest(app_version="1.2.3")
    assert awning("manifest", "bump", "minor")[1] == "app_version: 1.2.3 -> 7.1.0\n"
    assert tomllib.loads((workspace.root / "manifest.toml").read_text())["app_version"] == "7.1.0"


def test_bump_keeps_the_mode_and_a_link_and_refuses_what_is_read_only(awning, workspace):
    file = workspace.root / "private.toml"
    file.write_text('app_version = "1.2.3"\n')
    file.chmod(0o600)
    (workspace.root / "link.toml").symlink_to(file)
    assert awning("manifest", "bump", "patch", "link.toml")[0] == 0
    assert (file.read_text(), oct(file.stat().st_mode)[-3:]) == ('app_version = "1.2.4"\n', "600")
    file.chmod(0o400)
    code, _, err = awning("manifest", "bump", "patch", "private.toml")
    assert (code, "is read-only" in err, file.read_text()) == (2, True, 'app_version = "1.2.4"\n')


def test_bump_does_not_pass_over_a_submission_that_it_cannot_read(awning, workspace):
    state = workspace.root / ".awning/state"
    state.mkdir(parents=True, exist_ok=True)
    (state / "submissions.json").write_text("{")
    code, _, err = awning("manifest", "bump")
    assert (code, "submissions.json cannot be read" in err) == (2, True)


def test_bump_refuses_json(awning, workspace):
    (workspace.root / "app.json").write_text("{}")
    assert awning("manifest", "bump", "patch", "app.json")[0] == 2


def test_diff_shows_what_changed_since_the_submission(awning, workspace, portal):
    code, _, err = awning("manifest", "diff")
    assert (code, "submitted from here" in err) == (2, True)
    assert awning("manifest", "submit", AWNING_PORTAL_URL=portal.portal_url)[0] == 0
    assert run_json(awning, "diff")["changes"] == []
    workspace.manifest(app_version="1.2.4", app_vendor={"tos_url": "https://new.example/"})
    workspace.build("<b>new</b>\n")
    changed = fields_of(run_json(awning, "diff"))
    assert changed["app_version"] == ("changed", "1.2.3", "1.2.4")
    assert changed["app_vendor.tos_url"][2] == "https://new.example/"
    assert changed["app_default_snippet"][2].startswith("11 bytes, sha256 ")
    text = (workspace.root / ".awning/state/submissions.json").read_text()
    assert SECRET not in text
    assert "<b>" not in text


def test_diff_with_a_commit_and_with_a_file(awning, workspace, tmp_path):
    def git(*words):
        subprocess.run(["git", "-C", str(workspace.root), *words], check=True, capture_output=True)

    git("init", "-q")
    git("add", "manifest.toml")
    git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "-qm", "One")
    workspace.manifest(app_title="Other")
    (workspace.root / "old.json").write_text('{"app_title": "Old", "app_secret": "not-shown"}')
    assert fields_of(run_json(awning, "diff", "HEAD")) == {"app_title": ("changed", "Notes", "Other")}
    code, out, _ = awning("manifest", "diff", "old.json")
    assert (code, 'app_title: changed\n  - "Old"\n  + "Other"' in out, "not-shown" in out) == (0, True, False)
    assert fields_of(run_json(awning, "diff", "manifest.toml", "old.json"))["app_title"][2] == "Old"
    for wrong in ("nothing", "--output=x", "HEAD~9", "x" * 300):
        assert awning("manifest", "diff", "--", wrong)[0] == 2
