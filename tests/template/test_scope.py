"""Frames and their variables, from trees built by hand."""

from jinja2 import nodes

from awning.template.scope import Scope, Start, scope_of_body, scope_of_loop


def name(text: str, ctx: str = "load") -> nodes.Name:
    return nodes.Name(text, ctx)


def written(text: str, value: nodes.Expr | None = None) -> nodes.Assign:
    return nodes.Assign(name(text, "store"), value or nodes.Const(1))


def printed(text: str) -> nodes.Output:
    return nodes.Output([name(text)])


def starts(scope: Scope) -> dict[str, Start]:
    return scope.starts


def test_name_that_is_only_read_comes_from_the_context() -> None:
    assert starts(scope_of_body(None, [printed("x")])) == {"x": Start.CONTEXT}


def test_name_that_is_written_first_starts_undefined() -> None:
    assert starts(scope_of_body(None, [written("x"), printed("x")])) == {"x": Start.UNDEFINED}


def test_name_that_is_read_before_it_is_written_starts_with_the_context_value() -> None:
    assert starts(scope_of_body(None, [written("x", name("x"))])) == {"x": Start.CONTEXT}


def test_name_written_in_one_branch_starts_with_the_context_value() -> None:
    branch = nodes.If(name("c"), [written("x")], [], [])
    scope = scope_of_body(None, [branch])
    assert starts(scope) == {"c": Start.CONTEXT, "x": Start.CONTEXT}
    assert scope.stores == {"x"}


def test_inner_frame_copies_the_variables_that_it_writes() -> None:
    outer = scope_of_body(None, [written("x")])
    inner = scope_of_body(outer, [written("x")])
    assert starts(inner) == {"x": Start.OUTER}
    assert inner.level == 1


def test_an_inner_frame_reads_the_enclosing_variable() -> None:
    outer = scope_of_body(None, [written("x")])
    inner = scope_of_body(outer, [printed("x")])
    assert starts(inner) == {}
    assert inner.owner("x") is outer


def test_loop_frame_defines_loop_and_its_targets() -> None:
    loop = nodes.For(name("i", "store"), name("items"), [printed("i"), written("n")], [], None, False)
    outer = scope_of_body(None, [loop])
    assert starts(outer) == {"items": Start.CONTEXT}
    assert starts(scope_of_loop(outer, loop, loop=True)) == {
        "loop": Start.PARAMETER,
        "i": Start.PARAMETER,
        "n": Start.UNDEFINED,
    }


def test_only_writer_of_a_name_is_found() -> None:
    macro = nodes.Macro("m", [], [], [])
    assert scope_of_body(None, [macro]).only_writer("m") is macro
    assert scope_of_body(None, [macro, written("m")]).only_writer("m") is None
    assert scope_of_body(None, [printed("m"), macro]).only_writer("m") is None
