"""The facts of a script, as tables: each is read from its syntax tree."""

import pytest

from awning.script.file import ScriptFile
from awning.script.script_facts import ScriptFacts


def facts_of(script: str, path: str = "a.ts") -> ScriptFacts:
    return ScriptFile(path=path, text=script).facts


EXPORTS = (
    ("export default afterPrice(() => 1);", [("default", False)]),
    ("export default { a: 1 };", [("default", False)]),
    ("const view = 1; export { view as default };", [("default", False)]),
    ("export const a = 1, b = 2;", [("a", False), ("b", False)]),
    ("export let { a, b: [c], ...d } = shop;", [("a", False), ("c", False), ("d", False)]),
    ("export function f() {}", [("f", False)]),
    ("export async function f() {}", [("f", False)]),
    ("export class A {}", [("A", False)]),
    ("export interface A { b: string }", [("A", True)]),
    ("export type A = string;", [("A", True)]),
    ("export enum A { B }", [("A", True)]),
    ("export declare const a: string;", [("a", False)]),
    ("export type { A } from './types.ts';", [("A", True)]),
    ("export { type A, b } from './types.ts';", [("A", True), ("b", False)]),
    ("export { a, b as c };", [("a", False), ("c", False)]),
    ("export * as all from './other.ts';", [("all", False)]),
    ("export * from './other.ts';", []),
    ("const a = 1; function f() {}", []),
    ("// export const a = 1;", []),
    ("const text = 'export default 1';", []),
)


@pytest.mark.parametrize(("script", "exports"), EXPORTS, ids=[script for script, _ in EXPORTS])
def test_exports_are_read_with_name_and_type_flag(script, exports):
    assert [(export.name, export.is_type) for export in facts_of(script).exports] == exports


@pytest.mark.parametrize(
    ("script", "is_star"),
    [
        ("export * from './other.ts';", True),
        ("export type * from './other.ts';", True),
        ("export * as all from './other.ts';", False),
        ("export { a } from './other.ts';", False),
        ("export {} from './other.ts';", False),
        ("import * as all from './other.ts';", False),
    ],
)
def test_named_star_export_is_not_a_star_export(script, is_star):
    (statement,) = facts_of(script).imports
    assert statement.module == "./other.ts"
    assert statement.is_star_export is is_star


@pytest.mark.parametrize(
    ("script", "names"),
    [
        ("import a, { b } from './other.ts';", set()),
        ("const a = 1; let b; var c = 2;", {"a", "b", "c"}),
        ("const { a, b: c, d = 1, ...e } = shop;", {"a", "c", "d", "e"}),
        ("const [a, , [b], ...c] = list;", {"a", "b", "c"}),
        ("function f(a, { b }, c = 1, ...d) {}", {"f", "a", "b", "c", "d"}),
        ("const f = (a: string, b?: number) => a;", {"f", "a", "b"}),
        ("const f = a => a;", {"f", "a"}),
        ("function* g() {}", {"g"}),
        ("const f = function inner() {};", {"f", "inner"}),
        ("class A {} const B = class C {};", {"A", "B", "C"}),
        ("enum A { B }", {"A"}),
        ("namespace A { const b = 1; }", {"A", "b"}),
        ("try {} catch (error) {}", {"error"}),
        ("for (const a of list) {} for (const b in shop) {}", {"a", "b"}),
        ("for (a of list) {}", set()),
        ("if (x) { const deep = 1; }", {"deep"}),
        ("a = 1; shop.b = 2;", set()),
        ("interface A { b: string }\ntype C = string;", set()),
        ("declare function f(a: string): void;", {"f", "a"}),
        ("// const a = 1;", set()),
    ],
)
def test_declared_names_are_read(script, names):
    assert facts_of(script).declared == names


@pytest.mark.parametrize(
    ("script", "levels"),
    [
        ("import './a.ts';", 0),
        ("import '../other/a.ts';", 1),
        ("import '../../other/a.ts';", 2),
        ("import '../_shared/a.ts';", 0),
        ("import './deep/../a.ts';", 1),
        ("import '../_shared/a.ts'; import '../other/b.ts';", 1),
        ("const url = new URL('../other/a.svg', base);", 1),
        ("const all = import(`../${name}/a.ts`);", 1),
        ("// import '../other/a.ts';", 0),
        ("import '../other/a.ts'; const broken = ;", 1),
    ],
)
def test_levels_up_counts_parent_steps_of_paths(script, levels):
    assert facts_of(script).levels_up == levels


@pytest.mark.parametrize(
    ("code", "can_fail"),
    [
        ("", False),
        ("function draw() { return x.y; }\nexport default afterPrice(draw);", False),
        ("export default afterPrice(draw);\nfunction draw() { return x.y; }", False),
        ("const draw = () => a.b;\nexport default [afterPrice<Data>(draw)];", False),
        ("export default afterPrice(draw);\nconst draw = () => a.b;", True),
        (
            "interface A { b(): string }\ntype C = A | null;\nexport default afterPrice(async () => '');",
            False,
        ),
        ("const days: Record<string, number> = { mon: 1, tue: -2 } as const;", False),
        ("const text = new Intl.NumberFormat('lv');", True),
        ("const { a } = JSON.parse('null');", True),
        ("const { a } = b;", True),
        ("export { default } from '../other/widget.ts';", True),
        ("import a from '../other/widget.ts';", True),
        ("import a from '../_shared/a.ts';", False),
        ("const broken = ;", True),
    ],
)
def test_script_that_can_fail_while_loaded_is_recognised(code, *, can_fail):
    script = 'import { afterPrice } from "awning";\n' + code
    assert facts_of(script).can_fail_while_loaded is can_fail
