"""The editor has the types of events for a script that calls the service itself."""

from pathlib import Path

import pytest
from typescript import type_errors

from awning.pipeline.editor import write_runtime_sources

pytestmark = pytest.mark.usefixtures("processes")

SCAFFOLD = Path(__file__).parents[2] / "src/awning/workspace/scaffold/workspace/tsconfig.json"
SCRIPT = """
import type { TypedGlobal } from "awning/types";
declare const shopPlugins: TypedGlobal<"shop-">;
svcPlugins.subscribeEvent("svc-content-after-price", (event, init, { item, page }) => {
  init().setContent(`<p lang="${page.language}">${item.price.toFixed(2)}</p>`);
  init().setContent(item.prise); // wrong: prise
  init().setContent(3); // wrong: number
});
svcPlugins.subscribeEvent("svc-content-after-price-updated", (_event, _init, { item }, updated) => {
  console.log(updated.selectedVariant?.price ?? item.price);
  console.log(updated.selectedVariant.price); // wrong: null
});
svcPlugins.subscribeEvent("svc-content-after-cart", (_event, init, { cartData, currency }) => {
  const block = init();
  block.setContent(cartData.total + (currency.symbol ?? ""));
  block.setContent(currency.symbol.trim()); // wrong: undefined
});
svcPlugins.subscribeEvent("svc-content-after-cart", (_event, _init, _param, updated) => {}); // wrong: not assignable
svcPlugins.subscribeEvent("svc-content-after-checkout-updated", (_event, _init, _param, cart) => cart.total);
svcPlugins.subscribeEvent("svc-content-after-cart-updated", () => {}); // wrong: not assignable
shopPlugins.subscribeEvent("shop-content-after-price", (_event, _init, { item }) => item.variants[0]?.options);
shopPlugins.subscribeEvent("svc-content-after-price", () => {}); // wrong: not assignable
"""


def test_typescript_has_the_types_of_each_event(tmp_path):
    (tmp_path / "tsconfig.json").write_text(SCAFFOLD.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "widgets").mkdir()
    (tmp_path / "widgets/raw.ts").write_text(SCRIPT, encoding="utf-8")
    write_runtime_sources(tmp_path / ".awning/types")
    wrong = {
        number: line.partition("// wrong: ")[2]
        for number, line in enumerate(SCRIPT.splitlines(), start=1)
        if "// wrong: " in line
    }
    errors = type_errors(tmp_path)
    assert set(errors) == {"widgets/raw.ts"}
    assert {line for line, _ in errors["widgets/raw.ts"]} == set(wrong)
    for line, text in errors["widgets/raw.ts"]:
        assert wrong[line] in text
