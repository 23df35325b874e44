"""A reseller with three websites; requests go to the API without sockets."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlencode

import pytest
from asgi_calls import ask

from awning.cli.main import main
from awning_harness.service import Service, serve
from awning_harness.service.control.api import control_application
from awning_harness.service.reseller.api import ResellerApi

EMAIL, PASSWORD = "reseller@example.com", "planted-canary horse"
FORM = "application/x-www-form-urlencoded"


@dataclass
class Caller:
    """Sends calls with a token of the reseller `reseller_id`, whose websites have the ids `sites`."""

    service: Service
    reseller_id: int
    sites: tuple[int, ...]
    token: str = ""

    def answer(
        self,
        path: str,
        fields: dict[str, Any] | None = None,
        *,
        method: str = "POST",
        query: dict[str, Any] | None = None,
        content_type: str | None = FORM,
        body: bytes | None = None,
    ):
        headers = ((b"content-type", content_type.encode()),) if content_type else ()
        body = urlencode(fields or {}).encode() if body is None else body
        app = ResellerApi(self.service)
        return ask(app, method, "/api/" + path, query=urlencode(query or {}), headers=headers, body=body)

    def call(self, path: str, **fields: Any) -> dict[str, Any]:
        return json.loads(self.answer(path, {"apiToken": self.token, **fields}).body)

    def on(self, tail: str, site: int = 0, **fields: Any) -> dict[str, Any]:
        """Send a call about the website `sites[site]`."""
        return self.call(f"website/{self.sites[site]}/{tail}", **fields)

    def website(self, site: int = 0) -> dict[str, Any]:
        return self.on("", site)["website"]

    def authorize(self) -> str:
        self.token = self.call("authorize/", email=EMAIL, password=PASSWORD)["apiToken"]
        return self.token

    def change(self, **what: Any) -> None:
        self.service.resellers.change(self.reseller_id, **what)
        self.sites = tuple(site.id for site in self.service.resellers.sites(self.reseller_id))

    def spend(self, amount: int, site: int = 0):
        return self.service.resellers.spend(self.reseller_id, self.sites[site], amount)

    def assume(self, assumption: str, value: str) -> None:
        self.service.assumptions.set(assumption, value)

    def at(self, text: str) -> None:
        """Set and freeze the clock."""
        self.service.clock.set(datetime.fromisoformat(text).replace(tzinfo=UTC), frozen=True)

    def control(self, method: str, path: str, body: Any) -> tuple[int, dict[str, Any]]:
        answer = ask(
            control_application(self.service),
            method,
            "/" + path,
            headers=((b"content-type", b"application/json"), (b"host", b"127.0.0.1")),
            body=json.dumps(body).encode(),
        )
        return answer.status, json.loads(answer.body)


@pytest.fixture
def service():
    simulated = Service()
    yield simulated
    simulated.close()


@pytest.fixture
def caller(service: Service) -> Caller:
    """A reseller whose AI credits are priced, on 10 March 2026."""
    service.clock.set(datetime(2026, 3, 10, 12, tzinfo=UTC), frozen=True)
    number = service.resellers.create(email=EMAIL, password=PASSWORD, websites=3, ai_pricing="priced")
    sites = tuple(site.id for site in service.resellers.sites(number))
    caller = Caller(service, number, sites)
    caller.authorize()
    return caller


@pytest.fixture
def free(caller: Caller) -> Caller:
    """The same reseller while AI credits are free of charge."""
    caller.change(ai_pricing="free")
    return caller


@pytest.fixture(scope="module")
def running():
    with serve() as running:
        yield running


@pytest.fixture
def account(running, monkeypatch, capsys, tmp_path):
    """A reseller with three websites, and `awning reseller` in this process: `run` and, with --json, `read`."""
    service = running.service
    service.reset()
    number = service.resellers.create(email=EMAIL, password=PASSWORD, websites=3, ai_pricing="priced")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("AWNING_RESELLER_URL", running.reseller_url)
    monkeypatch.setenv("AWNING_RESELLER_EMAIL", EMAIL)
    monkeypatch.setenv("AWNING_RESELLER_PASSWORD", PASSWORD)
    monkeypatch.setenv("AWNING_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("AWNING_OPERATOR", "ada")

    def run(*words):
        with pytest.raises(SystemExit) as end:
            main(["reseller", *words])
        output = capsys.readouterr()
        assert PASSWORD not in output.out + output.err
        return SimpleNamespace(code=end.value.code, out=output.out, err=output.err)

    def read(*words):
        done = run(*words, "--json")
        assert (done.code, done.err) == (0, "")
        document = json.loads(done.out)
        assert document.pop("schema_version") == 1
        return document

    sites = [site.id for site in service.resellers.sites(number)]
    return SimpleNamespace(run=run, read=read, service=service, id=number, sites=sites, first=str(sites[0]))
