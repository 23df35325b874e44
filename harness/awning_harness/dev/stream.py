"""Sends messages to the open pages: one queue per page, filled in the event loop's thread."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from awning_harness.dev.page_messages import Message, wire

KEEP_ALIVE_S = 20.0
"""The seconds after which a stream without messages gets a comment, so that its connection stays open."""

MessageFor = Callable[[str], Message]
"""A function that makes the message for a page in a language."""


@dataclass(slots=True)
class Streams:
    """The streams of the open pages. All methods except `languages` must be called in the event loop's thread."""

    _queues: dict[asyncio.Queue[Message | None], str] = field(default_factory=dict)
    _closed: bool = False

    def send(self, message_for: MessageFor) -> None:
        by_language = {language: message_for(language) for language in set(self._queues.values())}
        for queue, language in self._queues.items():
            queue.put_nowait(by_language[language])

    def languages(self) -> set[str]:
        """Return the languages of the open pages. Any thread may call it."""
        return set(self._queues.values())

    def close(self) -> None:
        """End every stream, so that the server can stop at once."""
        self._closed = True
        for queue in self._queues:
            queue.put_nowait(None)

    async def listen(self, language: str, hello: Callable[[], Message]) -> AsyncIterator[str]:
        """Yield the server-sent events for one page, beginning with `hello`. It ends when `close` is called.

        `hello` is called when the page has its queue: a message that is sent after that is not missed.
        """
        queue: asyncio.Queue[Message | None] = asyncio.Queue()
        if self._closed:
            return
        self._queues[queue] = language
        try:
            yield wire(hello())
            while True:
                try:
                    message = await asyncio.wait_for(queue.get(), KEEP_ALIVE_S)
                except TimeoutError:
                    yield ": still here\n\n"
                    continue
                if message is None:
                    return
                yield wire(message)
        finally:
            del self._queues[queue]
