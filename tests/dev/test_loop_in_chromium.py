"""The loop of `awning dev` from a save to the screen: after any change of files, a page is as after a fresh load."""

import random
import shutil
from contextlib import suppress

import pytest
from dev_loop import PATIENCE_S, DevLoop, running_loop
from page_picture import fresh_picture, picture
from playwright.sync_api import Page, expect
from project import Project
from volumes import volume

from awning.errors import AwningError
from awning.pipeline.build_session import build_session
from awning.pipeline.live import LiveWorkspace

NOTE = "widgets/note"
SCRIPT = (
    'import { afterPrice } from "awning";\nimport { more } from "./more";\nimport view from "./view.html.j2";\n'
    "export default afterPrice(({ t, variant }) => view({ t, more, chosen: variant?.id }));\n"
)
VIEW = (
    '<p class="text">{{ t("hello") }} {{ more }}</p>\n{% include "row.html.j2" %}\n'
    '<label>Note <input name="note"></label>\n<b>{{ chosen }}</b>\n'
)
SHOP = '[[product]]\nkey = "P1"\ntitle = "{title}"\n'
STATES = '[[state]]\nname = "shown"\ntitle = "Shown"\npayload = "P1"\n'


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Project:
    project = Project(tmp_path_factory.mktemp("app"))
    project.add_widget("note", widget_ts=SCRIPT, view_html_j2=VIEW, style_css=".text { color: teal }\n")
    project.add_file(f"{NOTE}/more.ts", 'export const more = "more";\n')
    project.add_file(f"{NOTE}/row.html.j2", "<i>row</i>\n")
    project.add_file(f"{NOTE}/states.toml", STATES)
    project.add_widget("other")
    project.add_file("storefront/shop.toml", SHOP.format(title="A shirt"))
    return project


@pytest.fixture(scope="module")
def shared_loop(project: Project, dev_files):
    with running_loop(project.root, dev_files) as loop:
        yield loop


@pytest.fixture
def loop(shared_loop: DevLoop, tmp_path):
    """The running loop. After the test, the files are as before."""
    saved = tmp_path / "saved"
    root = shared_loop.root
    names = ("widgets", "storefront", "manifest.toml", "pyproject.toml")
    for name in names:
        copy = shutil.copytree if (root / name).is_dir() else shutil.copy
        saved.mkdir(exist_ok=True)
        copy(root / name, saved / name)
    yield shared_loop
    for file in [file for name in names for file in (root / name).rglob("*") if file.is_file()]:
        if not (saved / file.relative_to(root)).exists():
            file.unlink()
    for file in saved.rglob("*"):
        path = file.relative_to(saved)
        if file.is_file() and (not (root / path).exists() or file.read_bytes() != (root / path).read_bytes()):
            shared_loop.write(path.as_posix(), file.read_text(encoding="utf-8"))
    shared_loop.settle()


def assert_like_a_fresh_load(loop: DevLoop, tab: Page) -> None:
    """Check that the page, and the snippet that is served, are those of the files as they are now."""
    loop.wait_until_shown(tab)
    assert picture(tab) == fresh_picture(loop, tab)
    built = clean_body(loop)
    if built is not None:
        assert loop.session.source.body("en") == loop.session.service.filled(
            loop.session.auth_code, built, "en"
        )


def clean_body(loop: DevLoop) -> str | None:
    """The body snippet of a build with a new memory; None if the files cannot be built."""
    with build_session(loop.root) as session, suppress(AwningError):
        contents = LiveWorkspace(session).build(["en"]).built.contents
        return contents.get("en/body.html", contents.get("body.html", b"")).decode()
    return None


EDITS = {
    "template": (f"{NOTE}/view.html.j2", lambda text: f"{text}<u>new</u>\n"),
    "included template": (f"{NOTE}/row.html.j2", lambda text: f"{text}<u>new</u>\n"),
    "script": (f"{NOTE}/widget.ts", lambda text: text.replace("?.id", "?.price")),
    "module": (f"{NOTE}/more.ts", lambda text: text.replace('"more"', '"less"')),
    "style": (f"{NOTE}/style.css", lambda text: text.replace("teal", "rgb(1, 2, 3)")),
    "messages": (f"{NOTE}/messages/en.toml", lambda text: text.replace("Hello", "Welcome")),
    "widget.toml": (f"{NOTE}/widget.toml", lambda text: f'{text}isolation = "shadow"\n'),
    "states": (f"{NOTE}/states.toml", lambda text: text.replace("Shown", "Visible")),
    "manifest": ("manifest.toml", lambda text: text.replace("app_title = ", 'app_title = "x" # ')),
    "workspace": ("pyproject.toml", lambda text: text.replace('["en", "lv"]', '["en"]')),
    "storefront": ("storefront/shop.toml", lambda text: text.replace("shirt", "dress")),
}


EDITED_ALONE = ("template", "style", "widget.toml", "workspace", "storefront")
"""A patch of a script, one of a style, and three builds. Other edits are among the many random ones."""


@pytest.mark.parametrize("kind", EDITED_ALONE)
def test_page_is_like_a_fresh_load_after_an_edit(loop: DevLoop, tab: Page, kind: str):
    path, edit = EDITS[kind]
    loop.open(tab)
    loop.save(path, edit(loop.read(path)))
    assert_like_a_fresh_load(loop, tab)


WAYS = [("deleted", "view.html.j2"), ("deleted", "style.css"), ("deleted", ""), ("renamed", "widget.toml")]
"""What becomes of a file of the widget, or of its folder."""


@pytest.mark.parametrize(("how", "name"), WAYS)
def test_page_is_like_a_fresh_load_after_a_file_is_gone_and_back(
    loop: DevLoop, tab: Page, how: str, name: str
):
    loop.open(tab)
    before = picture(tab)
    file, aside = loop.root / NOTE / name, loop.root / "aside"
    if how == "renamed":
        other = file.with_name(f"renamed-{file.name}")
        file.rename(other)
    else:
        shutil.move(file, aside)
    loop.settle()
    assert_like_a_fresh_load(loop, tab)
    (other if how == "renamed" else aside).rename(file)
    loop.settle()
    assert_like_a_fresh_load(loop, tab)
    assert picture(tab) == before


def test_storefront_that_is_deleted_or_renamed_is_on_the_open_page(loop: DevLoop, tab: Page):
    loop.open(tab)
    expect(tab.locator("h1")).to_have_text("A shirt")
    folder = loop.root / "storefront"
    (folder / "shop.toml").rename(folder / "other.toml")
    loop.wait_for("storefront/other.toml", 0)
    assert_like_a_fresh_load(loop, tab)
    expect(tab.locator("h1")).to_have_text("A shirt")
    (folder / "other.toml").unlink()
    expect(tab.locator("h1")).to_have_text("Linen T-shirt")
    assert_like_a_fresh_load(loop, tab)


def test_five_saves_at_once_are_all_on_the_page(loop: DevLoop, tab: Page):
    loop.open(tab)
    five = ("template", "module", "style", "messages", "states")
    for kind in five:
        path, edit = EDITS[kind]
        loop.write(path, edit(loop.read(path)))
    expect(tab.locator("u")).to_have_text("new")
    loop.settle()
    expect(tab.locator(".text").first).to_have_text("Welcome en less")
    expect(tab.locator(".text").first).to_have_css("color", "rgb(1, 2, 3)")
    assert_like_a_fresh_load(loop, tab)


def test_save_of_an_editor_that_renames_is_on_the_page(loop: DevLoop, tab: Page):
    """Some editors write a new file beside the old one, rename the old one to a backup, and rename the new one."""
    loop.open(tab)
    file = loop.root / NOTE / "view.html.j2"
    for text in ("one", "two", "three"):
        beside = file.with_name(".view.html.j2.swp")
        beside.write_text(f"{VIEW}<u>{text}</u>", encoding="utf-8")
        file.rename(file.with_name("view.html.j2~"))
        beside.rename(file)
        expect(tab.locator("u")).to_have_text(text)
    loop.settle()
    file.with_name("view.html.j2~").unlink()
    loop.settle()
    assert_like_a_fresh_load(loop, tab)


def test_save_during_a_build_is_on_the_page(loop: DevLoop, tab: Page, monkeypatch: pytest.MonkeyPatch):
    """A file is saved while its older text is being built."""
    loop.open(tab)
    build, texts = LiveWorkspace.build, iter(["two", "three"])

    def build_and_save(*arguments, **options):
        built = build(*arguments, **options)
        text = next(texts, None)
        if text:
            loop.write(f"{NOTE}/view.html.j2", f"{VIEW}<u>{text}</u>")
        return built

    monkeypatch.setattr(LiveWorkspace, "build", build_and_save)
    loop.write("widgets/other/view.html.j2", "<p>one</p>")
    expect(tab.locator("u")).to_have_text("three")
    loop.settle()
    assert_like_a_fresh_load(loop, tab)


TYPED = "The quick brown fox"


def type_and_save(loop: DevLoop, tab: Page, path: str, texts: list[str]) -> None:
    """Type TYPED into the widget's field, with a save of the file before each of some keys."""
    tab.locator("[name=note]").focus()
    before = loop.read(path)
    for number, key in enumerate(TYPED):
        if number % 4 == 0:
            loop.write(path, before + texts[number // 4])
        tab.keyboard.press(key)
    loop.settle()


def assert_nothing_is_lost(tab: Page) -> None:
    field = tab.locator("[name=note]")
    expect(field).to_have_value(TYPED)
    expect(field).to_be_focused()
    tab.keyboard.press("!")
    expect(field).to_have_value(f"{TYPED}!")


def test_saves_in_the_middle_of_typing_lose_no_key(loop: DevLoop, tab: Page):
    loop.open(tab)
    type_and_save(loop, tab, f"{NOTE}/view.html.j2", [f"<u>{number}</u>" for number in range(5)])
    loop.wait_until_shown(tab)
    assert_nothing_is_lost(tab)


def test_reload_waits_for_a_pause_in_typing_and_loses_no_key(loop: DevLoop, tab: Page):
    """The page's clock stands still while the shopper types: on a slow machine, keys may be far apart."""
    tab.clock.install(time=0)
    loop.open(tab)
    tab.evaluate("window.isOld = true")
    tab.clock.pause_at(PATIENCE_S)
    type_and_save(
        loop, tab, "storefront/shop.toml", [f"# {number}\nstock = {number + 3}\n" for number in range(5)]
    )
    assert tab.evaluate("window.isOld")
    tab.clock.resume()
    loop.wait_until_shown(tab)
    assert not tab.evaluate("window.isOld")
    assert_nothing_is_lost(tab)


TEXTS = {
    "view.html.j2": (
        VIEW,
        '<p class="text">{{ t("hello") }}</p>',
        "<select><option>x</option></select>",
        "{% if %}",
    ),
    "row.html.j2": ("<i>row</i>", "<i>one</i><i>two</i>", "{{ t('hello') }}"),
    "widget.ts": (
        SCRIPT,
        SCRIPT.replace("afterPrice(", "afterPrice(async "),
        SCRIPT.replace(
            "export default afterPrice(",
            "import { live } from 'awning';\nexport default afterPrice(live(",
        ).replace("}));", "}), {}));"),
        "export default 1 +;\n",
    ),
    "more.ts": ('export const more = "more";\n', 'export const more = "less";\n'),
    "style.css": (".text { color: teal }\n", ".text { color: red }\n", "", ".text { color: "),
    "messages/en.toml": ('hello = "Hello"\n', 'hello = "Hi"\n', "hello = \n"),
    "messages/lv.toml": ('hello = "Sveiki"\n', 'hello = "Labdien"\n'),
    "widget.toml": (
        'title = "A"\nslot = "after-price"\n',
        'title = "A"\nslot = "after-price"\nisolation = "shadow"\n',
        'title = "A"\nslot = "after-cart"\n',
        "titel = 1\n",
    ),
}
SHOPS = (SHOP.format(title="A shirt"), SHOP.format(title="A dress"), "[[product]]\n")
NAMES = ("blue", "green", "red")


class Author:
    """Edits a workspace at random."""

    def __init__(self, loop: DevLoop, seed: int) -> None:
        self.loop, self.chance = loop, random.Random(seed)
        self.edits: list[str] = []

    def edit(self) -> None:
        """Do one edit, and wait until it is built."""
        kinds = {"write": 12, "mend": 3, "delete": 1, "rename": 1, "folder": 1, "shop": 1, "both": 2}
        kind = self.chance.choices(list(kinds), list(kinds.values()))[0]
        self.edits.append(kind)
        if kind == "write":
            self.loop.save(*self._change())
            return
        getattr(self, kind)()
        self.loop.settle()

    def both(self) -> None:
        for _ in range(2):
            self.loop.write(*self._change())

    def mend(self) -> None:
        """Give each file of the widgets and the shop its first text, which has no mistake."""
        for name in self._widgets():
            for file, texts in TEXTS.items():
                self.loop.write(f"widgets/{name}/{file}", texts[0])
        self.loop.write("storefront/shop.toml", SHOPS[0])

    def delete(self) -> None:
        (self.loop.root / self._change()[0]).unlink(missing_ok=True)

    def rename(self) -> None:
        folder = self.loop.root / "widgets" / self.chance.choice(self._widgets())
        other = folder.with_name(self.chance.choice(NAMES))
        if not other.exists():
            folder.rename(other)

    def folder(self) -> None:
        name = self.chance.choice(NAMES)
        if (self.loop.root / "widgets" / name).exists() and len(self._widgets()) > 1:
            shutil.rmtree(self.loop.root / "widgets" / name)
        else:
            for file, texts in TEXTS.items():
                self.loop.write(f"widgets/{name}/{file}", texts[0])

    def shop(self) -> None:
        self.loop.write("storefront/shop.toml", self.chance.choice(SHOPS))

    def _change(self) -> tuple[str, str]:
        file, texts = self.chance.choice(sorted(TEXTS.items()))
        path, text = f"widgets/{self.chance.choice(self._widgets())}/{file}", self.chance.choice(texts)
        self.edits.append(f"{path} = {text!r}")
        return path, text

    def _widgets(self) -> list[str]:
        folders = sorted(folder.name for folder in (self.loop.root / "widgets").iterdir())
        return [name for name in folders if name in NAMES]


MOST_EDITS = 50
"""The most edits of one test."""
EDITS_BY_SEED = [
    range(begin, volume("loop-edits"))[:MOST_EDITS] for begin in range(0, volume("loop-edits"), MOST_EDITS)
]


@pytest.mark.parametrize("seed", range(len(EDITS_BY_SEED)))
def test_page_is_like_a_fresh_load_after_each_of_many_edits(tmp_path, dev_files, tab: Page, seed: int):
    project = Project(tmp_path)
    for name in ("red", "green"):
        for file, texts in TEXTS.items():
            project.add_file(f"widgets/{name}/{file}", texts[0])
    project.add_file("storefront/shop.toml", SHOPS[0])
    with running_loop(project.root, dev_files) as loop:
        author = Author(loop, seed)
        loop.open(tab)
        for _ in EDITS_BY_SEED[seed]:
            author.edit()
            try:
                assert_like_a_fresh_load(loop, tab)
            except AssertionError as error:
                error.add_note("\n".join(author.edits))
                raise
