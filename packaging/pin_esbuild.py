"""Prints the entries of `PINS` in `src/awning/bundle/pin.py` for another version of esbuild:

    .venv/bin/python packaging/pin_esbuild.py 0.28.2

The registry's hash is compared with the tarball before an entry is printed. Paste all entries, change `VERSION`, then
run the tests.
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

from fetch_esbuild import load_pins, registry


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: python packaging/pin_esbuild.py VERSION", file=sys.stderr)
        return 2
    for pin in load_pins().PINS:
        print(renewed(pin.platform, pin.member, pin.wheel_tags, arguments[0]))
    return 0


def renewed(platform: str, member: str, wheel_tags: tuple[str, ...], version: str) -> str:
    """Return the pin of one platform for another version, as source code. Raises SystemExit when the hashes differ."""
    answer = json.loads(_get(f"{registry()}/@esbuild/{platform}/{version}"))
    tarball = _get(answer["dist"]["tarball"])
    integrity = f"sha512-{base64.b64encode(hashlib.sha512(tarball).digest()).decode()}"
    if integrity != answer["dist"]["integrity"]:
        raise SystemExit(f"{platform}: the hash of the tarball differs from that of the registry")
    with tarfile.open(fileobj=io.BytesIO(tarball), mode="r:gz") as archive:
        file = archive.extractfile(member)
        binary = file.read() if file else b""
    fields = {
        "platform": platform,
        "integrity": integrity,
        "sha256": hashlib.sha256(binary).hexdigest(),
        "member": member,
        "wheel_tags": wheel_tags,
    }
    known = [field.name for field in dataclasses.fields(load_pins().Pin)]
    return "    Pin(\n" + "".join(f"        {name}={fields[name]!r},\n" for name in known) + "    ),"


def _get(url: str) -> bytes:
    with urllib.request.urlopen(url, timeout=30) as answer:
        content: bytes = answer.read()
    return content


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
