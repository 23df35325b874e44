"""Reads the app data of instances. Writes nothing."""

import json
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Self

from awning.client import AppDataTooDeep, Calling, Flow, Secret, apps, call, decode_app_data, encode_app_data
from awning.errors import ConfigurationError, Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class AppData:
    """The stored app data: `raw` as the service returned them, and `values` decoded (`app_data_of`).

    `is_deep` is whether they nest too deeply, so that `values` are a text.
    """

    raw: Any
    values: Any
    is_deep: bool = False

    @classmethod
    def of(cls, raw: Any) -> Self:
        """Decode what the service returned. Data that nest too deeply stay a text, which fits no schema."""
        try:
            return cls(raw=raw, values=decode_app_data(raw))
        except AppDataTooDeep as error:
            return cls(raw=raw, values=raw if isinstance(raw, str) else error.message, is_deep=True)

    @property
    def text(self) -> str | None:
        """The text with which the same data can be stored again; None when nothing is stored."""
        return None if self.raw is None else text_of(self.raw)


def text_of(values: Any) -> str:
    """Return app data as one text: equal for equal data. A string stays as it is, if it has a UTF-8 form."""
    try:
        if isinstance(values, str):
            values.encode()
            return values
        return encode_app_data(values)
    except (ConfigurationError, UnicodeEncodeError):
        return json.dumps(values, sort_keys=True)


def app_data_of(code: Secret, calling: Calling) -> Flow[Any]:
    """Return the stored app data of an instance, decoded; {} when nothing is stored (`read_app_data`)."""
    return (yield from read_app_data(code, calling)).values


def read_app_data(code: Secret, calling: Calling) -> Flow[AppData]:
    """Return the stored app data of an instance; {} when nothing is stored (assumed to give HTTP 404).

    With a base URL that lacks its version, every call gives HTTP 404. So this is then an error.
    Null, an empty text and an empty list also count as nothing. Data that are not JSON text, or are nested too deeply
    to decode, are returned in their stored form, which fits no schema. Raises ServiceError when the call fails.
    """
    try:
        return AppData.of((yield from call(apps.get_data(code), calling)))
    except Refused as problem:
        if problem.status != HTTPStatus.NOT_FOUND or not calling.access.versioned:
            raise
        return AppData(raw=None, values={})
