"""The demonstration of a fleet: a worker is killed, and every cell is right at the end."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.usefixtures("postgres")  # skips where PostgreSQL is not installed
def test_demonstration_kills_a_worker_and_loses_nothing():
    pytest.importorskip("procrastinate")
    command = [
        sys.executable,
        "-m",
        "benchmarks.publish.fleet",
        "--instances",
        "100",
        "--workers",
        "2",
        "--lease-s",
        "2",
        "--kill",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["cells"] == 400
    assert "is killed after" in done.stderr
    assert "every cell holds what was published" in done.stderr
