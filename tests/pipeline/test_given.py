"""What a render function is seen not to read is not made for it; where there is a doubt it gets everything."""

import re

import pytest
from project import Project

from awning.pipeline.given import COMMON, read

IMPORT = 'import { afterPrice, afterCart } from "awning";\n'

SEEN = [
    ("export default afterPrice(({ item, t }) => t('a'));", {"t"}),
    ("export default afterPrice(({ item }) => '');", set()),
    ("export default afterPrice(() => '');", COMMON),
    ("export default afterPrice(async ({ page: { language, ...rest }, t = {} }) => '');", {"page", "t"}),
    ("export default afterPrice(({ page: { a: { b } } }) => '');", COMMON),
    ("export default afterPrice(async ({ page: where, data = 1 }) => '');", {"page", "data"}),
    ("export default [afterPrice(({ t }) => ''), afterCart(({ language }) => '')];", {"t", "language"}),
    ("export default [afterPrice(({ t }) => ''), afterCart((args) => '')];", COMMON),
    ("export default afterPrice(({ item, ...rest }) => '');", COMMON),
    ("export default afterPrice(function ({ item }) { return arguments[0].t; });", COMMON),
    ("export default afterPrice<Data>(async ({ t }: PriceArgs<Data>): Promise<string> => '');", {"t"}),
    ("export default afterPrice(render);", COMMON),
    ("const slot = afterPrice; export default slot(({ t }) => '');", COMMON),
    ("export default afterPrice(live(({ t }) => '', {}));", COMMON),
    ("export default afterPrice(({\n  item,\n  t, // texts\n}) => '');", COMMON),
    ("export default afterPrice(({\n  item,\n  t,\n}) => '');", {"t"}),
]


@pytest.mark.parametrize(("script", "fields"), SEEN, ids=[script for script, _ in SEEN])
def test_what_is_read(script: str, fields: set[str]) -> None:
    assert read(IMPORT + script) == fields


def test_a_slot_under_another_name_is_a_doubt() -> None:
    assert (
        read('import { afterPrice as slot } from "awning";\nexport default slot((args) => args.page);')
        == COMMON
    )
    assert (
        read(
            'import { afterCart, afterPrice as slot } from "awning";\nexport default afterCart(({ t }) => "");'
        )
        == COMMON
    )


def test_a_build_leaves_out_what_is_not_read(project: Project) -> None:
    script = IMPORT + "export default afterPrice(({ item, t }) => t('hello') + item.name);"
    project.add_widget("note", widget_ts=script).build()
    entry = (project.root / ".awning/cache/stage/entries/note/en/body.ts").read_text(encoding="utf-8")
    assert re.search(r"page => \(\{ t: oneLanguage\(.*\) \}\), replace\);", entry)
