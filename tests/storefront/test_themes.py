"""The themes of the shop, without a browser."""

import re

import pytest

from awning.contract.shop import THEMES
from awning_harness.storefront import FixedSnippets
from awning_harness.storefront.themes import at_root_size, class_names, sheet_names

BODY = """<style>.aw-1a2b3c .badge{margin:.5em}@media (min-width:30em){.aw-1a2b3c .big-badge:hover{top:1.5em}}</style>
<script>var wide = 1; "x".length</script>"""


@pytest.mark.parametrize("path", ["", "product/1", "cart", "checkout", "nowhere"])
@pytest.mark.parametrize("name", THEMES)
def test_every_page_has_the_sheets_and_the_direction_of_its_theme(get, name, path):
    soup = get(f"/1/en/{path}?theme={name}").soup
    sheets = [
        re.sub(r"^/assets/|\.[0-9a-f]{8}(?=\.css)", "", s["href"]) for s in soup.select("[rel=stylesheet]")
    ]
    assert tuple(sheets) == sheet_names(THEMES[name])
    assert soup.html["dir"] == THEMES[name].direction


@pytest.mark.parametrize("name", THEMES)
def test_every_sheet_of_a_theme_is_served(get, name):
    for sheet in get(f"/1/en/?theme={name}").soup.select("[rel=stylesheet]"):
        assert get(sheet["href"]).status == 200


def test_a_page_without_a_theme_is_plain(get):
    assert get("/1/en/cart").text == get("/1/en/cart?theme=plain").text.replace("theme=plain", "").replace(
        '<input type="hidden" name="theme" value="plain">', ""
    ).replace('?"', '"').replace("?&amp;", "?")


def test_links_keep_the_theme(get):
    soup = get("/1/lv/product/1?theme=dark").soup
    assert all("theme=dark" in a["href"] for a in soup.select(".languages a, .basket"))
    assert soup.select_one("form.buy [name=theme]")["value"] == "dark"


def test_other_apps_of_the_crowded_theme_are_around_the_app_and_a_scenario(get):
    text = get("/1/en/product/1?theme=crowded&scenario=throwing-neighbour").text
    places = [
        text.index(part)
        for part in (
            "loaded late",
            "same class names",
            "neighbouring app failed",
            "<!-- the app's body -->",
        )
    ]
    places.append(text.rindex("neighbouring app failed"))  # that of the scenario
    assert places == sorted(places)
    assert len(places) == len(set(places))
    assert "neighbouring app" not in get("/1/en/product/1?theme=dark").text


def test_a_neighbour_has_the_class_names_of_the_app(app_with, ask):
    text = ask(app_with(FixedSnippets(body=BODY)), "/1/en/product/1?theme=crowded").text
    assert '"badge big-badge"' in text
    assert "<style>.badge,.big-badge{" in text


def test_class_names_are_read_from_style_elements_alone():
    assert class_names([BODY, "<p class=other>.other {</p>"]) == ("badge", "big-badge")


def test_scripts_of_neighbours_get_the_nonce(get):
    answer = get("/1/en/product/1?theme=crowded&csp=nonce")
    nonce = re.search(r"'nonce-([\w-]+)'", answer.headers["content-security-policy"])[1]
    scripts = [s for s in answer.soup.select("script") if not s.get("src")]
    assert any("neighbouring app" in s.get_text() for s in scripts)
    assert all(s["nonce"] == nonce for s in scripts)


def test_sizes_in_rem_are_scaled_except_in_media_queries():
    style = "p{margin:.5rem 1.25rem;width:4em}\n@media (max-width:44rem){p{margin:1rem}}"
    assert at_root_size(style, 10).splitlines() == [
        "html{font-size:62.5%}",
        "p{margin:0.8rem 2rem;width:4em}",
        "@media (max-width:44rem){p{margin:1.6rem}}",
    ]
