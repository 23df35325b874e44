"""A service without calls for head snippets: pages show that of the manifest, and each verb says so."""

import json
import shutil

import pytest

HEADS = [f"<!--awning {n * 12}--><script>head({n})</script>" for n in "01"]
WRITTEN = "the head snippet is not written: pages show that of the submitted manifest\n"
DIFFERS = (
    "the head snippet differs from that of release 1, and is not written: pages show that of the submitted manifest. "
    "Submit the manifest: awning manifest submit\n"
)
NOT_BACK = "the head snippet is not taken back: pages show that of the submitted manifest"
EARLIER = "build the earlier sources and submit their manifest: awning manifest submit\n"
BACK = f"{NOT_BACK}. To take it back, {EARLIER}"
MAYBE = f"{NOT_BACK}. If the earlier release had another one, {EARLIER}"


@pytest.fixture
def built(rebuild, dist):
    """Build a body and a head snippet; the manifest has the head snippet."""

    def build(number, head):
        rebuild({"lv": f"<b>lv {number}</b>"}, {None: head} if head else None)
        (dist / "manifest.json").write_text(json.dumps({"app_default_head_snippet": head} if head else {}))

    return build


@pytest.fixture
def one_language(shelf):
    shelf.languages["code-a"] = ["lv"]


def test_first_publish_says_that_the_head_snippet_is_not_written(awning, shop, one_language, built):
    built(1, HEADS[0])
    assert awning("publish", "plan")[2] == WRITTEN
    assert awning("publish", "apply")[2] == WRITTEN
    assert awning("publish", "apply")[2] == WRITTEN


def test_changed_head_snippet_is_named_by_plan_and_apply(awning, shop, one_language, built):
    built(1, HEADS[0])
    awning("publish", "apply")
    built(2, HEADS[1])
    field = {"written": False, "differs_from_release": 1}
    assert awning("publish", "plan")[2] == DIFFERS
    assert awning("publish", "apply", "--dry-run")[2] == DIFFERS
    assert json.loads(awning("publish", "plan", "--json")[1])["head_snippet"] == field
    assert awning("publish", "apply")[2] == DIFFERS
    assert json.loads(awning("publish", "apply", "--json")[1])["head_snippet"] == field


def test_head_snippet_that_differs_by_its_stamp_alone_is_the_same(awning, shop, one_language, built):
    built(1, HEADS[0])
    awning("publish", "apply")
    built(2, HEADS[0].replace("0" * 12, "2" * 12))
    assert awning("publish", "apply")[2] == WRITTEN


def test_head_snippet_that_is_gone_is_named(awning, shop, one_language, built):
    built(1, HEADS[0])
    awning("publish", "apply")
    built(2, None)
    assert (
        "the build has no head snippet, and that of release 1 is not taken away"
        in awning("publish", "plan")[2]
    )


@pytest.mark.parametrize("back", [("--to", "1"), ("--previous",), ("--run", "2")])
def test_rollback_says_that_the_head_snippet_stays(back, awning, shop, one_language, built):
    for number, head in enumerate(HEADS, 1):
        built(number, head)
        awning("publish", "apply")
    assert awning("publish", "rollback", *back, "--dry-run")[2].startswith(BACK)
    assert awning("publish", "rollback", *back)[2].endswith(BACK)


@pytest.fixture
def in_waves(workspace):
    """Options for a run in waves whose first wave has the only shop. `gate` is the gate's command."""
    (workspace / "first.txt").write_text("shop\n")
    return lambda gate: ("--waves", f"file:{workspace / 'first.txt'},100%", "--gate-command", gate)


@pytest.mark.parametrize("back", [("--to", "1"), ("--previous",), ("--run", "2")])
def test_rollback_to_the_same_head_snippet_says_when_to_submit_another(
    back, awning, shop, one_language, built
):
    for number in (1, 2):
        built(number, HEADS[0])
        awning("publish", "apply")
    assert awning("publish", "rollback", *back, "--dry-run")[2].startswith(MAYBE)
    assert awning("publish", "rollback", *back)[2].endswith(MAYBE)


def test_run_that_a_gate_took_back_does_not_advise_to_submit_its_manifest(
    awning, shop, one_language, built, in_waves
):
    built(1, HEADS[0])
    awning("publish", "apply")
    built(2, HEADS[1])
    _, out, err = awning("publish", "apply", *in_waves("exit 1"), "--on-failure", "rollback")
    assert "taken back: 1 applied" in out
    assert err.endswith(BACK), err


def test_older_release_does_not_advise_to_submit_the_manifest_of_a_newer_build(
    awning, shop, one_language, built, in_waves, tmp_path
):
    built(1, HEADS[0])
    awning("publish", "apply")
    built(2, HEADS[1])
    awning("publish", "apply", *in_waves(f'test -e "{tmp_path / "open"}"'))
    assert awning("publish", "plan", "--release", "2")[2].endswith(DIFFERS)
    built(3, HEADS[0])
    (tmp_path / "open").touch()
    unsubmitted = DIFFERS.replace(". Submit the manifest: awning manifest submit", "")
    assert awning("publish", "plan", "--release", "2")[2].endswith(unsubmitted)
    assert awning("publish", "resume", "2")[2].endswith(unsubmitted)


def test_build_elsewhere_does_not_advise_to_submit_the_manifest_of_the_workspace(
    awning, shop, one_language, built, dist, tmp_path
):
    built(1, HEADS[0])
    awning("publish", "apply")
    built(2, HEADS[1])
    shutil.copytree(dist, tmp_path / "other")
    assert awning("publish", "plan", "--dist", str(tmp_path / "other"))[2] == DIFFERS
    built(3, HEADS[1])
    assert "Submit the manifest" not in awning("publish", "plan", "--dist", str(tmp_path / "other"))[2]


def test_nothing_is_said_without_a_head_snippet_or_where_it_is_written(
    awning, shop, one_language, built, workspace
):
    built(1, None)
    assert awning("publish", "apply")[2] == ""
    (workspace / "pyproject.toml").write_text(
        '[tool.awning]\nlanguages = ["lv"]\n[tool.awning.profiles.default]\nhead_snippets = true\n'
    )
    built(2, HEADS[1])
    assert awning("publish", "apply")[2] == ""
    assert "head_snippet" not in json.loads(awning("publish", "apply", "--json")[1])
