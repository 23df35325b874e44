"""docs/storefront.md names all products, options and scenarios."""

from pathlib import Path

import pytest

from awning.contract.assumptions import ASSUMPTION_SETS
from awning.contract.shop import SHOP_POLICIES
from awning.workspace.store.store_files import shipped_store
from awning_harness.storefront.options import CARRIED
from awning_harness.storefront.scenarios import SCENARIOS

PAGE = (Path(__file__).parents[2] / "docs" / "storefront.md").read_text(encoding="utf-8")

STORE = shipped_store()
WORDS = [
    *ASSUMPTION_SETS, *CARRIED, *SHOP_POLICIES, *SCENARIOS, *STORE.codes, *STORE.shipping, *STORE.currencies,
]  # fmt: skip


@pytest.mark.parametrize("word", sorted(WORDS))
def test_docs_name_every_option_and_scenario(word):
    assert f"`{word}`" in PAGE


@pytest.mark.parametrize("product", STORE.products, ids=lambda p: p.key)
def test_docs_list_every_product_and_the_id_of_every_shirt_variant(product):
    assert f"| {product.key} |" in PAGE
    if product.key in ("P1", "P5"):
        assert all(variant.id in PAGE for variant in product.variants)
