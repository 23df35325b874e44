"""The dev server's thread that shows the follower's turns: builds, patches and errors."""

import asyncio

from awning_harness.dev.app import dev_app
from awning_harness.dev.command import DevServer
from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.stream import Streams
from awning_harness.service.listeners import listening_socket

PATIENCE_S = 20


def test_watching_goes_on_after_a_patch_that_cannot_be_shown(workshop, dev_files, monkeypatch):
    """A bug in awning is shown like an error in the author's files."""

    def raise_bug(*_args, **_kwargs):
        raise RuntimeError("a bug")

    monkeypatch.setattr(DevSession, "_patch", raise_bug)
    session, turns = workshop.session, [workshop.patched("one"), workshop.shows("two")]
    reported = []

    async def serve():
        stop, loop = asyncio.Event(), asyncio.get_running_loop()

        def report(turn):
            reported.append((turn.error and turn.error.message, session.failure is turn.error))
            if len(reported) == len(turns):
                loop.call_soon_threadsafe(stop.set)

        streams, listening = Streams(), listening_socket(0)
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
        app = dev_app(session, streams, base_url=url, say=print, assets=dev_files)
        server = DevServer(
            session=session,
            streams=streams,
            app=app,
            listening=listening,
            turns=iter(turns),
            report=report,
        )
        await asyncio.wait_for(server.run(stop), PATIENCE_S)

    asyncio.run(serve())
    (first, is_first_shown), second = reported
    assert "a bug" in first
    assert is_first_shown
    assert second == (None, True)
    assert "two" in session.source.body("en")


def test_stream_begins_with_the_build_that_is_shown_when_it_begins_to_listen():
    """A build may end between the request for a stream and its first line: no later message tells of that build."""
    revisions, streams = [1], Streams()

    async def first_line():
        lines = streams.listen("en", lambda: {"revision": revisions[-1]})
        revisions.append(2)
        streams.send(lambda _language: {"revision": 2})
        return await anext(lines)

    assert asyncio.run(first_line()) == 'data: {"revision": 2}\n\n'
