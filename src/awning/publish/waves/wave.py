"""Waves: which instances a run publishes to first, and which later.

    10%          a tenth of the instances, chosen by each instance's hash, which never changes
    label:early  the instances with this label
    file:LIST    the instances that a file names, one per line

An instance belongs to the first wave that includes it. Shares are cumulative: `1%,10%,100%` means one percent, then
another nine percent, then the rest.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

from awning.errors import ConfigurationError
from awning.publish.inventory.inventory import Instance, Inventory

MOST_WAVES = 20
AT_ONCE = 500
"""How many names of a list are looked up with one query."""
LIST_HINT = "file:PATH is a text file with the name of an instance in each line"
HINT = "such as --waves 1%,10%,100% or --waves label:early,100%"
_SHARE = re.compile(r"(\d{1,3}(?:\.\d{1,6})?)%")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wave:
    """One wave: a share of the instances in percent, the instances with a label, or those in a list.

    `name` is the text that the operator wrote. `keys` are the keyed hashes of the instances, once a run has chosen
    them.
    """

    name: str
    percent: float | None = None
    label: str | None = None
    names: frozenset[str] = frozenset()
    keys: frozenset[str] | None = None

    def has(self, instance: Instance) -> bool:
        """Return whether the wave includes the instance.

        A share includes the instances of the smaller shares before it.
        """
        if self.percent is not None:
            return self.percent >= 100 or position_of(instance.key) * 100 < self.percent  # noqa: PLR2004 - percent
        if self.keys is not None:
            return instance.key in self.keys
        if self.label is not None:
            return self.label in instance.labels
        return instance.key in self.names or instance.name in self.names


def wave_of(instance: Instance, waves: Sequence[Wave]) -> int | None:
    """Return the index of the first wave that includes the instance; None when no wave does."""
    return next((index for index, wave in enumerate(waves) if wave.has(instance)), None)


def choose_now(waves: Sequence[Wave], instances: Iterable[Instance]) -> tuple[Wave, ...]:
    """In each wave that is a label or a list, store which instances it has now. Later changes then have no effect.

    Raises ConfigurationError when such a wave has no instance, because the gate after an empty wave would always hold.
    """
    listed = [wave for wave in waves if wave.percent is None and wave.keys is None]
    keys: dict[str, set[str]] = {wave.name: set() for wave in listed}
    for instance in instances if listed else ():
        for wave in listed:
            if wave.has(instance):
                keys[wave.name].add(instance.key)
    for wave in listed:
        if not keys[wave.name]:
            raise ConfigurationError(
                f'no instance is in the wave "{wave.name}"',
                hint="awning instances list shows names and labels",
            )
    return tuple(replace(wave, keys=frozenset(keys[wave.name])) if wave in listed else wave for wave in waves)


def position_of(key: str) -> float:
    """Return a number from 0 to below 1 for a keyed hash: always the same for the same hash, and evenly distributed."""
    digits = key.removeprefix("@")
    return float(int(digits, 16) / 16 ** len(digits))


def parse_waves(text: str, inventory: Inventory | None = None) -> tuple[Wave, ...]:
    """Parse the waves of a command line, and read the lists that they name.

    Raises ConfigurationError when there are no waves or too many, when a wave is not valid, when a share is not larger
    than the one before it, when a list is empty or cannot be read, or when it has a name that no instance of
    `inventory` has.
    """
    waves = tuple(_parse_wave(part.strip(), inventory) for part in text.split(",") if part.strip())
    if not waves:
        raise ConfigurationError("--waves names no wave", hint=HINT)
    if len(waves) > MOST_WAVES:
        raise ConfigurationError(f"--waves has {len(waves)} waves; the most are {MOST_WAVES}")
    shares = [wave.percent for wave in waves if wave.percent is not None]
    if any(after <= before for before, after in pairwise(shares)):
        raise ConfigurationError("--waves: each share is larger than the one before it", hint=HINT)
    return waves


def _parse_wave(text: str, inventory: Inventory | None) -> Wave:
    share = _SHARE.fullmatch(text)
    if share is not None and 0 < float(share[1]) <= 100:  # noqa: PLR2004 - percent
        return Wave(name=text, percent=float(share[1]))
    kind, _, value = text.partition(":")
    if kind == "label" and value:
        return Wave(name=text, label=value)
    if kind == "file" and value:
        return Wave(name=text, names=_read_names(Path(value), inventory))
    raise ConfigurationError(
        f'"{text}" is not a wave: a share from above 0% to 100%, label:LABEL or file:PATH', hint=HINT
    )


def _read_names(path: Path, inventory: Inventory | None) -> frozenset[str]:
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read ({error.strerror})", hint=LIST_HINT) from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} cannot be read: it is not UTF-8 text", hint=LIST_HINT) from None
    listed = [(number, line.strip()) for number, line in enumerate(lines, start=1) if line.strip()]
    if not listed:
        raise ConfigurationError(f"{path} names no instance", hint="one name or keyed hash a line")
    if inventory is not None:
        for start in range(0, len(listed), AT_ONCE):
            _check_names(path, listed[start : start + AT_ONCE], inventory)
    return frozenset(name for _, name in listed)


def _check_names(path: Path, listed: Sequence[tuple[int, str]], inventory: Inventory) -> None:
    """Check each name. Raises ConfigurationError with the line of the first name that no instance has."""
    try:
        inventory.chosen([name for _, name in listed])
    except ConfigurationError:
        for number, name in listed:
            try:
                inventory.chosen([name])
            except ConfigurationError as error:
                raise ConfigurationError(f"{path}:{number}: {error.message}", hint=error.hint) from None
