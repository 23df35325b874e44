"""An author who edits a workspace at random, for tests of what must hold after any edits."""

import random
import shutil

VIEWS = (
    "<p>{{ t('hello') }}</p>",
    "<b>plain</b>",
    "<button>{{ t('hello') }}</button>{% include 'row.html.j2' %}",
    "{% if %}",
    "{{ unknown(1) }}",
)
SCRIPTS = (
    (
        'import { afterPrice } from "awning";\nimport view from "./view.html.j2";\n'
        "export default afterPrice(({ t }) => view({ t }));\n"
    ),
    (
        'import { inCart } from "awning";\nimport { shared } from "../_shared/text";\n'
        'export default inCart(({ t }) => t("hello") + shared);\n'
    ),
    'import { afterPrice } from "awning";\nimport { more } from "./more";\nexport default afterPrice(() => more);\n',
    "export default 1 +;\n",
    "export const nothing = 1;\n",
    'svcPlugins.subscribeEvent("svc-content-after-price", () => {});\n',
)
STYLES = (
    "p { color: red }",
    "p { overflow: auto }",
    ":root { margin: 0 } @keyframes x { to { top: 0 } }",
    "p { color: ",
)
TEXTS = ('hello = "Hello"\n', 'hello = "Hi"\nunused = "x"\n', 'helo = "Hi"\n', "hello = \n")
WIDGETS = (
    'title = "A"\nslot = "after-price"\n',
    'title = "B"\nslot = "in-cart"\nisolation = "shadow"\n',
    "titel = 1\n",
)
FILES = {
    "view.html.j2": VIEWS,
    "widget.ts": SCRIPTS,
    "style.css": STYLES,
    "messages/en.toml": TEXTS,
    "messages/lv.toml": TEXTS,
    "widget.toml": WIDGETS,
    "more.ts": (
        'export const more = "more";\n',
        'export { shared as more } from "../_shared/text";\n',
        "export const less = 1;\n",
    ),
    "row.html.j2": ("<i>row</i>", "{{ row }}"),
}
SHARED = {
    "_shared/text.ts": (
        'export const shared = "shared";\n',
        'export const shared = "other";\n',
        "export {};\n",
    ),
    "_shared/row.html.j2": ("<i>shared row</i>",),
    "_shared/colours.css": ("p { color: red }", "p { colr: red }"),
}


class Author:
    """Someone who edits a workspace at random: writes, breaks, mends and deletes files, adds and renames folders."""

    def __init__(self, project, seed):
        self.project, self.chance = project, random.Random(seed)
        for name in ("red", "green"):
            for file, texts in FILES.items():
                project.add_file(f"widgets/{name}/{file}", texts[0])
        project.add_file("widgets/_shared/text.ts", SHARED["_shared/text.ts"][0])

    def edit(self):
        """Make one edit. Returns the path of a file that was written; None after any other edit."""
        kind = self.chance.choices(("write", "mend", "delete", "rename", "folder"), (10, 4, 1, 1, 1))[0]
        return getattr(self, kind)()

    def write(self):
        path, texts = self._file()
        self.project.add_file(f"widgets/{path}", self.chance.choice(texts))
        return f"widgets/{path}"

    def mend(self):
        """Give the files that every widget needs their first text, which has no mistake."""
        for name in self._widgets():
            for file in ("widget.toml", "widget.ts", "view.html.j2", "messages/en.toml", "messages/lv.toml"):
                self.project.add_file(f"widgets/{name}/{file}", FILES[file][0])

    def delete(self):
        path = self.project.root / "widgets" / self._file()[0]
        path.unlink(missing_ok=True)

    def rename(self):
        folder = self.project.root / "widgets" / self.chance.choice(self._widgets())
        other = folder.with_name(self.chance.choice(("red", "green", "blue", "_shared")))
        if not other.exists():
            folder.rename(other)

    def folder(self):
        name = self.chance.choice(("red", "green", "blue"))
        if (self.project.root / "widgets" / name).exists() and len(self._widgets()) > 1:
            shutil.rmtree(self.project.root / "widgets" / name)
        else:
            for file, texts in FILES.items():
                self.project.add_file(f"widgets/{name}/{file}", texts[0])

    def _widgets(self):
        folders = (self.project.root / "widgets").iterdir()
        return sorted(folder.name for folder in folders if not folder.name.startswith("_"))

    def _file(self):
        files = {
            f"{name}/{file}": texts for name in self._widgets() for file, texts in FILES.items()
        } | SHARED
        return self.chance.choice(sorted(files.items()))
