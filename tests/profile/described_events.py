"""check(event, payload): whether a delivery is as the AsyncAPI document of the events says.

A module on pytest's path, like `volumes`: tests of several rooms hold deliveries to it.
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

    Raises a ValidationError.
    """
    Draft202012Validator(_SCHEMAS[event], registry=_REGISTRY).validate(payload)
