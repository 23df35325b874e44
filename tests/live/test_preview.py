"""`awning preview`: a page of another shop, with the local build in the place of the deployed snippets."""

import asyncio
import hashlib
import json
import os
import shutil
import socket
import time

import pytest
from live_shop import CHECKOUT, JQUERIES, Reply, product_page
from project import Project

from awning_harness.live.page_gate import is_same_site

pytestmark = pytest.mark.usefixtures("processes")

DATA = {"note": {"text": "Sent by the shop </b>"}}
SCHEMA = '{"type": "object", "properties": {"text": {"type": "string", "default": "nobody"}}}'


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path / "shop").add_widget(
        "note",
        widget_ts=(
            'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
            "export default afterPrice(({ t, data }) => view({ t, text: data.text }));\n"
        ),
        view_html_j2='<p class="text">{{ t("hello") }}: {{ text }}</p>\n',
        data_schema_json=SCHEMA,
    )


@pytest.fixture
def preview(awning):
    def call(address, *options, public=False):
        private = () if public else ("--allow-private",)
        return awning("preview", address, *private, "--json", *options)

    return call


@pytest.fixture(autouse=True)
def patient(monkeypatch):
    """A preview waits longer for what renders late, as on a busy machine."""
    monkeypatch.setattr("awning_harness.live.preview.RENDER_MS", 15_000)


@pytest.fixture
def brief(patient, monkeypatch):
    """A preview waits a second for what does not render."""
    monkeypatch.setattr("awning_harness.live.preview.RENDER_MS", 1000)


@pytest.fixture
def page_text(preview, monkeypatch):
    """Previews a page. Returns what is in it: the visible text, the HTML, and what the other app left."""
    seen = {}

    async def picture(self):
        seen.update(
            shown=await self.page.inner_text("body"),
            html=await self.page.content(),
            other=await self.page.evaluate("document.documentElement.dataset.other"),
        )
        return b""

    def call(address, *options):
        monkeypatch.setattr("awning_harness.live.preview.OpenPreview.picture", picture)
        result = preview(address, *options, "--screenshot", os.devnull)
        assert result.code == 0, result.out + result.err
        return seen

    return call


@pytest.fixture
def preview_until(preview, monkeypatch):
    """Previews a page that does something of its own, for which a preview does not wait, until it has done it."""

    def call(is_done, address, *options, public=False):
        async def picture(self):
            async with asyncio.timeout(20):
                while not is_done(self):  # noqa: ASYNC110 - no event tells it
                    await asyncio.sleep(0.01)
            return b""

        monkeypatch.setattr("awning_harness.live.preview.OpenPreview.picture", picture)
        return preview(address, *options, "--screenshot", os.devnull, public=public)

    return call


@pytest.fixture
def preview_until_asked(preview_until, shop):
    """Previews a page until it has asked the shop for something. Returns the result, and all that it has asked for."""

    def call(method, path, address, *options, public=False):
        before = len(shop.requests)

        def is_done(opened):
            return (method, path) in shop.requests[before:]

        result = preview_until(is_done, address, *options, public=public)
        return result, shop.requests[before:]

    return call


def deployed(project, message="Deployed"):
    """Return the body snippet of another release, with its placeholders filled as the service does."""
    file = project.root / "widgets/note/messages/en.toml"
    now = file.read_text()
    file.write_text(f'hello = "{message}"\n')
    project.build()
    file.write_text(now)
    snippet = (project.root / "dist/en/body.html").read_text()
    return snippet.replace("{{svc_app_data}}", json.dumps(DATA)).replace("{{svc_language}}", "en")


@pytest.mark.parametrize("message", ["Deployed", "Hello en"], ids=["another release", "the same release"])
def test_preview_replaces_the_deployed_snippet(shop, project, preview, tmp_path, message):
    address = shop.add("/product", product_page(body=deployed(project, message)))
    result = preview(address, "--screenshot", tmp_path / "page.png")
    assert result.code == 0, result.out + result.err
    document = result.json
    [widget] = document.pop("widgets")
    assert document == {
        "schema_version": 1,
        "url": address,
        "replaced": {"head": 0, "body": 1},
        "added": False,
        "violations": [],
        "errors": [],
    }
    assert (widget["name"], widget["rendered"]) == ("note", True)
    assert 0 < widget["ms"] < 60_000
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_preview_keeps_the_shop_and_other_apps(shop, project, preview, page_text):
    text = page_text(shop.add("/kept", product_page(body=deployed(project))))
    assert "Rated 4.8 of 5" in text["shown"]
    assert text["other"] == "runs"
    assert text["shown"].count("Hello en: Sent by the shop </b>") == 1
    assert "Deployed" not in text["html"]


def test_preview_adds_the_snippet_where_there_is_none(shop, project, preview):
    result = preview(shop.add("/none", product_page()))
    assert (result.code, result.json["added"], result.json["replaced"]) == (0, True, {"head": 0, "body": 0})


def test_preview_shows_the_widgets_of_a_cart_that_is_loaded_later(shop, project, page_text):
    project.add_widget("basket", slot="after-cart", messages_en_toml='hello = "In the cart"\n')
    text = page_text(shop.add_busy_page("/busy", CHECKOUT, deployed(project)))["shown"]
    for part in ("0 blankets", "In the cart", "Hello en", "Gift wrap for 2 euros", "Rated 4.8 of 5"):
        assert text.count(part) == 1, (part, text)


@pytest.mark.parametrize(
    ("version", "digest"),
    [
        ("2.2.4", "05b85d96f41fff14d8f608dad03ab71e2c1017c2da0914d7c59291bad7a54f8e"),
        ("3.7.1", "fc9a93dd241f6b045cbff0481cf4e1901becd0e12fb45166a8f17f95823f0b1a"),
    ],
)
def test_jquery_of_the_shop_is_as_it_was_published(version, digest):
    assert hashlib.sha256(JQUERIES[version].read_bytes()).hexdigest() == digest


def nonced(body):
    policy = "script-src 'nonce-abc123'; style-src 'nonce-abc123'"
    return Reply(product_page(body=body, nonce="abc123"), headers={"Content-Security-Policy": policy})


def with_etag(body):
    return Reply(product_page(body=body), headers={"ETag": '"1"', "Cache-Control": "no-cache"})


@pytest.mark.parametrize(
    "reply",
    [
        nonced,
        with_etag,
        lambda body: Reply(product_page(body=body), chunked=True, compressed=True),
        lambda body: Reply(
            product_page(body=body).replace("Wool", "Wölle").encode("cp1252"),
            headers={"Content-Type": "text/html; charset=windows-1252"},
        ),
    ],
    ids=["nonces", "etag", "chunked", "encoding"],
)
def test_preview_works_with_the_ways_of_servers(shop, project, preview, reply):
    result = preview(shop.add("/ways", reply(deployed(project))))
    assert (result.code, result.json["errors"]) == (0, [])
    assert result.json["replaced"]["body"] == 1


WORKER = """
addEventListener("install", (event) => event.waitUntil(
  caches.open("shop").then((cache) => cache.add("/worked")).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(
  caches.match(event.request).then((kept) => kept ?? fetch(event.request))));
"""
REGISTERS = """<script>
const ready = () => new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done });
navigator.serviceWorker.register("/worker.js").then((made) => made && ready()).then(() => {
  if (!sessionStorage.again) { sessionStorage.again = 1; location.reload() }
});
</script>"""


def test_preview_shows_the_build_on_a_page_that_a_service_worker_keeps(shop, project, page_text):
    shop.add("/worker.js", Reply(WORKER, headers={"Content-Type": "text/javascript"}))
    before = len(shop.requests)
    address = shop.add("/worked", product_page(body=deployed(project) + REGISTERS))
    text = page_text(address)
    assert shop.requests[before:].count(("GET", "/worked")) == 2  # it was loaded again
    assert text["shown"].count("Hello en: Sent by the shop </b>") == 1
    assert "Deployed" not in text["html"]


def test_preview_follows_a_redirect_of_the_site(shop, project, preview):
    target = shop.add("/target", product_page(body=deployed(project)))
    result = preview(shop.add("/redirect", Reply(status=302, headers={"Location": "/target"})))
    assert (result.code, result.json["url"], result.json["replaced"]["body"]) == (0, target, 1)


@pytest.mark.usefixtures("brief")
def test_preview_says_that_a_policy_refuses_the_snippet(shop, project, preview):
    policy = {"Content-Security-Policy": "script-src 'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='"}
    result = preview(shop.add("/policy", Reply(product_page(), headers=policy)))
    assert result.code == 1
    assert any("Content Security Policy" in error for error in result.json["errors"])


def test_preview_ignores_what_a_policy_refuses_of_others(shop, project, preview):
    body = "<script>document.body.append('not allowed')</script><p style='color: red'>"
    policy = {"Content-Security-Policy": "script-src 'nonce-abc123'; style-src 'nonce-abc123'"}
    page = product_page(nonce="abc123", body=body)
    result = preview(shop.add("/foreign-policy", Reply(page, headers=policy)))
    assert (result.code, result.json["errors"]) == (0, [])


def test_preview_counts_a_snippet_that_is_there_twice_once(shop, project, preview):
    result = preview(shop.add("/twice", product_page(body=deployed(project) * 2)))
    assert (result.code, result.json["replaced"]["body"]) == (0, 1)


def test_preview_uses_the_data_of_a_file(shop, project, page_text, tmp_path):
    data = tmp_path / "data.json"
    data.write_text('{"note": {"text": "of a file"}}')
    address = shop.add("/data", product_page(body=deployed(project)))
    assert "Hello en: of a file" in page_text(address, "--data", data)["shown"]


def test_preview_shows_the_snippets_of_a_language(shop, project, page_text):
    address = shop.add("/language", product_page(body=deployed(project)))
    assert "Hello lv" in page_text(address, "--language", "lv")["shown"]


@pytest.mark.usefixtures("brief")
def test_preview_reports_a_widget_that_does_not_render(shop, project, preview):
    project.add_file("widgets/note/view.html.j2", '{% if item.name == "" %}x{% endif %}\n')
    project.add_file(
        "widgets/note/widget.ts",
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ item }) => view({ item }));\n",
    )
    for language in ("en", "lv"):
        (project.root / f"widgets/note/messages/{language}.toml").unlink()
    (project.root / "widgets/note/data.schema.json").unlink()
    result = preview(shop.add("/nothing", product_page()))
    assert result.code == 1, result.out
    assert result.json["widgets"] == [{"name": "note", "rendered": False, "ms": None}]


@pytest.mark.usefixtures("brief")
def test_preview_reports_a_widget_that_throws(shop, project, preview):
    project.add_file(
        "widgets/note/widget.ts",
        'import { afterPrice } from "awning";\n'
        'export default afterPrice(({ item }) => { if (item.name) throw new Error("mine"); return ""; });\n',
    )
    result = preview(shop.add("/throws", product_page()))
    assert result.code == 1, result.out
    assert any(error.startswith("note") and "mine" in error for error in result.json["errors"])


@pytest.mark.usefixtures("brief")
def test_preview_names_the_slots_that_a_page_lacks(shop, project, preview):
    result = preview(shop.add("/cart", product_page(slot="after-cart")))
    assert (result.code, result.json["widgets"]) == (1, [])
    assert "no event of after-price" in result.json["errors"][0]


@pytest.mark.parametrize("stored", ['{"_awning": {"disabled": ["note"]}}', '{"note": {"enabled": false}}'])
def test_preview_leaves_out_stopped_widgets(shop, project, preview, tmp_path, stored):
    project.add_widget("other")
    (project.root / "pyproject.toml").write_text(
        '[tool.awning]\nlanguages = ["en", "lv"]\nkill_switch = true\n'
    )
    data = tmp_path / "data.json"
    data.write_text(stored)
    result = preview(shop.add("/stopped", product_page()), "--data", data)
    assert result.code == 0, result.out
    assert [widget["name"] for widget in result.json["widgets"]] == ["other"]


def test_preview_is_right_when_all_widgets_are_disabled(shop, project, preview, tmp_path):
    (project.root / "pyproject.toml").write_text(
        '[tool.awning]\nlanguages = ["en", "lv"]\nkill_switch = true\n'
    )
    data = tmp_path / "data.json"
    data.write_text('{"_awning": {"disabled": ["note"]}}')
    result = preview(shop.add("/all-disabled", product_page()), "--data", data)
    assert (result.code, result.json["widgets"], result.json["errors"]) == (0, [], [])


VERBATIM = '<script>svcPlugins.subscribeEvent("svc-content-after-price", (_, init) => init().setContent("x"))</script>'


@pytest.mark.parametrize(("slot", "code"), [("after-price", 0), ("after-cart", 1)])
def test_preview_of_a_verbatim_widget_needs_its_slot(shop, awning, project, request, slot, code):
    if code:
        request.getfixturevalue("brief")
    shutil.rmtree(project.root / "widgets/note")
    (project.root / "old.html").write_text(VERBATIM)
    added = awning("add", "widget", "old", "--from", project.root / "old.html", "--slot", "after-price")
    assert added.code == 0, added.out + added.err
    address = shop.add("/verbatim", product_page(slot=slot))
    result = awning("preview", address, "--allow-private", "--json")
    assert (result.code, result.json["widgets"]) == (code, []), result.out
    assert bool(result.json["errors"]) == bool(code)


def test_preview_prints_its_result_when_the_picture_cannot_be_written(shop, project, preview, tmp_path):
    result = preview(shop.add("/picture", product_page()), "--screenshot", tmp_path / "none" / "page.png")
    assert (result.code, result.json["widgets"][0]["rendered"]) == (1, True)
    assert "cannot write" in result.json["errors"][0]


def test_preview_shows_one_widget_alone(shop, project, preview):
    project.add_widget("other")
    result = preview(shop.add("/alone", product_page()), "--widget", "other")
    assert [widget["name"] for widget in result.json["widgets"]] == ["other"]


ORDERS = (
    "<script>addEventListener('load', () => document.forms[0].submit())</script>",
    "<script>fetch('/order', {{ method: 'POST' }}); navigator.sendBeacon('/order')</script>",
)


def post_elsewhere(shop):
    """Return elements whose own processes or threads post an order: a frame of another site, a worker, a tab."""
    other = shop.url.replace("127.0.0.1", "localhost")
    shop.add("/frame", "<script>fetch('/order', {method: 'POST'}); document.write('posted')</script>")
    worker = f"fetch('{shop.url}/order', {{method: 'POST', mode: 'no-cors'}})"
    return (
        f"<iframe src='{other}/frame'></iframe>"
        f"<script>new Worker(URL.createObjectURL(new Blob([`{worker}`])));"
        f"try {{ new SharedWorker(URL.createObjectURL(new Blob([`{worker}`]))) }} catch {{}};"
        "open('/frame')</script>"
    )


@pytest.mark.usefixtures("brief")
def test_preview_submits_no_order_from_frames_workers_and_tabs(shop, project, preview_until):
    shop.add("/order", "<p>Thank you")
    address = shop.add("/elsewhere", product_page(body=post_elsewhere(shop)))
    before = len(shop.requests)
    result = preview_until(lambda _: ("GET", "/frame") in shop.requests[before:], address)
    assert ("POST", "/order") not in shop.requests[before:], shop.requests[before:]
    assert shop.requests[before:].count(("GET", "/frame")) == 1  # of the frame, not of the tab
    assert result.code == 0


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("script", ORDERS)
@pytest.mark.parametrize("allowed", [False, True])
def test_preview_submits_no_order_unless_allowed(shop, project, preview_until, script, allowed):
    shop.add("/order", "<p>Thank you")
    address = shop.add("/orders", product_page(body=script.replace("{{", "{").replace("}}", "}")))
    before = len(shop.requests)

    def is_done(opened):
        refused = any("could submit an order" in note for note in opened.gate._notes)
        return refused or ("POST", "/order") in shop.requests[before:]

    result = preview_until(is_done, address, *(["--allow-submit"] if allowed else []))
    assert (("POST", "/order") in shop.requests[before:]) == allowed
    assert ("could submit an order" in result.err) != allowed
    assert allowed or (result.code, result.json["url"]) == (0, address)  # the page stays


def test_preview_answers_no_preflight_itself(shop, project, preview_until_asked):
    other = shop.url.replace("127.0.0.1", "localhost")
    ask = f"fetch('{other}/api', {{headers: {{'x-own': '1'}}}}).catch(() => fetch('/refused'))"
    page = shop.add("/preflight", product_page(body=f"<script>{ask}</script>"))
    _, asked = preview_until_asked("GET", "/refused", page)
    assert ("OPTIONS", "/api") in asked
    assert ("GET", "/api") not in asked


HOSTS = {"shop.test": ["127.0.0.1"], "other.test": ["127.0.0.1"], "secret.test": ["10.0.0.1"]}


@pytest.fixture
def named_hosts(monkeypatch):
    """The shop is at the public name shop.test; secret.test is in a private network. Any other name has no address."""

    async def resolve(host, port):
        if host not in HOSTS:
            raise OSError(0, "it has no address")
        return HOSTS[host]

    monkeypatch.setattr("awning_harness.live.public_proxy.check_host", lambda host, *, allow_loopback: None)
    monkeypatch.setattr("awning_harness.live.public_proxy.resolve", resolve)
    monkeypatch.setattr(
        "awning_harness.live.public_proxy.is_allowed",
        lambda address, *, allow_loopback: not address.startswith("10."),
    )

    def named(address, name="shop.test"):
        return address.replace("127.0.0.1", name)

    return named


PRIVATE = {
    "fetch": "<script>fetch('{secret}/x', {{mode: 'no-cors'}})</script>",
    "redirect-in-a-frame": "<iframe src='{other}/leads-inside/redirect-in-a-frame'></iframe>",
    "redirect-in-a-worker": "<script>new Worker(URL.createObjectURL(new Blob(["
    "`fetch('{other}/leads-inside/redirect-in-a-worker', {{mode: 'no-cors'}})`])))</script>",
    "shared-worker": "<script>new SharedWorker(URL.createObjectURL(new Blob(["
    "`fetch('{secret}/x', {{mode: 'no-cors'}})`])))</script>",
    "socket": "<script>new WebSocket('{secret}/x'.replace('http', 'ws'))</script>",
    "socket-in-a-worker": "<script>new Worker(URL.createObjectURL(new Blob(["
    "`new WebSocket('{secret}/x'.replace('http', 'ws'))`])))</script>",
}


def test_preview_refuses_private_addresses_that_a_page_asks(
    shop, project, preview_until, named_hosts, monkeypatch
):
    """The page asks a host of its own in each way."""
    other, body = named_hosts(shop.url, "other.test"), ""
    hosts = {kind: f"{kind}.test" for kind in PRIVATE}
    for kind, host in hosts.items():
        monkeypatch.setitem(HOSTS, host, ["10.0.0.1"])
        secret = named_hosts(shop.url, host)
        shop.add(f"/leads-inside/{kind}", Reply(status=302, headers={"Location": f"{secret}/x"}))
        body += PRIVATE[kind].format(secret=secret, other=other)
    page = named_hosts(shop.add("/asks", product_page(body=body)))
    result = preview_until(
        lambda opened: set(hosts.values()) <= opened.foreign.proxy.reasons.keys(), page, public=True
    )
    assert result.code == 0, result.out
    refused = {host: f"refused {host}: its address is not public" in result.err for host in hosts.values()}
    assert refused == dict.fromkeys(hosts.values(), True)


def test_preview_connects_a_socket_to_a_public_address(shop, project, preview_until_asked, named_hosts):
    body = "<script>new WebSocket('ws' + location.origin.slice(4) + '/socket')</script>"
    page = named_hosts(shop.add("/sockets", product_page(body=body)))
    _, asked = preview_until_asked("GET", "/socket", page, public=True)
    assert ("GET", "/socket") in asked


@pytest.mark.parametrize(
    ("location", "says"),
    [
        ("http://inside.shop.test/", "cannot open inside.shop.test: it has no address"),
        ("http://secret.test/", "leads to another site, secret.test"),
        ("http://secret.shop.test/", "cannot open secret.shop.test: its address is not public"),
    ],
)
def test_preview_says_why_a_page_cannot_be_opened(
    shop, project, preview, named_hosts, monkeypatch, location, says
):
    monkeypatch.setitem(HOSTS, "secret.shop.test", ["10.0.0.1"])
    page = shop.add("/moved", Reply(status=302, headers={"Location": location}))
    result = preview(named_hosts(page), public=True)
    assert result.code == 1
    assert says in result.json["errors"][0]


def test_preview_keeps_webrtc_from_private_addresses(shop, project, preview):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stun:
        stun.bind(("127.0.0.1", 0))
        stun.setblocking(False)
        ask = (
            f"const peer = new RTCPeerConnection({{iceServers: [{{urls: 'stun:127.0.0.1:{stun.getsockname()[1]}'}}]}});"
            "peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer))"
        )
        assert preview(shop.add("/peers", product_page(body=f"<script>{ask}</script>"))).code == 0
        with pytest.raises(BlockingIOError):
            stun.recv(2000)


HOSTILE = {
    "reloads": ("<script>location.reload()</script>", "again and again"),
    "reloads later": (
        "<script>setInterval(() => location.replace('?' + Math.random()), 20)</script>",
        "again and again",
    ),
    "leaves": (
        "<script>location = 'http://elsewhere.invalid/'</script>",
        "leads to another site, elsewhere.invalid",
    ),
    "is led away by its frame": (
        "<iframe src='/breaks-out'></iframe>",
        "no event of the page reached the widgets",
    ),
    "is large": ("<!--" + "x" * 50_000_000 + "-->", "more than 16 MB"),
    "is an error": (Reply(product_page(), status=503), "HTTP 503"),
    "redirects without end": (Reply(status=302, headers={"Location": "?"}), "TOO_MANY_REDIRECTS"),
    "is a download": (Reply("x", headers={"Content-Disposition": "attachment"}), ""),
    "is no page": (Reply('{"a": 1}', headers={"Content-Type": "application/json"}), "no HTML page"),
}


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("kind", HOSTILE)
def test_preview_of_a_hostile_page_ends_in_a_message(shop, project, preview, kind):
    page, says = HOSTILE[kind]
    shop.add("/breaks-out", "<script>if (top !== self) top.location = self.location</script>")
    result = preview(shop.add("/hostile", page if isinstance(page, Reply) else product_page(body=page)))
    assert result.code == 1
    assert any(says in error for error in result.json["errors"]), result.out


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("is_read", [True, False], ids=["once-it-is-read", "before-it-is-read"])
def test_preview_of_a_page_that_ends_its_own_loads_says_so(shop, project, preview, monkeypatch, is_read):
    """As on a slow machine: the page has asked for itself again before the response comes, or before it is read."""
    monkeypatch.setattr("awning_harness.live.preview.LOAD_MS", 3000)
    body, _ = HOSTILE["reloads later"]
    replies = iter([0])

    def reply():
        time.sleep(next(replies, 1))
        return Reply(product_page(body=body + ("" if is_read else "<script src='/late.js'></script>")))

    def late():
        time.sleep(0.3)
        return Reply("", headers={"Content-Type": "text/javascript"})

    shop.add("/late.js", late)
    result = preview(shop.add("/hostile", reply))
    assert result.code == 1
    assert any("again and again" in error for error in result.json["errors"]), result.out


@pytest.mark.parametrize(
    "script",
    [
        "<script>if (top == self) alert('framed'); confirm('?'); print()</script>",
        "<script>window.fetch = window.setTimeout = () => { throw Error('no') }; JSON.stringify = () => '{}'</script>",
        "<script>window.open('/elsewhere')</script>",
        "<script>performance.now = () => NaN; Array.prototype.includes = () => true</script>",
        "</div></section></p><table><tr><script>1 <</script",
        "<svg><style><!--</style><p id=x<b>",
    ],
)
def test_preview_shows_the_widget_on_a_page_that_fights_it(shop, project, preview, script):
    page = product_page().replace("<main>", f"{script}<main>", 1) if script.startswith("<script") else None
    result = preview(shop.add("/fights", page or product_page().replace("</body>\n</html>", script)))
    assert result.code == 0, result.out + result.err


def test_preview_of_a_page_whose_script_never_ends_says_so(shop, project, preview, monkeypatch):
    monkeypatch.setattr("awning_harness.live.preview.LOAD_MS", 1500)
    monkeypatch.setattr("awning_harness.live.preview.RESPONSE_S", 1.5)
    result = preview(shop.add("/endless", product_page(body="<script>for (;;);</script>")))
    assert result.code == 1
    assert "scripts do not end" in result.json["errors"][0]


def test_preview_prints_its_result_when_the_page_gives_no_picture(
    shop, project, preview, monkeypatch, tmp_path
):
    monkeypatch.setattr("awning_harness.live.preview.LOAD_MS", 1500)
    monkeypatch.setattr("awning_harness.live.preview.RESPONSE_S", 1.5)
    page = shop.add("/no-picture", product_page(body="<script>for (;;);</script>"))
    result = preview(page, "--screenshot", tmp_path / "page.png")
    assert result.code == 1
    assert "gives no picture" in result.json["errors"][-1]


@pytest.mark.usefixtures("brief")
@pytest.mark.parametrize("lies", ["'shop'", "() => ({})", "[1]"])
def test_preview_of_a_page_that_tells_nothing_says_so(shop, project, preview, lies):
    script = f"<script>Object.getPrototypeOf([]).filter = () => {lies}</script>"
    page = product_page().replace("<main>", f"{script}<main>", 1)
    result = preview(shop.add("/lies", page))
    assert (result.code, len(result.json["errors"])) == (1, 1)


@pytest.mark.parametrize(
    ("host", "site", "same"),
    [
        ("www.shop.example", "shop.example", True),
        ("m.shop.example", "www.shop.example", True),
        ("other.com", "www.com", False),
        ("m.www.com", "www.com", True),
        ("other.example", "www.", False),
        ("shop.example.", "SHOP.example", True),
        ("notshop.example", "shop.example", False),
    ],
)
def test_site_has_the_hosts_below_it(host, site, same):
    assert is_same_site(host, site) == same
