"""Which scripts have one slot that is known, and which only hand their `t` on: the rest counts as anything."""

import pytest

from awning.check import sole_slot, texts_of, without_texts
from awning.check.script import sole

IMPORT = 'import { afterPrice } from "awning";\n'
VIEW = 'import view from "./view.html.j2";\n'

ONE = {
    "a render function": IMPORT + "export default afterPrice(() => '');",
    "with a type": IMPORT + "export default afterPrice<Data>(render);",
    "one that lives": 'import { afterPrice, live } from "awning";\nexport default afterPrice(live(render, {}));',
    "another import besides": 'import { money } from "awning";\n'
    + IMPORT
    + "export default afterPrice(money);",
    "without white space": 'import{afterPrice}from"awning";export default afterPrice(()=>"")',
    "named in a comment and a text": IMPORT + "// afterPrice\nexport default afterPrice(() => 'afterPrice');",
}
DOUBTFUL = {
    "a list": IMPORT + "export default [afterPrice(() => '')];",
    "another name": 'import { afterPrice as slot } from "awning";\nexport default slot(() => "");',
    "a value of that name": IMPORT + "const also = afterPrice;\nexport default afterPrice(() => '');",
    "called twice": IMPORT + "afterPrice(() => '');\nexport default afterPrice(() => '');",
    "not the default": IMPORT + "export const slot = afterPrice(() => '');",
    "by way of a constant": IMPORT + "const slot = afterPrice(() => '');\nexport default slot;",
    "part of an expression": IMPORT + "export default afterPrice(() => '') ?? 1;",
    "of its own": "const afterPrice = (render) => render;\nexport default afterPrice(() => '');",
    "from elsewhere": 'import { afterPrice } from "./slots.ts";\nexport default afterPrice(() => "");',
    "a second slot imported": 'import { afterCart, afterPrice } from "awning";\nexport default afterPrice(afterCart);',
    "the type alone": 'import type { afterPrice } from "awning";\nexport default afterPrice(() => "");',
    "what does not parse": IMPORT + "export default afterPrice(() => '');\n) afterCart (",
    "everything of the module": 'import * as a from "awning";\nexport default a.afterPrice(() => "");',
}


@pytest.mark.parametrize("case", ONE, ids=str)
def test_one_slot_is_known(case: str) -> None:
    found = sole_slot(ONE[case])
    assert found is not None
    assert found.function == "afterPrice"
    assert ONE[case][slice(*found.module)] == '"awning"'


def test_where_the_module_is_named_counts_characters() -> None:
    script = "// €𝄞\n" + ONE["a render function"]
    found = sole_slot(script)
    assert found is not None
    assert script[slice(*found.module)] == '"awning"'


@pytest.mark.parametrize("case", DOUBTFUL, ids=str)
def test_anything_else_is_a_doubt(case: str) -> None:
    assert sole_slot(DOUBTFUL[case]) is None


def test_a_second_script_that_names_a_slot_is_a_doubt() -> None:
    script = ONE["a render function"]
    assert sole_slot(script, ["export const also = afterCart(() => '');"]) is None
    assert sole_slot(script, ["// like afterCart\nexport const word = 'afterCart';"]) is not None


TEXTS = [
    ("({ item, t }) => view({ t, item })", True, False),
    ("({ item, t }) => view({ ...item, t })", True, False),
    ("({ item, t }) => view({ t, label: t('a') })", True, True),
    ("({ t }) => `${t('a')}`", True, True),
    ("({ t }) => view({ t, x: other.t })", True, False),
    ("({ t }: { t: Translate }) => view({ t })", True, False),
    ("live(({ t }) => view({ t }), {})", True, False),
    ("async ({ t }) => view({ t })", True, False),
    ("render); const render = ({ t }) => view({ t }", False, False),
    ("(args) => args.rows.map(({ t }) => view({ t }))", False, False),
    ("({ item: { t } }) => view({ t })", False, False),
    ("({ item }) => view({ item })", False, False),
    ("({ t: say }) => view({ t: say })", False, True),
    ("({ t = String }) => view({ t })", False, True),
    ("({ t }) => view({ t: loud })", False, True),
    ("({ t }) => view({ t, ...item })", False, True),
    ("({ t }) => view({ ...item })", False, True),
    ("({ t }) => row(t)", False, True),
    ("({ t }) => rows.map(({ t }) => view({ t }))", False, False),
    ("({ t }) => { const say = t; return say('a'); }", False, True),
    ("({ t }) => { t = loud; return view({ t }); }", False, True),
    ("({ t }) => rows.map((t) => view({ t }))", False, True),
    ("({ t }) => view({ t() { return ''; } })", False, True),
    ("({ t, item }) => view({ label: say({ t, item }) })", False, True),
    ("({ t }) => { const given = { t }; return given.t('a'); }", False, True),
    ("({ t }) => ((view) => view({ t }))((o) => o.t('a'))", False, True),
    ("({ t }) => views.map(view)[0] + view({ t })", False, True),
    ("function ({ t }) { return view({ t, x: arguments[0].t('a') }); }", False, True),
]


@pytest.mark.parametrize(("render", "handed", "called"), TEXTS, ids=[render for render, _, _ in TEXTS])
def test_where_t_goes(render: str, handed: bool, called: bool) -> None:
    found = texts_of([f"{IMPORT}{VIEW}export default afterPrice({render});"])
    assert found.handed is handed
    if handed:
        assert found.called is called


def test_a_tree_as_deep_as_a_sum_of_a_thousand_texts_is_read() -> None:
    deep = f"const long = {' + '.join(['1'] * 2000)};\n"
    assert sole_slot(deep + ONE["a render function"]) is not None
    assert texts_of([f"{deep}{IMPORT}{VIEW}export default afterPrice(({{ t }}) => view({{ t }}));"]).handed


def test_a_script_that_widgets_share_is_parsed_once() -> None:
    asked = (sole._names_slot, sole._uses_in)
    before = [one.cache_info().misses for one in asked]
    shared = "// neither afterCart nor t, but for the parser\nexport const shared = 1;"
    for number in range(3):
        own = f"{IMPORT}{VIEW}export default afterPrice(({{ t }}) => view({{ t, x: {number} }}));"
        assert sole_slot(own, [shared]) is not None
        assert texts_of([own, shared]).handed
    assert [one.cache_info().misses - was for one, was in zip(asked, before, strict=True)] == [1, 4]


BLANKED = [
    ("({ item, t }) => view({ t, item })", "({ item,   }) => view({    item })"),
    ("({ t }) => view({ ...item, t })", "({   }) => view({ ...item,   })"),
    ("({ t, item }) => view({ item, t , x: 1 })", "({    item }) => view({ item,     x: 1 })"),
    ("({\n  item,\n  t,\n}) => view({ t, é: 1 })", "({\n  item,\n    \n}) => view({    é: 1 })"),
    ("({ item, t }) => view({ item: other.t, t })", "({ item,   }) => view({ item: other.t,   })"),
]


@pytest.mark.parametrize(("render", "blank"), BLANKED, ids=[render for render, _ in BLANKED])
def test_a_t_that_nobody_calls_becomes_blanks(render: str, blank: str) -> None:
    before = f'{IMPORT}import view from "./view.html.j2";\n// t stays\nexport default afterPrice('
    assert without_texts(f"{before}{render});") == f"{before}{blank});"
