"""The files of `awning new --ci`: valid, careful with rights, and their commands do what they should when they are run.

Their install commands need a network: `.ci/run` runs them, in an empty environment.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from ci_job import github_commands, gitlab_commands, run
from nested_runs import with_options
from warm_python import folder_with_awning

from awning.workspace.scaffolding import CI_FILES, make_workspace

FILES = {"github": ".github/workflows/widgets.yml", "gitlab": ".gitlab-ci.yml"}
SCHEMAS = {"github": "vendor.github-workflows", "gitlab": "vendor.gitlab-ci"}
NEED_NETWORK = {"Install awning", "before_script"}
FEW_TESTS = with_options("-k shows")
AFFECTED = "awning: test widgets/stock-note: style.css differs\n"
PULL_REQUEST = {
    "github.actor": "anna",
    "github.event.pull_request.head.repo.full_name": "anna/shop",
    "github.event.pull_request.number": 7,
    "github.event_name": "pull_request",
    "github.repository": "anna/shop",
    "github.token": "a-token",
    "steps.install.outcome": "success",
}
FAKE = """\
#!/bin/sh
# Writes down how it is called, and lists the comments in the file COMMENTS.
printf '%s ' "$@" >> "$CALLS"; echo >> "$CALLS"
case "$*" in *"--jq"*|*"sort=asc"*) cat "$COMMENTS";; esac
"""


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=Anna", "-c", "user.email=anna@example.com", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def workspace(processes, tmp_path, request):
    """A repository with one commit, in whose working tree a widget has grown. Its `origin` is the repository itself.

    For GitHub, the folder `base` is a worktree of the commit.
    """
    root = tmp_path / "shop"
    make_workspace(root, languages=("en",), ci=request.param)
    git(root, "init", "--quiet")
    git(root, "add", ".")
    git(root, "commit", "--quiet", "-m", "Base")
    git(root, "remote", "add", "origin", str(root))
    style = root / "widgets/stock-note/style.css"
    style.write_text(style.read_text() + ".note { outline: 3px dotted rebeccapurple }\n")
    if request.param == "github":
        git(root, "worktree", "add", "--quiet", "base", "HEAD")
    return root


@pytest.fixture
def fakes(tmp_path):
    """Fakes of `gh` and `curl` that log their calls: variables with their folder, the log and the comments to list."""
    for name in ("gh", "curl"):
        (tmp_path / "bin" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(FAKE)
        (tmp_path / "bin" / name).chmod(0o755)
    return {
        "FIRST_ON_PATH": os.pathsep.join([str(tmp_path / "bin"), folder_with_awning()]),
        "CALLS": str(tmp_path / "calls"),
        "COMMENTS": str(tmp_path / "comments"),
    }


def expect_reports(workspace: Path) -> None:
    """Check that the reports for a pull request say which tests passed, and by how much the snippets grew."""
    text = (workspace / "reports/summary.md").read_text()
    assert text.startswith("<!-- awning summary -->\n")
    assert " passed." in text
    assert text.index(f"- `{AFFECTED.removeprefix('awning: ').strip()}`") < text.index(" passed.")
    assert re.search(r"^\| `body.html` \| [\d,]+ \| [\d,]+ \| \+\d+ \(\+[\d.]+ %\) \|$", text, re.MULTILINE)
    assert "`awning check`: " in text
    assert "Missing" not in text
    assert json.loads((workspace / "reports/check.sarif").read_text())["version"] == "2.1.0"
    assert (workspace / "dist/build.json").is_file()
    assert (workspace / "gallery/index.html").is_file()


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("workspace", ["github"], indirect=True)
def test_commands_for_github_run_from_the_check_to_the_comment(workspace, fakes, tmp_path):
    file = workspace / FILES["github"]
    environ = {
        **fakes,
        "GITHUB_STEP_SUMMARY": str(tmp_path / "step-summary"),
        "GITHUB_REPOSITORY": "anna/shop",
        **FEW_TESTS,
    }
    commands = [c for c in github_commands(file, "widgets", PULL_REQUEST) if c.name not in NEED_NETWORK]
    assert [command.name for command in commands] == [
        "Check", "Build", "Build the base branch", "Test", "Gallery", "Summary",
    ]  # fmt: skip
    for command in commands:
        done = run(command, workspace, environ)
        assert done.returncode == 0, done.stdout + done.stderr
        assert command.name != "Test" or AFFECTED in done.stderr
    expect_reports(workspace)
    assert (tmp_path / "step-summary").read_text() == (workspace / "reports/summary.md").read_text()

    (comment,) = github_commands(file, "report", PULL_REQUEST)
    called = {
        "": "--method POST repos/anna/shop/issues/7/comments",
        "31\n32\n": "--method PATCH repos/anna/shop/issues/comments/31",
    }
    for earlier, call in called.items():
        (tmp_path / "comments").write_text(earlier)
        done = run(comment, workspace, environ)
        assert done.returncode == 0, done.stderr
        last = (tmp_path / "calls").read_text().splitlines()[-1]
        assert call in last
        assert "body=@reports/summary.md" in last


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("workspace", ["gitlab"], indirect=True)
def test_commands_for_gitlab_run_from_the_check_to_the_comment(workspace, fakes, tmp_path):
    file = workspace / FILES["gitlab"]
    environ = {
        **fakes,
        **FEW_TESTS,
        "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main",
        "CI_MERGE_REQUEST_DIFF_BASE_SHA": "HEAD",
        "CI_API_V4_URL": "https://gitlab.example/api/v4",
        "CI_PROJECT_ID": "3",
        "CI_MERGE_REQUEST_IID": "7",
        "AWNING_COMMENT_TOKEN": "a-token",
    }
    for command in gitlab_commands(file, "widgets"):
        if command.name not in NEED_NETWORK:
            done = run(command, workspace, environ)
            assert done.returncode == 0, done.stdout + done.stderr
            assert command.name != "script" or AFFECTED in done.stderr
    expect_reports(workspace)
    shutil.rmtree(workspace / "base")  # a runner that reuses its clone does this by `git clean`
    done = run({c.name: c for c in gitlab_commands(file, "widgets")}["after_script"], workspace, environ)
    assert "does not build" not in done.stdout, done.stderr
    expect_reports(workspace)
    assert "<testsuite " in (workspace / "reports/check.xml").read_text()

    (comment,) = gitlab_commands(file, "comment")
    notes = "https://gitlab.example/api/v4/projects/3/merge_requests/7/notes"
    ours = [{"id": 5, "body": "x"}, {"id": 31, "body": "<!-- awning summary -->\n"}]
    called = (
        ([], f"--request POST --data-urlencode body@reports/summary.md {notes} "),
        (ours, f"--request PUT --data-urlencode body@reports/summary.md {notes}/31 "),
    )
    for earlier, call in called:
        (tmp_path / "comments").write_text(json.dumps(earlier))
        done = run(comment, workspace, environ)
        assert done.returncode == 0, done.stderr
        assert call in (tmp_path / "calls").read_text().splitlines()[-1]


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("failing", ["check", "build", "test", "gallery"])
def test_a_failed_step_fails_the_job_after_all_steps(tmp_path, failing):
    make_workspace(tmp_path / "app", ci="gitlab")
    fake = tmp_path / "bin/awning"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\necho "$1" >> "$CALLS"\n[ "$1" != "$FAILING" ]\n')
    fake.chmod(0o755)
    environ = {
        "FIRST_ON_PATH": str(fake.parent),
        "CALLS": str(tmp_path / "calls"),
        "FAILING": failing,
    }
    commands = gitlab_commands(tmp_path / "app" / FILES["gitlab"], "widgets")
    (script,) = (command for command in commands if command.name == "script")
    assert run(script, tmp_path / "app", environ).returncode == 1
    assert (tmp_path / "calls").read_text().split() == ["check", "check", "build", "test", "gallery"]
    assert run(script, tmp_path / "app", {**environ, "FAILING": "none"}).returncode == 0


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize(
    "changed",
    [
        {"github.event.pull_request.head.repo.full_name": "mallory/shop"},
        {"github.actor": "dependabot[bot]"},
    ],
)
@pytest.mark.parametrize("workspace", ["github"], indirect=True)
def test_a_pull_request_whose_token_cannot_write_has_no_report(workspace, changed):
    file = workspace / FILES["github"]
    assert list(github_commands(file, "report", PULL_REQUEST | changed)) == []
    assert list(github_commands(file, "widgets", PULL_REQUEST | changed))


@pytest.fixture(scope="module", params=list(CI_FILES))
def ci_file(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("ci") / "app"
    make_workspace(root, ci=request.param)
    return request.param, root / FILES[request.param]


@pytest.mark.usefixtures("processes")
def test_ci_files_are_valid(ci_file):
    forge, file = ci_file
    program = Path(sys.executable).with_name("check-jsonschema")
    command = [program, "--builtin-schema", SCHEMAS[forge], file]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    broken = file.with_name("broken.yml")
    shutil.copy(file, broken)
    broken.write_text(broken.read_text().replace("timeout", "time-out"))
    done = subprocess.run([*command[:3], broken], capture_output=True, text=True, check=False)
    assert done.returncode == 1, "the schema finds a wrong key"


def test_gallery_is_an_artefact_and_git_ignores_its_folder(ci_file):
    forge, file = ci_file
    described = yaml.safe_load(file.read_text())
    if forge == "github":
        steps = described["jobs"]["widgets"]["steps"]
        uploads = [step["with"] for step in steps if "upload-artifact" in step.get("uses", "")]
        kept = {upload["name"]: upload["path"].split() for upload in uploads}
        assert kept["gallery"] == ["gallery"]
        root = file.parents[2]
    else:
        assert "gallery" in described["widgets"]["artifacts"]["paths"]
        root = file.parent
    assert "/gallery/" in (root / ".gitignore").read_text().splitlines()


@pytest.mark.usefixtures("processes")
def test_steps_that_need_a_network_are_the_named_ones(ci_file):
    forge, file = ci_file
    commands = (
        gitlab_commands(file, "widgets")
        if forge == "gitlab"
        else github_commands(file, "widgets", PULL_REQUEST)
    )
    assert {c.name for c in commands if re.search(r"\b(pip|apt-get)\b", c.script)} == NEED_NETWORK & {
        "before_script" if forge == "gitlab" else "Install awning"
    }


def test_github_actions_are_pinned_to_a_commit(tmp_path):
    make_workspace(tmp_path / "app", ci="github")
    uses = re.findall(r"uses: (\S+)(.*)", (tmp_path / "app" / FILES["github"]).read_text())
    assert len(uses) == 7
    for action, comment in uses:
        assert re.fullmatch(r"[\w-]+(/[\w-]+)+@[0-9a-f]{40}", action)
        assert re.fullmatch(r" # v\d+\.\d+\.\d+", comment)


def test_only_the_job_that_runs_nothing_of_the_change_may_write(tmp_path):
    make_workspace(tmp_path / "app", ci="github")
    text = (tmp_path / "app" / FILES["github"]).read_text()
    described = yaml.safe_load(text)
    assert "secrets." not in text
    assert "pull_request_target" not in text
    assert described["permissions"] == {}
    assert described["jobs"]["widgets"]["permissions"] == {"contents": "read"}
    report = described["jobs"]["report"]["steps"]
    assert not any("checkout" in step.get("uses", "") for step in report)
    assert not any(
        re.search(r"\b(?:awning (?!summary -->)|pip|python)", step.get("run", "")) for step in report
    )


def test_no_command_has_a_text_of_the_event_in_it(ci_file):
    """`${{ ... }}` in a script could run the name of a branch as code. Environment variables pass values safely."""
    _, file = ci_file
    jobs = yaml.safe_load(file.read_text()).get("jobs", {})
    assert [
        step["name"] for job in jobs.values() for step in job["steps"] if "${{" in step.get("run", "")
    ] == []


def test_new_and_add_write_the_same_files_and_overwrite_none(project, awning, tmp_path):
    for forge, files in CI_FILES.items():
        workspace = tmp_path / forge
        assert awning("new", workspace, "--ci", forge).code == 0
        result = awning("add", "ci", forge)
        assert result.code == 0
        assert sorted(result.out.splitlines()) == sorted(files.values())
        assert "put the address of your awning wheel there" in result.err
        for path in files.values():
            assert (project.root / path).read_bytes() == (workspace / path).read_bytes()
        again = awning("add", "ci", forge)
        assert again.code == 2
        assert "exist" in again.err
        (project.root / "requirements.txt").unlink()


def test_workspace_below_the_root_of_a_repository_is_told_where_the_file_belongs(project, awning):
    (project.root.parent / ".git").mkdir()
    assert "in the root of the repository only; move it to" in awning("add", "ci", "github").err
    (project.root / ".git").mkdir()
    (project.root / "requirements.txt").unlink()
    result = awning("add", "ci", "gitlab")
    assert (result.code, "move it" in result.err) == (0, False)


def test_unknown_forge_is_a_usage_error(awning):
    assert awning("add", "ci", "sourcehut").code == 2
