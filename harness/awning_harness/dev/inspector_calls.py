"""What the inspector of a page asks of the session: its values, other app data, the place of an error.

`app.py` answers these calls over HTTP, and `awning preview` over a binding of the browser.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from awning_harness.dev.dev_session import DevSession
from awning_harness.dev.fields import data_problems, with_former_fields
from awning_harness.dev.overview import inspector_info, widgets_of
from awning_harness.dev.page_data import as_option
from awning_harness.dev.page_errors import PageError
from awning_harness.dev.stream import MessageFor


@dataclass(frozen=True, slots=True, kw_only=True)
class InspectorCalls:
    """The calls of the inspectors of all open pages. Each reads files or waits, so it needs a thread of its own."""

    session: DevSession
    say: Callable[[str], None]
    """Gets a line for each new error of a widget."""

    def info(self, language: str, currency: str = "", data: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return the values for a page; `data` are its app data if they are its own, and not those of the session."""
        return inspector_info(self.session, language, currency, data)

    def put_data(
        self, data: dict[str, Any], own: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], MessageFor | None]:
        """Store the app data, a JSON object keyed by widget. A field with a new misfit keeps its former value.

        Returns the outcome: `stored` is whether anything was stored, `whole` whether every field was. With it, the
        message that redraws the pages; None when nothing was stored. For a page with app data of its `own`, nothing is
        stored: `option` is the new option of its address.
        """
        problems, fitting = self._checked(data, self.session.data if own is None else own)
        if fitting is None:
            return {"stored": False, "whole": False, "problems": problems}, None
        outcome = {"stored": True, "whole": fitting == data, "problems": problems}
        if own is not None:
            return {**outcome, "option": as_option(fitting)}, None
        return outcome, self.session.put_data(fitting)

    def _checked(
        self, data: dict[str, Any], former: dict[str, Any]
    ) -> tuple[list[dict[str, Any]], dict[str, Any] | None]:
        """Return the misfits of `data`, and the data to store. In it, fields with a new misfit have former values.

        A misfit is new if the former data do not have it. The second value is None when the data to store would still
        have a new misfit, or would change nothing.
        """
        widgets = widgets_of(self.session)
        known = data_problems(former, widgets)
        problems = data_problems(data, widgets)
        new = [problem for problem in problems if problem not in known]
        if not new:
            return problems, data
        fitting = with_former_fields(data, former, new)
        fits = all(problem in known for problem in data_problems(fitting, widgets))
        return problems, fitting if fits and fitting != former else None

    def record_error(self, error: PageError) -> dict[str, Any] | None:
        """Record an error of a widget. A new one is said. Returns its place in the author's file; None if unknown."""
        place, line = self.session.record_error(error)
        if line is not None:
            self.say(line)
        return place.as_json() if place else None
