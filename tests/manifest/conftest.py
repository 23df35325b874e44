"""A workspace with a manifest and a build, and the command line in it."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from command_line import run_awning
from manifests import SECRET, as_toml, changed

from awning_harness.service import serve

BODY = "<b>{{svc_app_data}}</b>\n"


@dataclass(frozen=True)
class Workspace:
    root: Path

    def manifest(self, **changes):
        (self.root / "manifest.toml").write_text(as_toml(changed(changes)), encoding="utf-8")

    def build(self, body=BODY):
        dist = self.root / "dist"
        dist.mkdir(exist_ok=True)
        snippets = []
        for place, text in (("body", body), ("head", "")):
            (dist / f"{place}.html").write_text(text, encoding="utf-8")
            digest = hashlib.sha256(text.encode()).hexdigest()
            weight = {"bytes": len(text), "gzip": 0, "sha256": digest}
            snippets.append(
                {"path": f"{place}.html", "unit": "app", "place": place, "language": None, **weight}
            )
        record = {
            "schema_version": 1,
            "awning": "0.1.0",
            "fingerprint": "0" * 64,
            "app": {"title": "Notes", "version": "1.2.3"},
            "languages": ["en"],
            "snippets": snippets,
            "widgets": [],
            "esbuild": "0.28.2",
        }
        (dist / "build.json").write_text(json.dumps(record))


@pytest.fixture
def workspace(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.awning]\nlanguages = ["en"]\n')
    workspace = Workspace(tmp_path)
    workspace.manifest()
    workspace.build()
    return workspace


@pytest.fixture
def awning(workspace, monkeypatch, capfd):
    """Run `awning`; returns exit code, stdout and stderr. The secret is in the environment by default."""

    def call(*arguments, **environ):
        monkeypatch.chdir(workspace.root)
        for name in ("PROFILE", "API_KEY", "STATE_DIR", "PORTAL_URL", "APP_SECRET_FILE"):
            monkeypatch.delenv(f"AWNING_{name}", raising=False)
        for name, value in {"AWNING_APP_SECRET": SECRET, **environ}.items():
            monkeypatch.setenv(name, value)
        return run_awning(capfd, *arguments)

    return call


@pytest.fixture
def portal():
    with serve() as running:
        yield running
