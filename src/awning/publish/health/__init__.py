"""How well the widgets of each release work on pages, from the reports that pages send.

    reports   stores counts by release, widget and time, and the latest failures; computes the share of failures
    place     finds where in the author's file a failure happened, with the release's source maps
    tables    the definitions of the tables

The app's own server (`awning.host`) receives the reports. The publisher reads them for `awning publish health`, and for
the gate between two waves.
"""

from awning.publish.health.reports import (
    Failure,
    FailurePlace,
    HealthReports,
    HealthShare,
    ReportCount,
    ReportKind,
)

__all__ = ["Failure", "FailurePlace", "HealthReports", "HealthShare", "ReportCount", "ReportKind"]
