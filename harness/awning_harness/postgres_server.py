"""Runs a PostgreSQL server in a temporary folder, with the programs of the operating system's package.

Tests, benchmarks and the demonstration of a fleet use it. The server requires a password. It stops when the block of
`postgres_server` ends. PostgreSQL refuses to run as root, so for root the server runs as the user that the package
created. This module needs psycopg (the extra `postgres`).
"""

import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

USER = "awning"
OWNER = "postgres"
SETTINGS = ("max_connections=60",)
FORGETFUL = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")
"""Settings that make a server faster. It may then lose its data when the machine fails."""
PORTS = range(20_000, 32_000)
"""Below the ports that Linux, macOS and Windows give, by default, to connections and to port 0.

One of those could be taken before the server has started, or while it is stopped.
"""
TRIES = 50
"""How many ports are tried. When all fail, the reason is another than a port in use."""


class NotInstalled(Exception):
    """There is no PostgreSQL on this machine."""


@dataclass
class PostgresServer:
    """A server and its address. `settings` are those with which `start` starts it; `data` is its folder."""

    port: int
    data: Path
    password: str
    commands: "Commands"
    settings: tuple[str, ...] = SETTINGS

    def url(self, database: str, *, password: str | None = None, host: str = "127.0.0.1") -> str:
        return f"postgresql://{USER}:{password or self.password}@{host}:{self.port}/{database}"

    def run(self, statement: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(statement)

    @contextmanager
    def database(self, *, copied: str = "template1") -> Iterator[str]:
        """Create a copy of a database that nobody uses, by default an empty one, and yield its URL.

        The copy is deleted after the block, even if it is still in use.
        """
        name = f"test_{secrets.token_hex(4)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {copied}")
        try:
            yield self.url(name)
        finally:
            self.run(f"DROP DATABASE {name} WITH (FORCE)")

    def tables(self, database: str) -> Iterator[tuple[str, bytes]]:
        """Yield the name and the whole content, as text, of each of awning's tables in a database."""
        with psycopg.connect(self.url(database)) as connection:
            names = connection.execute(
                "SELECT tablename FROM pg_tables WHERE schemaname = 'awning'"
            ).fetchall()
            for (name,) in names:
                with connection.cursor().copy(f'COPY awning."{name}" TO STDOUT') as rows:
                    yield name, b"".join(rows)

    def start(self) -> None:
        options = f"-c listen_addresses=127.0.0.1 -p {self.port} -k {self.data.parent}"
        options += "".join(f" -c {setting}" for setting in self.settings)
        self.commands.run(
            "pg_ctl", "-D", self.data, "-w", "-l", self.data.parent / "log", "-o", options, "start"
        )

    def stop(self) -> None:
        self.commands.run("pg_ctl", "-D", self.data, "-w", "-m", "fast", "stop")


@dataclass
class Commands:
    """Runs PostgreSQL's programs, as a user that PostgreSQL accepts."""

    folder: Path
    prefix: tuple[str, ...]

    def run(self, name: str, *arguments: object) -> None:
        command = [*self.prefix, str(self.folder / name), *map(str, arguments)]
        # The server inherits the streams of pg_ctl. With a pipe, this call would wait until the server ends.
        done = subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/", check=False, timeout=120
        )
        if done.returncode != 0:
            raise RuntimeError(f"{name} ended with {done.returncode}")


@contextmanager
def postgres_server(password: str | None = None, *, is_durable: bool = False) -> Iterator[PostgresServer]:
    """Start a server, and stop it after the block.

    Raises NotInstalled when PostgreSQL is not installed, and RuntimeError when one of its programs fails.

    Unless `is_durable` is true, the server is faster, but may lose its data when the machine fails.
    """
    commands = find_commands()
    with tempfile.TemporaryDirectory(prefix="awning-postgres-", ignore_cleanup_errors=True) as folder:
        root, password = Path(folder), password or secrets.token_urlsafe(12)
        (root / "password").write_text(password)
        if commands.prefix:
            for path in (root, root / "password"):
                shutil.chown(path, OWNER)
        commands.run(
            "initdb", "-D", root / "data", "-U", USER, "--pwfile", root / "password", "-A", "scram-sha-256",
            "--no-sync", "--locale=C", "-E", "UTF8",
        )  # fmt: skip
        settings = SETTINGS if is_durable else SETTINGS + FORGETFUL
        server = PostgresServer(
            port=_free_port(), data=root / "data", password=password, commands=commands, settings=settings
        )
        server.start()
        try:
            yield server
        finally:
            server.stop()


def find_commands() -> Commands:
    """Return the programs on the search path, or those of the newest version where Debian installs them.

    Raises NotInstalled when there are none.
    """
    initdb = shutil.which("initdb")
    folders = [Path(initdb).resolve().parent] if initdb else sorted(
        (path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")),
        key=lambda path: int(path.parent.name), reverse=True,
    )  # fmt: skip
    if not folders:
        raise NotInstalled("apt-get install postgresql")
    prefix = ("runuser", "-u", OWNER, "--") if os.geteuid() == 0 else ()
    return Commands(folders[0], prefix)


def _free_port() -> int:
    for port in secrets.SystemRandom().sample(PORTS, TRIES):
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError as error:
            problem = error
    raise problem
