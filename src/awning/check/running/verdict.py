"""What the lives of one file have shown."""

from awning.check.running.judging import judged
from awning.check.running.page import Answer


class Verdict:
    """The broken rules, at their places, and what was not looked at. `ended` counts the lives that ended at a limit."""

    def __init__(self, sources: list[str]) -> None:
        self.findings: dict[tuple[str, int], Answer] = {}
        self.left: dict[str, int] = {}
        self.ended = 0
        self.sources = sources
        """What each mark stands for, by its number."""
        self.there: set[int] = set()
        """The places of exceptions that do not come from a look-up before there is a body."""

    def add(self, answer: Answer, *, usual: bool) -> None:
        early = [
            {"rule": "early-dom", "thrown": True, **item}
            for item in answer.get("failures", ())
            if item["missing"]
        ]
        for raw in [*answer.get("findings", ()), *early]:
            finding = judged(raw, self.sources, self.there, usual=usual)
            key = (raw["rule"], raw["at"])
            if finding and (key not in self.findings or self.findings[key].get("doubtful")):
                self.findings[key] = finding
        if touched := answer.get("left"):
            self.left.setdefault(f"what it does after it uses {touched}", max(answer["at"], 0))
        ended = answer.get("ended")
        if any("out of memory" in item["message"] for item in answer.get("failures", ())):
            ended = "it needs too much memory"
        self.ended += bool(ended)
        if ended:
            self.left.setdefault(f"what it does, because {ended}", max(answer.get("at", 0), 0))

    def as_answer(self) -> Answer:
        return {"findings": list(self.findings.values()), "left": self.left}
