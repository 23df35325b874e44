"""`awning mcp`, with the SDK's own client: what its tools answer, and that nothing leads out of the workspace."""

import asyncio
import base64
import json
import os
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import anyio
import pytest
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters
from project import Project

from awning.errors import ConfigurationError
from awning.workspace.reader import read_workspace
from awning_harness.agent import children
from awning_harness.agent.children import handed_on, run_child
from awning_harness.agent.confinement import find_widget, inside, own_widgets
from awning_harness.agent.server import LONGEST_TEXT, MOST_FAILURES, check_result, run_result, shortened

SECRET = "planted-canary-agent-7311"
STATES = """
[[state]]
name = "shown"
title = "Shown \\u001b[2J to all"
payload = "P1"
shows = { en = ["Hello en"] }

[[state]]
name = "wrong"
title = "Wrong"
payload = "P1"
shows = { en = ["Nobody says this"] }
"""


class Agent:
    """An agent with one server, in a loop of its own."""

    def __init__(self, root: Path) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.ends, self.began = asyncio.Event(), threading.Event()
        variables = {"AWNING_API_KEY": SECRET, "SHOP_PASSWORD": SECRET}
        chosen = {name: os.environ[name] for name in ("AWNING_BROWSER", "PATH") if name in os.environ}
        self.parameters = StdioServerParameters(
            command=sys.executable,
            args=["-c", "from awning.cli import main; main()", "mcp"],
            cwd=root,
            env={**chosen, **variables},
        )
        self.life = asyncio.run_coroutine_threadsafe(self._live(), self.loop)
        assert self.began.wait(60)

    async def _live(self) -> None:
        async with Client(self.parameters) as self.client:
            self.began.set()
            await self.ends.wait()

    def ask(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(480)

    def call(self, tool: str, **arguments):
        """Return the contents of the answer. Raises RuntimeError with the text of an error."""
        answer = self.ask(self.client.call_tool(tool, arguments))
        if answer.is_error:
            raise RuntimeError(answer.content[0].text)
        return answer.content

    def document(self, tool: str, **arguments):
        text = self.call(tool, **arguments)[-1].text
        assert all(character.isprintable() or character == "\n" for character in text)
        return json.loads(text)

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.ends.set)
        self.life.result(60)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


@pytest.fixture(scope="module")
def workspace(tmp_path_factory) -> Project:
    project = Project(tmp_path_factory.mktemp("agent") / "app", languages=("en",))
    project.add_widget("note", states_toml=STATES)
    outside = Project(project.root.parent / "elsewhere", languages=("en",)).add_widget("foreign")
    (project.root / "widgets/foreign").symlink_to(outside.root / "widgets/foreign")
    return project


@pytest.fixture(scope="module")
def agent(processes, workspace) -> Iterator[Agent]:
    agent = Agent(workspace.root)
    yield agent
    agent.end()


def test_tools_are_those_that_an_agent_may_use(agent):
    tools = {tool.name: tool for tool in agent.ask(agent.client.list_tools()).tools}
    assert set(tools) == {"states", "picture", "check", "test", "explain"}
    assert {name for name, tool in tools.items() if not tool.annotations.read_only_hint} == {"test"}
    assert all(tool.description for tool in tools.values())


def test_states_are_listed_without_control_characters_and_without_foreign_widgets(agent):
    document = agent.document("states")
    (note,) = document["widgets"]
    assert [state["name"] for state in note["states"]] == ["shown", "wrong"]
    assert note["states"][0]["title"] == "Shown \x1b[2J to all", "escaped in the text, and not lost"
    assert document["not_offered"] == ["foreign"]


def test_picture_of_a_state_is_a_png_of_its_width(agent):
    image, text = agent.call("picture", widget="note", state="shown", width=390)
    content = base64.b64decode(image.data)
    assert (image.mime_type, content[:8]) == ("image/png", b"\x89PNG\r\n\x1a\n")
    assert 100 < int.from_bytes(content[16:20]) <= 390
    about = json.loads(text.text)
    assert (about["language"], about["shows_nothing"], about["errors"]) == ("en", False, [])


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        ("picture", {"widget": "note", "state": "shwn"}, 'did you mean "shown"'),
        ("picture", {"widget": "foreign", "state": "a"}, "outside of the workspace"),
        ("picture", {"widget": "note", "state": "shown", "width": 99999}, "240 to 3840"),
        ("states", {"widget": "../elsewhere"}, "no widget is called"),
        ("check", {"path": "../elsewhere"}, "outside of the workspace"),
        ("check", {"path": "/etc/passwd"}, "outside of the workspace"),
        ("check", {"path": "widgets/foreign"}, "outside of the workspace"),
        ("check", {"path": "--fix"}, "does not exist"),
        ("test", {"widget": "foreign"}, "outside of the workspace"),
        ("test", {"check": "is-accesible"}, 'did you mean "is-accessible"'),
        ("test", {"state": "a or True"}, "is not the name of a state"),
        ("test", {"state": "--connect", "widget": "note"}, "is not the name of a state"),
        ("test", {"seconds": 0}, "from 1 to 3600"),
        ("explain", {"rule": "init-onc"}, 'did you mean "init-once"'),
        ("explain", {"rule": "x" * 100_000}, r"\A.{2000,2200}\n\[\d+ characters are left out\]"),
    ],
)
def test_wrong_and_outside_arguments_are_refused_with_what_to_do(agent, tool, arguments, message):
    with pytest.raises(RuntimeError, match=message):
        agent.call(tool, **arguments)


def test_check_reports_findings_of_the_workspace_alone(agent, workspace):
    workspace.add_file("widgets/note/more.ts", "document.write(1);\n")
    (workspace.root / "widgets/foreign/more.ts").write_text("document.write(1);\n")
    document = agent.document("check")
    places = {(each["rule"], each["path"]) for each in document["findings"]}
    assert ("document-write", "widgets/note/more.ts") in places
    assert not any(path and path.startswith("widgets/foreign") for _, path in places)
    only = agent.document("check", path="widgets/note/more.ts")
    assert {each["path"] for each in only["findings"]} == {"widgets/note/more.ts"}
    (workspace.root / "widgets/note/more.ts").unlink()


def test_failures_of_a_run_are_text(agent):
    document = agent.document("test", widget="note", check="shows-its-state", state="wrong")
    (failure,) = document["failures"]
    assert (document["ok"], failure["check"], failure["state"]) == (False, "shows-its-state", "wrong")
    assert "Nobody says this" in failure["text"]


def test_explanation_is_the_page_of_the_rule(agent):
    assert agent.call("explain", rule="init-once")[0].text.startswith("# init-once\n")
    assert agent.call("explain", rule="is-accessible")[0].text.startswith("# is-accessible\n")


NOTES = "import os, time; open('new', 'w').write(str(os.getpid())); os.rename('new', 'pid'); time.sleep(60)"
DAEMON = f"import os, time\nif not os.fork():\n os.setsid()\n if not os.fork(): {NOTES}\n os._exit(0)\n"
LASTING = {
    "child": f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {NOTES!r}])",
    "session": f"import subprocess, sys\nsubprocess.run([sys.executable, '-c', {NOTES!r}], start_new_session=True)",
    "daemon": f"{DAEMON}time.sleep(60)",
    "daemon that outlives it": f"{DAEMON}while not os.path.exists('pid'): time.sleep(0.01)",
    "deaf to Ctrl-C": f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN); {NOTES}",
}


@pytest.mark.usefixtures("processes")
@pytest.mark.parametrize("code", LASTING.values(), ids=LASTING)
def test_cancelled_child_is_ended_with_all_that_it_started(tmp_path, monkeypatch, code):
    monkeypatch.setattr(children, "GRACE_S", 0.3)
    file = tmp_path / "pid"

    async def cancel_when_it_runs() -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(partial(run_child, code, [], root=tmp_path, seconds=60))
            while not file.exists():  # noqa: ASYNC110 - another process writes it
                await anyio.sleep(0.02)
            group.cancel_scope.cancel()

    asyncio.run(cancel_when_it_runs())
    for _ in range(50):
        if not is_running(int(file.read_text())):
            break
        time.sleep(0.1)
    else:
        pytest.fail("a process of the child still runs")


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


@pytest.mark.usefixtures("processes")
def test_child_that_takes_too_long_or_writes_too_much_is_ended(tmp_path, monkeypatch):
    with pytest.raises(ConfigurationError, match=r"more than 0\.1 seconds and"):
        asyncio.run(run_child("import time; time.sleep(60)", [], root=tmp_path, seconds=0.1))
    monkeypatch.setattr(children, "MOST_BYTES", 1_000_000)
    with pytest.raises(ConfigurationError, match="more than 1 MB"):
        asyncio.run(run_child("print('x' * 1_000_000)", [], root=tmp_path, seconds=30))


@pytest.mark.usefixtures("processes")
def test_child_has_no_variable_that_may_be_secret_and_no_module_of_the_workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", SECRET)
    (tmp_path / "awning.py").write_text("raise SystemExit(7)")
    code = "import awning, os; print(sorted(os.environ))"
    ended = asyncio.run(run_child(code, [], root=tmp_path, seconds=30))
    assert (ended.code, "AWNING_API_KEY" in ended.out, "PATH" in ended.out) == (0, False, True)


def test_children_get_no_variable_that_may_be_secret():
    kept = {"PATH": "a", "LC_ALL": "b", "AWNING_BROWSER": "c"}
    secret = dict.fromkeys(
        ("AWNING_API_KEY", "AWS_TOKEN", "XDG_SESSION_SECRET", "PATHS", "DATABASE_URL"), SECRET
    )
    assert handed_on({**kept, **secret}) == kept


@pytest.mark.parametrize(
    "path",
    [
        "../x",
        "/etc/passwd",
        "widgets/../../x",
        "out",
        "out/passwd",
        "a\0b",
        "loop",
        "none",
        "a" * 9000,
        "\ud800",
    ],
)
def test_path_that_leads_out_or_nowhere_is_refused(tmp_path, path):
    (tmp_path / "root/widgets").mkdir(parents=True)
    (tmp_path / "root/out").symlink_to("/etc")
    (tmp_path / "root/loop").symlink_to("loop")
    (tmp_path / "x").mkdir()
    with pytest.raises(ConfigurationError):
        inside(tmp_path / "root", path)
    assert inside(tmp_path / "root", "widgets") == tmp_path / "root/widgets"


def test_linked_widget_is_no_own_widget(workspace):
    read = read_workspace(workspace.root)
    assert [widget.name for widget in own_widgets(read)] == ["note"]
    with pytest.raises(ConfigurationError, match="outside"):
        find_widget(read, "foreign")


def test_results_are_shortened_aloud():
    failures = [{"test": str(number), "text": "x" * 9000} for number in range(30)]
    result = run_result({"ok": False, "failures": failures, "unread": []})
    assert (len(result["failures"]), result["left_out"]) == (MOST_FAILURES, 10)
    assert len(result["failures"][0]["text"]) < LONGEST_TEXT + 100
    assert "5000 characters are left out" in shortened("x" * 9000)
    (only,) = check_result([{"severity": "note", "message": "x" * 9000}])["findings"]
    assert len(only["message"]) < LONGEST_TEXT + 100
    findings = [{"severity": "error"}] * 150
    assert check_result(findings) == {"ok": False, "errors": 150, "findings": findings[:100], "left_out": 50}
