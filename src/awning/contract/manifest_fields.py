"""The fields of an app manifest, as data (Apps Integration API, App manifest).

The rules are one table so that `manifest check`, the workspace and the simulated portal read the same one;
each brings its own code to it.
"""

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What a manifest field may hold."""

    CONSTANT = "constant"
    """Exactly `allowed[0]`."""
    CHOICE = "choice"
    """One of `allowed`."""
    TEXT = "text"
    TEXTS = "texts"
    """A string or a languages object."""
    EMAIL = "email"
    EMAILS = "emails"
    """An e-mail address or a languages object of them."""
    URL = "url"
    URLS = "urls"
    """A URL or a languages object of them."""
    IMAGE = "image"
    """URL of a square image of at least 80 x 80 pixels."""
    VERSION = "version"
    """`x.x.x`."""
    HTML = "html"
    PERMISSIONS = "permissions"
    """The list `["FULL"]`."""
    OBJECT = "object"
    """`app_vendor`: its fields are rows of their own, with a dotted name."""
    SECRET = "secret"  # noqa: S105 - a kind of field, not a secret


@dataclass(frozen=True, slots=True, kw_only=True)
class ManifestField:
    """One row of the table. `name` is dotted inside `app_vendor`."""

    name: str
    kind: Kind
    mandatory: bool = True
    allowed: tuple[str, ...] = ()


ICON_MINIMUM_PX = 80

MANIFEST_FIELDS: tuple[ManifestField, ...] = (
    ManifestField(name="app_type", kind=Kind.CONSTANT, allowed=("APP",)),
    ManifestField(name="app_title", kind=Kind.TEXT),
    ManifestField(name="app_icon", kind=Kind.IMAGE),
    ManifestField(name="app_version", kind=Kind.VERSION),
    ManifestField(name="app_display_title", kind=Kind.TEXTS, mandatory=False),
    ManifestField(name="app_description_short", kind=Kind.TEXTS),
    ManifestField(name="app_description_full", kind=Kind.TEXTS),
    ManifestField(name="app_screenshots", kind=Kind.URLS, mandatory=False),
    ManifestField(name="app_vendor", kind=Kind.OBJECT),
    ManifestField(name="app_vendor.company_name", kind=Kind.TEXT),
    ManifestField(name="app_vendor.support_email", kind=Kind.EMAILS),
    ManifestField(name="app_vendor.support_phone", kind=Kind.TEXTS),
    ManifestField(name="app_vendor.developer_email", kind=Kind.EMAIL),
    ManifestField(name="app_vendor.company_url", kind=Kind.URLS),
    ManifestField(name="app_vendor.support_url", kind=Kind.URLS),
    ManifestField(name="app_vendor.privacy_url", kind=Kind.URLS),
    ManifestField(name="app_vendor.tos_url", kind=Kind.URLS),
    ManifestField(name="app_permissions", kind=Kind.PERMISSIONS, allowed=("FULL",)),
    ManifestField(name="app_tab_mode", kind=Kind.CHOICE, allowed=("blank", "self")),
    ManifestField(name="app_install_url", kind=Kind.URL),
    ManifestField(name="app_settings_url", kind=Kind.URL),
    ManifestField(name="app_default_snippet", kind=Kind.HTML, mandatory=False),
    ManifestField(name="app_default_head_snippet", kind=Kind.HTML, mandatory=False),
    ManifestField(name="app_default_snippet_source_url", kind=Kind.URL, mandatory=False),
    ManifestField(name="app_default_head_snippet_source_url", kind=Kind.URL, mandatory=False),
    ManifestField(name="app_secret", kind=Kind.SECRET),
)
