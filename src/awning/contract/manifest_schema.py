"""A JSON Schema of manifest.toml for editors, from the table of its fields.

It accepts every manifest without a secret that `check_manifest` accepts, and more: a schema cannot measure an icon or
parse a URL.
"""

from awning.contract.languages import LANGUAGE_CODE
from awning.contract.manifest_fields import MANIFEST_FIELDS
from awning.contract.manifest_kinds import OBJECT, SECRET, Json, ManifestField


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
        "required": [f.name.removeprefix(prefix) for f in fields if f.mandatory and f.kind is not SECRET],
        "properties": {f.name.removeprefix(prefix): _value(f) for f in fields},
    }


def _value(field: ManifestField) -> Json:
    is_table = field.kind is OBJECT
    schema = _object(f"{field.name}.") if is_table else field.kind.schema(field.allowed)
    if field.kind.by_language:
        schema = _or_by_language(schema)
    words = f" ({field.kind.words})" if field.kind.words else ""
    return {"description": field.about + words, **schema}


def _or_by_language(schema: Json) -> Json:
    """Return the schema of a value that fits `schema`, or of an object with such a value for each language."""
    languages = {
        "type": "object",
        "minProperties": 1,
        "propertyNames": {"pattern": f"^{LANGUAGE_CODE.pattern}$"},
        "additionalProperties": schema,
    }
    return {"anyOf": [schema, languages]}
