"""The store's files: what storefront/ changes, and what is reported about it, with file, line and column."""

import json
import re
import tomllib
from pathlib import Path

import jsonschema
import pytest

from awning.errors import Faulty
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import make_workspace
from awning.workspace.shapes import editor_schemas
from awning.workspace.store.shapes import DRAWINGS
from awning.workspace.store.store_files import shipped_store

DOCS = Path(__file__).parents[2] / "docs" / "storefront.md"
EXAMPLE = re.search(
    r"```toml\n# storefront/shoes\.toml\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL
)[1]
SHOP = Path(__file__).parents[2] / "src/awning/workspace/store/shop"
TEMPLATES = Path(__file__).parents[2] / "harness/awning_harness/storefront/templates"


@pytest.fixture
def root(tmp_path):
    make_workspace(tmp_path / "app")
    (tmp_path / "app" / "storefront").mkdir()
    return tmp_path / "app"


@pytest.fixture
def store_of(root):
    """Return a function that reads the store with these files in storefront/."""

    def read(text, **files):
        for name, content in {"store": text, **files}.items():
            (root / "storefront" / f"{name}.toml").write_text(content, encoding="utf-8")
        return read_workspace(root).store

    return read


@pytest.fixture
def problems_of(store_of):
    def read(text, **files):
        with pytest.raises(Faulty) as raised:
            store_of(text, **files)
        return [(str(d.place), d.rule, d.message) for d in raised.value.diagnostics]

    return read


def test_workspace_without_files_has_the_shipped_store(root):
    assert read_workspace(root).store is shipped_store()


def test_example_of_the_docs_adds_and_changes_entries(store_of):
    store = store_of(EXAMPLE)
    shoe = store.find_product("SHOE")
    assert store.find_product("21") is shoe
    assert store.currency.code == "JPY"
    assert (shoe.price, [v.price for v in shoe.variants]) == (7800, [7984, 7984])
    assert store.in_currency("EUR").find_product("SHOE").price == 4990
    assert store.in_currency("SEK").find_product("SHOE").price == 56387
    assert store.find_product("P2").stock == 0
    assert store.find_product("P2").title == shipped_store().find_product("P2").title
    assert store.is_cart("pair")
    assert store.codes["HALF"] == 50
    assert (store.direction("he"), store.texts("he")["cart"], store.texts("he")["add"]) == (
        "rtl",
        "עגלה",
        "Add to cart",
    )


def test_variant_with_a_known_id_is_changed(store_of):
    store = store_of(
        '[[product]]\nkey = "P1"\n[[product.variant]]\nid = "102"\nstock = 9\n'
        '[[product]]\nkey = "P5"\nstock = "unmanaged"\n'
    )
    shirt = store.find_product("P1")
    assert [v.stock for v in shirt.variants] == [4, 9, 7, 2, None, 1]
    assert store.find_product("P5").stock is None


def test_new_dimensions_replace_the_variants(store_of):
    store = store_of(
        '[[product]]\nkey = "P5"\n[[product.dimension]]\ntitle = "Roast"\noptions = [{ title = "dark" }]\n'
        '[[product.variant]]\nid = "504"\noptions = ["dark"]\nprice = 9.40\n'
    )
    assert [v.id for v in store.find_product("P5").variants] == ["504"]


def test_files_of_one_folder_are_read_together(store_of):
    store = store_of(
        '[[cart]]\nname = "two"\nlines = "BAGx1"\n',
        bags='[[product]]\nkey = "BAG"\nid = "31"\ntitle = "Bag"\nprice = 10\n',
    )
    assert store.is_cart("two")


SHOE = '[[product]]\nkey = "SHOE"\nid = "21"\ntitle = "Shoe"\nprice = 10\n'
SIZES = '[[product.dimension]]\ntitle = "Size"\noptions = [{ title = "38" }]\n'


@pytest.mark.parametrize(
    ("text", "place", "rule", "message"),
    [
        ('[[product]\nkey = "A"', "1:10", "toml-syntax", "Expected"),
        ('[[produkt]]\nkey = "A"\n', "1:1", "unknown-key", 'unknown key "produkt"'),
        (SHOE + "colour = 1\n", "6:1", "unknown-key", 'unknown key "colour" in a product'),
        (SHOE.replace('"21"', "21"), "3:1", "wrong-type", '"id" must be a number as a text'),
        (SHOE.replace("10", "-1"), "5:1", "wrong-type", '"price" must be an amount in euro'),
        (SHOE.replace("10", "{ XYZ = 1 }"), "5:11", "unknown-value", 'no currency "XYZ"'),
        (SHOE.replace("10", "{ JPY = 1.5 }"), "5:11", "wrong-type", "1.5 has more decimals than JPY"),
        (SHOE.replace("10", "1.005"), "5:1", "wrong-type", "1.005 has more decimals than EUR"),
        (SHOE.replace('title = "Shoe"\n', ""), "1:1", "missing-key", 'has no "title"'),
        (SHOE.replace('"21"', '"1"'), "3:1", "repeated", 'the product "P1" has the id "1" too'),
        (SHOE + SHOE, "7:1", "repeated", 'another product "SHOE" is already in storefront/store.toml:2:1'),
        (SHOE + 'drawing = "cat"\n', "6:1", "unknown-value", '"drawing" must be one of'),
        (SHOE + SIZES, "6:1", "missing-key", "has dimensions and no variant"),
        (
            SHOE + SIZES + '[[product.variant]]\nid = "9"\noptions = ["39"]\nprice = 1\n',
            "11:12",
            "unknown-value",
            'Size has no option "39"',
        ),
        (
            SHOE + SIZES + '[[product.variant]]\nid = "9"\noptions = ["38", "a"]\nprice = 1\n',
            "11:1",
            "wrong-type",
            "2 options, and the product has 1 dimensions",
        ),
        (
            SHOE + SIZES + '[[product.variant]]\nid = "101"\noptions = ["38"]\nprice = 1\n',
            "10:1",
            "repeated",
            'a variant of the product "P1" has the id "101" too',
        ),
        ('[store]\ncurrency = "JPX"\n', "2:1", "unknown-value", 'no currency "JPX"'),
        ('[[currency]]\ncode = "SEK"\nrate = 11\n', "1:1", "missing-key", 'has no "symbol"'),
        ('[[code]]\ncode = "X"\npercent = 101\n', "3:1", "wrong-type", "from 1 to 100"),
        ('[[cart]]\nname = "a"\nlines = "9x1"\n', "3:1", "unknown-value", 'the line "9x1"'),
        (
            '[[cart]]\nname = "a"\nlines = "2x1"\ncode = "NO"\n',
            "4:1",
            "unknown-value",
            'no discount code "NO"',
        ),
        ('[[product]]\nkey = "P2"\non_request = true\n', "1:1", "unknown-value", 'the cart "C1"'),
        ('[[language]]\ncode = "fr"\ntexts = { kart = "x" }\n', "3:11", "unknown-key", '"kart"'),
        ('[[language]]\ncode = "fr"\ntexts = { total = "{x}" }\n', "3:11", "unknown-value", "name in braces"),
    ],
)
def test_problem_is_reported_at_its_place(problems_of, text, place, rule, message):
    problems = problems_of(text)
    matching = [p for p in problems if p[1] == rule and message in p[2]]
    assert matching, problems
    if rule != "toml-syntax":
        assert matching[0][0] == f"storefront/store.toml:{place}", problems


def test_problems_of_all_files_are_reported_at_once(problems_of, root):
    (root / "manifest.toml").write_text("app_title = 1\n")
    paths = {place.partition(":")[0] for place, _, _ in problems_of("x = 1\n", more="y = 1\n")}
    assert paths == {"manifest.toml", "storefront/store.toml", "storefront/more.toml"}


def test_file_that_is_not_utf_8_is_reported(root):
    (root / "storefront" / "a.toml").write_bytes(b'title = "\xff"\n')
    with pytest.raises(Faulty) as raised:
        read_workspace(root)
    assert [(d.rule, str(d.place)) for d in raised.value.diagnostics] == [
        ("file-encoding", "storefront/a.toml:1:10")
    ]


def test_link_out_of_the_workspace_is_refused(root, tmp_path):
    (tmp_path / "outside.toml").write_text("")
    (root / "storefront" / "a.toml").symlink_to(tmp_path / "outside.toml")
    with pytest.raises(Faulty) as raised:
        read_workspace(root)
    assert [d.rule for d in raised.value.diagnostics] == ["file-outside"]


def test_editor_schema_accepts_the_shipped_files_and_the_example_and_refuses_unknown_keys():
    schema = json.loads(json.dumps(editor_schemas()["storefront.schema.json"]))
    validator = jsonschema.Draft202012Validator(schema)
    for text in (EXAMPLE, *(file.read_text(encoding="utf-8") for file in SHOP.glob("*.toml"))):
        validator.validate(tomllib.loads(text))
    for text in (SHOE + "colour = 1\n", SHOE.replace("10", "-1"), SHOE + '[[product.variant]]\nid = "a"\n'):
        assert not validator.is_valid(tomllib.loads(text))


def test_every_drawing_has_a_template():
    assert sorted(file.stem for file in (TEMPLATES / "drawings").glob("*.svg")) == sorted(DRAWINGS)


@pytest.mark.parametrize(
    ("code", "price", "before"),
    [("EUR", 1890, 2290), ("USD", 2079, 2519), ("JPY", 3024, 3664), ("AED", 7560, 9160)],
)
def test_prices_follow_from_the_rates_rounded_half_up(code, price, before):
    variant = shipped_store().in_currency(code).find_product("P1").variant("104")
    assert (variant.price, variant.before) == (price, before)
