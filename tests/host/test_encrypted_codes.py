"""A server with AWNING_STATE_KEY stores no plain authCode."""

from contextlib import closing
from pathlib import Path

import pytest
from kept_in import both

from awning.client import Secret
from awning.errors import ConfigurationError
from awning.host import from_environ
from awning.publish.inventory.inventory import Inventory
from awning.publish.state.cipher import CodeCipher
from awning.publish.state.server import state_at

KEY = "planted-canary-state-key-of-32-characters"


@both
def test_installation_is_published_and_stored_encrypted(world, ask):
    code, cipher = world.new_code(), CodeCipher(Secret(KEY))
    assert world.browser(cipher=cipher).get(ask("/install", code)).status == 302
    assert world.browser(cipher=cipher).get(ask("/install", code)).status == 302
    assert world.installed(code)
    assert world.service.snippet(code, language="lv") == "<p>v1 lv {{svc_app_data}}</p>"
    with closing(Inventory.open(state_at(world.state, world.database, cipher))) as inventory:
        assert [instance.code.reveal() for instance in inventory.all()] == [code]
    with pytest.raises(ConfigurationError, match="there is no AWNING_STATE_KEY"):
        world.browser()


def test_no_file_holds_the_plain_code(world, ask):
    code, cipher = world.new_code(), CodeCipher(Secret(KEY))
    world.browser().get(ask("/install", code))
    world.browser(cipher=cipher)
    for file in filter(Path.is_file, world.state.rglob("*")):
        assert code.encode() not in file.read_bytes(), file.name


def test_key_comes_from_the_environment(tmp_path):
    settings = from_environ(
        {
            "AWNING_PUBLIC_URL": "https://app.example",
            "AWNING_STATE_DIR": str(tmp_path),
            "AWNING_BASE_URL": "https://service.example/v1",
            "AWNING_API_KEY": "planted-canary-key",
            "AWNING_APP_SECRET": "planted-canary-secret",
            "AWNING_STATE_KEY": KEY,
        }
    )
    assert settings.cipher is not None
