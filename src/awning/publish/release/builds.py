"""Chooses the build of an instance: the current build, or the release at which the instance is held."""

from awning.publish.inventory.inventory import Instance
from awning.publish.release.build_files import Build
from awning.publish.release.releases import Releases


class Builds:
    """The builds of one run. The release of a held instance is read when it is first used.

    `heads` is whether the service has calls for head snippets.
    """

    def __init__(self, current: Build, releases: Releases, *, heads: bool) -> None:
        self.current = current
        self._releases = releases
        self._heads = heads
        self._pinned: dict[int, Build] = {}

    def of(self, instance: Instance) -> Build:
        """Return the build of one instance.

        Raises ConfigurationError when its release does not exist, DatabaseUnusable when the release is damaged.
        """
        number = instance.pinned
        if number is None or number == self.current.release:
            return self.current
        if number not in self._pinned:
            self._pinned[number] = self._releases.files(number).build(heads=self._heads, release=number)
        return self._pinned[number]
