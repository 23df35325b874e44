"""The names of the simulated shop in the check equal those in the shop."""

from awning.check.states import shop_product
from awning.contract.shop import SHOP_CARTS, SHOP_CODES, SHOP_PRODUCTS, SHOP_SHIPPING, ShopProduct
from awning_harness.storefront.cart import DISCOUNT_CODES, SHIPPING, read_cart
from awning_harness.storefront.catalogue import PRODUCTS, find_product
from awning_harness.storefront.records import option_names


def test_check_has_the_products_and_variants_of_the_shop():
    assert {
        product.key: ShopProduct(
            product.id,
            priced=product.priced,
            variants={v.id: option_names(product, v) for v in product.variants},
        )
        for product in PRODUCTS
    } == dict(SHOP_PRODUCTS)


def test_check_and_shop_find_products_by_the_same_names():
    for name in (*SHOP_PRODUCTS, *(product.id for product in SHOP_PRODUCTS.values()), "P99", "0", ""):
        assert (shop_product(name) is None) == (find_product(name) is None)


def test_check_has_the_carts_codes_and_shipping_methods_of_the_shop():
    assert all(read_cart(name) is not None for name in SHOP_CARTS)
    assert tuple(DISCOUNT_CODES) == SHOP_CODES
    assert tuple(SHIPPING) == SHOP_SHIPPING
