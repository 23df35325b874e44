"""An instance of the simulated service, which knows nothing of the client, and a probe run against it."""

import json
import re
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import timedelta
from urllib.parse import urlencode, urlsplit

from asgi_calls import ask

from awning.client import NoResponse, Operation, Response, Secret
from awning.probe.restores import Restores
from awning.probe.running import ProbeOutcomes, ProbeRun, chosen_probes, mend
from awning.probe.shop import Channel, Shop
from awning.publish.state.store import StateDir
from awning_harness.service import Service
from awning_harness.service.apps_api import AppsApi

BODY, DATA = "<b>ours</b>", '{"note": {"a": 1}}'
KEY = "@instance"


class Killed(BaseException):
    """The process ends here: nothing after it runs."""


@dataclass
class Link:
    """The way to the service. It counts the writes, and breaks as a killed process does."""

    service: Service
    api_key: str
    writes: int = 0
    kill_before: int | None = None
    kill_after: int | None = None
    late: int | None = None
    interrupts: bool = False
    """Whether the late write ends with Ctrl-C. If not, it ends with a timeout."""
    pending: list[Operation] = field(default_factory=list)
    """Writes that the service performs later."""
    spoil: object = lambda operation, response: response
    sent: list[Operation] = field(default_factory=list)

    def send(self, operation, scheme="ApiKey"):
        writes = operation.method == "POST"
        self.writes += writes
        if self.kill_before is not None and self.writes >= self.kill_before:
            raise Killed
        if writes and self.writes == self.late:
            self.pending.append(operation)
            if self.interrupts:
                raise KeyboardInterrupt
            return NoResponse(why="no answer within 30 s", timed_out=True)
        self.sent.append(operation)
        response = self._perform(operation, scheme)
        if self.kill_after is not None and self.writes >= self.kill_after:
            raise Killed
        return self.spoil(operation, response)

    def land(self):
        """Perform the writes that are late."""
        while self.pending:
            self._perform(self.pending.pop(), "ApiKey")

    def _perform(self, operation, scheme):
        query = urlencode([(name, _text(value)) for name, value in operation.query])
        headers = ((b"authorization", f"{scheme} {self.api_key}".encode()),)
        answer = ask(
            AppsApi(self.service),
            operation.method,
            f"/v1{operation.path}",
            query=query,
            headers=headers,
            body=operation.body,
        )
        return Response(status=answer.status, body=answer.body)


def _text(value):
    return value.reveal() if isinstance(value, Secret) else value


@dataclass
class World:
    """One test instance of one service, and the state store of the app."""

    service: Service
    code: str
    link: Link
    state: StateDir
    said: list[str] = field(default_factory=list)
    base_url: str = "https://service.example/v1"

    def set(self, body=BODY, data=DATA):
        """Give the instance a website-wide snippet and app data, as after a publish."""
        self.service.set_snippet(self.code, body)
        if data is not None:
            self.service.set_data(self.code, data)
        return self

    @property
    def content(self):
        """What the instance holds, without the answers of the API."""
        with self.service.database.reading() as db:
            snippets = [tuple(row) for row in db.execute("SELECT place, language, text FROM snippet")]
            data = [json.loads(row[0]) for row in db.execute("SELECT json FROM app_data")]
        return snippets, data

    def shop(self, restores, **options):
        return Shop(
            key=KEY,
            name="test",
            code=Secret(self.code),
            base_url=self.base_url,
            languages=("lv", "en", "de"),
            channel=Channel(
                send=self.link.send,
                page=self.scripts_of_page,
                other_scheme=lambda operation: self.link.send(operation, "apikey"),
                sleep=self.sleep,
            ),
            restores=restores,
            say=self.said.append,
            **options,
        )

    def sleep(self, seconds):
        self.service.clock.advance(timedelta(seconds=seconds))
        self.link.land()

    def scripts_of_page(self, address):
        """Return the scripts that the service puts into the page at an address."""
        website, language = urlsplit(address).path.split("/")[1:3]
        shown = self.service.page_snippets(int(website), language)
        return re.findall(r"<script[^>]*>(.*?)</script>", "".join(app.body for app in shown))

    def probe(self, *names, throwaway=False) -> ProbeOutcomes:
        with closing(Restores.open(self.state)) as restores:
            shop = self.shop(restores, throwaway=throwaway)
            return ProbeRun(shop=shop, report=lambda _outcome: None).run(chosen_probes(names))

    def ask(self, name, **options):
        """Return the state, the answer and the detail of one probe."""
        [outcome] = self.probe(name, **options).outcomes
        return outcome.state, outcome.answer, outcome.detail

    def mend(self, base_url=None, key=KEY, known=None):
        """Put back what a killed run left, as the next run does first."""
        with closing(Restores.open(self.state)) as restores:
            known = {KEY: self.shop(restores)} if known is None else known
            return list(
                mend(restores, known.get, base_url or self.base_url, lambda _key: nullcontext(), key=key)
            )

    def waiting(self):
        with closing(Restores.open(self.state)) as restores:
            return len(restores.waiting())
