"""The faults of benchmarks/mutations fit the widgets, which change more often than the benchmark runs."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("processes")

ROOT = Path(__file__).parents[2]


def test_every_seeded_fault_fits_its_widget():
    command = [sys.executable, "-m", "benchmarks.mutations.faults"]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert result.stdout.startswith("100 faults\n")
