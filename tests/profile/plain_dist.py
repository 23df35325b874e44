"""Writes a `dist/` with the snippets of a test, without a build."""

import hashlib
import json
from pathlib import Path


def write_dist(
    dist: Path,
    snippets: dict[str | None, str],
    heads: dict[str | None, str] | None = None,
    *,
    migrations: dict[str, str] | None = None,
) -> None:
    """Write a build. `migrations` are the modules of widgets that migrate app data, as JavaScript objects."""
    listed = []
    for place, texts in (("body", snippets), ("head", heads or {})):
        for language, text in texts.items():
            path = f"{language}/{place}.html" if language else f"{place}.html"
            (dist / path).parent.mkdir(parents=True, exist_ok=True)
            (dist / path).write_bytes(text.encode())
            listed.append(
                {
                    "path": path,
                    "unit": "app",
                    "place": place,
                    "language": language,
                    "bytes": len(text.encode()),
                    "gzip": 0,
                    "sha256": hashlib.sha256(text.encode()).hexdigest(),
                }
            )
    record = {
        "schema_version": 1,
        "awning": "0.1.0",
        "fingerprint": hashlib.sha256(repr(snippets).encode()).hexdigest(),
        "app": {"title": "Test", "version": "0.1.0"},
        "languages": [language for language in snippets if language],
        "snippets": listed,
        "widgets": [],
        "esbuild": "0.28.2",
    }
    if migrations:
        modules = ", ".join(f"{json.dumps(name)}: {module}" for name, module in migrations.items())
        code = f"globalThis.__migrations = {{ {modules} }};\n"
        (dist / "migrations.js").write_text(code)
        record["migrations"] = {
            "widgets": [*migrations],
            "sha256": hashlib.sha256(code.encode()).hexdigest(),
        }
    (dist / "build.json").write_text(json.dumps(record))
