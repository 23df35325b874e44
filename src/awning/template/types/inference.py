"""The inference of a template's variables: every branch once, loops once, macros and includes where they are used.

Names follow Jinja2's frames closely enough to tell the context's from others: what is set in only some branches may be
either.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.diagnostics import Place
from awning.template.regions import halves, included
from awning.template.types.environment import Here, LoopValue, MacroValue, ModuleValue, Named, Names
from awning.template.types.expressions import Expressions
from awning.template.types.shape import UNKNOWN, Ref, Shape, Way, variables
from awning.template.types.variable import Type, Variable
from awning.template.unit import Chain, Layer, Unit, Units

MOST_FOLLOWED = 500
"""Macros called, templates and blocks placed. Beyond it nothing more is told; the compiler says what is wrong."""


@dataclass(slots=True, kw_only=True)
class Inference(Expressions):
    """One template's walk. `open` holds the macros, templates and blocks that are being walked: each only once."""

    units: Units
    open: set[object] = field(default_factory=set)
    followed: int = 0
    loop_names: dict[str, Collection[str]] = field(default_factory=dict)
    """By template: the names that its loops give."""

    def chain(self, chain: Chain, here: Here, names: Names) -> None:
        """A template and its parents, one after another; `names` gets what they set at the top."""
        for unit in chain.units:
            inner = replace(here, unit=unit, chain=chain, names=names, block=None, quiet=False)
            loud, quiet = halves(unit)
            self.body(loud, inner)
            self.body(quiet, replace(inner, quiet=True))

    def enter(self, key: object) -> bool:
        if key in self.open or self.followed >= MOST_FOLLOWED:
            return False
        self.followed += 1
        self.open.add(key)
        return True

    def body(self, found: Iterable[nodes.Node], here: Here) -> None:
        for node in found:
            step = STATEMENTS.get(type(node))
            if step is not None:
                step(self, node, here)

    def output(self, node: nodes.Output, here: Here) -> None:
        if here.quiet:
            return
        for child in node.nodes:
            if not isinstance(child, nodes.TemplateData):
                here.read(self.value(child, here), Way.PRINTED)

    def for_(self, node: nodes.For, here: Here) -> None:
        value = self.value(node.iter, here)
        here.read(value, Way.OTHER)
        items = tuple(Ref(ref.shape.item(), ref.at) for ref in value)
        inner = here.inner({"loop": LoopValue(items)})
        self.give(node.target, items, inner)
        if node.test is not None:
            inner = inner.knowing(*self.test(node.test, inner)[0])
        self.body(node.body, inner)
        self.body(node.else_, here.inner())

    def if_(self, node: nodes.If, here: Here) -> None:
        arms: list[Names] = []
        rest = here
        for arm in (node, *node.elif_):
            holds, fails = self.test(arm.test, rest)
            arms.append(self.arm(arm.body, rest.knowing(*holds)))
            rest = rest.knowing(*fails)
        arms.append(self.arm(node.else_, rest))
        here.names.own.update(self.merged(arms, here))

    def arm(self, body: Sequence[nodes.Node], here: Here) -> Names:
        names = Names(here.names)
        self.body(body, replace(here, names=names))
        return names

    def merged(self, arms: Sequence[Names], here: Here) -> dict[str, Named]:
        """What names mean behind an `if`. One that was set in some arms only is the context's after the others."""
        set_in: dict[str, list[Named]] = {}
        for arm in arms:
            for name, value in arm.own.items():
                set_in.setdefault(name, []).append(value)
        out: dict[str, Named] = {}
        for name, given in set_in.items():
            before = here.names.get(name)
            in_some = len(given) < len(arms)
            if in_some and before is not None:
                given.append(before)
            from_context = in_some and before is None
            if not from_context and all(one is given[0] for one in given):
                out[name] = given[0]
                continue
            refs = [ref for one in given if isinstance(one, tuple) for ref in one]
            if from_context and here.context is not None:
                refs.append(Ref(here.context.attribute(name), 0, soft=True))
            out[name] = tuple(dict.fromkeys(refs))
        return out

    def assign(self, node: nodes.Assign, here: Here) -> None:
        self.give(node.target, self.named(node.node, here), here)

    def give(self, target: nodes.Node, value: Named, here: Here) -> None:
        if isinstance(target, nodes.Name):
            here.names[target.name] = value
            return
        refs = value if isinstance(value, tuple) else UNKNOWN
        here.read(refs, Way.OTHER)
        parts = target.items if isinstance(target, nodes.Tuple) else []
        if parts and refs and all(len(ref.shape.parts) == len(parts) for ref in refs):
            for index, part in enumerate(parts):
                self.give(part, tuple(Ref(ref.shape.parts[index], ref.at) for ref in refs), here)
            return
        here.open(refs)
        for name in target.find_all(nodes.Name):
            here.names[name.name] = UNKNOWN

    def assign_block(self, node: nodes.AssignBlock, here: Here) -> None:
        self.body(node.body, replace(here.inner(), quiet=False))
        self.give(node.target, UNKNOWN, here)

    def with_(self, node: nodes.With, here: Here) -> None:
        inner = here.inner()
        for target, value in zip(node.targets, node.values, strict=True):
            self.give(target, self.value(value, here), inner)
        self.body(node.body, inner)

    def inner(self, node: nodes.Scope | nodes.ScopedEvalContextModifier, here: Here) -> None:
        self.body(node.body, here.inner())

    def macro(self, node: nodes.Macro, here: Here) -> None:
        here.names[node.name] = MacroValue(node, here)

    def call_block(self, node: nodes.CallBlock, here: Here) -> None:
        here.read(self.value(node.call, here), Way.PRINTED)
        self.body(node.body, here.inner({argument.name: UNKNOWN for argument in node.args}))

    def filter_block(self, node: nodes.FilterBlock, here: Here) -> None:
        self.value(node.filter, here)
        self.body(node.body, here.inner())

    def call_macro(self, macro: MacroValue, node: nodes.Call, here: Here) -> None:
        """Walk a macro's body with what it is given."""
        names: dict[str, Named] = dict.fromkeys(("caller", "varargs", "kwargs"), UNKNOWN)
        given = dict(zip((one.name for one in macro.node.args), node.args, strict=False))
        given |= {keyword.key: keyword.value for keyword in node.kwargs}
        names |= {name: self.named(value, here) for name, value in given.items()}
        known = {one.name for one in macro.node.args}
        entered = self.enter(macro.node)
        for name, value in names.items():
            if isinstance(value, tuple) and not (entered and name in known):
                here.open(value)
        if not entered:
            return
        inner = replace(macro.here, truths=here.truths, defined=here.defined, quiet=False)
        defaults = dict(
            zip([one.name for one in macro.node.args][::-1], macro.node.defaults[::-1], strict=False)
        )
        for argument in macro.node.args:
            if argument.name not in names:
                default = defaults.get(argument.name)
                names[argument.name] = self.value(default, inner) if default is not None else UNKNOWN
        self.body(macro.node.body, inner.inner(names))
        self.open.discard(macro.node)

    def include(self, node: nodes.Include, here: Here) -> None:
        found = included(self.units, here.unit, node)
        if found is not None:
            self.placed(found, here, with_context=node.with_context)

    def placed(self, unit: Unit, here: Here, *, with_context: bool) -> Names:
        """Another template, walked at its place; returns its names."""
        names = Names(here.names if with_context else None)
        if self.enter(unit):
            chain = self.units.chain(unit)
            outer = here if with_context else replace(here, context=None)
            self.chain(chain, outer, names)
            self.open.discard(unit)
        return names

    def import_(self, node: nodes.Import, here: Here) -> None:
        here.names[node.target] = ModuleValue(self.imported(node, here))

    def from_import(self, node: nodes.FromImport, here: Here) -> None:
        names = self.imported(node, here)
        for one in node.names:
            name, alias = one if isinstance(one, tuple) else (one, one)
            found = names.get(name)
            here.names[alias] = UNKNOWN if found is None else found

    def imported(self, node: nodes.Import | nodes.FromImport, here: Here) -> Names:
        unit = self.units.required(here.unit, node, node.template)
        return self.placed(unit, here, with_context=node.with_context)

    def block(self, node: nodes.Block, here: Here) -> None:
        if not here.quiet:
            names = here.names if node.scoped else self.top(here)
            self.version(node.name, 0, replace(here, names=names))

    def top(self, here: Here) -> Names:
        """A block that is not scoped sees what was set at the top, not what a loop around it gives."""
        if here.unit.name not in self.loop_names:
            found = (one for one in here.unit.everything if isinstance(one, nodes.For))
            self.loop_names[here.unit.name] = {
                name.name for one in found for name in target_names(one.target)
            }
        return Names(here.names, self.loop_names[here.unit.name])

    def version(self, name: str, depth: int, here: Here) -> None:
        """A version of a block: the most derived is 0."""
        layers: tuple[Layer, ...] = here.chain.lineages.get(name, ())
        if depth < len(layers) and self.enter((name, depth)):
            layer = layers[depth]
            inner = replace(here.inner(), unit=layer.unit, block=(name, depth), quiet=False)
            self.body(layer.node.body, inner)
            self.open.discard((name, depth))


def target_names(target: nodes.Node) -> Iterator[nodes.Name]:
    if isinstance(target, nodes.Name):
        yield target
    yield from target.find_all(nodes.Name)


STATEMENTS: Mapping[type[nodes.Node], Callable[..., None]] = {
    nodes.Output: Inference.output,
    nodes.For: Inference.for_,
    nodes.If: Inference.if_,
    nodes.Assign: Inference.assign,
    nodes.AssignBlock: Inference.assign_block,
    nodes.With: Inference.with_,
    nodes.Scope: Inference.inner,
    nodes.ScopedEvalContextModifier: Inference.inner,
    nodes.Macro: Inference.macro,
    nodes.CallBlock: Inference.call_block,
    nodes.FilterBlock: Inference.filter_block,
    nodes.Include: Inference.include,
    nodes.Import: Inference.import_,
    nodes.FromImport: Inference.from_import,
    nodes.Block: Inference.block,
}
"""Every other statement reads nothing."""


def reads(chain: Chain, units: Units, names: Iterable[str]) -> tuple[Variable, ...]:
    """The variables among `names`, which are those that the compiled module reads, sorted.

    One that the walk did not come upon (it is read in a macro that nothing calls, or only where a `set` was passed
    by) may be given and need not be.
    """
    context = Shape()
    walk = Inference(units=units)
    walk.chain(chain, Here(unit=chain.units[0], chain=chain, context=context), Names())
    if walk.followed >= MOST_FOLLOWED:
        context.open()
    found = {one.name: one for one in variables(context.fields, guards=True, within=Way.OPEN in context.ways)}
    path = chain.units[0].source.path
    return tuple(
        found.get(name) or Variable(name=name, type=Type(), place=Place(path=path), required=False)
        for name in sorted(names)
    )
