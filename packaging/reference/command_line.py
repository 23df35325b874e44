"""The pages of the command line: an overview, and one for each verb with its options and exit codes.

Options that several verbs have are described once, in the overview; those that several subcommands of a verb have, at
the end of the verb's page. The exit codes that most of them have are below its introduction.
A page lists only those variables of an option whose names do not follow from the names of the verb and the option.
"""

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby

import click

from awning.cli.decorators import HEADING, WITHOUT_VARIABLE
from awning.cli.main import awning
from awning.cli.verbs import LazyVerb, joined_verbs
from awning.contract import Exit
from awning.contract.exits import COMMON, MEANINGS, exits_of
from reference.markdown import code, entries, one_line, page, sentence

Row = tuple[str, str]
"""An option with its value, and what it does."""

SHARED = 3
"""An option that so many subcommands of a verb have, with the same description, is described once."""
REPEATED = 2
"""So many options that an earlier command of the page has, too, are not described again."""
COMMON_OPTIONS = "README.md#common-options"
SHARED_OPTIONS = "#shared-options"
EXIT_CODES = "README.md#exit-codes"
VERBATIM = "\b"
"""Click's mark for a paragraph whose lines stay as they are."""

INTRODUCTION = """\
`awning VERB`, or `python3 build.py VERB` in a bare clone of awning. `awning VERB --help` says the same as these pages.

Every option has a variable: `AWNING`, the words of the verb and the option, such as `AWNING_PUBLISH_PLAN_ONLY` for
`awning publish plan --only`. `AWNING_BUILD_JSON=1` is `awning build --json`. The command line wins over the
environment, and the environment over the file `.env` in the root of the workspace.

`--json` prints one document, with `schema_version`, on standard output. Everything for people goes to standard error
then."""


def verbs_not_installed(declared: Iterable[str]) -> list[str]:
    """Return the verbs that pyproject.toml declares and this environment does not have, because it is older."""
    return sorted(set(declared) - joined_verbs().keys())


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path in docs/reference and the text of each page."""
    context = click.Context(awning, info_name="awning")
    commands = {name: awning.get_command(context, name) for name in joined_verbs()}
    verbs = {
        name: (command, click.Context(command, parent=context, info_name=name))
        for name, command in commands.items()
        if command is not None
    }
    common = _common(verbs.values())
    yield "cli/README.md", _overview(joined_verbs().values(), common)
    for name, (command, below) in verbs.items():
        shared = _shared(command, below, common)
        usual = _usual_options(command, below, shared)
        verb = VerbPage(common, shared, usual, _usual_codes(command, below), {})
        parts = [*_command(command, below, (name,), verb)]
        if shared:
            parts += ["## Shared options", *_listed(shared, common)]
        yield f"cli/{name}.md", page(f"awning {name}", parts)


@dataclass(frozen=True)
class VerbPage:
    """What the page of a verb describes once.

    `common` has the options of several verbs, `shared` those of several subcommands, of which only the names are listed
    beside a command: `usual` are those that most subcommands have, and `codes` their exit codes. `described` has the
    options that the page has already, with the command that they are described with.
    """

    common: Sequence[Row]
    shared: Sequence[Row]
    usual: Sequence[Row]
    codes: frozenset[Exit]
    described: dict[Row, str]


def _overview(verbs: Iterable[LazyVerb], common: Sequence[Row]) -> str:
    exits = ((str(exit_code.value), one_line(MEANINGS[exit_code])) for exit_code in Exit)
    parts = [INTRODUCTION]
    for heading, group in groupby(verbs, key=lambda verb: verb.heading):
        rows = ((f"[`awning {verb.name}`]({verb.name}.md)", one_line(verb.help)) for verb in group)
        parts += [f"## {heading}", entries(rows)]
    parts += ["## Common options", "Several verbs have these. Their pages name them.", entries(common)]
    return page("Command line", [*parts, "## Exit codes", entries(exits), _exits_of_every_verb()])


def _exits_of_every_verb() -> str:
    listed = ", ".join(code(str(each.value)) for each in sorted(COMMON))
    return f"Every verb has {listed}. Its page names further ones."


def _common(verbs: Iterable[tuple[click.Command, click.Context]]) -> Sequence[Row]:
    """Return the rows of the options that several verbs have: of each name the one that most commands have."""
    of_verbs = [
        Counter(row for below, inner in _runnable(command, context) for row in _options(below, inner))
        for command, context in verbs
    ]
    commands: Counter[Row] = sum(of_verbs, Counter())
    several = {row for row in commands if sum(row in rows for rows in of_verbs) > 1}
    named = {_without_value(row[0]): row for row, _ in reversed(commands.most_common())}
    return [row for row, count in commands.items() if count > SHARED and row in several & set(named.values())]


def _shared(command: click.Command, context: click.Context, common: Sequence[Row]) -> Sequence[Row]:
    """Return the rows of the options that at least `SHARED` subcommands have; none if the overview has all of them."""
    counts = Counter(row for below, inner in _runnable(command, context) for row in _options(below, inner))
    shared = [row for row, count in counts.items() if count >= SHARED]
    return shared if any(row not in common for row in shared) else []


def _usual_options(command: click.Command, context: click.Context, shared: Sequence[Row]) -> Sequence[Row]:
    """Return those `shared` options that more than a third of the subcommands have, and no other; else none."""
    counts = Counter(
        tuple(row for row in shared if row in [*_options(below, inner)])
        for below, inner in _runnable(command, context)
    )
    usual, count = counts.most_common(1)[0]
    return usual if 3 * count > counts.total() else ()


def _usual_codes(command: click.Command, context: click.Context) -> frozenset[Exit]:
    """Return the exit codes that most of the command and its subcommands have."""
    counts = Counter(
        frozenset(exits_of(inner.command_path.split()[1:])) for _, inner in _runnable(command, context)
    )
    return counts.most_common(1)[0][0]


def _codes_line(codes: frozenset[Exit], verb: VerbPage) -> str:
    """Return the exit codes of a command beside those of every verb; empty when they are the usual ones of the page."""
    further = ", ".join(code(str(each.value)) for each in sorted(codes - COMMON))
    return "" if codes == verb.codes else f"Further [exit codes]({EXIT_CODES}): {further or 'none'}."


def _usual_codes_line(verb: VerbPage, *, is_group: bool) -> str:
    further = ", ".join(code(str(each.value)) for each in sorted(verb.codes - COMMON))
    unless = ", unless a subcommand names others" if is_group else ""
    return f"Further [exit codes]({EXIT_CODES}){unless}: {further}." if further else ""


def _runnable(
    command: click.Command, context: click.Context
) -> Iterator[tuple[click.Command, click.Context]]:
    """Yield the command and its subcommands that do something by themselves."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield command, context
    if isinstance(command, click.Group):
        for name, subcommand in command.commands.items():
            yield from _runnable(subcommand, click.Context(subcommand, parent=context, info_name=name))


def _command(
    command: click.Command, context: click.Context, path: tuple[str, ...], verb: VerbPage
) -> Iterator[str]:
    """Yield the parts of a command, and those of its subcommands below headings of their own."""
    yield from help_parts(command.help or "")
    if len(path) == 1:
        yield _usual_codes_line(verb, is_group=isinstance(command, click.Group))
        if verb.usual:
            yield f"[Shared options]({SHARED_OPTIONS}), unless a subcommand names others: {_names(verb.usual)}."
    if not isinstance(command, click.Group) or command.invoke_without_command:
        pieces = command.collect_usage_pieces(context)
        if arguments := [piece for piece in pieces if piece != "[OPTIONS]"]:
            yield f"```\nawning {' '.join((*path, *arguments))}\n```"
        yield from _options_of(command, context, path, verb)
        yield from help_parts(command.epilog or "")
        yield _codes_line(frozenset(exits_of(path)), verb)
    if isinstance(command, click.Group):
        for name, subcommand in command.commands.items():
            yield f"{'#' * min(len(path) + 1, 4)} awning {' '.join((*path, name))}"
            below = click.Context(subcommand, parent=context, info_name=name)
            yield from _command(subcommand, below, (*path, name), verb)


def _options_of(
    command: click.Command, context: click.Context, path: tuple[str, ...], verb: VerbPage
) -> Iterator[str]:
    """Yield the options of a command: its own with what they do, the names of others with where that is said."""
    options = [*_options(command, context)]
    own = [row for row in options if row not in verb.shared]
    before: dict[str, list[Row]] = {}
    for row in own:
        if row in verb.described and row not in verb.common:
            before.setdefault(verb.described[row], []).append(row)
    repeated = {name: rows for name, rows in before.items() if len(rows) >= REPEATED}
    own = [row for row in own if row not in chain(*repeated.values())]
    verb.described.update({row: " ".join(path) for row in own if row not in verb.described})
    yield from _listed(own, verb.common)
    for name, rows in repeated.items():
        yield f"As for [`awning {name}`](#awning-{name.replace(' ', '-')}): {_names(rows)}."
    names = [row for row in verb.shared if row in options]
    if names != list(verb.usual):
        others = [row for row in verb.shared if row not in options]
        listed = _names(names) if len(others) > len(names) else f"all but {_names(others)}"
        yield f"[Shared options]({SHARED_OPTIONS}): {(listed or 'none') if others else 'all'}."


def _listed(rows: Sequence[Row], common: Sequence[Row]) -> Iterator[str]:
    """Yield a list of options with what they do, and a line with the names of those that the overview describes."""
    if own := [row for row in rows if row not in common]:
        yield entries(own)
    if names := [row for row in rows if row in common]:
        yield f"[Common options]({COMMON_OPTIONS}): {_names(names)}."


def _names(rows: Iterable[Row]) -> str:
    return ", ".join(_without_value(name) for name, _ in rows)


def help_parts(text: str) -> Iterator[str]:
    """Yield the paragraphs of a help text without the exit codes.

    Paragraphs that click prints as they are become blocks of code.
    """
    described = inspect.cleandoc(text).replace("\f", "")
    for part in re.split(r"\n{2,}", described):
        content = part.removeprefix(VERBATIM).strip("\n")
        if content.startswith(HEADING):
            continue
        if part.startswith(VERBATIM):
            yield f"```\n{content}\n```"
        elif part:
            yield _escaped(" ".join(part.split()))


def _without_value(option: str) -> str:
    return re.sub(r" [^,`]+`$", "`", option)


def _escaped(text: str) -> str:
    """Return prose in which Markdown reads no HTML and no emphasis. Code in backticks stays."""
    pieces = re.split(r"(`[^`]*`)", text)
    return "".join(piece if piece.startswith("`") else re.sub(r"([<*_])", r"\\\1", piece) for piece in pieces)


def _options(command: click.Command, context: click.Context) -> Iterator[Row]:
    for parameter in command.params:
        if (
            not isinstance(parameter, click.Option)
            or parameter.hidden
            or WITHOUT_VARIABLE & set(parameter.opts)
        ):
            continue
        flags = ", ".join((*parameter.opts, *parameter.secondary_opts))
        metavar = parameter.make_metavar(context).replace(" RANGE", "")
        value = "" if parameter.is_flag or parameter.count else f" {metavar}"
        extra = parameter.get_help_extra(context)
        notes = [f"Default: `{extra['default']}`." if "default" in extra else ""]
        notes += ["Required." if "required" in extra else "", _range(parameter.type)]
        # The last variable is left out: it follows from the option's name, as the introduction says.
        own = parameter.envvar[:-1] if isinstance(parameter.envvar, list) else ()
        notes += [f"Also {', '.join(code(name) for name in own)}." if own else ""]
        described = " ".join(filter(None, (sentence(parameter.help or ""), *notes)))
        yield code(flags + value), one_line(_escaped(described))


def _range(kind: object) -> str:
    if not isinstance(kind, click.IntRange | click.FloatRange):
        return ""
    least = f"{'above' if kind.min_open else 'at least'} {kind.min}" if kind.min is not None else ""
    most = f"{'below' if kind.max_open else 'at most'} {kind.max}" if kind.max is not None else ""
    return sentence(", ".join(filter(None, (least, most))))
