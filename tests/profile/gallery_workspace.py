"""A workspace whose widgets use what a written gallery has to carry with it.

The widget `note` has states with policies, a theme, a step and a title that is HTML. `asks` and the verbatim widget
`chat` use responses of other hosts.
"""

from pathlib import Path

from project import Project

HOSTILE = "</script><img src=x onerror=alert(1)>\"'&"
ANSWERED = "https://answers.example/points"

STATES = f"""
[[state]]
name = "shown"
title = "A <b>bold</b> {HOSTILE.replace('"', "'")}"
payload = "P1"
steps = ["select M/Blue"]
shows = {{ en = ["Hello en"], lv = ["Hello lv"] }}

[[state]]
name = "strict"
title = "Under trusted types"
payload = "P1"
csp = "trusted-types"
theme = "dark"
now = "2026-03-02T10:30:00"
shows = {{ en = ["Hello en"], lv = ["Hello lv"] }}

[[state]]
name = "nonce"
title = "With a nonce"
payload = "P2"
csp = "nonce"
shows = {{ en = ["Hello en"], lv = ["Hello lv"] }}
"""
ASKS = """
import { afterPrice } from "awning";
import view from "./view.html.j2";

export default afterPrice(async ({ t }) => {
  const response = await fetch("%s?of=1");
  const { points } = (await response.json()) as { points: number };
  const status = await new Promise<string>((done) => {
    const request = new XMLHttpRequest();
    request.onloadend = () => done(`${request.status} ${request.responseText}`);
    request.open("GET", "%s/gone");
    request.send();
  });
  const down = await fetch("%s/down").catch((error: Error) => error.message);
  const other = await fetch("https://unnamed.example/x").catch((error: Error) => error.message);
  return view({ t, points, status, down: String(down), other: String(other) });
});
""".replace("%s", ANSWERED)
ASKS_VIEW = (
    '<p class="text">{{ t("hello") }}: {{ points }}; {{ status }}; {{ down }}; {{ other }}</p>'
    f'<img src="{ANSWERED}/star.svg" alt="A star" width="20" height="20">\n'
)
ASKS_STATES = f"""
[[state]]
name = "asked"
title = "With answers"
payload = "P1"
shows = {{ en = ["Hello en: 7; 410 ; Failed to fetch; Failed to fetch"], lv = ["Hello lv: 7; 410 ;"] }}
[state.fetch]
"{ANSWERED}" = {{ points = 7 }}
"{ANSWERED}/gone" = 410
"{ANSWERED}/down" = 0
"{ANSWERED}/star.svg" = "star.svg"
"""
STAR = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>'
CHAT = f"""<script src="{ANSWERED}/chat.js"></script>
<script>svcPlugins.subscribeEvent("svc-content-after-price", async function (event, init) {{
  const handler = init(), host = "{ANSWERED}", loaded = [];
  function load(name, properties) {{
    return new Promise(function (done) {{
      const element = Object.assign(document.createElement(name), properties);
      element.onload = function () {{ done("loaded"); }};
      element.onerror = function () {{ done("failed"); }};
      document.head.append(element);
    }});
  }}
  loaded.push(await load("script", {{ src: host + "/more.js?v=2" }}), window.chatMore);
  loaded.push(await load("script", {{ src: host + "/gone.js" }}));
  loaded.push(await load("link", {{ rel: "stylesheet", href: host + "/chat.css" }}));
  loaded.push((await import("{ANSWERED}/module.js")).name);
  const request = new XMLHttpRequest();
  request.open("GET", host + "/chat.js", false);
  request.send();
  loaded.push(request.responseText.length);
  handler.setContent("<p>Chat says " + window.chatGreeting + "; " + loaded.join(" ") + "</p>");
}});</script>
"""
CHAT_FILES = {
    "chat.js": 'window.chatGreeting = "hi";\n',
    "more.js": 'window.chatMore = "more";\n',
    "module.js": 'export const name = "module";\n',
    "chat.css": "p { color: teal }\n",
}
CHAT_STATES = f"""
[[state]]
name = "chat"
title = "Chat"
payload = "P1"
shows = {{ en = ["Chat says hi; loaded more failed loaded module 28"] }}
[state.fetch]
"{ANSWERED}/gone.js" = 404
"{ANSWERED}/more.js" = "more.js"
"{ANSWERED}/module.js" = "module.js"
"{ANSWERED}/chat.css" = "chat.css"
"{ANSWERED}/chat.js" = "chat.js"
"""


def add_widgets(root: Path) -> Project:
    """Make a workspace of three widgets at `root`, and return it."""
    project = Project(root)
    project.add_widget("note", states_toml=STATES)
    project.add_widget("asks", widget_ts=ASKS, view_html_j2=ASKS_VIEW, states_toml=ASKS_STATES, star_svg=STAR)
    folder = "widgets/chat"
    project.add_file(f"{folder}/widget.toml", 'title = "Chat & <i>more</i>"\n')
    project.add_file(f"{folder}/body.html", CHAT)
    project.add_file(f"{folder}/states.toml", CHAT_STATES)
    for name, text in CHAT_FILES.items():
        project.add_file(f"{folder}/{name}", text)
    return project
