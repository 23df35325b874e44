"""A journal that was moved away, or an older copy of it, beside the states of runs that it does not know."""

import json
import shutil
from contextlib import closing

import pytest
from kept_in import both, kept_in, postgres

from awning.contract import Exit
from awning.publish import state_at
from awning.publish.waves.run_state import RunStates

__all__ = ["kept_in", "postgres"]  # fixtures

pytestmark = pytest.mark.usefixtures("processes")  # a gate's command
JOURNAL = ("journal.sqlite", "journal.sqlite-wal", "journal.sqlite-shm", "journal.mark")


@pytest.fixture
def start_afresh(state_of):
    """Remove the files that docs/publishing.md says to move away for a fresh journal."""

    def move():
        for name in JOURNAL:
            (state_of().path / name).unlink(missing_ok=True)

    return move


def runs(awning):
    return [(run["run"], run["how"]) for run in json.loads(awning("publish", "log", "--json")[1])["runs"]]


def test_apply_with_a_fresh_journal_continues_the_numbers_of_runs(awning, shop, start_afresh):
    assert awning("publish", "apply")[0] == 0
    assert awning("publish", "apply")[0] == 0
    start_afresh()
    assert awning("publish", "apply", "--only", "shop")[0] == 0
    assert [run for run, _ in runs(awning)] == [3]


def test_rollback_with_a_fresh_journal_does_not_take_the_number_of_an_earlier_run(awning, shop, start_afresh):
    assert awning("publish", "apply")[0] == 0
    start_afresh()
    awning("publish", "rollback", "--to", "1")
    assert [run for run, _ in runs(awning)] == [2]


def test_apply_with_a_fresh_journal_does_not_take_the_number_of_an_earlier_rollback(
    awning, shop, start_afresh
):
    assert awning("publish", "apply")[0] == 0
    awning("publish", "rollback", "--to", "1")
    assert [run for run, _ in runs(awning)] == [2, 1]
    start_afresh()
    awning("publish", "apply", "--only", "shop")
    assert [run for run, _ in runs(awning)] == [3]


@both
def test_lower_number_does_not_replace_a_higher_number(tmp_path, kept_in):
    with closing(RunStates.open(state_at(tmp_path / "state", kept_in.url))) as states:
        for run in (3, 2):
            states.keep_number(run)
        assert states.last_run() == 3


def test_older_copy_of_the_journal_can_be_used(awning, shop, state_of):
    assert awning("publish", "apply")[0] == 0
    files = [state_of().path / name for name in JOURNAL[:3] if (state_of().path / name).exists()]
    for file in files:
        shutil.copy(file, file.with_suffix(file.suffix + ".copy"))
    assert awning("publish", "apply")[0] == 0
    for name in JOURNAL:
        (state_of().path / name).unlink(missing_ok=True)
    for file in files:
        shutil.copy(file.with_suffix(file.suffix + ".copy"), file)
    assert awning("publish", "apply")[0] == 0
    assert [run for run, _ in runs(awning)] == [3, 1]


def test_release_that_was_taken_back_stays_so_with_a_fresh_journal(awning, shop, start_afresh, rebuild):
    assert awning("publish", "apply")[0] == 0
    rebuild({None: "<b>2</b>"})
    waves = ("--waves", "50%,100%", "--gate-command", "exit 1", "--on-failure", "rollback")
    assert awning("publish", "apply", *waves)[0] == Exit.PARTLY
    start_afresh()
    code, _, err = awning("publish", "apply")
    assert (code, "release 2 was taken back" in err) == (Exit.USAGE, True), err


def test_paused_run_is_continued_with_a_fresh_journal(awning, shop, start_afresh, rebuild):
    assert awning("publish", "apply")[0] == 0
    rebuild({None: "<b>2</b>"})
    assert awning("publish", "apply", "--waves", "50%,100%", "--gate-command", "exit 1")[0] == Exit.PARTLY
    start_afresh()
    code, _, err = awning("publish", "apply", "--waves", "50%,100%")
    assert (code, "run 3 continues run 2" in err) == (0, True), err
