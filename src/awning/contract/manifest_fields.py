"""The fields of an app manifest, as data (Apps Integration API, App manifest).

`manifest check`, the workspace, the schema for editors, a new workspace, the simulated portal and the reference read
this one table.
"""

from typing import Any

from awning.contract import manifest_kinds as kinds
from awning.contract.languages import LANGUAGE_CODE
from awning.contract.manifest_kinds import OBJECT, SECRET, Json, ManifestField

ICON_MINIMUM_PX = 80

MANIFEST_FIELDS: tuple[ManifestField, ...] = (
    ManifestField(
        name="app_type", kind=kinds.CONSTANT, about="The kind of the app.", allowed=("APP",), example="APP"
    ),
    ManifestField(
        name="app_title",
        kind=kinds.TEXT,
        about="The app's name, in every language.",
        needed=True,
        example="$title",
    ),
    ManifestField(
        name="app_icon",
        kind=kinds.IMAGE,
        about="The app's picture in the catalogue.",
        example="https://example.com/icon.png",
    ),
    ManifestField(
        name="app_version",
        kind=kinds.VERSION_NUMBER,
        about="A changed manifest or snippet needs a greater one.",
        needed=True,
        example="0.1.0",
    ),
    ManifestField(
        name="app_display_title",
        kind=kinds.TEXTS,
        about="The name that shops see; without it, app_title.",
        mandatory=False,
        example={"en": "$title", "lv": "$title"},
    ),
    ManifestField(
        name="app_description_short",
        kind=kinds.TEXTS,
        about="One sentence for the catalogue.",
        example={"en": "$title for online shops.", "lv": "$title interneta veikaliem."},
    ),
    ManifestField(
        name="app_description_full",
        kind=kinds.TEXTS,
        about="What the app does for a shop and its shoppers.",
        example={
            "en": "What $title does for a shop and its shoppers, in a few sentences.",
            "lv": "Ko $title dara veikala un pircēju labā, dažos teikumos.",
        },
    ),
    ManifestField(name="app_screenshots", kind=kinds.URLS, about="Pictures of the app.", mandatory=False),
    ManifestField(name="app_vendor", kind=kinds.OBJECT, about="Who makes the app."),
    ManifestField(
        name="app_vendor.company_name", kind=kinds.TEXT, about="The company's name.", example="Example"
    ),
    ManifestField(
        name="app_vendor.support_email",
        kind=kinds.EMAIL_ADDRESSES,
        about="Where shops get help.",
        example="support@example.com",
    ),
    ManifestField(
        name="app_vendor.support_phone",
        kind=kinds.TEXTS,
        about="Where shops get help.",
        example="+371 20000000",
    ),
    ManifestField(
        name="app_vendor.developer_email",
        kind=kinds.EMAIL_ADDRESS,
        about="Where the service reaches the developers.",
        example="developers@example.com",
    ),
    ManifestField(
        name="app_vendor.company_url",
        kind=kinds.URLS,
        about="The company's site.",
        example="https://example.com",
    ),
    ManifestField(
        name="app_vendor.support_url",
        kind=kinds.URLS,
        about="The page for shops that need help.",
        example="https://example.com/support",
    ),
    ManifestField(
        name="app_vendor.privacy_url",
        kind=kinds.URLS,
        about="The privacy policy.",
        example="https://example.com/privacy",
    ),
    ManifestField(
        name="app_vendor.tos_url",
        kind=kinds.URLS,
        about="The terms of service.",
        example="https://example.com/terms",
    ),
    ManifestField(
        name="app_permissions",
        kind=kinds.PERMISSIONS,
        about="What the app may do.",
        allowed=("FULL",),
        example=("FULL",),
    ),
    ManifestField(
        name="app_tab_mode",
        kind=kinds.CHOICE,
        about="Where the app opens: in a new tab, or in the same one.",
        allowed=("blank", "self"),
        example="self",
    ),
    ManifestField(
        name="app_install_url",
        kind=kinds.URL,
        about="Where an installation begins.",
        example="https://example.com/install",
    ),
    ManifestField(
        name="app_settings_url",
        kind=kinds.URL,
        about="Where the settings of an installation are.",
        example="https://example.com/settings",
    ),
    ManifestField(
        name="app_default_snippet", kind=kinds.HTML, about="The default body snippet.", mandatory=False
    ),
    ManifestField(
        name="app_default_head_snippet", kind=kinds.HTML, about="The default head snippet.", mandatory=False
    ),
    ManifestField(
        name="app_default_snippet_source_url",
        kind=kinds.URL,
        about="The service reads the default body snippet there, instead of the built one.",
        mandatory=False,
    ),
    ManifestField(
        name="app_default_head_snippet_source_url",
        kind=kinds.URL,
        about="The service reads the default head snippet there, instead of the built one.",
        mandatory=False,
    ),
    ManifestField(name="app_secret", kind=kinds.SECRET, about="Signs the requests to the app."),
)

[SECRET_FIELD] = (field.name for field in MANIFEST_FIELDS if field.kind is SECRET)
"""The field that no manifest in a file has."""

TABLES = tuple(field.name for field in MANIFEST_FIELDS if field.kind is kinds.OBJECT)
"""The fields that are tables with fields of their own."""


def example_manifest(title: str) -> dict[str, Any]:
    """Return the manifest that the examples of the fields make, for an app of this title. Texts by language are
    objects.
    """
    manifest: dict[str, Any] = {}
    for field in MANIFEST_FIELDS:
        holder, _, name = field.name.rpartition(".")
        within = manifest.setdefault(holder, {}) if holder else manifest
        match field.example:
            case str(text):
                within[name] = text.replace("$title", title)
            case tuple(values):
                within[name] = list(values)
            case dict(texts):
                within[name] = {code: text.replace("$title", title) for code, text in texts.items()}
    return manifest


def manifest_schema() -> Json:
    """Return the JSON Schema of manifest.toml for editors. It does not allow the secret.

    It accepts every manifest without a secret that `check_manifest` accepts, and more: a schema cannot measure an icon
    or parse a URL.
    """
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
