"""Prints, as JSON, what a copy of the repository knows about its slot and its steps. It runs with the copy's code."""

import asyncio
import json
import sys

import httpx

from awning.contract import SLOTS, Dialect, event_names
from awning.contract.asyncapi import asyncapi
from awning.contract.payload_types import payloads_page
from awning.script.imports import SLOT_FUNCTIONS
from awning.workspace.steps import example_of, read_step, steps_of
from awning.workspace.store import shipped_store
from awning_harness.checks.situation import ordinary_state
from awning_harness.dev.payload_fields import payload_fields
from awning_harness.explore.machine import ExploredPage
from awning_harness.gallery.state_events import state_events
from awning_harness.storefront import FixedSource, FixedWebsite, storefront_app
from awning_harness.visit.pages.address import page_address


async def page_html(slot: str) -> str:
    address = page_address(shipped_store(), slot, None, "en", {})
    app = storefront_app(FixedSource(site=FixedWebsite(languages=("en",))))
    transport = httpx.ASGITransport(app=app)
    async with httpx.AsyncClient(transport=transport, base_url="http://shop.example") as client:
        return (await client.get(f"/1/{address.path}")).text


def look(slot: str, step: str) -> dict[str, object]:
    dialect, described = Dialect(), SLOTS[slot]
    events = state_events(ordinary_state(slot), "en", ("en",), dialect)
    return {
        "events": event_names(dialect),
        "function": described.function in SLOT_FUNCTIONS,
        "channel": slot in asyncapi()["channels"],
        "payloads page": [line for line in payloads_page().splitlines() if f"`{slot}`" in line],
        "inspector": described.event(dialect) in payload_fields(dialect)["events"],
        "gallery": [events.event, list(events.params)],
        "shop": asyncio.run(page_html(slot)),
        "step": read_step(example_of(step)).verb,
        "steps of the cart": [known.verb for known in steps_of("cart")],
        "explored": hasattr(ExploredPage, step.replace("-", "_")),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(look(*sys.argv[1:])))
