"""The fields of an app manifest, as data (Apps Integration API, App manifest).

`manifest check`, the workspace and the simulated portal read this one table.
"""

from dataclasses import dataclass
from enum import StrEnum


class ManifestFieldKind(StrEnum):
    """What kind of value a manifest field has."""

    CONSTANT = "constant"
    """Exactly the value `allowed[0]`."""
    CHOICE = "choice"
    """One of `allowed`."""
    TEXT = "text"
    TEXTS = "texts"
    """A string, or a languages object, which maps language codes to strings."""
    EMAIL = "email"
    EMAILS = "emails"
    """An e-mail address, or a languages object of e-mail addresses."""
    URL = "url"
    URLS = "urls"
    """A URL, or a languages object of URLs."""
    IMAGE = "image"
    """The URL of a square image of at least 80 x 80 pixels."""
    VERSION = "version"
    """A version of the form `x.x.x`."""
    HTML = "html"
    PERMISSIONS = "permissions"
    """The list `["FULL"]`."""
    OBJECT = "object"
    """`app_vendor`. Its fields are rows of their own, with a dotted name."""
    SECRET = "secret"  # noqa: S105 - a kind of field, not a secret


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestField:
    """One field of the manifest. Inside `app_vendor`, `name` is dotted: `app_vendor.name`."""

    name: str
    kind: ManifestFieldKind
    mandatory: bool = True
    allowed: tuple[str, ...] = ()


ICON_MINIMUM_PX = 80

MANIFEST_FIELDS: tuple[ManifestField, ...] = (
    ManifestField(name="app_type", kind=ManifestFieldKind.CONSTANT, allowed=("APP",)),
    ManifestField(name="app_title", kind=ManifestFieldKind.TEXT),
    ManifestField(name="app_icon", kind=ManifestFieldKind.IMAGE),
    ManifestField(name="app_version", kind=ManifestFieldKind.VERSION),
    ManifestField(name="app_display_title", kind=ManifestFieldKind.TEXTS, mandatory=False),
    ManifestField(name="app_description_short", kind=ManifestFieldKind.TEXTS),
    ManifestField(name="app_description_full", kind=ManifestFieldKind.TEXTS),
    ManifestField(name="app_screenshots", kind=ManifestFieldKind.URLS, mandatory=False),
    ManifestField(name="app_vendor", kind=ManifestFieldKind.OBJECT),
    ManifestField(name="app_vendor.company_name", kind=ManifestFieldKind.TEXT),
    ManifestField(name="app_vendor.support_email", kind=ManifestFieldKind.EMAILS),
    ManifestField(name="app_vendor.support_phone", kind=ManifestFieldKind.TEXTS),
    ManifestField(name="app_vendor.developer_email", kind=ManifestFieldKind.EMAIL),
    ManifestField(name="app_vendor.company_url", kind=ManifestFieldKind.URLS),
    ManifestField(name="app_vendor.support_url", kind=ManifestFieldKind.URLS),
    ManifestField(name="app_vendor.privacy_url", kind=ManifestFieldKind.URLS),
    ManifestField(name="app_vendor.tos_url", kind=ManifestFieldKind.URLS),
    ManifestField(name="app_permissions", kind=ManifestFieldKind.PERMISSIONS, allowed=("FULL",)),
    ManifestField(name="app_tab_mode", kind=ManifestFieldKind.CHOICE, allowed=("blank", "self")),
    ManifestField(name="app_install_url", kind=ManifestFieldKind.URL),
    ManifestField(name="app_settings_url", kind=ManifestFieldKind.URL),
    ManifestField(name="app_default_snippet", kind=ManifestFieldKind.HTML, mandatory=False),
    ManifestField(name="app_default_head_snippet", kind=ManifestFieldKind.HTML, mandatory=False),
    ManifestField(name="app_default_snippet_source_url", kind=ManifestFieldKind.URL, mandatory=False),
    ManifestField(name="app_default_head_snippet_source_url", kind=ManifestFieldKind.URL, mandatory=False),
    ManifestField(name="app_secret", kind=ManifestFieldKind.SECRET),
)
