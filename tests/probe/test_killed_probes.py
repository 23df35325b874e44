"""A probe that is killed at any of its writes is mended by the next run, with what was there before."""

import pytest
from probed import BODY, DATA, Killed

from awning.client import NoResponse
from awning.probe.probes import PROBES
from awning.probe.shop import NotRestored

CHANGING = [name for name, probe in PROBES.items() if probe.changes and name != "unset-snippet"]
"""Those that change what is there. `unset-snippet` writes only where nothing is."""
OF_EACH_KIND = ("snippet-storage", "data-form")
"""One that writes a snippet, and one that writes app data."""
MOST_WRITES = 9
SHAPES = {
    "ours": (BODY, DATA),
    "an empty object": (BODY, {}),
    "an object": ("<p>ā\n</p>", {"note": {"a": [1, {}]}}),
    "of a probe that was killed before": ("<!-- x -->", "text"),
}


def killed(world, name, **at):
    """Run a probe to where it is killed. Returns whether it got there."""
    for moment, count in at.items():
        setattr(world.link, moment, count)
    try:
        world.probe(name)
    except Killed:
        return True
    finally:
        world.link.kill_before = world.link.kill_after = None
        world.link.writes = 0
    return False


@pytest.mark.parametrize(
    ("name", "moment", "shape"),
    [
        *((name, moment, "ours") for name in CHANGING for moment in ("kill_before", "kill_after")),
        *((name, "kill_after", shape) for name in OF_EACH_KIND for shape in SHAPES if shape != "ours"),
    ],
)
def test_killed_probe_is_mended_by_the_next_run(world, name, moment, shape):
    body, data = SHAPES[shape] if name != "unset-data-insertion" else (BODY, None)
    world.set(body, data)
    before, kills = world.content, 0
    for count in range(1, MOST_WRITES + 1):
        if not killed(world, name, **{moment: count}):
            break
        kills += 1
        assert world.waiting() >= 1
        assert all("was put back" in sentence for sentence in world.mend())
        assert world.content == before
        assert world.waiting() == 0
    assert kills, "the probe writes nothing"


@pytest.mark.parametrize("name", [name for name in CHANGING if "a page" in PROBES[name].calls])
def test_killed_probe_of_a_page_is_mended_where_each_language_has_a_snippet(world, name):
    world.set(data=None if name == "unset-data-insertion" else DATA)
    world.service.set_snippet(world.code, "<b>lv</b>", language="lv")
    before = world.content
    for count in range(1, MOST_WRITES + 1):
        killed(world, name, kill_after=count)
        world.mend()
        assert world.content == before


@pytest.mark.parametrize("assumption_set", ["documented", "hostile"])
@pytest.mark.parametrize("name", CHANGING)
def test_killed_probe_is_mended_however_the_service_answers(world, name, assumption_set):
    world.service.assumptions.take_set(assumption_set)
    world.set()
    before = world.content
    for count in range(1, MOST_WRITES + 1):
        killed(world, name, kill_after=count)
        world.mend()
        assert world.content == before


@pytest.mark.parametrize("interrupts", [True, False])
@pytest.mark.parametrize("name", CHANGING)
def test_write_that_is_performed_after_the_run_is_mended(world, name, interrupts):
    world.set(data=None if name == "unset-data-insertion" else DATA)
    before = world.content
    for count in range(1, MOST_WRITES + 1):
        world.link.writes, world.link.late, world.link.interrupts = 0, count, interrupts
        try:
            problem = world.probe(name).problem
        except KeyboardInterrupt:
            problem = None
        is_late = bool(world.link.pending)
        assert bool(problem) == (is_late and not interrupts)
        world.link.late = None
        if is_late:
            assert world.waiting()
        world.mend()
        assert world.content == before
        assert world.link.pending == [], "the mend waits for the late write"
        assert world.waiting() == 0


def test_what_somebody_else_wrote_meanwhile_stays(world):
    world.set()
    assert killed(world, "snippet-storage", kill_after=1)
    world.service.set_snippet(world.code, "<b>newer</b>")
    [sentence] = world.mend()
    assert "it stays" in sentence
    assert world.service.snippet(world.code) == "<b>newer</b>"
    assert world.waiting() == 0


def test_second_kill_before_the_mend_keeps_what_was_there_first(world):
    world.set()
    before = world.content
    assert killed(world, "snippet-storage", kill_after=1)
    assert killed(world, "null-language", kill_after=1)
    world.mend()
    assert world.content == before


def test_another_instance_that_cannot_be_mended_does_not_stop_the_run(world):
    world.set()
    assert killed(world, "data-form", kill_after=1)
    world.link.spoil = lambda _operation, _response: NoResponse(why="no answer within 30 s")
    [sentence] = world.mend(key="another instance")
    assert "app data of test" in sentence
    assert world.waiting() == 1


def test_service_that_does_not_answer_the_mend_keeps_the_row(world):
    world.set()
    before = world.content
    assert killed(world, "data-form", kill_after=1)
    world.link.spoil = lambda _operation, _response: NoResponse(why="no answer within 30 s")
    with pytest.raises(NotRestored, match="app data of test"):
        world.mend()
    assert world.waiting() == 1
    world.link.spoil = lambda _operation, response: response
    world.mend()
    assert world.content == before


def test_write_that_cannot_be_put_back_ends_the_run(world):
    world.set()
    before = world.content
    done = []

    def spoil(operation, response):
        done.append(operation.method)
        return NoResponse(why="cut", sent=False) if done.count("POST") > 1 else response

    world.link.spoil = spoil
    outcomes = world.probe("snippet-storage", "null-snippet")
    assert outcomes.outcomes == []
    assert "could not be put back" in outcomes.problem.message
    assert world.waiting() == 1
    world.link.spoil = lambda _operation, response: response
    world.mend()
    assert world.content == before


def test_row_of_an_unknown_instance_waits_without_a_word(world):
    world.set()
    before = world.content
    assert killed(world, "snippet-storage", kill_after=1)
    assert world.mend(known={}) == []
    assert world.waiting() == 1
    world.mend()
    assert world.content == before


def test_row_of_another_service_stays(world):
    world.set()
    assert killed(world, "snippet-storage", kill_after=1)
    [sentence] = world.mend("https://other.example/v1")
    assert "https://service.example/v1" in sentence
    assert world.waiting() == 1
