"""The inference of a template's variables: one walk through its branches and loops, its macros and its includes.

Names follow Jinja2's frames, so that variables of the context are distinguished from others. A name that only some
branches set may refer to a variable of the context or of the template.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from jinja2 import nodes

from awning.diagnostics import Place
from awning.template.template_set import Chain, Layer, ParsedTemplate, TemplateSet, imported_names
from awning.template.types import Type, Variable, VariableUse
from awning.template.types.environment import InferenceFrame, LoopValue, MacroValue, ModuleValue, Named, Names
from awning.template.types.expressions import Expressions
from awning.template.types.shape import UNKNOWN, ReadKind, Ref, Shape, variables

MOST_FOLLOWED = 500
"""The maximum number of macros, templates and blocks that are walked. With more, all types are open (`Type.open`)."""


@dataclass(slots=True, kw_only=True)
class Inference(Expressions):
    """The walk of one template. `open` are the macros, templates and blocks that are being walked, to end recursion."""

    templates: TemplateSet
    open: set[object] = field(default_factory=set)
    followed: int = 0
    loop_names: dict[str, Collection[str]] = field(default_factory=dict)
    """The names that the loops of a template set, by the template's name."""

    def chain(self, chain: Chain, frame: InferenceFrame, names: Names) -> None:
        """Walk a template and its parents in order. `names` receives the names that they set at the top level."""
        for template in chain.templates:
            inner = replace(frame, template=template, chain=chain, names=names, block=None, quiet=False)
            loud, quiet = template.halves
            self.body(loud, inner)
            self.body(quiet, replace(inner, quiet=True))

    def enter(self, key: object) -> bool:
        if key in self.open or self.followed >= MOST_FOLLOWED:
            return False
        self.followed += 1
        self.open.add(key)
        return True

    def body(self, children: Iterable[nodes.Node], frame: InferenceFrame) -> None:
        for node in children:
            step = STATEMENTS.get(type(node))
            if step is not None:
                step(self, node, frame)

    def output(self, node: nodes.Output, frame: InferenceFrame) -> None:
        if frame.quiet:
            return
        for child in node.nodes:
            if not isinstance(child, nodes.TemplateData):
                frame.read(self.value(child, frame), VariableUse.PRINTED)

    def for_(self, node: nodes.For, frame: InferenceFrame) -> None:
        value = self.value(node.iter, frame)
        frame.read(value, ReadKind.OTHER)
        items = tuple(Ref(ref.shape.item(), ref.at) for ref in value)
        inner = frame.inner({"loop": LoopValue(items)})
        self.give(node.target, items, inner)
        if node.test is not None:
            inner = inner.knowing(*self.test(node.test, inner)[0])
        self.body(node.body, inner)
        self.body(node.else_, frame.inner())

    def if_(self, node: nodes.If, frame: InferenceFrame) -> None:
        arms: list[Names] = []
        rest = frame
        for arm in (node, *node.elif_):
            holds, fails = self.test(arm.test, rest)
            arms.append(self.arm(arm.body, rest.knowing(*holds)))
            rest = rest.knowing(*fails)
        arms.append(self.arm(node.else_, rest))
        frame.names.own.update(self.merged(arms, frame))

    def arm(self, body: Sequence[nodes.Node], frame: InferenceFrame) -> Names:
        names = Names(frame.names)
        self.body(body, replace(frame, names=names))
        return names

    def merged(self, arms: Sequence[Names], frame: InferenceFrame) -> dict[str, Named]:
        """Return the names after an `if`. A name that only some arms set may still be a variable of the context."""
        set_in: dict[str, list[Named]] = {}
        for arm in arms:
            for name, value in arm.own.items():
                set_in.setdefault(name, []).append(value)
        out: dict[str, Named] = {}
        for name, values in set_in.items():
            before = frame.names.get(name)
            in_some = len(values) < len(arms)
            if in_some and before is not None:
                values.append(before)
            from_context = in_some and before is None
            if not from_context and all(value_ is values[0] for value_ in values):
                out[name] = values[0]
                continue
            refs = [ref for value_ in values if isinstance(value_, tuple) for ref in value_]
            if from_context and frame.context is not None:
                refs.append(Ref(frame.context.attribute(name), 0, soft=True))
            out[name] = tuple(dict.fromkeys(refs))
        return out

    def assign(self, node: nodes.Assign, frame: InferenceFrame) -> None:
        self.give(node.target, self.named(node.node, frame), frame)

    def give(self, target: nodes.Node, value: Named, frame: InferenceFrame) -> None:
        if isinstance(target, nodes.Name):
            frame.names[target.name] = value
            return
        refs = value if isinstance(value, tuple) else UNKNOWN
        frame.read(refs, ReadKind.OTHER)
        parts = target.items if isinstance(target, nodes.Tuple) else []
        if parts and refs and all(len(ref.shape.parts) == len(parts) for ref in refs):
            for index, part in enumerate(parts):
                self.give(part, tuple(Ref(ref.shape.parts[index], ref.at) for ref in refs), frame)
            return
        frame.open(refs)
        for name in target.find_all(nodes.Name):
            frame.names[name.name] = UNKNOWN

    def assign_block(self, node: nodes.AssignBlock, frame: InferenceFrame) -> None:
        self.body(node.body, replace(frame.inner(), quiet=False))
        self.give(node.target, UNKNOWN, frame)

    def with_(self, node: nodes.With, frame: InferenceFrame) -> None:
        inner = frame.inner()
        for target, value in zip(node.targets, node.values, strict=True):
            self.give(target, self.value(value, frame), inner)
        self.body(node.body, inner)

    def inner(self, node: nodes.Scope | nodes.ScopedEvalContextModifier, frame: InferenceFrame) -> None:
        self.body(node.body, frame.inner())

    def macro(self, node: nodes.Macro, frame: InferenceFrame) -> None:
        frame.names[node.name] = MacroValue(node, frame)

    def call_block(self, node: nodes.CallBlock, frame: InferenceFrame) -> None:
        frame.read(self.value(node.call, frame), VariableUse.PRINTED)
        self.body(node.body, frame.inner({argument.name: UNKNOWN for argument in node.args}))

    def filter_block(self, node: nodes.FilterBlock, frame: InferenceFrame) -> None:
        self.value(node.filter, frame)
        self.body(node.body, frame.inner())

    def call_macro(self, macro: MacroValue, node: nodes.Call, frame: InferenceFrame) -> None:
        """Walk a macro's body with the arguments of a call."""
        names: dict[str, Named] = dict.fromkeys(("caller", "varargs", "kwargs"), UNKNOWN)
        arguments = dict(zip((parameter.name for parameter in macro.node.args), node.args, strict=False))
        arguments |= {keyword.key: keyword.value for keyword in node.kwargs}
        names |= {name: self.named(value, frame) for name, value in arguments.items()}
        known = {parameter.name for parameter in macro.node.args}
        entered = self.enter(macro.node)
        for name, value in names.items():
            if isinstance(value, tuple) and not (entered and name in known):
                frame.open(value)
        if not entered:
            return
        inner = replace(macro.frame, truths=frame.truths, defined=frame.defined, quiet=False)
        defaults = dict(
            zip(
                [parameter.name for parameter in macro.node.args][::-1],
                macro.node.defaults[::-1],
                strict=False,
            )
        )
        for argument in macro.node.args:
            if argument.name not in names:
                default = defaults.get(argument.name)
                names[argument.name] = self.value(default, inner) if default is not None else UNKNOWN
        self.body(macro.node.body, inner.inner(names))
        self.open.discard(macro.node)

    def include(self, node: nodes.Include, frame: InferenceFrame) -> None:
        target = self.templates.linked(node)
        if target is not None:
            self.placed(target, frame, with_context=node.with_context)

    def placed(self, template: ParsedTemplate, frame: InferenceFrame, *, with_context: bool) -> Names:
        """Walk a template where it is included or imported, and return the names that it sets."""
        names = Names(frame.names if with_context else None)
        if self.enter(template):
            chain = self.templates.chain(template)
            outer = frame if with_context else replace(frame, context=None)
            self.chain(chain, outer, names)
            self.open.discard(template)
        return names

    def import_(self, node: nodes.Import, frame: InferenceFrame) -> None:
        frame.names[node.target] = ModuleValue(self.imported(node, frame))

    def from_import(self, node: nodes.FromImport, frame: InferenceFrame) -> None:
        names = self.imported(node, frame)
        for name, alias in imported_names(node):
            value = names.get(name)
            frame.names[alias] = UNKNOWN if value is None else value

    def imported(self, node: nodes.Import | nodes.FromImport, frame: InferenceFrame) -> Names:
        template = self.templates.required(node)
        return self.placed(template, frame, with_context=node.with_context)

    def block(self, node: nodes.Block, frame: InferenceFrame) -> None:
        if not frame.quiet:
            names = frame.names if node.scoped else self.top(frame)
            self.version(node.name, 0, replace(frame, names=names))

    def top(self, frame: InferenceFrame) -> Names:
        """Return the names that a block without `scoped` can read: all but those that loops of the template set."""
        if frame.template.name not in self.loop_names:
            loops = (loop for loop in frame.template.everything if isinstance(loop, nodes.For))
            self.loop_names[frame.template.name] = {
                name.name for loop in loops for name in target_names(loop.target)
            }
        return Names(frame.names, self.loop_names[frame.template.name])

    def version(self, name: str, depth: int, frame: InferenceFrame) -> None:
        """Walk one version of a block; 0 is the most derived."""
        layers: tuple[Layer, ...] = frame.chain.lineages.get(name, ())
        if depth < len(layers) and self.enter((name, depth)):
            layer = layers[depth]
            inner = replace(frame.inner(), template=layer.template, block=(name, depth), quiet=False)
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
"""Statements that are not in this table read nothing."""


def reads(chain: Chain, templates: TemplateSet, names: Iterable[str]) -> tuple[Variable, ...]:
    """Return the types of the variables `names`, which the compiled module reads, sorted by name.

    A variable that the walk did not meet is optional: for example, if only a macro that nothing calls reads it.
    """
    context = Shape()
    walk = Inference(templates=templates)
    walk.chain(chain, InferenceFrame(template=chain.templates[0], chain=chain, context=context), Names())
    if walk.followed >= MOST_FOLLOWED:
        context.open()
    by_name = {
        variable.name: variable
        for variable in variables(context.fields, guards=True, within=ReadKind.OPEN in context.read_kinds)
    }
    path = chain.templates[0].source.path
    return tuple(
        by_name.get(name) or Variable(name=name, type=Type(), place=Place(path=path), required=False)
        for name in sorted(names)
    )
