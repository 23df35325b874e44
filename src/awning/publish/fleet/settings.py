"""The settings of a run that the controller stores in the database for its workers. They hold no secret."""

from dataclasses import dataclass

import msgspec

from awning.publish.pacing import Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSettings:
    """How the workers of a run publish.

    The limits of `pace` for the whole service are for all workers together, `pace.in_flight` is for each. A worker must
    renew its claim of a chunk within `lease_s` seconds, or it loses the chunk.
    """

    heads: bool = False
    overwrite_foreign: bool = False
    pace: Pace
    timeout_s: float = 30.0
    lease_s: float = 20.0
    chunk_instances: int = 25

    def to_text(self) -> str:
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_text(cls, text: str) -> "FleetSettings":
        return msgspec.json.decode(text, type=cls)
