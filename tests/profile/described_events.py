"""`check(event, payload)` compares a delivery with the AsyncAPI document of the events.

The module is on pytest's path, because tests in several folders use it.
"""

import json
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from awning.contract.asyncapi import asyncapi

DOCUMENT = json.loads(json.dumps(asyncapi()).replace('"#/', '"urn:it#/'))
_REGISTRY: Registry[Any] = Registry().with_resource("urn:it", Resource.opaque(DOCUMENT))
_SCHEMAS = {
    channel["address"]: channel["messages"]["delivery"]["payload"]
    for channel in DOCUMENT["channels"].values()
}


def check(event: str, payload: dict[str, Any]) -> None:
    """Check that `payload` is as described. It has eventParam and, for an update, updatedItem.

    Raises jsonschema's ValidationError when it is not.
    """
    Draft202012Validator(_SCHEMAS[event], registry=_REGISTRY).validate(payload)
