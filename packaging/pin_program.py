"""Prints the pins of `src/awning/programs/pin.py` for another version of a program:

    .venv/bin/python packaging/pin_program.py esbuild 0.28.2

The registry's hash is compared with the tarball before a pin is printed. Paste all pins, change `version`, then run the
tests.
"""

from __future__ import annotations

import base64
import dataclasses
import hashlib
import io
import json
import sys
import tarfile
import urllib.request
from typing import Any

from fetch_programs import load_pins, registry


def main(arguments: list[str]) -> int:
    pins = load_pins()
    programs = {program.name: program for program in pins.PROGRAMS}
    name, version = arguments if len(arguments) == len(("NAME", "VERSION")) else ("", "")
    if name not in programs:
        print(f"usage: python packaging/pin_program.py {'|'.join(programs)} VERSION", file=sys.stderr)
        return 2
    program = dataclasses.replace(programs[name], version=version)
    for platform in pins.WHEEL_TAGS:
        print(pinned(pins, program, platform))
    return 0


def pinned(pins: Any, program: Any, platform: str) -> str:
    """Return the pin of one platform, as source code. Raises SystemExit when the hashes differ."""
    answer = json.loads(_get(f"{registry()}/{program.package_for(platform)}/{program.version}"))
    tarball = _get(answer["dist"]["tarball"])
    integrity = f"sha512-{base64.b64encode(hashlib.sha512(tarball).digest()).decode()}"
    if integrity != answer["dist"]["integrity"]:
        raise SystemExit(f"{platform}: the hash of the tarball differs from that of the registry")
    hashes: dict[str, str] = {}
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        for member in archive:
            name = program.installed_as(member.name.partition("/")[2], platform)
            file = archive.extractfile(member) if name else None
            if name and file:
                hashes[name] = hashlib.sha256(file.read()).hexdigest()
    fields = {
        "platform": platform,
        "integrity": integrity,
        "sha256": hashlib.sha256(pins.listing(hashes).encode()).hexdigest(),
    }
    return (
        "        Pin(\n"
        + "".join(f"            {name}={value!r},\n" for name, value in fields.items())
        + "        ),"
    )


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as answer:
        content: bytes = answer.read()
    return content


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
