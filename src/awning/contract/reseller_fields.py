"""The records of the Reseller API, with the type of each field (Reseller API, Resources and their fields).

Names, types and order are the specification's. Fields that were only observed at deployments are in separate tables. So
are the settings that may be changed, which the specification does not list.
"""

from dataclasses import dataclass
from typing import Literal

ResellerFieldType = Literal["string", "integer", "boolean", "datetime", "url", "money"]
"""The type of a field's value. In JSON, datetime, url and money are strings of a certain form."""

DATETIME_FORMAT = "%Y-%m-%d %H:%M:%S"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResellerField:
    name: str
    kind: ResellerFieldType = "string"
    nullable: bool = False


def _fields(**kinds: ResellerFieldType) -> tuple[ResellerField, ...]:
    return tuple(ResellerField(name=name, kind=kind) for name, kind in kinds.items())


WEBSITE_FIELDS: tuple[ResellerField, ...] = (
    *_fields(
        userName="string",
        userEmail="string",
        userCountry="string",
        userCreated="datetime",
        userIsConfirmed="boolean",
        userIsUnsubscribed="boolean",
        websiteID="integer",
        websiteBrandname="string",
        websiteAlias="string",
        websiteUrl="url",
        websiteType="integer",
        websiteCreated="datetime",
        websiteModified="datetime",
    ),
    ResellerField(name="websiteAccessed", kind="datetime", nullable=True),
    *_fields(
        websiteStatus="integer",
        websiteIsPremium="boolean",
        websiteIsPremiumPlus="boolean",
        websiteIsPremiumPro="boolean",
        aiMonthlyLimit="integer",
        aiSpentThisMonth="integer",
        aiExtraCredits="integer",
    ),
    ResellerField(name="aiExtraCreditsValidUntil", kind="datetime", nullable=True),
)

DOMAIN_FIELDS = _fields(domainID="integer", domain="string")

SETTINGS_FIELDS: tuple[ResellerField, ...] = _fields(
    resellerID="integer",
    company="string",
    contactName="string",
    contactWebsite="string",
    contactEmail="string",
    contactPhone="string",
    addrAddress="string",
    addrCity="string",
    addrRegion="string",
    addrPostal="string",
    addrCountry="string",
    supportEmail="string",
    supportPhone="string",
    buyLink="url",
    logoLink="url",
    faviconLink="url",
    notifyLink="url",
    termsLink="url",
    privacyLink="url",
    tlds="string",
    type="integer",
    aiDefaultLimit="integer",
)

OBSERVED_SETTINGS_FIELDS = _fields(domain="string", brand="string", website="string", supportWebsite="string")
"""Settings that public deployments send, but that the specification does not list.

`domain` is "" when a website has no domain.
"""

BALANCE_FIELDS = _fields(
    premiumWebsites="integer",
    currentBalance="money",
    billingThreshold="money",
    aiCreditsThisMonth="integer",
    aiCostThisMonth="money",
)

SIGNUP_FEE_FIELD = "signupFeeLink"
"""A field of the balance that is present only while the signup fee is unpaid (observed)."""

OBSERVED_SETTABLE = (
    "contactName",
    "contactEmail",
    "contactPhone",
    "addrAddress",
    "addrCity",
    "addrRegion",
    "addrPostal",
    "supportEmail",
    "supportPhone",
    "supportWebsite",
    "brand",
    "website",
    "logoLink",
    "faviconLink",
    "buyLink",
    "tlds",
    "notifyLink",
    "termsLink",
    "privacyLink",
)
"""Settings that settings/set can change (observed). The specification says only: `only allowed ones are changed`."""

ASSUMED_SETTABLE = {
    "contactWebsite": "settings-contact-website",
    "aiDefaultLimit": "settings-ai-default-limit",
}
"""Further settings that settings/set is assumed to change, with the id of the assumption."""

READ_ONLY_SETTINGS = ("company", "addrCountry", "domain", "resellerID", "type")
