"""A valid manifest, functions that change it and write it as TOML, and an icon for it."""

import json
import struct
import zlib

from awning.contract.manifest_fields import MANIFEST_FIELDS, example_manifest


def mandatory_manifest(title):
    """Return a manifest with the examples of the mandatory fields, and without the secret."""
    example = example_manifest(title)
    optional = {field.name for field in MANIFEST_FIELDS if not field.mandatory}
    return {name: value for name, value in example.items() if name not in optional}


MANIFEST = {
    **mandatory_manifest("Notes"),
    "app_icon": "https://app.example/icon.png",
    "app_version": "1.2.3",
    "app_description_short": "Short",
    "app_description_full": {"en": "Long", "lv": "Garš"},
    "app_install_url": "https://app.example/install",
    "app_settings_url": "https://app.example/settings",
}
"""The values that are not examples are those that tests name."""
SECRET = "planted-canary-0451"


def changed(changes, manifest=MANIFEST):
    """Return the manifest with some fields changed, by dotted name. The value `...` removes a field."""
    copy = json.loads(json.dumps(manifest))
    for path, value in changes.items():
        table, _, name = path.rpartition(".")
        holder = copy[table] if table else copy
        if value is ...:
            del holder[name]
        else:
            holder[name] = value
    return copy


def as_toml(fields):
    tables = {name: value for name, value in fields.items() if isinstance(value, dict)}
    lines = [f"{name} = {json.dumps(value)}" for name, value in fields.items() if name not in tables]
    for name, table in tables.items():
        inner = {k: v for k, v in table.items() if isinstance(v, dict)}
        lines += [f"[{name}]", *(f"{k} = {json.dumps(v)}" for k, v in table.items() if k not in inner)]
        for key, texts in inner.items():
            lines += [f"[{name}.{key}]", *(f"{k} = {json.dumps(v)}" for k, v in texts.items())]
    return "\n".join(lines) + "\n"


def png(width, height):
    """Return the beginning and the end of a PNG, without its pixels. They are enough to read its size."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IEND", b"")
