"""One template with all it hangs together with -> the variables that `view({...})` is given."""

from collections.abc import Iterable

from awning.diagnostics import Place
from awning.template.types.here import Here, Names
from awning.template.types.shape import Shape, Way, variables
from awning.template.types.variable import Type, Variable
from awning.template.types.walk import MOST_FOLLOWED, Walk
from awning.template.unit import Chain, Units


def reads(chain: Chain, units: Units, names: Iterable[str]) -> tuple[Variable, ...]:
    """The variables among `names`, which are those that the compiled module reads, sorted.

    One that the walk did not come upon (it is read in a macro that nothing calls, or only where a `set` was passed
    by) may be given and need not be.
    """
    context = Shape()
    walk = Walk(units=units)
    walk.chain(chain, Here(unit=chain.units[0], chain=chain, context=context), Names())
    if walk.followed >= MOST_FOLLOWED:
        context.open()
    found = {one.name: one for one in variables(context.fields, guards=True, within=Way.OPEN in context.ways)}
    path = chain.units[0].source.path
    return tuple(
        found.get(name) or Variable(name=name, type=Type(), place=Place(path=path), required=False)
        for name in sorted(names)
    )
