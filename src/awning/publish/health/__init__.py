"""How the widgets of each release do on pages: reports that pages sent, counted by release.

    reports   the tables: counts by release, widget and time; the latest failures; the share of failures
    place     where in the author's file a failure happened, by the release's source maps

The app's own server (`awning.host`) receives the reports. The publisher reads them: `awning publish health`, and the
gate between two waves.
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
