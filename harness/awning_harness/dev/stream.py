"""The open pages, and telling them: one queue per page, filled from the event loop's thread."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from awning_harness.dev.messages import Message, wire

KEEP_ALIVE_S = 20.0
"""Between comments that keep a quiet connection open."""

Tell = Callable[[str], Message]
"""The message for a page, by its language."""


@dataclass(slots=True)
class Streams:
    """Who is listening. All methods belong to the event loop's thread."""

    _queues: dict[asyncio.Queue[Message | None], str] = field(default_factory=dict)
    _closed: bool = False

    def tell(self, message_for: Tell) -> None:
        by_language = {language: message_for(language) for language in set(self._queues.values())}
        for queue, language in self._queues.items():
            queue.put_nowait(by_language[language])

    def close(self) -> None:
        """End every stream, so that the server can stop at once."""
        self._closed = True
        for queue in self._queues:
            queue.put_nowait(None)

    async def listen(self, language: str, first: Message) -> AsyncIterator[str]:
        """The event stream of one page, `first` first."""
        queue: asyncio.Queue[Message | None] = asyncio.Queue()
        if self._closed:
            return
        self._queues[queue] = language
        try:
            yield wire(first)
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
