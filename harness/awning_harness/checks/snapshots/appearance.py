"""The appearance of a state: the structure of its blocks and, on request, their accessibility tree and a picture."""

import base64
import platform
from collections.abc import Mapping
from dataclasses import dataclass

from playwright.sync_api import Browser

from awning_harness.checks.snapshots.aria import AriaTree, aria_tree
from awning_harness.checks.snapshots.structure import Structure, nodes_of
from awning_harness.visit.posing import corner
from awning_harness.visit.trial import Observed

FROZEN_NOW = "2026-03-02T10:30:00"
"""The clock of a state without `now`, in UTC: a Monday morning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Appearance:
    """What a state looks like. `picture` is a PNG of the block; None if nothing can be seen or it was not requested.

    `browser` is the version of the browser, and its operating system, which also affects the pixels.
    """

    structure: Structure
    aria: AriaTree
    """The accessibility tree; empty if it was not requested."""
    area: Mapping[str, float] | None
    """The rectangle in the document that holds all visible elements; None when nothing can be seen."""
    origin: Mapping[str, float]
    """The position in the document of the first block, to which the structure's positions are relative."""
    picture: bytes | None
    browser: str

    @property
    def corner(self) -> tuple[int, int]:
        """The position of the picture's left upper corner, relative to the first block, as in the structure.

        It is negative where content sticks out of a block.
        """
        left, top = corner(self.area) if self.area else (0, 0)
        return left - round(self.origin["x"]), top - round(self.origin["y"])


def read_appearance(observed: Observed, browser: Browser) -> Appearance:
    """Return the appearance of a page that has posed in a trial."""
    pose = observed.pose
    assert pose is not None  # the trial has the move
    return Appearance(
        structure=nodes_of(pose["lines"]),
        aria=aria_tree(pose["trees"]),
        area=pose["area"] or None,
        origin=pose["origin"],
        picture=base64.b64decode(pose["picture"]) if pose["picture"] else None,
        browser=f"Chromium {browser.version}, {platform.system()} {platform.machine()}",
    )
