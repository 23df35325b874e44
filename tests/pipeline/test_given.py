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
    ("export default afterPrice(({ item, open = '{', t, close = '}' }) => '');", COMMON),
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
    assert (
        read(
            'import { afterPrice\n  as\n  slot } from "awning";\n// afterPrice(({ t }) =>\nexport default slot(f);'
        )
        == COMMON
    )


def test_a_build_leaves_out_what_is_not_read(project: Project) -> None:
    script = IMPORT + "export default afterPrice(({ item, t }) => t('hello') + item.name);"
    project.add_widget("note", widget_ts=script).build()
    entry = (project.root / ".awning/cache/stage/entries/note/en/body.ts").read_text(encoding="utf-8")
    assert re.search(r"page => \(\{ t: oneLanguage\(.*\) \}\), replace\);", entry)


ASYNC = IMPORT + "export const slot = afterPrice(async ({ t }) => t('hello'));"
BOTH = (
    IMPORT
    + 'import { slot } from "../note/slot.ts";\nexport default [afterPrice(({ item }) => item.name), slot];'
)


def test_a_widget_that_takes_a_slot_from_another_gets_everything_and_waits(project: Project) -> None:
    note = 'export { slot as default } from "./slot.ts";'
    project.add_widget("note", slot_ts=ASYNC, widget_ts=note).add_widget("both", widget_ts=BOTH).build()
    entry = (project.root / ".awning/cache/stage/entries/both/default/body.ts").read_text(encoding="utf-8")
    assert "page => ({ page, language: page.language, data: {}, t: byLanguage(" in entry
    assert 'later("both", keep));' in entry


def test_a_shared_script_is_no_other_widgets(project: Project) -> None:
    script = (
        IMPORT
        + 'import { name } from "../_shared/name.ts";\nexport default afterPrice(({ item }) => name(item));'
    )
    project.add_file("widgets/_shared/name.ts", "export const name = (item) => item.name;\n")
    project.add_widget("note", widget_ts=script).build()
    entry = (project.root / ".awning/cache/stage/entries/note/en/body.ts").read_text(encoding="utf-8")
    assert "page => ({  }), replace);" in entry


def test_a_folder_within_the_widget_is_its_own(project: Project) -> None:
    slot = IMPORT + 'import { name } from "../name.ts";\nexport default afterPrice(({ item }) => name(item));'
    project.add_file("widgets/note/lib/name.ts", "export const name = (item) => item.name;\n")
    project.add_file("widgets/note/lib/deep/slot.ts", slot)
    project.add_widget(
        "note", widget_ts='import slot from "./lib/deep/slot.ts";\nexport default slot;\n'
    ).build()
    entry = (project.root / ".awning/cache/stage/entries/note/en/body.ts").read_text(encoding="utf-8")
    assert "page => ({  }), replace);" in entry
