"""The queue between the controller and the workers: a small interface to Procrastinate, which uses PostgreSQL.

A job only names a run and a chunk. The worker publishes the chunk only if its state (`chunks`) allows it. So a job that
is delivered twice, or late, has no effect. Procrastinate's tables are in a database schema of their own.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Self

from awning.client import Secret
from awning.errors import ConfigurationError, DatabaseUnusable
from awning.publish.state.postgres import CLASS, JOBS

SCHEMA = "awning_jobs"
OPTIONS = f"-c search_path={SCHEMA},pg_catalog -c idle_in_transaction_session_timeout=4s"
"""The settings of each connection. A suspended worker keeps its locks for four seconds at most."""
QUEUE = "publish"
TASK = "publish-chunk"
READY_S = 30.0
"""Seconds after which an attempt to make the tables fails."""
POLL_S = 2.0
"""Seconds after which a worker looks for jobs when no notification came."""
RECONNECT_S = 2.0
"""Seconds between two tries to reach the database again."""

Handle = Callable[[int, int], Awaitable[None]]
"""Publishes one chunk, given the numbers of its run and of the chunk."""


class JobQueue:
    """The jobs of one database. Entering the queue (`async with`) makes missing tables.

    Creating the object raises ConfigurationError when the extra `fleet` is not installed. Entering it, `enqueue`,
    `todo` and `clear` raise DatabaseUnusable when the database cannot be used.
    """

    def __init__(self, url: Secret) -> None:
        try:
            import procrastinate  # noqa: PLC0415 - an extra
            import psycopg  # noqa: PLC0415 - an extra
        except ImportError:
            raise ConfigurationError(
                "publishing with several machines needs Procrastinate, which is not installed",
                hint="install it: pip install 'awning[fleet]'",
            ) from None
        for name in ("procrastinate", "psycopg.pool"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # awning reports their errors itself
        self._library = procrastinate
        self._driver = psycopg
        self._url = Secret(url.reveal().replace("postgresql+psycopg://", "postgresql://", 1))
        self._app = procrastinate.App(
            connector=procrastinate.PsycopgConnector(
                conninfo=self._url.reveal(),
                kwargs={"options": OPTIONS},
                min_size=1,
                max_size=3,
                timeout=15,
            )
        )

    async def __aenter__(self) -> Self:
        try:
            await self._make_tables()
            await self._app.open_async()
        except (self._library.exceptions.ConnectorException, self._driver.Error, OSError):
            await self._app.close_async()
            raise DatabaseUnusable(
                "the database of AWNING_DATABASE_URL cannot be reached or used for jobs",
                hint=f"awning doctor looks at it; its user must be able to make the schema {SCHEMA}",
            ) from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(self._library.exceptions.ConnectorException):
            await self._app.close_async()

    async def _make_tables(self) -> None:
        """Make the schema and its tables if they are missing, one process after another.

        This precedes the pool: a session that began before the schema was there can still look up names without it.
        """
        connecting = self._driver.AsyncConnection.connect(self._url.reveal(), options=OPTIONS)
        async with asyncio.timeout(READY_S), await connecting as session:
            await session.execute("SELECT pg_advisory_xact_lock(%s, %s)", (CLASS, JOBS))
            names = f"SELECT to_regnamespace('{SCHEMA}'), to_regclass('{SCHEMA}.procrastinate_jobs')"
            schema, table = await (await session.execute(names)).fetchone() or (None, None)
            if schema is None:
                await session.execute(f"CREATE SCHEMA {SCHEMA}")
            if table is None:
                await session.execute(self._app.schema_manager.get_schema())

    async def enqueue(self, run: int, chunks: Sequence[int]) -> Sequence[int]:
        """Add a job for each chunk. Returns the numbers of the jobs."""
        task = self._app.configure_task(TASK, queue=QUEUE, allow_unknown=True)
        arguments: list[dict[str, Any]] = [{"run": run, "chunk": chunk} for chunk in chunks]
        with self._usable():
            return list(await task.batch_defer_async(*arguments))

    async def todo(self) -> frozenset[int]:
        """Return the numbers of the jobs that no worker has fetched."""
        todo = "SELECT id FROM procrastinate_jobs WHERE queue_name = %(queue)s AND status = 'todo'"
        with self._usable():
            rows = await self._app.connector.execute_query_all_async(todo, queue=QUEUE)
        return frozenset(row["id"] for row in rows)

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except (self._library.exceptions.ConnectorException, OSError):
            raise DatabaseUnusable(
                "the jobs in the database of AWNING_DATABASE_URL cannot be read or written",
                hint="run it again when the database can be reached: it goes on",
            ) from None

    async def clear(self) -> None:
        """Remove every job.

        The holder of the publishers' lock calls this before a run. At that time no other run needs its jobs.
        """
        own_jobs = "DELETE FROM procrastinate_jobs WHERE queue_name = %(queue)s"
        with self._usable():
            await self._app.connector.execute_query_async(own_jobs, queue=QUEUE)

    async def cancel(self, jobs: Sequence[int]) -> None:
        """Remove jobs, even those that a lost worker has fetched. Errors of the database are ignored."""
        for job in jobs:
            with suppress(self._library.exceptions.ConnectorException):
                await self._app.job_manager.cancel_job_by_id_async(job, abort=False, delete_job=True)
            with suppress(self._library.exceptions.ConnectorException):
                await self._app.job_manager.finish_job_by_id_async(
                    job, status=self._library.jobs.Status.FAILED, delete_job=True
                )

    async def handle(self, handle: Handle, *, at_once: int, until_empty: bool, stop: asyncio.Event) -> None:
        """Handle jobs, at most `at_once` at a time, until `stop` is set; with `until_empty`, until no job is left.

        After an error of the database, it tries again every RECONNECT_S seconds.
        """

        async def task(run: int, chunk: int) -> None:
            await handle(run, chunk)

        self._app.tasks.pop(TASK, None)
        self._app.task(name=TASK, queue=QUEUE, pass_context=False)(task)
        while not stop.is_set():
            work = asyncio.create_task(self._work(at_once=at_once, until_empty=until_empty))
            stopped = asyncio.create_task(stop.wait())
            await asyncio.wait([work, stopped], return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            if not work.done():
                work.cancel()
            try:
                await work
            except asyncio.CancelledError:
                return
            except (self._library.exceptions.ConnectorException, ExceptionGroup):
                with suppress(TimeoutError):
                    await asyncio.wait_for(stop.wait(), RECONNECT_S)
                continue
            if until_empty:
                return

    async def _work(self, *, at_once: int, until_empty: bool) -> None:
        options: dict[str, Any] = {
            "queues": [QUEUE],
            "concurrency": at_once,
            "wait": not until_empty,
            "fetch_job_polling_interval": POLL_S,
            "install_signal_handlers": False,
            "delete_jobs": "always",
        }
        await self._app.run_worker_async(**options)
