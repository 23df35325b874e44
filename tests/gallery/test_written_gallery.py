"""What `awning gallery` writes: always the same files, with relative addresses alone; and where it does not write."""

import json
import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from bs4 import BeautifulSoup
from command_line import run_awning
from gallery_workspace import ANSWERED, CHAT_STATES, HOSTILE, add_widgets
from project import Project

from awning.preview_record import PlayedResponse, with_files_of_other_hosts
from awning_harness.gallery.writing import make_gallery

STATE_PAGES = [
    f"states/{widget}/{state}/{language}.html"
    for widget, state in (
        ("asks", "asked"),
        ("chat", "chat"),
        ("note", "shown"),
        ("note", "strict"),
        ("note", "nonce"),
    )
    for language in ("en", "lv")
]


@pytest.fixture(scope="module")
def written(tmp_path_factory) -> Project:
    """A workspace with a gallery, for tests that change neither."""
    project = add_widgets(tmp_path_factory.mktemp("shop"))
    record = project.build()
    make_gallery(project.read(), record, project.root / "dist").write(project.root / "gallery")
    return project


def pages(project: Project) -> dict[str, BeautifulSoup]:
    files = project.tree("gallery")
    return {
        path: BeautifulSoup(content, "html.parser")
        for path, content in files.items()
        if path.endswith(".html")
    }


def test_gallery_has_a_page_for_each_state_in_each_language_and_a_list_of_them(workspace, write):
    written = write()
    assert written.code == 0
    assert re.fullmatch(
        r"gallery/index\.html: 3 widgets, 5 states, 10 pages, 0\.\d MB", written.out.strip()
    ), written.out
    assert sorted(pages(workspace)) == sorted(["index.html", *STATE_PAGES])
    listing = json.loads((workspace.root / "gallery/gallery.json").read_text())
    assert [page["path"] for page in listing["pages"]] == STATE_PAGES
    frames = [place["data-frame"] for place in pages(workspace)["index.html"].select("[data-frame]")]
    links = [link["href"] for link in pages(workspace)["index.html"].select("figcaption a")]
    assert frames == links == STATE_PAGES


def test_json_is_one_document_with_the_folder_and_the_pages(workspace, write):
    document = write("--json").json
    files = workspace.tree("gallery")
    assert document["schema_version"] == 1
    assert document["out"] == str(workspace.root / "gallery")
    assert (workspace.root / "gallery" / document["index"]).is_file()
    assert (document["files"], document["bytes"]) == (len(files), sum(map(len, files.values())))
    assert document["pages"] == json.loads(files["gallery.json"])["pages"]
    assert document["pages"][0] == {
        "path": "states/asks/asked/en.html",
        "widget": "asks",
        "state": "asked",
        "title": "With answers",
        "language": "en",
    }


def test_same_workspace_elsewhere_gives_the_same_bytes(workspace, write, tmp_path, monkeypatch, capfd):
    write()
    other = add_widgets(tmp_path / "a" / "copy of shop")
    monkeypatch.chdir(other.root)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1")
    assert run_awning(capfd, "gallery", "--out", tmp_path / "elsewhere").code == 0
    assert Project.tree(other, str(tmp_path / "elsewhere")) == workspace.tree("gallery")


ADDRESSES = {"href", "src", "data-frame"}


def addresses(page: BeautifulSoup) -> list[str]:
    """Return the addresses that a page's own elements have, also those in the data of its scripts."""
    own = [str(element[name]) for element in page.select("*") for name in ADDRESSES if element.has_attr(name)]
    for script in page.select("[data-looks], [data-about], [data-site]"):
        looks, about, site = (
            json.loads(script.get(f"data-{name}", "{}")) for name in ("looks", "about", "site")
        )
        own += [sheet for look in looks.values() for sheet in look["sheets"]]
        own += [address for _, address in [*about.get("links", ()), *site.get("nav", ())]]
        own += [site["home"]] if site else []
    return own


def test_every_address_is_relative_and_exists(written):
    folder = written.root / "gallery"
    for path, page in pages(written).items():
        found = [address for address in addresses(page) if not address.startswith(("?", "#", "data:"))]
        assert len(found) > 3
        for address in found:
            parts = urlsplit(address)
            assert (parts.scheme, parts.netloc) == ("", ""), (path, address)
            assert not parts.path.startswith("/"), (path, address)
            target = (folder / path).parent / parts.path
            assert target.is_file(), (path, address)
            if parts.fragment:
                assert BeautifulSoup(target.read_text(), "html.parser").find(id=parts.fragment)


def test_titles_are_text_wherever_they_are(written):
    for path in ("index.html", "states/note/shown/en.html", "states/chat/chat/lv.html"):
        page = pages(written)[path]
        assert not page.select("[onerror], b, i, img[src=x]"), path
    title = f"A <b>bold</b> {HOSTILE}".replace('"', "'")
    assert title in pages(written)["index.html"].get_text()
    assert "Chat & <i>more</i>" in pages(written)["index.html"].get_text()
    shown = pages(written)["states/note/shown/en.html"]
    assert title in shown.title.get_text()
    assert json.loads(shown.select_one("[data-about]")["data-about"])["title"] == title


def test_nothing_of_the_machine_is_in_the_gallery(workspace, write, monkeypatch):
    monkeypatch.setenv("AWNING_API_KEY", "key-0f9e8d7c6b5a")
    workspace.add_file(".env", "AWNING_APP_SECRET=secret-1a2b3c4d5e6f\n")
    write()
    for path, content in workspace.tree("gallery").items():
        for text in (b"key-0f9e8d7c6b5a", b"secret-1a2b3c4d5e6f", str(workspace.root).encode(), b"127.0.0.1"):
            assert text not in content, path


def test_only_the_named_widgets_are_in_the_gallery(workspace, write):
    assert write("note").out.startswith("gallery/index.html: 1 widget, 3 states, 6 pages,")
    assert {path.split("/")[1] for path in workspace.tree("gallery") if path.startswith("states/")} == {
        "note"
    }


def test_widget_without_states_is_named_in_the_gallery(workspace, write):
    (workspace.root / "widgets/asks/states.toml").unlink()
    assert write().code == 0
    index = pages(workspace)["index.html"]
    assert index.select_one(".hole").get_text() == "No states yet: add widgets/asks/states.toml"


def test_earlier_gallery_is_replaced_whole(workspace, write):
    write()
    workspace.add_file("gallery/states/old/state/en.html", "old")
    write("note")
    assert "states/old/state/en.html" not in workspace.tree("gallery")
    assert "states/asks/asked/en.html" not in workspace.tree("gallery")


@pytest.mark.parametrize(
    ("out", "message"),
    [
        ("mine", "mine contains files that are not part of a gallery: a gallery would replace them"),
        ("listed", "listed contains files that are not part of a gallery"),
        (".", "contains the workspace itself"),
        ("..", "contains the workspace itself"),
        ("widgets", "is in the workspace's widgets/"),
        ("widgets/note/gallery", "is in the workspace's widgets/"),
        ("dist", "is in the workspace's dist/"),
        (".awning/gallery", "is in the workspace's .awning/"),
        ("manifest.toml", "manifest.toml is a file"),
        ("manifest.toml/gallery", "cannot"),
    ],
)
def test_folder_that_is_no_gallery_is_left_alone(workspace, capfd, out, message):
    workspace.add_file("mine/notes.txt", "mine")
    workspace.add_file("listed/gallery.json", '["mine"]')
    before = workspace.tree(".")
    result = run_awning(capfd, "gallery", "--out", out)
    assert result.code == 2
    assert message in result.err
    after = {
        path: content for path, content in workspace.tree(".").items() if not path.startswith(".awning/")
    }
    assert after == before


def test_folder_that_is_refused_gets_advice(workspace, capfd):
    workspace.add_file("mine/notes.txt", "mine")
    advice = "name an empty folder elsewhere, or one with an earlier gallery"
    assert advice in run_awning(capfd, "gallery", "--out", "mine").err


def test_gallery_in_a_repository_of_its_own_is_left_alone(workspace, write):
    write()
    workspace.add_file("gallery/.git/HEAD", "ref: refs/heads/pages")
    before = workspace.tree("gallery")
    assert write().code == 2
    assert workspace.tree("gallery") == before


def test_widget_that_does_not_build_is_exit_code_1_and_leaves_the_gallery(workspace, write):
    write()
    before = workspace.tree("gallery")
    workspace.add_file("widgets/note/view.html.j2", "{% if %}")
    result = write()
    assert result.code == 1
    assert "widgets/note/view.html.j2:1" in result.err
    assert workspace.tree("gallery") == before
    document = write("--json")
    assert (document.code, document.json["ok"]) == (1, False)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [((), "Missing option '--out'"), (("--out", "gallery", "nte"), "nte")],
)
def test_wrong_command_line_is_exit_code_2(workspace, capfd, arguments, message):
    result = run_awning(capfd, "gallery", *arguments)
    assert (result.code, message in result.err) == (2, True)
    assert not (workspace.root / "gallery").exists()


def test_gallery_leaves_dist_unchanged(workspace, write):
    workspace.build()
    before = workspace.tree("dist")
    write()
    assert workspace.tree("dist") == before


def test_policy_of_each_page_forbids_other_hosts(written):
    for path in STATE_PAGES:
        first = pages(written)[path].select_one("meta[http-equiv=content-security-policy]")["content"]
        assert first.startswith("default-src 'self' file: data: blob: ")
        assert "http" not in first


JS = PlayedResponse(status=200, type="text/javascript", body="MQ==")


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ('<script src="https://a.example/x"></script>', '<script src="DATA"></script>'),
        ("<script src = 'https://a.example/x?v=1'></script>", "<script src = 'DATA'></script>"),
        ("<link href=https://a.example/x>", "<link href=DATA>"),
        ("a { background: url(https://a.example/x) }", "a { background: url(DATA) }"),
        ("a { background: url( 'https://a.example/x' ) }", "a { background: url( 'DATA' ) }"),
        ('import("https://a.example/x")', 'import("DATA")'),
        ('import * as x from "https://a.example/x?v=1";', 'import * as x from "DATA";'),
        ("import'https://a.example/x'", "import'DATA'"),
        ('fetch("https://a.example/x")', 'fetch("https://a.example/x")'),
        ('<a href="https://a.example/xy">', '<a href="https://a.example/xy">'),
        ('<script src="https://b.example/x"></script>', '<script src="https://b.example/x"></script>'),
    ],
)
def test_file_of_another_host_in_html_is_replaced_by_its_response(html, expected):
    given = with_files_of_other_hosts(html, {"https://a.example/x": JS})
    assert given.replace("data:text/javascript;base64,MQ==", "DATA") == expected


@pytest.mark.parametrize("status", [0, 204, 404])
def test_file_without_a_successful_response_keeps_its_address(status):
    html = f'<script src="{ANSWERED}"></script>'
    assert (
        with_files_of_other_hosts(html, {ANSWERED: PlayedResponse(status=status, type="text/plain", body="")})
        == html
    )


def test_answer_that_cannot_be_read_is_an_error_with_its_place(workspace, write):
    workspace.add_file("widgets/chat/states.toml", CHAT_STATES.replace('"chat.js"\n', '"lost.js"\n'))
    result = write()
    assert result.code in (1, 2)
    assert "lost.js" in result.err
    assert not Path("gallery").exists()
