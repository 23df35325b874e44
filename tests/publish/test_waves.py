"""A run in waves publishes to some instances first, asks its gate, and stops or goes on."""

import asyncio
import json
import shlex
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from threading import Lock

import pytest
from warm_python import folder_with_awning

from awning.contract import Exit
from awning.publish.health.reports import HealthReports
from awning.publish.health.windows import GateWindows, Sender
from awning.publish.inventory.inventory import Inventory
from awning.publish.waves.gate import Gate, GateCheck, WaveCounts
from awning.publish.waves.run_state import Rollout, RunState, RunStates
from awning.publish.waves.wave import Wave, parse_waves, position_of, wave_of

pytestmark = pytest.mark.usefixtures("processes")  # a gate's command
CODES = [f"code-{number:02}" for number in range(40)]
OLD, NEW = {None: "<b>1</b>"}, {None: "<b>2</b>"}


@pytest.fixture
def shops(awning, workspace, served, shelf, state_of, rebuild, made_once, monkeypatch):
    """Forty instances with the first release. The first four have the label `early`."""
    monkeypatch.setenv("AWNING_BASE_URL", served)
    shelf.languages = {code: [] for code in CODES}
    rebuild(OLD)

    def make():
        with closing(Inventory.open(state_of())) as inventory:
            inventory.put(
                inventory.instance(code, name=code.replace("code", "shop"), labels="early" if n < 4 else "")
                for n, code in enumerate(CODES)
            )
        assert awning("publish", "apply")[0] == 0

    made_once(workspace, shelf, make)
    rebuild(NEW)
    with closing(Inventory.open(state_of())) as inventory:
        return inventory.all()


@pytest.fixture
def new_at(shelf):
    """The authCodes of the websites that have the new release."""
    return lambda: {code for code in CODES if shelf.body(code)[None] == NEW[None]}


@pytest.fixture
def refuse(shelf, refused):
    """Let the service refuse to write to these websites."""

    def start(codes):
        shelf.before = lambda call, code, turn: (
            refused(403, "Forbidden") if call == "set_snippet" and code in codes else None
        )

    return start


def own_command():
    """Return awning as the command of a gate begins with it."""
    return shlex.quote(f"{folder_with_awning()}/awning")


def first_by_hash(shops, percent):
    return {i.code.reveal() for i in shops if position_of(i.key) * 100 < percent}


def test_gate_stops_the_run_after_the_first_wave(awning, shops, new_at):
    code, out, _ = awning("publish", "apply", "--waves", "30%,100%", "--gate-command", "exit 3", "--json")
    assert code == Exit.PARTLY
    assert new_at() == first_by_hash(shops, 30)
    document = json.loads(out)
    assert document["stopped"] == "wave 1 of 2 (30%): the gate's command ended with 3"
    assert len(document["cells"]) == sum(document["totals"].values()) == len(new_at())


def test_too_many_failures_stop_the_run(awning, shops, new_at, refuse):
    early = [instance.code.reveal() for instance in shops if "early" in instance.labels]
    refuse(early[:1])
    code, _, err = awning("publish", "apply", "--waves", "label:early,100%", "--max-failures", "20%")
    assert code == Exit.PARTLY
    named = "shop-00 (website) refused - set_snippet: Forbidden"
    assert f"wave 1 of 2 (label:early): 1 of 4 cells are not right (25%; at most 20%): {named}" in err
    assert new_at() == set(early[1:])


def test_gate_names_the_first_cells_that_are_not_right(awning, shops, refuse):
    refuse(CODES[:4])
    _, _, err = awning("publish", "apply", "--waves", "label:early,100%")
    assert (err.count("(website) refused - "), "and 1 more. The run is paused" in err) == (3, True), err


def test_foreign_content_that_is_accepted_stops_no_wave(awning, shops, new_at, shelf):
    shelf.contents["code-00", "body", None] = "<b>theirs</b>"
    until = datetime.now(UTC).date().isoformat()
    words = ("--owner", "Anna", "--until", until, "--reason", "theirs")
    assert awning("publish", "drift", "acknowledge", "shop-00", *words)[0] == 0
    code, out, _ = awning("publish", "apply", "--waves", "label:early,100%", "--json")
    cells = {cell["instance"]: (cell["outcome"], cell["reason"]) for cell in json.loads(out)["cells"]}
    assert (code, cells["shop-00"]) == (0, ("skipped", f"foreign content, accepted by Anna until {until}"))
    assert new_at() == set(CODES[1:])


def test_share_of_failures_that_is_allowed_stops_nothing(awning, shops, new_at, refuse):
    refuse(["code-00"])
    code, _, _ = awning("publish", "apply", "--waves", "label:early,100%", "--max-failures", "25%")
    assert code == Exit.PARTLY
    assert new_at() == set(CODES[1:])


def test_next_apply_of_the_same_build_continues_the_waves(awning, shops, new_at, tmp_path):
    gate = f'test -e "{tmp_path / "open"}"'
    words = ("publish", "apply", "--waves", "label:early,50%,100%", "--gate-command", gate)
    assert awning(*words)[0] == Exit.PARTLY
    assert len(new_at()) == 4
    assert awning("publish", "apply")[0] == Exit.PARTLY
    assert len(new_at()) == 4
    (tmp_path / "open").touch()
    code, _, err = awning("publish", "apply")
    assert (code, new_at()) == (0, set(CODES))
    assert "continues run" in err


def test_continued_run_does_not_ask_a_gate_twice(awning, shops, new_at, tmp_path):
    """The gate's command logs the wave. At the 60 % wave it stops the run until the file `open` exists."""
    log = tmp_path / "log"
    script = (
        f'echo "$AWNING_WAVE" >> {shlex.quote(str(log))}; test "$AWNING_WAVE" = 20% -o -e {tmp_path}/open'
    )
    words = ("publish", "apply", "--waves", "20%,60%,100%", "--gate-command", script)
    assert awning(*words)[0] == Exit.PARTLY
    (tmp_path / "open").touch()
    assert awning(*words)[0] == 0
    assert log.read_text().split() == ["20%", "60%", "60%"]


def test_another_release_ends_the_paused_run(awning, shops, new_at, rebuild, shelf):
    awning("publish", "apply", "--waves", "20%,100%", "--gate-command", "exit 1")
    rebuild({None: "<b>3</b>"})
    assert awning("publish", "apply")[0] == 0
    assert {shelf.body(code)[None] for code in CODES} == {"<b>3</b>"}


def test_apply_to_one_instance_leaves_the_paused_run_alone(awning, shops, new_at):
    awning("publish", "apply", "--waves", "20%,100%", "--gate-command", "exit 1")
    before = new_at()
    assert awning("publish", "apply", "--only", "shop-39")[0] == 0
    assert new_at() == before | {"code-39"}
    assert awning("publish", "apply")[0] == Exit.PARTLY


def test_resume_continues_a_paused_run_with_its_own_release(awning, shops, new_at, rebuild, tmp_path):
    gate = f'test -e "{tmp_path / "open"}"'
    awning("publish", "apply", "--waves", "label:early,100%", "--gate-command", gate)
    rebuild({None: "<b>3</b>"})
    (tmp_path / "open").touch()
    assert awning("publish", "resume", "2")[0] == 0
    assert new_at() == set(CODES)
    code, _, err = awning("publish", "resume", "2")
    assert (code, "cannot be continued: it is ended" in err) == (Exit.USAGE, True)


def test_resumed_run_can_get_another_gate(awning, shops, new_at):
    awning("publish", "apply", "--waves", "label:early,50%,100%", "--gate-command", "exit 1")
    before = new_at()
    code, _, err = awning("publish", "resume", "2", "--gate-command", "exit 3", "--gate-instances", "4")
    assert (code, "--gate-health is judged" in err) == (Exit.USAGE, True)
    code, _, err = awning("publish", "resume", "2", "--gate-command", "exit 3")
    assert (code, "ended with 3" in err, new_at()) == (Exit.PARTLY, True, before)
    assert awning("publish", "resume", "3")[0] == Exit.PARTLY, "the new gate stays"
    assert awning("publish", "resume", "4", "--gate-command", "true", "--max-failures", "5%")[0] == 0
    assert new_at() == set(CODES)


def test_status_says_where_a_paused_run_stands(awning, shops):
    assert json.loads(awning("publish", "status", "--json")[1])["run"] is None
    awning("publish", "apply", "--waves", "label:early,100%", "--gate-command", "exit 1")
    _, out, _ = awning("publish", "status", "--json")
    status = json.loads(out)["run"]
    assert (status["state"], status["waves"], status["passed"]) == ("paused", ["label:early", "100%"], 0)
    assert status["totals"] == {"applied": 4}
    assert "is paused, 0 of 2 waves have passed: 4 applied" in awning("publish", "status")[1]


def test_run_that_waits_at_a_gate_says_so(awning, shops, tmp_path):
    look = f"{own_command()} publish status"
    command = f"{look} >{tmp_path}/text; {look} --json >{tmp_path}/json"
    words = ("--waves", "label:early,50%", "--gate-command", command, "--progress", "json")
    code, _, err = awning("publish", "apply", *words)
    assert code == 0, err
    waits = json.loads(err.splitlines()[0])
    assert waits["gate"] == "wave 1 of 2 (label:early)"
    half = {i.key for i in shops if position_of(i.key) < 0.5}
    assert waits["of_instances"] == len(half | {i.key for i in shops[:4]})
    assert "it waits at the gate after wave 1 since 20" in (tmp_path / "text").read_text()
    run = json.loads((tmp_path / "json").read_text())["run"]
    assert (run["is_under_way"], run["rate"], run["gate_since"][:2]) == (True, None, "20")
    assert json.loads(awning("publish", "status", "--json")[1])["run"] is None


def test_status_counts_cells_and_names_few(awning, shops, refuse):
    refuse(CODES[:7])
    awning("publish", "apply")
    _, out, err = awning("publish", "status")
    names = ", ".join(f"shop-0{number} (website)" for number in range(5))
    reason = "set_snippet: Forbidden (error 403, HTTP 403)"
    groups = ["33 applied, 7 refused, of 40 instances", f"refused    7 cells  - {reason}: {names}, ..."]
    assert out.splitlines() == groups
    assert "--verbose shows every cell" in err
    assert len(awning("publish", "status", "--verbose")[1].splitlines()) == 41
    document = json.loads(awning("publish", "status", "--json")[1])
    assert (len(document["cells"]), document["totals"]) == (40, {"applied": 33, "refused": 7})


def test_cancelled_run_is_not_continued_and_the_log_says_who_cancelled_it(
    awning, shops, new_at, state_of, monkeypatch
):
    monkeypatch.setenv("AWNING_OPERATOR", "ann")
    awning("publish", "apply", "--waves", "20%,100%", "--gate-command", "exit 1")
    with closing(RunStates.open(state_of())) as states:
        run = states.unfinished().run
    assert awning("publish", "cancel", str(run))[0] == 0
    for verb in ("cancel", "pause"):
        code, _, err = awning("publish", verb, str(run))
        assert (code, err) == (Exit.USAGE, f"error: run {run} is over (cancelled by ann)\n")
    runs = json.loads(awning("publish", "log", "--json")[1])["runs"]
    when_and_by_whom = {row["run"]: row["cancelled"] for row in runs}
    assert when_and_by_whom[run]["by"] == "ann"
    assert when_and_by_whom[run]["at"] >= next(row["ended"] for row in runs if row["run"] == run)
    assert [other for other, said in when_and_by_whom.items() if said] == [run]
    assert f"cancelled by ann at {when_and_by_whom[run]['at']}" in awning("publish", "log")[1]
    assert awning("publish", "apply")[0] == 0
    assert new_at() == set(CODES)


@pytest.mark.parametrize("back", [["--run", "2"], ["--to", "1"]])
def test_log_says_who_cancelled_a_run_after_it_was_rolled_back(awning, shops, new_at, monkeypatch, back):
    awning("publish", "apply", "--waves", "20%,100%", "--gate-command", "exit 1")
    monkeypatch.setenv("AWNING_OPERATOR", "ann")
    assert awning("publish", "cancel", "2")[0] == 0
    cancelled = _of_run(awning, 2)["cancelled"]
    monkeypatch.setenv("AWNING_OPERATOR", "bob")
    assert awning("publish", "rollback", *back)[0] == 0
    assert new_at() == set()
    assert cancelled["by"] == "ann"
    assert _of_run(awning, 2)["cancelled"] == cancelled
    assert f"cancelled by ann at {cancelled['at']}" in awning("publish", "log")[1]


def test_log_says_which_run_a_run_continues_and_its_waves(awning, shops):
    awning("publish", "apply", "--waves", "label:early,100%", "--gate-command", "exit 1")
    awning("publish", "resume", "2")
    assert [_of_run(awning, run)["continues"] for run in (1, 2, 3)] == [None, None, 2]
    assert _of_run(awning, 3)["scope"]["waves"] == ["label:early", "100%"]
    newest = awning("publish", "log")[1].splitlines()[0]
    assert ("waves label:early,100%" in newest, "continues run 2" in newest) == (True, True)
    assert [_of_run(awning, run)["continued_by"] for run in (1, 2, 3)] == [None, 3, None]
    assert "; continued by run 3  " in awning("publish", "log", "--run", "2")[1].splitlines()[0]


@pytest.mark.parametrize("operator", ["ann; taken back by run 7", "rolled back by run 7"])
def test_name_of_an_operator_does_not_change_the_state_of_a_run(awning, shops, new_at, monkeypatch, operator):
    awning("publish", "apply", "--waves", "label:early,100%", "--gate-command", "exit 1")
    monkeypatch.setenv("AWNING_OPERATOR", operator)
    assert awning("publish", "cancel", "2")[0] == 0
    assert "was taken back" not in awning("publish", "plan")[1]
    assert awning("publish", "apply")[0] == 0
    assert new_at() == set(CODES)


def test_cancel_of_a_run_that_was_taken_back_names_both_runs(awning, shops):
    gate = ("--gate-command", "exit 1", "--on-failure", "rollback")
    awning("publish", "apply", "--waves", "label:early,100%", *gate)
    code, _, err = awning("publish", "cancel", "2")
    assert (code, "taken back by run 3" in err) == (Exit.USAGE, True)
    assert (_of_run(awning, 2)["taken_back_by"], _of_run(awning, 2)["rolled_back_by"]) == (3, None)


def _of_run(awning, number):
    """Return what the log says of a run."""
    return next(
        run for run in json.loads(awning("publish", "log", "--json")[1])["runs"] if run["run"] == number
    )


def test_gate_that_does_not_hold_takes_the_run_back(awning, shops, new_at, shelf, refuse):
    refuse(["code-00"])
    words = ("--waves", "label:early,100%", "--max-failures", "0%", "--on-failure", "rollback", "--json")
    code, out, _ = awning("publish", "apply", *words)
    assert code == Exit.PARTLY
    assert new_at() == set()
    document = json.loads(out)
    assert document["totals"]["applied"] == document["taken_back"]["totals"]["applied"] == 3


def test_progress_counts_the_rollback_by_a_gate_anew(awning, shops, monkeypatch):
    monkeypatch.setattr("awning.cli.publish.progress.LINE_S", 0.0)
    words = ("--waves", "label:early,100%", "--gate-command", "exit 1", "--on-failure", "rollback")
    _, _, err = awning("publish", "apply", *words, "--progress", "json")
    lines = [json.loads(line) for line in err.splitlines() if line.startswith("{")]
    assert [(line["cells"], line["of_instances"]) for line in lines if line["gate"] is None] == [
        *((cells, 40) for cells in (1, 2, 3, 4)),
        *((cells, None) for cells in (1, 2, 3, 4)),
    ]


def test_rollback_by_a_gate_leaves_cells_alone_that_the_run_did_not_write(awning, shops, new_at):
    awning("publish", "apply", "--only", "shop-00")
    words = ("--waves", "label:early,100%", "--gate-command", "exit 1", "--on-failure", "rollback")
    assert awning("publish", "apply", *words)[0] == Exit.PARTLY
    assert new_at() == {"code-00"}


def test_run_that_wrote_nothing_says_that_nothing_was_taken_back(awning, shops, new_at):
    assert awning("publish", "apply")[0] == 0
    words = ("--waves", "label:early,100%", "--gate-command", "exit 1", "--on-failure", "rollback")
    code, _, err = awning("publish", "apply", *words)
    assert (code, "The run had written nothing" in err) == (Exit.PARTLY, True)
    assert new_at() == set(CODES)


def test_run_that_another_process_pauses_begins_no_cell_and_can_go_on(
    awning, shops, new_at, state_of, shelf, monkeypatch
):
    monkeypatch.setattr("awning.publish.run.LOOK_S", 0.01)
    with closing(RunStates.open(state_of())) as states:

        def pause(call, code, turn):
            states.stop(states.unfinished().run, RunState.PAUSED, "paused by the operator")

        shelf.before = pause
        code, _, err = awning("publish", "apply", "--host-pace", "5")
    assert (code, "it was paused" in err) == (Exit.PARTLY, True)
    assert json.loads(awning("publish", "log", "--json")[1])["runs"][0]["how"] == "paused"
    assert new_at() == set()
    shelf.before = lambda call, code, turn: None
    assert awning("publish", "apply")[0] == 0
    assert new_at() == set(CODES)


@pytest.mark.parametrize(
    ("ended", "reason", "back", "how"),
    [
        (RunState.RUNNING, None, {}, "running"),
        (RunState.PAUSED, "paused by ann", {}, "paused by ann"),
        (RunState.PAUSED, "its process ended", {}, "paused: its process ended"),
        (RunState.ENDED, None, {"rolled_back_by": 3}, "ended: rolled back by run 3"),
        (RunState.ENDED, "rolled back", {"rolled_back_by": 3}, "ended: rolled back by run 3"),
        (RunState.CANCELLED, "wave 1", {"taken_back_by": 2}, "cancelled: wave 1; taken back by run 2"),
    ],
)
def test_state_of_a_run_says_nothing_twice(state, ended, reason, back, how):
    with closing(RunStates.open(state)) as states:
        states.begin(1, release=1, base_url="", rollout=Rollout(), is_whole=True, continues=None)
        assert replace(states.get(1), state=ended, reason=reason, **back).how == how


def test_status_shows_the_run_under_way_instead_of_an_older_paused_one(awning, shops, shelf):
    awning("publish", "apply", "--waves", "20%,100%", "--gate-command", "exit 1")
    seen = []

    def look(*_call):
        seen.append(json.loads(awning("publish", "status", "--json")[1])["run"])

    shelf.before = look
    assert awning("publish", "apply", "--only", "shop-11", "--overwrite-foreign")[0] == 0
    shelf.before = lambda *_call: None
    paused = json.loads(awning("publish", "status", "--json")[1])["run"]
    assert {(run["run"], run["is_under_way"]) for run in seen} == {(3, True)}
    assert (paused["run"], paused["is_under_way"]) == (2, False)


def test_saved_plan_is_published_in_waves(awning, shops, new_at, tmp_path):
    plan = str(tmp_path / "the.plan")
    assert awning("publish", "plan", "-o", plan)[0] == 0
    words = ("publish", "apply", plan, "--waves", "label:early,100%", "--gate-command")
    assert awning(*words, "exit 1")[0] == Exit.PARTLY
    assert len(new_at()) == 4
    assert awning(*words, "exit 0")[0] == Exit.PARTLY  # the first wave's cells are stale: written before
    assert new_at() == set(CODES)


def test_gate_command_knows_the_run_and_its_wave(awning, shops, tmp_path):
    log = shlex.quote(str(tmp_path / "log"))
    command = f'echo "$AWNING_RUN $AWNING_RELEASE $AWNING_WAVE" > {log}'
    ended, _, err = awning("publish", "apply", "--waves", "50%,100%", "--gate-command", command)
    assert (ended, (tmp_path / "log").read_text()) == (0, "2 2 50%\n"), err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--waves", ""), "names no wave"),
        (("--waves", "0%,100%"), '"0%" is not a wave'),
        (("--waves", "101%"), '"101%" is not a wave'),
        (("--waves", "50%,20%"), "each share is larger"),
        (("--waves", "early"), '"early" is not a wave'),
        (("--waves", "file:none.txt"), "none.txt cannot be read"),
        (("--waves", ",".join(f"{n}%" for n in range(1, 23))), "22 waves"),
        (("--max-failures", "2%"), "a gate stands between waves"),
        (("--waves", "10%,100%", "--only", "shop-01"), "chooses the instances itself"),
        (("--waves", "10%,100%", "--gate-wait", "soon"), "is not a duration"),
        (("--waves", "10%,100%", "--max-failures", "120%"), "is not a share"),
    ],
)
def test_wrong_waves_are_refused_before_anything_is_sent(awning, shops, shelf, words, message):
    calls = len(shelf.calls)
    code, _, err = awning("publish", "apply", *words)
    assert (code, message in err) == (Exit.USAGE, True), err
    assert len(shelf.calls) == calls


def test_share_takes_about_that_part_of_the_instances(state):
    with closing(Inventory.open(state)) as inventory:
        instances = [inventory.instance(f"planted-canary-{n}") for n in range(4000)]
    waves = parse_waves("1%,10%,100%")
    parts = [sum(wave_of(i, waves) == index for i in instances) for index in range(3)]
    assert 15 <= parts[0] <= 70
    assert 280 <= parts[1] <= 440
    assert sum(parts) == len(instances)


def test_list_of_instances_is_a_wave(inventory, tmp_path):
    listed = tmp_path / "list.txt"
    listed.write_text("first\n", encoding="utf-8-sig")
    (wave,) = parse_waves(f"file:{listed}")
    assert [wave.has(instance) for instance in inventory.all()] == [True, False]


def test_waves_are_the_same_after_they_were_stored(tmp_path):
    listed = tmp_path / "list.txt"
    listed.write_text("b\na\n")
    waves = parse_waves(f"file:{listed},label:early,0.5%,100%")
    chosen = (*waves, Wave(name="label:early", label="early", keys=frozenset({"@b", "@a"})))
    rollout = Rollout(waves=chosen, gate=Gate(most_failures=2, command="true"), rolls_back=True)
    assert Rollout.from_text(rollout.to_text()) == rollout


@pytest.fixture
def pages(state_of, dist, shelf):
    """Give the build a beacon. Returns a function that plans reports of pages, sent when the run begins to write.

    Its arguments are those of `senders`.
    """
    record = json.loads((dist / "build.json").read_text())
    (dist / "build.json").write_text(json.dumps({**record, "beacon_sample_rate": 0.1}))
    planned = []
    sending = Lock()

    def send(call, _code, _turn):
        with sending:
            if call == "set_snippet" and planned:
                with closing(HealthReports.open(state_of())) as reports:
                    reports.add((), (), planned)
                planned.clear()

    def plan(release, **counts):
        planned.extend(senders(release, **counts))

    shelf.before = send
    return plan


HEALTH_GATE = ("publish", "apply", "--waves", "label:early,100%", "--gate-health", "2%")


def senders(release, *, failed=0, rendered=0, instances=3):
    """Return the reports of so many addresses, at `instances` instances, or at unknown ones for 0."""
    return [
        Sender(
            release=release,
            address=f"192.0.2.{number}",
            instance=f"@{number % instances}" if instances else None,
            failed=int(number < failed),
            rendered=int(number >= failed),
            views=0.0 if number < failed else 10.0,
        )
        for number in range(failed + rendered)
    ]


@pytest.fixture
def judge(state):
    """Judge the health of release 2 by what was reported while its first wave was published."""

    def judge(new, old, **least):
        with closing(GateWindows.open(state)) as windows, closing(HealthReports.open(state)) as reports:
            gate = GateCheck(
                gate=Gate(most_health_loss=2.0, **least),
                run=1,
                release=2,
                continues=(),
                facts={},
                windows=windows,
                stop=asyncio.Event(),
            )
            gate.begin()
            reports.add((), (), senders(2, **new) + senders(1, **old))
            return asyncio.run(gate.check(WaveCounts(cells=4, wrong=0), "label:early"))

    return judge


@pytest.mark.parametrize(
    ("new", "old", "reason"),
    [
        ({"failed": 1, "rendered": 30}, {"rendered": 30}, None),
        ({"failed": 1, "rendered": 30}, {}, None),
        ({"failed": 9, "rendered": 30}, {"failed": 9, "rendered": 30}, None),
        (
            {"failed": 9, "rendered": 30},
            {"rendered": 30},
            "2.60% of the release's widgets fail, of earlier releases 0",
        ),
        (
            {"failed": 9, "rendered": 30},
            {"failed": 9, "rendered": 2},
            "2.60% of the release's widgets fail (",
        ),
        ({"failed": 30}, {"rendered": 30}, "and no rendering"),
    ],
)
def test_health_gate_compares_the_release_with_earlier_ones(judge, new, old, reason):
    stop = judge(new, old)
    if reason is None:
        assert stop is None
    else:
        assert (stop.waits, reason in stop.reason) == (False, True), stop


@pytest.mark.parametrize(
    ("new", "least", "reason"),
    [
        ({}, {}, "no shop has reported"),
        ({"failed": 19}, {}, "only 19 addresses at 3 instances reported this release yet (at least 20 at 3"),
        ({"rendered": 30, "instances": 1}, {}, "only 30 addresses at 1 instance reported"),
        ({"rendered": 30, "instances": 0}, {}, "awning instances refresh"),
        (
            {"rendered": 2, "failed": 30},
            {},
            "only 50 page views of this release are reported yet, by 2 addresses",
        ),
        ({"rendered": 20}, {"least_addresses": 21}, "at least 21 at 3"),
        ({"rendered": 20}, {"least_instances": 4}, "at least 20 at 4"),
    ],
)
def test_health_gate_waits_for_enough_reports(judge, new, least, reason):
    stop = judge(new, {}, **least)
    assert (stop.waits, reason in stop.reason) == (True, True), stop


def test_unhealthy_release_stops_after_the_first_wave(awning, shops, new_at, pages):
    pages(2, failed=9, rendered=30)
    pages(1, rendered=30)
    code, _, err = awning(*HEALTH_GATE)
    assert (code, len(new_at()), "widgets fail, of earlier releases 0" in err) == (Exit.PARTLY, 4, True), err


def test_health_gate_that_waits_takes_nothing_back(awning, shops, new_at, pages):
    pages(2, rendered=20)
    words = ("--gate-addresses", "21", "--on-failure", "rollback", "--json")
    code, out, _ = awning(*HEALTH_GATE, *words)
    assert (code, len(new_at()), json.loads(out)["waits"]) == (Exit.PARTLY, 4, True)


@pytest.mark.parametrize(
    "options", [("--gate-addresses", "5", "--gate-instances", "1"), ("--gate-instances", "0")]
)
def test_health_gate_of_few_shops_can_be_set(options, awning, shops, new_at, pages):
    pages(2, rendered=20 if len(options) < 4 else 5, instances=int(options[-1]))
    assert awning(*HEALTH_GATE, *options)[0] == 0
    assert new_at() == set(CODES)


def test_health_gate_that_waits_goes_on_counting_in_the_next_run(
    awning, shops, new_at, pages, shelf, state_of
):
    pages(2, rendered=15)
    assert awning(*HEALTH_GATE)[0] == Exit.PARTLY
    later = [
        Sender(release=2, address=f"198.51.100.{n}", instance="@9", rendered=1, views=10.0) for n in range(5)
    ]
    with closing(HealthReports.open(state_of())) as reports:
        assert reports.has_window()
        reports.add((), (), later)
    assert awning(*HEALTH_GATE)[0] == 0
    assert new_at() == set(CODES)
    with closing(HealthReports.open(state_of())) as reports:
        assert not reports.has_window()


@pytest.mark.parametrize("end", ["cancel", "rollback", "apply"])
def test_window_of_a_run_that_was_left_is_deleted(end, awning, shops, pages, state_of, rebuild):
    pages(2, rendered=15)
    assert awning(*HEALTH_GATE)[0] == Exit.PARTLY
    rebuild({None: "<b>3</b>"})
    verbs = {"cancel": ("cancel", "2"), "rollback": ("rollback", "--to", "1"), "apply": ("apply",)}
    assert awning("publish", *verbs[end])[0] == 0
    with closing(HealthReports.open(state_of())) as reports:
        assert not reports.has_window()


def test_full_window_goes_on_counting_the_senders_that_it_has(state, monkeypatch):
    monkeypatch.setattr("awning.publish.health.windows.MOST_SENDERS", 3)

    def sender(number, **counts):
        return Sender(release=2, address=f"192.0.2.{number}", instance=None, **counts)

    with closing(GateWindows.open(state)) as windows, closing(HealthReports.open(state)) as reports:
        windows.begin(1)
        reports.add((), (), [sender(n, rendered=1, views=1.0) for n in (1, 2)])
        reports.add((), (), [sender(n, failed=1) for n in (1, 2, 3, 4, 5)])
        reports.add((), (), [sender(n, failed=1) for n in (6, 3)])
        figures = windows.figures(1, 2, least_addresses=1)
        windows.end(1)
    assert (figures.addresses, figures.renderings, figures.views) == (3, 2, 6.0)


def test_options_of_the_health_gate_need_it(awning, shops):
    code, _, err = awning("publish", "apply", "--waves", "10%,100%", "--gate-addresses", "5")
    assert (code, "add --gate-health" in err) == (Exit.USAGE, True)


def test_health_gate_of_a_build_that_does_not_report_is_refused(awning, shops, new_at):
    code, _, err = awning(*HEALTH_GATE)
    assert (code, new_at()) == (Exit.USAGE, set())
    assert "beacon_sample_rate" in err


def test_label_that_changes_between_waves_changes_nothing(awning, shops, new_at, tmp_path):
    """The gate's command takes the label from one shop and gives it to another, as an operator may."""
    table = tmp_path / "labels.csv"
    table.write_text("auth_code,labels\ncode-00,late\ncode-39,early\n")
    gate = f"{own_command()} instances import {shlex.quote(str(table))}"
    code, out, err = awning(
        "publish", "apply", "--waves", "label:early,100%", "--gate-command", gate, "--json"
    )
    assert (code, json.loads(out)["totals"]["applied"]) == (0, 40), err
    assert new_at() == set(CODES)


def test_shop_that_is_installed_between_waves_is_left_to_the_next_apply(
    awning, shops, new_at, shelf, tmp_path
):
    shelf.languages["code-new"] = []
    table = tmp_path / "new.csv"
    table.write_text("auth_code,name\ncode-new,new\n")
    gate = f"{own_command()} instances import {shlex.quote(str(table))}"
    words = ("publish", "apply", "--waves", "label:early,100%", "--gate-command", gate, "--json")
    code, out, err = awning(*words)
    assert (code, json.loads(out)["totals"]["applied"]) == (0, 40), err
    assert shelf.body("code-new") == {}


def test_wave_without_an_instance_is_refused_before_anything_is_sent(awning, shops, shelf):
    calls = len(shelf.calls)
    code, _, err = awning("publish", "apply", "--waves", "label:nobody,100%")
    assert (code, 'no instance is in the wave "label:nobody"' in err) == (Exit.USAGE, True), err
    assert len(shelf.calls) == calls


def test_unknown_name_in_a_list_is_refused_with_its_line(awning, shops, shelf, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("shop-01\n\nshp-02\nshop-03\n")
    calls = len(shelf.calls)
    code, _, err = awning("publish", "apply", "--waves", f"file:{names},100%")
    assert code == Exit.USAGE
    assert f'{names}:3: no instance is called "shp-02"' in err
    assert 'did you mean "shop-02"' in err
    assert len(shelf.calls) == calls


@pytest.mark.parametrize(("content", "message"), [(None, "No such file"), (b"\xff", "not UTF-8 text")])
def test_list_that_cannot_be_read_is_refused_with_a_hint(content, message, awning, shops, tmp_path):
    names = tmp_path / "names.txt"
    if content is not None:
        names.write_bytes(content)
    code, _, err = awning("publish", "apply", "--waves", f"file:{names},100%")
    assert (code, message in err, "file:PATH is a text file" in err) == (Exit.USAGE, True, True), err


def test_release_that_was_taken_back_is_published_again_only_in_waves(awning, shops, new_at):
    words = ("publish", "apply", "--waves", "label:early,100%")
    awning(*words, "--gate-command", "exit 1", "--on-failure", "rollback")
    for again in ((), ("--only", "shop-30")):
        code, _, err = awning("publish", "apply", *again)
        message = "release 2 was taken back by run 3: run 2 stopped at wave 1 of 2 (label:early): "
        assert (code, message in err, err.count("taken back")) == (Exit.USAGE, True, 1), err
    assert awning(*words)[0] == 0
    assert new_at() == set(CODES)


def test_paused_run_is_not_continued_in_other_waves(awning, shops, new_at):
    awning("publish", "apply", "--waves", "20%,100%", "--gate-command", "exit 1")
    before = new_at()
    code, _, err = awning("publish", "apply", "--waves", "50%,100%")
    assert (code, "awning publish resume 2" in err) == (Exit.USAGE, True), err
    assert new_at() == before


def test_label_that_no_instance_has_is_refused(awning, shops):
    code, _, err = awning("publish", "apply", "--label", "nobody")
    assert (code, "no instance has the label nobody" in err) == (Exit.USAGE, True), err
