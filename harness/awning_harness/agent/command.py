"""`awning mcp`: states, pictures, check and test of a workspace, as tools for agents."""

from pathlib import Path

import click

from awning.cli.termination import input_that_signals_end
from awning.contract import Exit
from awning.workspace.root import find_workspace


@click.command("mcp")
@click.option(
    "--workspace",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="A folder of the workspace. Default: the current folder.",
)
def mcp(*, workspace: Path | None) -> int:
    """Give an agent tools for one workspace, over the Model Context Protocol.

    The tools list the states of widgets, take a picture of one, check, test, and explain a rule. They keep to the
    folder of the workspace, publish nothing, and get no secret of the environment.

    \b
    awning mcp                          the workspace around the current folder
    awning mcp --workspace ../my-app    another one
    """
    from awning_harness.agent.server import serve_agent  # noqa: PLC0415 - needs the extra

    root = find_workspace(workspace or Path.cwd())
    with input_that_signals_end("an agent"):
        serve_agent(root)
    return Exit.DONE
