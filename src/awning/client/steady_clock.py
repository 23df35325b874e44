"""The clock by which a process measures how long it may still rely on a lock, a lease or a timeout."""

import time


def steady_clock() -> float:
    """Return the time of a monotonic clock in seconds.

    The clock continues while the process is stopped and, on Linux, while the machine sleeps.
    """
    boottime = getattr(time, "CLOCK_BOOTTIME", None)
    return time.monotonic() if boottime is None else time.clock_gettime(boottime)
