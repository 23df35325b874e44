"""The simulated service's clock. It shows the real time until it is set.

Tests set it so that caches, credits and months expire without waiting.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

EARLIEST = datetime(1971, 1, 1, tzinfo=UTC)
LATEST = datetime(9000, 1, 1, tzinfo=UTC)
"""The limits of the clock. They leave room for dates some years before and after; Python's dates end in 9999."""


def real_time() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockSetting:
    """How the clock differs from the real time, or the instant at which it is frozen."""

    ahead: timedelta = timedelta()
    frozen_at: datetime | None = None


class Clock:
    """The time in UTC."""

    def __init__(
        self,
        setting: ClockSetting | None = None,
        *,
        real: Callable[[], datetime] = real_time,
        changed: Callable[[ClockSetting], None] = lambda _: None,
    ) -> None:
        """`changed` is called with each new setting, so that it can be stored."""
        self._setting = setting or ClockSetting()
        self._real = real
        self._changed = changed

    @property
    def frozen(self) -> bool:
        return self._setting.frozen_at is not None

    def now(self) -> datetime:
        """Return the time."""
        return self._setting.frozen_at or self._real() + self._setting.ahead

    def set(self, instant: datetime, *, frozen: bool = False) -> None:
        """Set the clock to `instant`, an aware datetime.

        With `frozen`, the clock stands still; else it continues from there.

        Raises OverflowError when `instant` is outside the limits of the clock.
        """
        if not EARLIEST <= instant <= LATEST:
            raise OverflowError(f"the clock can be set from {EARLIEST.year} to {LATEST.year}")
        instant = instant.astimezone(UTC)
        self._keep(ClockSetting(frozen_at=instant) if frozen else ClockSetting(ahead=instant - self._real()))

    def advance(self, by: timedelta) -> None:
        """Set the clock ahead. A frozen clock stays frozen."""
        self.set(self.now() + by, frozen=self.frozen)

    def release(self) -> None:
        """Return to the real time."""
        self._keep(ClockSetting())

    def _keep(self, setting: ClockSetting) -> None:
        self._setting = setting
        self._changed(setting)
