"""One test instance of the simulated service, which knows nothing of the client."""

import pytest
from probed import Link, World
from unsynced import unsynced

from awning.publish.state.store import StateDir
from awning_harness.service import Service

__all__ = ["unsynced"]


@pytest.fixture
def world(tmp_path):
    service = Service()
    website = service.create_website()
    app_id, api_key = service.register_app({"app_title": "A", "app_default_snippet": "<i>default</i>"})
    code = service.install(app_id, website.id)
    yield World(service=service, code=code, link=Link(service, api_key), state=StateDir(tmp_path / "state"))
    service.close()
