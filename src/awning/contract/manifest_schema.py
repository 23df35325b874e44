"""A JSON Schema of manifest.toml for editors, from the table of its fields.

It accepts every manifest without a secret that `check_manifest` accepts, and more: a schema cannot measure an icon or
parse a URL.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from awning.contract.languages import LANGUAGE_CODE
from awning.contract.manifest_fields import MANIFEST_FIELDS, ManifestField, ManifestFieldKind

Json = dict[str, Any]

_TEXT: Json = {"type": "string", "minLength": 1}
_EMAIL: Json = {"type": "string", "pattern": "^[^@\\s]+@[^@\\s]+$"}
_URL: Json = {"type": "string", "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://"}
_VERSION: Json = {"type": "string", "pattern": "^[0-9]+\\.[0-9]+\\.[0-9]+$"}


def _or_by_language(schema: Json) -> Json:
    """Return the schema of a value that fits `schema`, or of an object with such a value for each language."""
    languages = {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": f"^{LANGUAGE_CODE.pattern}$"},
        "additionalProperties": schema,
    }
    return {"anyOf": [schema, languages]}


_KINDS: Mapping[ManifestFieldKind, Json] = MappingProxyType(
    {
        ManifestFieldKind.TEXT: _TEXT,
        ManifestFieldKind.TEXTS: _or_by_language(_TEXT),
        ManifestFieldKind.HTML: {"type": "string"},
        ManifestFieldKind.EMAIL: _EMAIL,
        ManifestFieldKind.EMAILS: _or_by_language(_EMAIL),
        ManifestFieldKind.URL: _URL,
        ManifestFieldKind.URLS: _or_by_language(_URL),
        ManifestFieldKind.IMAGE: {
            **_TEXT,
            "description": "https address of a square image of at least 80 x 80 px",
        },
        ManifestFieldKind.VERSION: _VERSION,
    }
)


def manifest_schema() -> Json:
    """Return the schema of manifest.toml. It does not allow the secret."""
    return _object("")


def _object(prefix: str) -> Json:
    """Return the schema of the fields whose names are `prefix` followed by one more word."""
    fields = [
        f for f in MANIFEST_FIELDS if f.name.startswith(prefix) and "." not in f.name.removeprefix(prefix)
    ]
    return {
        "type": "object",
        "required": [
            f.name.removeprefix(prefix)
            for f in fields
            if f.mandatory and f.kind is not ManifestFieldKind.SECRET
        ],
        "properties": {f.name.removeprefix(prefix): _value(f) for f in fields},
    }


def _value(field: ManifestField) -> Any:
    match field.kind:
        case ManifestFieldKind.CONSTANT | ManifestFieldKind.CHOICE:
            return {"enum": list(field.allowed)}
        case ManifestFieldKind.PERMISSIONS:
            return {"const": list(field.allowed)}
        case ManifestFieldKind.OBJECT:
            return _object(f"{field.name}.")
        case ManifestFieldKind.SECRET:
            return False
        case kind:
            return dict(_KINDS[kind])
