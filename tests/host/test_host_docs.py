"""docs/host.md covers all variables and hooks, and its example runs."""

import dataclasses
import re
from pathlib import Path

from awning.host import Hooks

TEXT = (Path(__file__).parents[2] / "docs/host.md").read_text(encoding="utf-8")


def test_every_variable_is_documented_and_exists():
    source = Path(__file__).parents[2] / "src/awning"
    files = ("host/settings.py", "client/secret.py", "publish/state/server.py", "publish/state/cipher.py")
    code = "".join((source / name).read_text() for name in files)
    read = set(re.findall(r'"(AWNING_[A-Z_]+)"', code)) - {
        "AWNING_APP_SECRET_FILE",
        "AWNING_ALLOW_PLAIN_HTTP",
    }
    assert read == set(re.findall(r"AWNING_[A-Z_]+", TEXT))


def test_every_hook_is_documented():
    assert all(f"`{field.name}`" in TEXT for field in dataclasses.fields(Hooks))


def test_documented_example_runs(world, monkeypatch):
    [example] = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    settings = world.settings()
    names = {}
    monkeypatch.setattr("awning.host.from_environ", lambda environ: settings)
    exec(compile(example, "host.md", "exec"), names)
    assert callable(names["app"])
