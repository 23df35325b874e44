"""`.env` in the workspace's root: below the environment, above the profile, and never shown."""

import os
import subprocess

import pytest

from awning.workspace.env_file import BadEnvFile, read_env_file

SECRET = "planted-canary-env-file"


@pytest.mark.parametrize(
    ("line", "variables"),
    [
        ("", {}),
        ("  # A=1", {}),
        ("A=1", {"A": "1"}),
        ("A=", {"A": ""}),
        ("A= # nothing", {"A": ""}),
        ("export A=1", {"A": "1"}),
        (" A = 1 ", {"A": "1"}),
        ("A=two words", {"A": "two words"}),
        ("A=1 # a comment", {"A": "1"}),
        ("A=a#b", {"A": "a#b"}),
        ("A=https://x.example/#part", {"A": "https://x.example/#part"}),
        ("A=$HOME/$(id)`id`", {"A": "$HOME/$(id)`id`"}),
        ("A='a # b $c \\n'", {"A": "a # b $c \\n"}),
        ("A='a' # b", {"A": "a"}),
        ('A="a # \\"b\\" \\\\ \\n\\t"', {"A": 'a # "b" \\ \n\t'}),
        ('A=it"s', {"A": 'it"s'}),
        ("A=b=c==", {"A": "b=c=="}),
        ("A=1\r", {"A": "1"}),
        ("\ufeffA=1", {"A": "1"}),
        ("A=ā", {"A": "ā"}),
    ],
)
def test_line_sets_a_variable_or_is_ignored(tmp_path, line, variables):
    (tmp_path / ".env").write_bytes(line.encode() + b"\n")
    assert read_env_file(tmp_path / ".env") == variables


@pytest.mark.parametrize(
    "line",
    [
        SECRET,
        f"A: {SECRET}",
        f"1A={SECRET}",
        f'A="{SECRET}',
        f"A='{SECRET}' x",
        f"A-B={SECRET}",
        f"={SECRET}",
    ],
)
def test_invalid_line_is_reported_by_number_without_its_text(project, awning, line):
    project.add_widget()
    (project.root / ".env").write_text(f"# one\nB=1\n{line}\nB=2\n")
    result = awning("build")
    assert result.code == 2
    assert ".env:3: error[env-file]: this is not NAME=value" in result.err
    assert ".env:4: error[env-file]: B is already on line 2" in result.err
    assert SECRET not in result.err + result.out
    document = awning("build", "--json").json
    assert [(d["path"], d["line"]) for d in document["diagnostics"]] == [(".env", 3), (".env", 4)]


@pytest.mark.parametrize("content", [b"A=\xff", b"A=1\0"])
def test_content_that_no_variable_can_hold_is_refused(tmp_path, content):
    (tmp_path / ".env").write_bytes(content)
    with pytest.raises(BadEnvFile):
        read_env_file(tmp_path / ".env")


def with_profile(project, base_url):
    project.add_widget()
    pyproject = project.root / "pyproject.toml"
    pyproject.write_text(
        f'{pyproject.read_text()}\n[tool.awning.profiles.default]\nbase_url = "{base_url}"\n'
    )


def where(awning, **environ):
    """Return the error message. No server answers, so the message names the address of the service."""
    result = awning("data", "get", "shop", AWNING_API_KEY="key", **environ)
    return result.err


@pytest.mark.parametrize(
    ("environ", "service"),
    [
        ({}, "127.0.0.1:2"),
        ({"AWNING_BASE_URL": "http://127.0.0.1:3/v1"}, "127.0.0.1:3"),
    ],
    ids=["above the profile", "below the environment"],
)
def test_env_file_overrides_the_profile_and_not_the_environment(
    project, awning, monkeypatch, environ, service
):
    with_profile(project, "http://127.0.0.1:1/v1")
    monkeypatch.delenv("AWNING_BASE_URL", raising=False)
    (project.root / ".env").write_text("AWNING_BASE_URL=http://127.0.0.1:2/v1\n")
    assert awning("instances", "add", "--name", "shop", AWNING_AUTH_CODE="code").code == 0
    assert service in where(awning, **environ)
    assert os.environ.get("AWNING_BASE_URL") == environ.get("AWNING_BASE_URL"), "nothing stays"


def test_secret_file_of_the_environment_overrides_a_secret_of_the_env_file(project, awning, tmp_path):
    project.add_widget()
    (project.root / ".env").write_text(f"AWNING_API_KEY={SECRET}\n")
    values = {check["name"]: check["found"] for check in awning("doctor", "--json").json["checks"]}
    assert values["AWNING_API_KEY"] == "set"
    (tmp_path / "key").write_text("key")
    result = awning("doctor", "--json", AWNING_API_KEY_FILE=str(tmp_path / "key"))
    values = {check["name"]: check["found"] for check in result.json["checks"]}
    assert values["AWNING_API_KEY"] == "set, by AWNING_API_KEY_FILE or a keyring"


def test_env_file_sets_flags_anywhere_in_the_workspace(project, awning):
    project.add_widget()
    (project.root / ".env").write_text("AWNING_BUILD_JSON=1\n")
    assert awning("build").json["ok"]
    assert awning("build", cwd=project.root / "widgets").json["ok"]
    assert not awning("build", AWNING_BUILD_JSON="0").out.startswith("{")


def test_doctor_lists_the_variables_of_the_env_file_without_their_values(project, awning):
    project.add_widget()
    (project.root / ".env").write_text(f"AWNING_API_KEY={SECRET}\nAWNING_PROFILE={SECRET}\nOTHER={SECRET}\n")
    result = awning("doctor", AWNING_PROFILE="default")
    line = next(line for line in result.out.splitlines() if " .env " in line)
    assert "AWNING_API_KEY, OTHER" in line
    assert "the environment overrides AWNING_PROFILE" in line
    assert SECRET not in result.out + result.err


def test_doctor_and_help_work_with_an_invalid_env_file(project, awning):
    project.add_widget()
    (project.root / ".env").write_text(f"{SECRET}\n")
    result = awning("doctor")
    assert result.code == 1
    assert ".env:1: error[env-file]" in result.out
    assert awning("build", "--help").code == 0
    assert SECRET not in result.out + result.err


def test_doctor_warns_about_an_env_file_tracked_by_git(project, awning):
    project.add_widget()
    (project.root / ".env").write_text("A=1\n")
    subprocess.run(["git", "init", "-q"], cwd=project.root, check=True)
    checks = {check["name"]: check for check in awning("doctor", "--json").json["checks"]}
    assert checks[".env"]["state"] == "ok"
    subprocess.run(["git", "add", "-f", ".env"], cwd=project.root, check=True)
    checks = {check["name"]: check for check in awning("doctor", "--json").json["checks"]}
    assert checks[".env"]["state"] == "warning"
    assert "git rm --cached" in checks[".env"]["hint"]


def test_folder_named_env_is_ignored(project, awning):
    project.add_widget()
    (project.root / ".env").mkdir()
    assert awning("build").code == 0


def test_new_workspace_ignores_the_env_file_in_git(awning, project, tmp_path):
    project.add_widget()
    assert awning("new", tmp_path / "fresh").code == 0
    assert "/.env\n" in (tmp_path / "fresh/.gitignore").read_text()
