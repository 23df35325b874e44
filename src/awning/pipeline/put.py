"""Writes one file so that nobody ever reads half of it: beside its place, and then moved."""

import os
from pathlib import Path


def replace_file(file: Path, content: bytes) -> None:
    """Write `file`, with the folders it is in where they are not there."""
    beside = file.with_suffix(f".{os.getpid()}")
    try:
        beside.write_bytes(content)
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        beside.write_bytes(content)
    beside.replace(file)
