"""A pytest plugin that plants marked secrets, and fails a run that leaks one anywhere but in ALLOWED.

While tests run, it searches the captured output and logs of every test (of awning from the lowest level on), the output
that tests read with capsys and from child processes, every page of the portal, the host and the storefront, every line
of the request log, and the tables of a test's PostgreSQL database.

After the last test it searches the whole temporary tree of the run, with databases and archives, and the workspace's
`dist` and `.awning`. With pytest-xdist, each worker searches its own part of the tree, and the controller the rest.
"""

import logging
import os
import re
import secrets
import subprocess
from collections.abc import Callable
from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from canaries import CODE_MARK, HEX_MARK, Leak, leaks_in, leaks_in_tree

LEAST_BYTES = 16
SHOWN = 40

RETURN_LINK = re.compile(rb"(?<=[?;&])authCode=[\w-]+")
"""Matches the authCode in the link back to the service.

The link must have it (Apps Integration API, Installation process, steps 3 and 8).
"""

ALLOWED: tuple[tuple[str, str], ...] = (
    (r"^portal, POST /apps/: key", "the API key is shown once, to whoever submitted the manifest"),
    (
        r"^portal, GET /accept/[^/]+: authCode",
        "the permission screen holds its own address, good for one answer",
    ),
    (r"\.db\.key: key", "the key of the simulated service's vault; its owner's alone"),
    (r"/key: key", "the key that the journal names instances with, in a state directory; its owner's alone"),
    (r"/\.awning/state/api-key-[\w.-]+: key", "where `manifest submit` puts the API key; its owner's alone"),
    (
        r"/state\.sqlite(-wal)?( \(dump\))?: authCode",
        "the inventory, and installations that are under way: the service is called with these codes",
    ),
    (r"^PostgreSQL .*, table (instance|removed|installation): authCode", "the same tables, in a server"),
    (r"^PostgreSQL .*, table setting: key", "the key that the journal names instances with"),
    (
        r"^PostgreSQL .*, table health_window: key",
        "addresses are hashed with it while a gate's window is open",
    ),
    (r"/health\.sqlite(-wal)?( \(dump\))?: key", "the same table, in a file"),
    (
        r"/awning-[\d.]+\.tar\.gz \(unpacked\): ",
        "the source distribution holds the tests, which hold the marks",
    ),
    (r"test_submit_prints_the_key_onl(y_with_show_key|.*/key\.txt): key", "asked for by flag"),
    (
        r"^output of a command in .*::test_website_commands_work_in_sequence: key",
        "the login link is what was asked for",
    ),
    (r"\btest_secret_in_manifest_toml_i.*/manifest\.toml: chosen", "written by the test"),
    (r"/shop/\.env: chosen", "written by the test, as its author writes it"),
    (r"\btest_secret_of_a_json_manifest.*/app\.json: chosen", "written by the test"),
    (r"\btest_show_prints_what_submit_s.*/m\.json: chosen", "written by the test"),
    (r"\btest_password_is_read_from_a_f.*/secret: chosen", "written by the test"),
)
"""The places where a secret must be: a pattern of `place: kind`, and the reason."""


class Leaks:
    """The plugin; one per process."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._leaks: dict[str, Leak] = {}
        self._undo: list[Callable[[], None]] = []
        self._searched: list[Path] = []
        """The temporary trees that workers have searched."""

    @property
    def _controls(self) -> bool:
        return not hasattr(self._config, "workerinput")

    def hear(self, where: str, output: Any) -> None:
        """Record the canaries in an output: text, bytes or None."""
        data = output.encode("utf-8", "surrogatepass") if isinstance(output, str) else bytes(output or b"")
        for leak in leaks_in(where, data):
            self._note(leak)

    def _note(self, leak: Leak) -> None:
        text = f"{leak.where}: {leak.kind}"
        if not any(re.search(place, text) for place, _ in ALLOWED):
            self._leaks.setdefault(f"{leak.where} {leak.kind}", leak)

    def replace(self, owner: Any, name: str, wrap: Callable[[Any], Any]) -> None:
        """Replace `owner.name` by `wrap(original)` for this run."""
        original = getattr(owner, name)
        setattr(owner, name, wrap(original))
        self._undo.append(lambda: setattr(owner, name, original))

    def plant(self) -> None:
        self.replace(secrets, "token_hex", lambda make: marked(make, HEX_MARK))
        self.replace(secrets, "token_urlsafe", lambda make: marked(make, CODE_MARK))

    def listen(self) -> None:
        from starlette.responses import Response  # noqa: PLC0415 - after the canaries are planted

        from awning_harness.service.log import RequestLog  # noqa: PLC0415
        from awning_harness.service.portal import portal  # noqa: PLC0415

        self.replace(pytest.CaptureFixture, "readouterr", self._heard_capture)
        self.replace(subprocess.Popen, "communicate", self._heard_child)
        self.replace(portal, "respond", self._heard_page)
        self.replace(portal, "page", self._heard_error_page)
        self.replace(Response, "__init__", self._heard_response)
        self.replace(RequestLog, "add", self._heard_request)
        ours = logging.getLogger("awning")
        self._undo.append(partial(ours.setLevel, ours.level))
        ours.setLevel(logging.DEBUG)

    def _heard_capture(self, original: Any) -> Any:
        def readouterr(fixture: Any) -> Any:
            captured = original(fixture)
            self.hear(f"output of a command in {current_test()}", captured.out)
            self.hear(f"talk of a command in {current_test()}", captured.err)
            return captured

        return readouterr

    def _heard_child(self, original: Any) -> Any:
        def communicate(child: Any, *args: Any, **kwargs: Any) -> Any:
            out, err = original(child, *args, **kwargs)
            self.hear(f"output of a child process in {current_test()}", out)
            self.hear(f"talk of a child process in {current_test()}", err)
            return out, err

        return communicate

    def _heard_page(self, original: Any) -> Any:
        async def respond(service: Any, by_method: Any, request: Any) -> Any:
            response = await original(service, by_method, request)
            self.hear(f"portal, {request.method} {request.scope['path']}", response.body)
            return response

        return respond

    def _heard_error_page(self, original: Any) -> Any:
        def page(call: Any, *args: Any, **kwargs: Any) -> Any:
            response = original(call, *args, **kwargs)
            self.hear(f"portal, {call.request.method} {call.request.scope['path']}", response.body)
            return response

        return page

    def _heard_response(self, original: Any) -> Any:
        from awning_harness.service.envelope import ServiceResponse  # noqa: PLC0415

        def init(response: Any, *args: Any, **kwargs: Any) -> None:
            original(response, *args, **kwargs)
            if isinstance(response, ServiceResponse):  # an API's, which has the secrets that it gives out
                return
            body = RETURN_LINK.sub(b"authCode=", bytes(getattr(response, "body", b"")))
            self.hear(f"page of a server in {current_test()}", body)

        return init

    def _heard_request(self, original: Any) -> Any:
        def add(log: Any, **fields: Any) -> None:
            self.hear(f"request log in {current_test()}", repr(fields))
            original(log, **fields)

        return add

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self._controls:
            for name, text in report.sections:
                self.hear(f"{report.nodeid} [{name}]", text)

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        output = getattr(node, "workeroutput", {})
        for leak in output.get("leaks", ()):
            self._note(Leak(*leak))
        self._searched += map(Path, output.get("searched", ()))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        folder = self._config._tmp_path_factory._basetemp
        root = self._config.rootpath
        for tree in filter(None, [folder, *((root / "dist", root / ".awning") if self._controls else ())]):
            for leak in leaks_in_tree(tree, but=self._searched):
                self._note(leak)
        if not self._controls:
            self._config.workeroutput["leaks"] = [astuple(leak) for leak in self._leaks.values()]
            self._config.workeroutput["searched"] = [str(folder)] if folder else []
            return
        if self._leaks and session.exitstatus == pytest.ExitCode.OK:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if self._leaks:
            terminalreporter.section("planted secrets that leaked", sep="=", red=True)
            for leak in list(self._leaks.values())[:SHOWN]:
                terminalreporter.write_line(str(leak))
            terminalreporter.write_line(
                f"{len(self._leaks)} in all; where a secret has to be: ALLOWED in leaks.py"
            )

    def pytest_unconfigure(self) -> None:
        while self._undo:
            self._undo.pop()()


def current_test() -> str:
    """Return the id of the running test, without its parameters in brackets."""
    return os.environ.get("PYTEST_CURRENT_TEST", "no test").partition("[")[0].partition(" (")[0]


def marked(make: Callable[..., str], mark: str) -> Callable[..., str]:
    """Return a function like `make`, a function of `secrets`, whose tokens of LEAST_BYTES or more begin with `mark`."""

    def token(nbytes: int | None = None) -> str:
        text = make(nbytes)
        return mark + text[len(mark) :] if nbytes is None or nbytes >= LEAST_BYTES else text

    return token


def plant_canaries(config: pytest.Config) -> None:
    """Register the plugin and plant the secrets. A conftest calls it, in the controller and in each worker."""
    leaks = Leaks(config)
    config.pluginmanager.register(leaks, "leaks")
    leaks.plant()
    leaks.listen()
