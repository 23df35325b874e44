"""The pages of the command line: an overview, and one for each verb with its options and exit codes.

Options that several subcommands of a verb have are described once, at the end of the verb's page. Exit codes that all
of them have are below its introduction.
A page lists only those variables of an option whose names do not follow from the names of the verb and the option.
"""

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import click

from awning.cli.decorators import HEADING, WITHOUT_VARIABLE
from awning.cli.main import awning
from awning.cli.verbs import LazyVerb, joined_verbs
from awning.contract import Exit
from awning.contract.exits import COMMON, MEANINGS, exits_of
from reference.markdown import code, entries, one_line, page, sentence

SHARED = 3
"""An option that so many subcommands of a verb have, with the same description, is described once."""
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
    verbs = joined_verbs()
    yield "cli/README.md", _overview(verbs.values())
    for name in verbs:
        command = awning.get_command(context, name)
        if command is not None:
            below = click.Context(command, parent=context, info_name=name)
            shared = _shared(command, below)
            codes = _shared_codes(command, below)
            parts = [*_command(command, below, (name,), (shared, codes))]
            if shared:
                parts += ["## Shared options", entries(shared)]
            yield f"cli/{name}.md", page(f"awning {name}", parts)


def _overview(verbs: Iterable[LazyVerb]) -> str:
    exits = ((str(exit_code.value), one_line(MEANINGS[exit_code])) for exit_code in Exit)
    parts = [INTRODUCTION]
    for heading, group in groupby(verbs, key=lambda verb: verb.heading):
        rows = ((f"[`awning {verb.name}`]({verb.name}.md)", one_line(verb.help)) for verb in group)
        parts += [f"## {heading}", entries(rows)]
    return page("Command line", [*parts, "## Exit codes", entries(exits), _exits_of_every_verb()])


def _exits_of_every_verb() -> str:
    listed = ", ".join(code(str(each.value)) for each in sorted(COMMON))
    return f"Every verb has {listed}. Its page names further ones."


def _shared(command: click.Command, context: click.Context) -> Sequence[tuple[str, str]]:
    """Return the rows of the options that at least `SHARED` subcommands have."""
    counts = Counter(row for below, inner in _runnable(command, context) for row in _options(below, inner))
    return [row for row, count in counts.items() if count >= SHARED]


def _shared_codes(command: click.Command, context: click.Context) -> frozenset[Exit]:
    """Return the exit codes that the command and each of its subcommands have."""
    paths = [inner.command_path.split()[1:] for _, inner in _runnable(command, context)]
    return frozenset.intersection(*(frozenset(exits_of(path)) for path in paths))


def _codes_line(codes: Iterable[Exit]) -> str:
    """Return the exit codes that a command has beside those of every verb; empty without any."""
    further = ", ".join(code(str(each.value)) for each in sorted(codes))
    return f"Further [exit codes](README.md#exit-codes): {further}." if further else ""


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
    command: click.Command,
    context: click.Context,
    path: tuple[str, ...],
    common: tuple[Sequence[tuple[str, str]], frozenset[Exit]],
) -> Iterator[str]:
    """Yield the parts of a command, and those of its subcommands below headings of their own.

    `common` has the shared options, of which only the names are listed, and the exit codes that the page has already.
    """
    shared, codes = common
    yield from help_parts(command.help or "")
    if len(path) == 1:
        yield _codes_line(codes - COMMON)
    if not isinstance(command, click.Group) or command.invoke_without_command:
        pieces = command.collect_usage_pieces(context)
        if pieces != ["[OPTIONS]"]:
            yield f"```\nawning {' '.join((*path, *pieces))}\n```"
        options = [*_options(command, context)]
        own = [row for row in options if row not in shared]
        names = [_without_value(row[0]) for row in options if row in shared]
        if own:
            yield entries(own)
        if names:
            others = [_without_value(row[0]) for row in shared if row not in options]
            listed = ", ".join(names) if len(others) > len(names) else f"all but {', '.join(others)}"
            listed = listed if others else "all"
            yield f"[Shared options](#shared-options): {listed}."
        yield from help_parts(command.epilog or "")
        yield _codes_line(frozenset(exits_of(path)) - codes - COMMON)
    if isinstance(command, click.Group):
        for name, subcommand in command.commands.items():
            yield f"{'#' * min(len(path) + 1, 4)} awning {' '.join((*path, name))}"
            below = click.Context(subcommand, parent=context, info_name=name)
            yield from _command(subcommand, below, (*path, name), common)


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


def _options(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
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
