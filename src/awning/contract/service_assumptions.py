"""Assumptions about the server side.

Each is a question, its possible answers, and the answer of each assumption set: `documented` adds nothing to the
specification's text, `observed` has the behaviour of public deployments and clients, and `hostile` has the answers that
are most likely to break a careless app. The simulated service follows the assumption set that is chosen.
`doctor --assumptions` and the portal list the assumptions.
"""

from awning.contract.assumption import ServiceAssumption
from awning.contract.reseller_assumptions import RESELLER_ASSUMPTIONS

__all__ = ["APPS_ASSUMPTIONS", "RESELLER_ASSUMPTIONS", "SERVICE_ASSUMPTIONS"]

_NOT_SHOWN = "Apps Integration API, Endpoints: the result of reading a snippet when none was set is not shown"

APPS_ASSUMPTIONS: tuple[ServiceAssumption, ...] = (
    ServiceAssumption(
        id="unset-snippet",
        question="What does get_snippet answer when no such snippet was set?",
        alternatives=(
            ("null", "200 with `snippet: null`"),
            ("empty", "200 with an empty string"),
            ("absent", "200 without the field"),
            ("not-found", "404 with an error body"),
        ),
        hostile="absent",
        source=_NOT_SHOWN,
    ),
    ServiceAssumption(
        id="language-fallback",
        question="Does `get_snippet/<language>/` answer with the website-wide snippet when the language has none?",
        alternatives=(("none", "no: it answers as if no snippet was set"), ("website", "yes")),
        hostile="website",
        source=_NOT_SHOWN,
    ),
    ServiceAssumption(
        id="unknown-language",
        question="What happens to a snippet for a language that the website does not use?",
        alternatives=(("accepted", "stored"), ("refused", "400")),
        hostile="refused",
        source="Apps Integration API, Code snippet: silent",
    ),
    ServiceAssumption(
        id="empty-snippet",
        question="What does setting an empty snippet mean?",
        alternatives=(
            ("overrides", "an empty snippet overrides the more general one"),
            ("clears", "the snippet is removed, and the more general one is shown again"),
        ),
        hostile="clears",
        source="Apps Integration API, Code snippet: no call removes a snippet",
    ),
    ServiceAssumption(
        id="null-snippet",
        question="What does `snippet: null` mean?",
        alternatives=(("refused", "400: a snippet is a string"), ("clears", "the snippet is removed")),
        source="Apps Integration API, Code snippet: string, required when setting",
    ),
    ServiceAssumption(
        id="snippet-storage",
        question="Is a snippet stored byte for byte?",
        alternatives=(
            ("verbatim", "yes"),
            ("trimmed", "white space at both ends is removed"),
            ("crlf", "line ends become CR LF"),
        ),
        hostile="trimmed",
        source="Apps Integration API, Code snippet: silent",
    ),
    ServiceAssumption(
        id="snippet-size",
        question="How long may a snippet be?",
        alternatives=(
            ("unlimited", "as long as the request may be (8 MiB)"),
            ("65535", "65535 bytes; longer snippets are refused with 400"),
            ("truncated", "65535 bytes; longer snippets are cut silently"),
        ),
        hostile="65535",
        source="Apps Integration API, Limits: size limits are not shown",
    ),
    ServiceAssumption(
        id="unset-data",
        question="What does get_data answer when nothing was set?",
        alternatives=(
            ("null", "200 with `data: null`"),
            ("empty", "200 with an empty string"),
            ("list", "200 with an empty list"),
            ("absent", "200 without the field"),
        ),
        hostile="list",
        source="Apps Integration API, App data: not shown",
    ),
    ServiceAssumption(
        id="data-form",
        question="Does get_data return an object as an object?",
        alternatives=(
            ("kept", "yes"),
            ("text", "as a string that holds its JSON"),
            ("php", "yes, but it returns an empty object as an empty list"),
        ),
        hostile="php",
        source='Apps Integration API, App data: structure not shown; `{"data":[]}` is observed',
    ),
    ServiceAssumption(
        id="data-list",
        question="Does set_data accept a list?",
        alternatives=(
            ("accepted", "yes: PHP apps write `[]` first"),
            ("refused", "400: data is a string or an object"),
        ),
        documented="refused",
        hostile="refused",
        source='Apps Integration API, Set data: string or object; `{"data":[]}` is observed',
    ),
    ServiceAssumption(
        id="data-insertion",
        question="In which form does app data replace {{svc_app_data}}?",
        alternatives=(
            ("raw", "a string as it is, anything else as JSON"),
            ("json", "always as JSON, so a string gets quotes"),
            ("html-escaped", "as raw, then HTML-escaped"),
        ),
        hostile="html-escaped",
        source="Apps Integration API, Code snippet: `replaced by the data stored with Set data`",
    ),
    ServiceAssumption(
        id="unset-data-insertion",
        question="What replaces {{svc_app_data}} when no data was set?",
        alternatives=(("empty", "nothing"), ("null", "null"), ("left", "the placeholder itself")),
        hostile="left",
        source="Apps Integration API, Code snippet: silent",
    ),
    ServiceAssumption(
        id="placeholder-order",
        question="Are placeholders inside inserted data replaced as well?",
        alternatives=(
            ("one-pass", "no: both are replaced in one pass"),
            ("data-first", "yes: the data first, then the language in the result"),
        ),
        hostile="data-first",
        source="Apps Integration API, Code snippet: silent",
    ),
    ServiceAssumption(
        id="unknown-placeholder",
        question="What happens to an undocumented placeholder with the service's prefix?",
        alternatives=(("left", "it stays"), ("emptied", "it is removed")),
        hostile="emptied",
        source="assumed",
    ),
    ServiceAssumption(
        id="version-placeholder",
        question="Is a placeholder of the front end's version, `{%%%...%%%}`, replaced?",
        alternatives=(
            ("replaced", "yes, by the version that signed requests carry"),
            ("left", "no: it stays"),
        ),
        documented="left",
        hostile="left",
        source="observed in some snippets; the text between the signs is not known",
    ),
    ServiceAssumption(
        id="default-cache",
        question="After how many seconds does a website show a changed default snippet?",
        alternatives=(("60", "a minute"), ("0", "at once"), ("3600", "an hour")),
        hostile="3600",
        seconds=True,
        source="Apps Integration API, Code snippet: `once that website's cache expires`",
    ),
    ServiceAssumption(
        id="installing-snippets",
        question="Do pages show an app that has not called `installed` yet?",
        alternatives=(("hidden", "no"), ("shown", "yes")),
        hostile="shown",
        source="Apps Integration API, States: `this call is required to finish installation`",
    ),
    ServiceAssumption(
        id="before-installed",
        question="Are calls accepted before `installed`?",
        alternatives=(("accepted", "yes"), ("refused", "403")),
        hostile="refused",
        source="Apps Integration API, States: silent",
    ),
    ServiceAssumption(
        id="second-installed",
        question="What does a second `installed` answer?",
        alternatives=(("accepted", "the same as the first"), ("refused", "409")),
        hostile="refused",
        source="Apps Integration API, States: silent",
    ),
    ServiceAssumption(
        id="after-delete",
        question="What does a call with the authCode of an uninstalled app answer?",
        alternatives=(("unauthorized", "401 Unauthorized"), ("gone", "410")),
        source="Apps Integration API, States: silent",
    ),
    ServiceAssumption(
        id="auth-code-case",
        question="In which case may the parameter authCode be written?",
        alternatives=(("any", "any"), ("exact", "authCode only")),
        documented="exact",
        hostile="exact",
        source="observed: `authcode` and `authCode` are both in use",
    ),
    ServiceAssumption(
        id="auth-code-twice",
        question="What does a call with two different authCodes answer?",
        alternatives=(("refused", "401 Unauthorized"), ("last", "the last one counts, as in PHP")),
        hostile="last",
        source="Apps Integration API, Server-side calls: silent",
    ),
    ServiceAssumption(
        id="auth-scheme-case",
        question="In which case may the scheme word `ApiKey` of the header Authorization be written?",
        alternatives=(("any", "any, as for every scheme of HTTP"), ("exact", "ApiKey only, else 401")),
        documented="exact",
        hostile="exact",
        source="Apps Integration API, Server-side calls: `the scheme word ApiKey`; RFC 9110, 11.1 ignores case",
    ),
    ServiceAssumption(
        id="unknown-body-keys",
        question="What happens to keys of a body that the operation does not have?",
        alternatives=(("ignored", "nothing: they are ignored"), ("refused", "400")),
        hostile="refused",
        source="Apps Integration API, Endpoints: silent",
    ),
    ServiceAssumption(
        id="null-language",
        question="What does `language: null` mean when a snippet is set?",
        alternatives=(
            ("website", "the snippet of the whole website"),
            ("refused", "400: a language is a string"),
        ),
        documented="refused",
        hostile="refused",
        source="observed in public clients; Apps Integration API, Code snippet: string, optional",
    ),
    ServiceAssumption(
        id="version-form",
        question="Which form has the front end's version, in signed requests and in its placeholder?",
        alternatives=(("2.701", "two numbers, such as 2.701"), ("1.0.0", "three numbers, such as 1.0.0")),
        hostile="1.0.0",
        source="observed: 2.701; Apps Integration API, Parameters: `version number`",
    ),
    ServiceAssumption(
        id="final-slash",
        question="Does the service accept a path without its final slash?",
        alternatives=(("optional", "yes"), ("required", "no: 404")),
        documented="required",
        hostile="required",
        source="Apps Integration API, Endpoints: every path ends in a slash",
    ),
    ServiceAssumption(
        id="error-code",
        question="Which error_code do errors other than Unauthorized have?",
        alternatives=(("status", "the HTTP status"), ("generic", "always 400"), ("zero", "0")),
        hostile="zero",
        source="Apps Integration API, Errors: the complete list of codes is not shown",
    ),
    ServiceAssumption(
        id="rate-limit",
        question="How many calls may an app make?",
        alternatives=(
            ("none", "any number"),
            ("store-api", "5 a second and 300 a minute, then HTTP 403"),
        ),
        hostile="store-api",
        source="Apps Integration API, Limits: not shown; the sister store API's limit is observed",
    ),
    ServiceAssumption(
        id="unapproved-version",
        question="Is a version of an app live while it waits for approval?",
        alternatives=(
            (
                "waits",
                (
                    "no: pages, installations and settings keep the version that was approved last; an app that "
                    "was never approved can be installed and called, but pages do not show it"
                ),
            ),
            ("live", "yes, as soon as it is submitted"),
        ),
        source="Apps Integration API, Obtaining access: `after approval it goes live`, also when re-submitted",
    ),
    ServiceAssumption(
        id="sample-manifests",
        question="Does the portal accept manifests like those of public sample apps?",
        alternatives=(
            ("refused", "no: app_version is x.x.x and app_type is APP"),
            (
                "accepted",
                "yes, with warnings: app_version such as 1.0, other values of app_type (not simulated)",
            ),
        ),
        source="Apps Integration API, App manifest: x.x.x and APP; sample apps carry others (observed)",
    ),
    ServiceAssumption(
        id="head-calls",
        question="Do set_head_snippet and get_head_snippet exist?",
        alternatives=(("absent", "no: 404"), ("present", "yes")),
        observed="present",
        source="observed in public clients",
    ),
    ServiceAssumption(
        id="app-info-call",
        question="Is there app_info?",
        alternatives=(("absent", "no: 404"), ("present", "yes")),
        observed="present",
        source="observed in public clients",
    ),
)

SERVICE_ASSUMPTIONS: tuple[ServiceAssumption, ...] = APPS_ASSUMPTIONS + RESELLER_ASSUMPTIONS
