"""`.env` in the workspace's root: below the environment, above the profile, and never shown."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from awning.cli.decorators import with_variables
from awning.cli.env_variables import named_profile, refusal
from awning.cli.verbs import joined_verbs
from awning.publish.operator import source_revision
from awning.workspace.env_file import BadEnvFile, env_files_in_force, names_from_env_file, read_env_file
from awning.workspace.variables import VARIABLES

ROOT = Path(__file__).parents[2]
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
        ("A=#b c # d", {"A": "#b c"}),
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
    assert {entry.name: entry.value for entry in read_env_file(tmp_path / ".env")} == variables


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


def test_backslash_that_begins_no_escape_is_named(tmp_path):
    (tmp_path / ".env").write_text('A="C:\\shop"\n')
    with pytest.raises(BadEnvFile) as refused:
        read_env_file(tmp_path / ".env")
    assert "in '...', it stands for itself" in refused.value.diagnostics[0].message


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


@pytest.mark.usefixtures("processes")
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


@pytest.mark.usefixtures("processes")
def test_doctor_lists_the_variables_of_the_env_file_without_their_values(project, awning):
    project.add_widget()
    (project.root / ".env").write_text(f"AWNING_API_KEY={SECRET}\nAWNING_PROFILE={SECRET}\nOTHER={SECRET}\n")
    result = awning("doctor", AWNING_PROFILE="default")
    line = next(line for line in result.out.splitlines() if " .env " in line)
    assert "AWNING_API_KEY;" in line
    assert "the environment overrides AWNING_PROFILE" in line
    assert "! .env:3" in result.out
    assert SECRET not in result.out + result.err


@pytest.mark.usefixtures("processes")
def test_doctor_and_help_work_with_an_invalid_env_file(project, awning):
    project.add_widget()
    (project.root / ".env").write_text(f"{SECRET}\n")
    result = awning("doctor")
    assert result.code == 1
    assert ".env:1: error[env-file]" in result.out
    assert awning("build", "--help").code == 0
    assert SECRET not in result.out + result.err


@pytest.mark.usefixtures("processes")
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


@pytest.mark.usefixtures("processes")
def test_new_workspace_ignores_env_files_in_git_but_not_the_example(awning, project, tmp_path):
    project.add_widget()
    fresh = tmp_path / "fresh"
    assert awning("new", fresh).code == 0
    subprocess.run(["git", "init", "-q"], cwd=fresh, check=True)
    names = [".env", ".env.live", ".env.example"]
    done = subprocess.run(
        ["git", "check-ignore", *names], cwd=fresh, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [".env", ".env.live"]
    assert {refusal(entry.name) for entry in read_env_file(fresh / ".env.example")} <= {None}
    assert awning("build", cwd=fresh).err.count("env-file") == 0


def program(path, trace):
    path.write_text(f"#!/bin/sh\necho ran > {trace}\nexit 1\n")
    path.chmod(0o755)
    return path


UNAPPLIED = (
    *("AWNING_ESBUILD", "AWNING_BROWSER", "LD_PRELOAD", "LD_LIBRARY_PATH", "PATH", "PYTHONPATH"),
    *("PYTHONSTARTUP", "NODE_OPTIONS", "GIT_SSH_COMMAND", "HTTPS_PROXY", "SSL_CERT_FILE", "XDG_CONFIG_HOME"),
    *("AWNING_TRUSTED_HOSTS", "AWNING_BEHIND_PROXY", "AWNING_HOST_BEHIND_PROXY", "AWNING_FROM_ENV_FILE"),
    *("AWNING_PUBLISH_APPLY_GATE_COMMAND", "AWNING_BUILD_OUT", "AWNING_BUILD_NOTHING", "AWNING_BASE_ULR"),
    "awning_base_url",
)


def test_env_file_cannot_set_a_program_or_anything_unknown(project, awning):
    project.add_widget()
    lines = ["# theirs", *(f"{name}={SECRET}" for name in UNAPPLIED)]
    (project.root / ".env").write_text("\n".join(lines))
    for verb in ("build", "check"):
        result = awning(verb)
        assert result.code == 0
        for number, name in enumerate(UNAPPLIED, 2):
            assert f".env:{number}: warning[env-file]: {name} is not applied" in result.err
        assert SECRET not in result.out + result.err
    assert awning("build", "--json").json["ok"]


@pytest.mark.usefixtures("processes")
def test_variable_that_awning_sets_itself_is_not_named(project, awning):
    project.add_widget()
    (project.root / ".env").write_text("AWNING_OPERATOR=ann\nAWNING_FROM_ENV=x\n")
    for verb in ("doctor", "build"):
        result = awning(verb)
        assert "FROM_ENV_FILE" not in result.out + result.err
    assert "AWNING_FROM_ENV is not applied: awning has no such variable" in result.err


@pytest.mark.usefixtures("processes")
def test_program_that_an_env_file_names_does_not_run(project, awning, tmp_path):
    project.add_widget()
    trace = tmp_path / "ran"
    (project.root / ".env").write_text(f"AWNING_ESBUILD={program(tmp_path / 'theirs', trace)}\n")
    for verb in ("build", "check", "doctor"):
        assert awning(verb).code == 0
    assert not trace.exists()


@pytest.mark.usefixtures("processes")
def test_git_runs_no_program_that_a_repository_names(project, awning, tmp_path):
    project.add_widget()
    trace = tmp_path / "ran"
    theirs = program(tmp_path / "theirs", trace)

    def git(*arguments):
        who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
        subprocess.run(["git", *who, *arguments], cwd=project.root, check=True, capture_output=True)

    (project.root / ".gitattributes").write_text("* filter=theirs=\n")
    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    hooks = project.root / ".git/hooks"
    hooks.mkdir(exist_ok=True)
    program(hooks / "post-index-change", trace)
    for name in ("core.fsmonitor", "core.pager", "filter.theirs=.clean", "filter.theirs=.process"):
        git("config", name, str(theirs))
    (project.root / ".env").write_text("AWNING_PROFILE=default\n")
    (project.root / ".awning/state").mkdir(parents=True)
    assert awning("doctor").code == 0
    revision = source_revision(project.root)
    (project.root / "manifest.toml").write_text("# changed\n")
    assert source_revision(project.root) == f"{revision}-dirty"
    assert len(revision) == 40
    assert not trace.exists()


@pytest.fixture
def repository(tmp_path):
    """A repository with one changed file, whose filter leaves a trace. Returns its folder and the filter's writer."""
    root = tmp_path / "theirs"
    root.mkdir()
    (root / "file").write_text("one")

    def git(*arguments):
        who = ("-c", "user.name=a", "-c", "user.email=a@b.example")
        subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "one")
    (root / "file").write_text("two")

    def name_filter(name):
        (root / ".gitattributes").write_bytes(b"* filter=" + name + b"\n")
        with (root / ".git/config").open("ab") as file:
            file.write(b'[filter "' + name + b'"]\n\tclean = "touch PWNED; cat"\n')

    return root, name_filter


@pytest.mark.parametrize("name", [b"x\xff", b"\xff", b"x=y", "ā".encode(), b"\xed\xa0\x80", b"x.y"])
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_git_runs_no_filter_whatever_its_name_is(repository, monkeypatch, name, locale):
    monkeypatch.setenv("LC_ALL", locale)
    root, name_filter = repository
    assert source_revision(root).endswith("-dirty"), "without a filter"
    name_filter(name)
    assert source_revision(root).endswith("-dirty")
    assert not (root / "PWNED").exists()


def test_git_is_not_asked_for_changes_when_it_cannot_list_the_filters(repository, monkeypatch):
    root, name_filter = repository
    name_filter(b"x")
    run = subprocess.run

    def run_or_time_out(command, **options):
        if "config" in command:
            raise subprocess.TimeoutExpired(command, 20)
        return run(command, **options)

    monkeypatch.setattr("awning.git.subprocess.run", run_or_time_out)
    assert source_revision(root).endswith("-dirty")
    assert not (root / "PWNED").exists()


@pytest.mark.parametrize(
    "name",
    [
        *("AWNING_TRUST_SECRET", "AWNING_TRUST_REMOVE", "AWNING_TRUST_JSON", "AWNING_ALLOW_PLAIN_HTTP"),
        *("AWNING_BUILD_ALLOW_ERRORS", "AWNING_RELEASE_CREATE_ALLOW_ERRORS", "AWNING_CHECK_NO_TYPES"),
        *("AWNING_CHECK_FIX", "AWNING_CHECK_UPDATE_BASELINE", "AWNING_DOCTOR_FIX", "AWNING_DATA_SET_FORCE"),
        *("AWNING_INSTANCES_REMOVE_YES", "AWNING_INSTANCES_PURGE_YES", "AWNING_INSTANCES_REKEY_DECRYPT"),
        *("AWNING_PUBLISH_LOG_PRUNE", "AWNING_PUBLISH_LOG_YES", "AWNING_PUBLISH_LOG_BEFORE"),
        *("AWNING_PUBLISH_APPLY_OVERWRITE_FOREIGN", "AWNING_PUBLISH_ROLLBACK_ACCEPT_NEWER_DATA"),
        *("AWNING_PUBLISH_APPLY_ALLOW_ERRORS", "AWNING_PUBLISH_APPLY_FLEET", "AWNING_PUBLISH_ROLLBACK_TO"),
        *("AWNING_PUBLISH_APPLY_ON_FAILURE", "AWNING_PUBLISH_APPLY_MAX_FAILURES"),
        *("AWNING_PUBLISH_APPLY_DRY_RUN", "AWNING_PUBLISH_PLAN_DETAILED_EXITCODE"),
        *("AWNING_MANIFEST_SUBMIT_SHOW_KEY", "AWNING_MANIFEST_SUBMIT_NEW", "AWNING_MANIFEST_CHECK_ASSUME"),
    ],
)
def test_env_file_cannot_decide_in_place_of_the_user(name):
    reason, instead = refusal(name)
    assert "trust" in reason or "in your place" in reason
    assert f"export {name}=" in instead


def test_env_file_sets_no_flag_of_any_verb_that_agrees_changes_or_hides_something():
    names = {
        (name, option.opts[0])
        for verb in joined_verbs().values()
        for option in options_of(with_variables(verb.load(), (verb.name,)))
        for name in [*(option.envvar or ())][-1:]
    }
    applied = {flag for name, flag in names if refusal(name) is None}
    assert {"--json", "--port", "--pace"} <= applied
    words = "yes|force|fix|allow|accept|overwrite|remove|prune|decrypt|new|show|secret|no-types|run|release|until|fail"
    assert [flag for flag in applied if re.match(f"--({words})", flag)] == []


def options_of(command):
    own = (parameter for parameter in command.params if parameter.param_type_name == "option")
    return [
        *own,
        *(option for sub in getattr(command, "commands", {}).values() for option in options_of(sub)),
    ]


def test_env_file_cannot_let_secrets_be_sent_unencrypted(project, awning):
    with_profile(project, "http://shop.example.com/v1")
    (project.root / ".env").write_text("AWNING_ALLOW_PLAIN_HTTP=1\nAWNING_API_KEY=key\n")
    assert awning("instances", "add", "--name", "shop", AWNING_AUTH_CODE="code").code == 0
    result = awning("data", "get", "shop")
    assert result.code == 2
    assert ".env:1: warning[env-file]: AWNING_ALLOW_PLAIN_HTTP is not applied" in result.err
    assert "use https" in result.err


def test_env_file_cannot_remove_an_instance_without_the_question(project, awning):
    project.add_widget()
    (project.root / ".env").write_text("AWNING_INSTANCES_REMOVE_YES=1\n")
    assert awning("instances", "add", "--name", "shop", AWNING_AUTH_CODE="code").code == 0
    assert awning("instances", "remove", "shop").code != 0
    assert "shop" in awning("instances", "list").out


def test_every_variable_that_the_code_reads_is_described():
    words = {
        word
        for folder in ("src/awning", "harness/awning_harness")
        for file in (ROOT / folder).rglob("*.py")
        for line in file.read_text("utf-8").splitlines()
        if "environ" in line or "envvar" in line or "find_secret(" in line
        for word in re.findall(r"\bAWNING_[A-Z_]+\b", line)
    }
    assert [word for word in words if (refusal(word) or ("",))[0] == "awning has no such variable"] == []


def test_every_described_variable_is_read_somewhere():
    files = [file for room in ("src", "harness", "packaging") for file in (ROOT / room).rglob("*.py")]
    code = "".join(file.read_text("utf-8") for file in files if file.name != "variables.py")
    assert [variable.name for variable in VARIABLES if variable.name not in code] == []


@pytest.mark.parametrize(
    ("arguments", "environ", "key"),
    [
        ((), {}, "of .env"),
        (("--profile", "live"), {}, "of live"),
        (("--profile=live",), {}, "of live"),
        ((), {"AWNING_PROFILE": "live"}, "of live"),
        ((), {"AWNING_BUILD_PROFILE": "live"}, "of live"),
        (("--profile", "other"), {}, "of .env"),
        (("--profile", "../live"), {}, "of .env"),
        (("--profile", "example"), {}, "of .env"),
        (("--profile", "live"), {"AWNING_OPERATOR": "mine"}, "mine"),
    ],
)
def test_file_of_the_profile_overrides_the_env_file(tmp_path, arguments, environ, key):
    workspace(tmp_path)
    environ = dict(environ)
    before = dict(environ)
    with env_files_in_force(tmp_path, environ, named_profile(["build", *arguments], environ), refusal):
        assert environ["AWNING_OPERATOR"] == key
        assert environ["AWNING_DIST"] == "common"
    assert environ == before


def workspace(root):
    (root / "pyproject.toml").write_text('[tool.awning]\nlanguages = ["en"]\n')
    (root / ".env").write_text("AWNING_OPERATOR='of .env'\nAWNING_DIST=common\n")
    (root / ".env.live").write_text("AWNING_OPERATOR='of live'\nAWNING_PROFILE=other\n")
    (root / ".env.example").write_text("AWNING_OPERATOR='of the example'\n")


@pytest.mark.parametrize("where", [".env", "pyproject.toml"])
def test_profile_that_the_workspace_chooses_has_its_file_too(tmp_path, where):
    workspace(tmp_path)
    line = "AWNING_PROFILE=live\n" if where == ".env" else 'profile = "live"\n'
    (tmp_path / where).write_text((tmp_path / where).read_text() + line, encoding="utf-8-sig")
    environ = {}
    with env_files_in_force(tmp_path, environ, None, refusal) as files:
        assert environ["AWNING_OPERATOR"] == "of live"
        assert [file.path.name for file in files] == [".env.live", ".env"]
        assert [entry.place.line for entry in files[0].refused] == [2]


def test_secret_of_the_profile_overrides_the_file_of_a_secret(tmp_path):
    workspace(tmp_path)
    (tmp_path / ".env.live").write_text("AWNING_API_KEY_FILE=key\n")
    (tmp_path / ".env").write_text("AWNING_API_KEY=common\n")
    environ = {}
    with env_files_in_force(tmp_path, environ, "live", refusal):
        assert "AWNING_API_KEY" not in environ
        assert names_from_env_file(environ) == {"AWNING_API_KEY_FILE"}
    assert environ == {}
