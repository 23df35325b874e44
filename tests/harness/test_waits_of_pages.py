"""How long a trial waits: before a look for what ends soon, for what a state shows as long as the page waits for it."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest

from awning_harness.visit.tab import Batch, LaboratoryTab

PAGE = """<!doctype html>
<head><script>
globalThis.awningEmulator = { trace: () => [] };
const show = () => { document.querySelector("p").textContent = "shown"; };
const end = performance.now() + 700;
const poll = (next) => { const again = () => performance.now() > end ? show() : next(again); again(); };
const makeRoot = () => {
  const root = document.querySelector("div > div").attachShadow({ mode: "closed" });
  root.append(document.createElement("slot"));
  return root;
};
</script></head>
<body><div class="placeholder-after-price"><div data-order="1"><p>text</p></div></div>
<footer></footer><script>{ SCRIPT }</script></body>
"""
"""A page whose block shows `text`, until SCRIPT, at the place of an app's snippet, calls `show`. `poll` does so after
700 ms. `makeRoot` gives the block a shadow root."""

LATE_SECONDS = 0.7

COMES_LATE = {
    "timer": "setTimeout(show, 700)",
    "timer of two seconds": "setTimeout(show, 2000)",
    "timer whose handler is a text": "setTimeout('show()', 700)",
    "timers one after another": "setTimeout(() => setTimeout(show, 450), 450)",
    "short timers": "poll((again) => setTimeout(again, 50))",
    "promises between timers": "poll((again) => new Promise((done) => setTimeout(done, 50)).then(again))",
    "interval": "setInterval(() => poll((again) => setTimeout(again, 0)), 450)",
    "short interval": "setInterval(() => performance.now() > end && show(), 100)",
    "animation frames": "poll(requestAnimationFrame)",
    "messages while the page changes": "poll((again) => { document.title += '.'; "
    "const { port1, port2 } = new MessageChannel(); port1.onmessage = again; port2.postMessage(0); })",
    "messages": "poll((again) => { "
    "const { port1, port2 } = new MessageChannel(); port1.onmessage = again; port2.postMessage(0); })",
    "changes in a shadow root": "const text = makeRoot().appendChild(new Text()); poll((again) => { "
    "text.data += '.'; parent.setTimeout(again, 100); })",
    "idle callback": "poll(requestIdleCallback)",
    "task": "scheduler.postTask(show, { delay: 700 })",
    "signal": "AbortSignal.timeout(700).addEventListener('abort', show)",
    "smooth scrolling": "const box = document.querySelector('p').parentElement.parentElement;"
    "box.style.cssText = 'height: 50px; overflow: auto; scroll-behavior: smooth';"
    "document.querySelector('p').style.height = '9000px'; box.scrollTop = 8000;"
    "box.addEventListener('scrollend', show)",
    "smooth scrolling in slow frames": "const box = document.querySelector('p').parentElement.parentElement;"
    "box.style.cssText = 'height: 50px; overflow: auto; scroll-behavior: smooth';"
    "document.querySelector('p').style.height = '9000px'; box.scrollTop = 8000;"
    "const latest = performance.now() + 4000;"
    "box.addEventListener('scrollend', () => { show(); box.dataset.done = '' });"
    "const slow = () => { const next = performance.now() + 300; while (performance.now() < next);"
    "'done' in box.dataset || performance.now() > latest || parent.requestAnimationFrame(slow) };"
    "parent.requestAnimationFrame(slow)",
    "body of a response": "let send; "
    "new Response(new ReadableStream({ start: (own) => { send = own } })).text().then(show);"
    "parent.setTimeout(() => send.close(), 700)",
    "fetch": "fetch('https://slow.example.com/').then(show)",
    "request": "const request = new XMLHttpRequest(); request.open('GET', 'SLOW'); "
    "request.onload = show; request.send()",
    "picture": "document.querySelector('p').after(Object.assign(new Image(), { src: 'SLOW', onerror: show }))",
    "picture outside of the document": "Object.assign(new Image(), { src: 'SLOW', onerror: show })",
    "script": "document.head.append(Object.assign(document.createElement('script'), { src: 'SLOW', onload: show }))",
    "style": "document.head.append(Object.assign(document.createElement('link'), "
    "{ rel: 'stylesheet', href: 'SLOW', onload: show, onerror: show }))",
    "preloaded style": "document.head.append(Object.assign(document.createElement('link'), "
    "{ rel: 'preload', as: 'style', href: 'SLOW', onload: show, onerror: show }))",
    "module": "import('SLOW').then(show)",
    "frame": "document.body.append(Object.assign(document.createElement('iframe'), { src: 'SLOW', onload: show }))",
    "worker": "new Worker('data:text/javascript,setTimeout(postMessage, 700, 0)').onmessage = show",
    "socket": "new EventSource('SLOW').onerror = show",
    "lock": "navigator.locks.request('a', () => new Promise((done) => setTimeout(done, 700))).then(show)",
}
"""JavaScript that calls `show` late, by what the page waits for. SLOW responds after 0.7 s, `fetch` after 3 s."""

COMES_SOON = {
    "one animation frame": "requestAnimationFrame(show)",
    "one idle callback": "requestIdleCallback(show)",
    "one task": "scheduler.postTask(show, { delay: 20 })",
    "database": "const request = indexedDB.open('soon'); "
    "request.onupgradeneeded = () => request.result.createObjectStore('a').add(1, 1); "
    "request.onsuccess = () => { const all = request.result.transaction('a').objectStore('a').openCursor(); "
    "all.onsuccess = () => all.result ? all.result.continue() : request.result.transaction('a').objectStore('a')"
    ".count().onsuccess = show }",
    "names of databases": "indexedDB.databases().then(show)",
    "cache": "caches.open('soon').then((cache) => cache.match('a')).then(show)",
    "cookie": "cookieStore.get('a').then(show)",
    "hash": "crypto.subtle.digest('SHA-256', new Uint8Array(1e7)).then(show)",
    "text": "new Blob(['a'.repeat(1e6)]).text().then(show)",
    "address that holds its data": "fetch('data:,a').then((response) => response.text()).then(show)",
    "address of an object": "fetch(URL.createObjectURL(new Blob(['a'])))"
    ".then((response) => response.text()).then(show)",
    "animation": "document.body.animate([{ opacity: 0 }, { opacity: 1 }], 7000).finished.then(show)",
    "animation in a shadow root": "makeRoot().appendChild(document.createElement('b'))"
    ".animate([{ opacity: 0 }, { opacity: 1 }], 7000).onfinish = show",
    "end of a transition": "const p = document.querySelector('p'); p.style.transition = 'opacity 7s';"
    "p.ontransitionend = show; setTimeout(() => { p.style.opacity = 0 }, 50)",
    "end of transitions one after another": "const p = document.querySelector('p'); p.style.transition = 'all 7s';"
    "p.ontransitionend = ({ propertyName }) => propertyName == 'width' ? show() : p.style.width = '9px';"
    "p.style.width = '90px'; setTimeout(() => { p.style.opacity = 0 }, 50)",
    "end of an animation": "document.head.append(Object.assign(document.createElement('style'), "
    "{ textContent: '@keyframes fade { to { opacity: 0 } } p { animation: fade 7s 1s }' }));"
    "document.querySelector('p').onanimationend = show",
    "observer of places": "new IntersectionObserver(show).observe(document.body)",
    "observer of sizes": "new ResizeObserver(show).observe(document.body)",
    "observer of sizes that change": "new ResizeObserver(() => document.body.style.height == '9px' && show())"
    ".observe(document.body); setTimeout(() => { document.body.style.height = '9px' }, 50)",
    "observer of a place that changes": "new IntersectionObserver(([{ isIntersecting }]) => isIntersecting || show())"
    ".observe(document.querySelector('p')); setTimeout(() => { document.body.style.marginTop = '9000px' }, 50)",
}
"""JavaScript that calls `show` as soon as the browser has done something."""

STAYS = {
    "nothing": "",
    "timer beyond the limit": "setTimeout(show, 60_000)",
    "interval beyond the limit": "setInterval(show, 60_000)",
    "cleared timer": "clearTimeout(setTimeout(show, 2000))",
    "interval cleared as a timer": "clearTimeout(setInterval(show, 100))",
    "cancelled animation frame": "cancelAnimationFrame(requestAnimationFrame(show))",
    "cancelled idle callback": "cancelIdleCallback(requestIdleCallback(show))",
    "timer that has run": "setTimeout(() => {}, 100)",
    "task that has ended": "scheduler.postTask(() => {})",
    "message that has come": "const { port1, port2 } = new MessageChannel(); port1.onmessage = () => {}; "
    "port2.postMessage(0)",
    "change of another tab": "addEventListener('storage', show)",
    "change of the screen": "matchMedia('(prefers-contrast: more)').addEventListener('change', show)",
    "scrolling that has ended": "document.body.style.height = '9000px'; scrollTo(0, 800)",
    "empty shadow root": "makeRoot()",
    "promise that never ends": "new Promise(() => {}).then(show)",
    "task beyond the limit": "scheduler.postTask(show, { delay: 60_000 })",
    "database that is open": "indexedDB.open('stays')",
    "observer of what keeps its size": "new ResizeObserver(() => {}).observe(document.body)",
    "observer of what is never seen": "new IntersectionObserver(([{ isIntersecting }]) => isIntersecting && show())"
    ".observe(document.createElement('p'))",
    "animation without an end": "document.body.animate([{ opacity: 0 }, { opacity: 1 }], "
    "{ duration: 500, iterations: Infinity }).finished.then(show, () => {})",
    "animation that is paused": "document.body.animate([{ opacity: 0 }, { opacity: 1 }], 700).pause()",
    "fetch that never ends": "fetch('https://silent.example.com/').then(show)",
    "picture that has come": "Object.assign(new Image(), "
    "{ src: 'data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAACADs=' })",
}
"""JavaScript of pages that wait for nothing within the time limit of a step, which is 5 s."""

MOVES = {
    "shown": [{"shown": {"present": ["shown"], "absent": [], "isEmpty": False}}],
    "step": [{"step": {"verb": "click", "arguments": ["button"]}}],
    "looks": ["look"] * 4,
}
"""Moves by name: two that are not possible as long as the block shows `text`, and looks."""

LOADED = ("timer", "short interval", "worker", "nothing", "cleared timer")
"""The scripts whose page is also loaded from its address, instead of written into the frame."""

SHOWN = [
    (name, "shown", kind)
    for name in COMES_LATE
    for kind in ("written", "loaded")
    if kind == "written" or name in LOADED
]
SOON = [(name, "looks", "written") for name in COMES_SOON]
QUIET = [
    (name, move, kind)
    for name in STAYS
    for move in MOVES
    for kind in ("written", "loaded")
    if kind == "written" or name in LOADED
]

BELOW_THE_LIMIT_MS = 4900
"""Such a trial takes 0.3 s, on a busy machine much more. One that waits takes 5 s at least, with looks 7.5 s."""


@pytest.fixture(scope="module")
def slow_url():
    """The address of a host that responds after LATE_SECONDS, with nothing, as JavaScript."""
    closing = Event()

    class Slow(BaseHTTPRequestHandler):
        def do_GET(self):
            closing.wait(LATE_SECONDS)
            self.send_response(200)
            self.send_header("content-type", "text/javascript")
            self.send_header("access-control-allow-origin", "*")
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *values):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Slow) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        closing.set()
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def results(awning_shop, browser, slow_url):
    """The results of the trials of SHOWN, SOON and QUIET. Several tabs share the waits."""
    tabs = [LaboratoryTab(browser=browser, shop=awning_shop) for _ in range(5)]
    cases = [*SHOWN, *SOON, *QUIET]
    scripts = {**COMES_LATE, **COMES_SOON, **STAYS}
    pages = {f"/shop/waits/{number}": scripts[case[0]] for number, case in enumerate(cases)}

    def respond(route):
        script = pages[urlsplit(route.request.url).path].replace("SLOW", slow_url)
        html = PAGE.replace("SCRIPT", script)
        route.fulfill(body=html, content_type="text/html")

    answer = {"status": 200, "body": "", "type": "text/plain"}
    trials = [
        {
            "url": url,
            "slot": "after-price",
            "event": "any",
            "moves": ["loaded", *MOVES[move]],
            "width": 360,
            "loads": kind == "loaded",
            "answers": {"https://slow.example.com/": answer, "https://silent.example.com/": None},
            "delays": [3000],
        }
        for url, (_, move, kind) in zip(pages, cases, strict=True)
    ]
    for number, tab in enumerate(tabs):
        tab.evaluate("() => {}")  # opens the tab
        tab._page.context.route("**/shop/waits/*", respond)
        own = trials[number :: len(tabs)]
        tab.begin(Batch(trials=own, answers={}, folder=awning_shop.workspace.root))
    found = {}
    for number, tab in enumerate(tabs):
        found |= dict(zip(cases[number :: len(tabs)], tab.finish(), strict=True))
        tab.close()
    return found


@pytest.mark.parametrize("case", SHOWN, ids="-".join)
def test_text_that_comes_late_is_waited_for(results, case):
    result = results[case]
    assert result["looks"][-1]["text"] == "shown", json.dumps(result["errors"])
    is_at_once = case[0] == "fetch"  # the delay of its answer is not waited for
    assert is_at_once or result["ms"] > LATE_SECONDS * 1000 * 0.8


@pytest.mark.parametrize("case", SOON, ids="-".join)
def test_text_that_comes_soon_is_seen(results, case):
    assert results[case]["looks"][0]["text"] == "shown"


@pytest.mark.parametrize("case", QUIET, ids="-".join)
def test_page_that_waits_for_nothing_is_not_waited_for(results, case):
    result = results[case]
    assert result["looks"][-1]["text"] == "text"
    assert result["ms"] < BELOW_THE_LIMIT_MS
    assert case[1] != "step" or result["refused"]["why"] == "nothing in the block matches the selector"
