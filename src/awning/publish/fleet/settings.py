"""The settings of a run that the controller stores in the database for its workers. They hold no secret."""

import json
from dataclasses import asdict, dataclass

from awning.publish.pacing import Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class FleetSettings:
    """How the workers of a run publish.

    `per_instance` and `per_host` are the most calls per second; None for no limit. `per_host` is for all workers
    together. `in_flight` is the most open requests of each worker. A worker must renew its claim of a chunk within
    `lease_s` seconds, or it loses the chunk.
    """

    heads: bool = False
    overwrite_foreign: bool = False
    per_instance: float | None = None
    per_host: float | None = None
    in_flight: int = 64
    timeout_s: float = 30.0
    lease_s: float = 20.0
    chunk_instances: int = 25

    def pace(self) -> Pace:
        return Pace(per_instance=self.per_instance, per_host=None, in_flight=self.in_flight)

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> "FleetSettings":
        return cls(**json.loads(text))
