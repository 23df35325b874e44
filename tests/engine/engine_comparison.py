"""Compares the verdicts of the interpreter and the engine about a script."""

from dataclasses import dataclass

from script_engine import LIVES, RULES, Engine, EngineVerdict

from awning.check.files import check_text
from awning.contract import Dialect
from awning.diagnostics import Severity

MORE_LIVES = 15 * LIVES


@dataclass(frozen=True, slots=True)
class Disagreement:
    """The difference between two verdicts.

    `missed`: rules that break in the engine and that the check does not mention. `unseen`: rules that the check reports
    as errors and that break in no life of the page. `ended`: why a life did not reach its end.
    """

    missed: frozenset[str]
    unseen: frozenset[str]
    ended: str = ""

    def __bool__(self) -> bool:
        return bool(self.missed or self.unseen or self.ended)


def compare(
    engine: Engine, name: str, source: str, scripts: list[str], *, head: bool = False, seed: int = 0
) -> Disagreement:
    """Compare the verdicts. A warning or note of the check is uncertain: its rule may break in the engine or not.

    If a rule is unseen, the engine runs MORE_LIVES to look for it.
    """
    diagnostics = check_text(name, source, Dialect()).diagnostics
    errors = {diagnostic.rule for diagnostic in diagnostics if diagnostic.severity is Severity.ERROR} & RULES
    mentioned = {diagnostic.rule for diagnostic in diagnostics}
    verdict = engine.verdict(scripts, head=head, seed=seed)
    if errors - verdict.rules:
        until = frozenset(errors - verdict.rules)
        more = engine.verdict(scripts, head=head, seed=seed + 1, lives=MORE_LIVES, until=until)
        verdict = EngineVerdict(verdict.rules | more.rules, verdict.lives + more.lives, verdict.ended)
    return Disagreement(verdict.rules - mentioned, frozenset(errors) - verdict.rules, verdict.ended)
