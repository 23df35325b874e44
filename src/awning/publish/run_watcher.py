"""What a run tells those who follow it. `awning publish` shows it as the progress."""

from awning.publish.cell_outcome import CellResult


class RunWatcher:
    """Follows a run. Its methods do nothing: a subclass overrides those that it needs."""

    def cell(self, result: CellResult) -> None:
        """Note a finished cell. It is called once for each."""

    def begin(self, cells: int) -> None:
        """Note that the work on an instance begins, and how many cells it has. It is not called by a fleet's run."""

    def instance(self) -> None:
        """Note a finished instance."""

    def add(self, cells: int, wrong: int, instances: int) -> None:
        """Note what a fleet has finished since the last call: cells, how many of them are not right, and instances."""

    def expect(self, instances: int) -> None:
        """Note the number of instances in the waves of a run, before the first one."""

    def wait(self, where: str, left_s: float | None) -> None:
        """Note that the run waits at a gate: after which wave, and for how many seconds more, if that is known.

        It is called about once a second.
        """

    def go_on(self) -> None:
        """Note that the gate is decided."""

    def restart(self) -> None:
        """Note that the run takes back what it wrote. Cells that finish from now on belong to that rollback."""

    def throttled(self, count: int, per_s: float | None) -> None:
        """Note how many "too many calls" there were until now, and to which rate they lowered the calls, if they did.

        Those to the workers of a fleet are left out.
        """

    def announce(self, text: str) -> None:
        """Tell the operator a sentence."""
