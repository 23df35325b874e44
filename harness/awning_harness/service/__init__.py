"""The simulated service: Apps API, Reseller API, control, portal, and the source of the storefront's snippets.

It shares no code with the client, because it would then share the client's bugs. Apart from its command, it imports
only the contract, the diagnostics and the errors of awning.

In process:

    service = Service(state: Path | None = None, *, assumptions: str | None = None, settled: Mapping[str, str] = {},
                      dialect: Dialect | None = None)
    Service.of_profile(profile, state: Path | None = None, *, assumptions: str | None = None) -> Service
    service.create_website(*, languages=("lv", "en", "de"), brandname=None, owner_email="owner@example.com",
                           owner_email_confirmed=True) -> Website            # .id .languages .brandname
    service.website(website_id) -> Website | None
    service.websites() -> tuple[Website, ...]
    service.website_url(website_id) -> str
    service.register_app(manifest: Mapping, *, approved=True) -> (app_id: int, api_key: str)
    service.app(app_id) -> App; service.apps() -> tuple[App, ...]
    service.resubmit_app(app_id, manifest) -> None; service.submit_version(app_id, manifest) -> None
    service.approve_app(app_id, *, approved=True) -> None
    service.set_default_snippets(app_id, *, head="", body="") -> None        # shown at once
    service.install(app_id, website_id, *, state="installed") -> authCode: str
    service.instance(auth_code) -> Instance                                  # .id .app_id .website_id .state
    service.set_snippet(auth_code, snippet: str | None, *, language=None, place="body") -> None
    service.snippet(auth_code, *, language=None, place="body") -> str | None # as it was set; None if none is set
    service.set_data(auth_code, data) -> None
    service.page_snippets(website_id, language) -> tuple[PageSnippets, ...]  # .app_id .app_title .head .body
    service.filled(auth_code, snippet, language) -> str                      # with its placeholders replaced
    service.requests() -> tuple[LoggedRequest, ...]
    service.clock            .now() .set(datetime, frozen=False) .advance(timedelta) .release()
    service.assumptions      ["unset-snippet"] .set(id, value) .take_set(name) .listing()
    service.faults           .put([{"fault": "status", "status": 503, "share": 0.5, "seed": 1}], routes) .listing()
    service.resellers        .create(email=..., password=..., websites=0) .change(id, ...) .sites(id) .spend(...)
    service.reset(); service.close()

Over HTTP, on loopback, in a thread of its own:

    with serve(service: Service | None = None, *, port: int = 0, tls: Tls | None = None) as running:
        running.service; running.apps_url; running.reseller_url; running.portal_url; running.control_url
        running.storefront_url; with TLS also running.reseller_http_url; running.storefront_http_url; running.ca_file

`port` is the Apps API's; the other addresses have the ports after it, if these are free. With 0, all ports are free
ones. The addresses have no final slash. A `Service` is a `SnippetSource` of `awning_harness.storefront`.
"""

from awning_harness.service.addresses import Addresses
from awning_harness.service.log import LoggedRequest
from awning_harness.service.server import Running, serve
from awning_harness.service.service import Service
from awning_harness.service.snippets import PageSnippets
from awning_harness.service.store.instances import Instance
from awning_harness.service.store.websites import Website

__all__ = [
    "Addresses",
    "Instance",
    "LoggedRequest",
    "PageSnippets",
    "Running",
    "Service",
    "Website",
    "serve",
]
