"""A service with one app on one website. Tests call its applications directly, without sockets."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

import pytest
from asgi_calls import Answer, ask

from awning_harness.service import Service
from awning_harness.service.apps_api import AppsApi
from awning_harness.service.control.api import control_application

MANIFEST = {
    "app_type": "APP",
    "app_title": "Delivery",
    "app_secret": "planted-canary-s3cret",
    "app_default_snippet": "<b>default</b>",
    "app_default_head_snippet": "<style></style>",
}


@dataclass
class Caller:
    """An app that calls with its key and code."""

    service: Service
    app_id: int
    api_key: str
    website_id: int
    auth_code: str

    def call(self, method: str, path: str, payload: Any = ..., **options: Any) -> tuple[int, dict[str, Any]]:
        body = b"" if payload is ... else json.dumps(payload).encode()
        answer = self.answer(method, path, body, **options)
        return answer.status, json.loads(answer.body)

    def answer(
        self,
        method: str,
        path: str,
        body: bytes = b"",
        *,
        query: str | None = None,
        authorization: str | None = None,
    ) -> Answer:
        query = f"authCode={quote(self.auth_code)}" if query is None else query
        value = f"ApiKey {self.api_key}" if authorization is None else authorization
        headers = ((b"authorization", value.encode("latin-1")),) if value else ()
        app = AppsApi(self.service)
        return ask(app, method, "/v1" + unquote(path), query=query, headers=headers, body=body)


@dataclass
class Control:
    service: Service

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, dict[str, Any]]:
        named = {"content-type": "application/json", "host": "127.0.0.1", **headers}
        answer = ask(
            control_application(self.service),
            method,
            "/" + path,
            headers=tuple((key.replace("_", "-").encode(), value.encode()) for key, value in named.items()),
            body=b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode(),
        )
        return answer.status, json.loads(answer.body)


@pytest.fixture
def in_a_loop():
    """Runs a coroutine in a thread of its own, because Playwright's loop may be running in this thread."""

    def run(coroutine):
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, coroutine).result()

    return run


@pytest.fixture
def service():
    simulated = Service()
    yield simulated
    simulated.close()


@pytest.fixture
def caller(service: Service) -> Caller:
    website = service.create_website(languages=["lv", "en"])
    app_id, api_key = service.register_app(MANIFEST)
    return Caller(service, app_id, api_key, website.id, service.install(app_id, website.id))


@pytest.fixture
def control(service: Service) -> Control:
    return Control(service)
