"""How well the widgets of each release work on pages, from the reports that pages send.

    reports   stores counts by release, widget and time, and the latest failures; computes the share of failures
    place     finds where in the author's file a failure happened, with the release's source maps
    tables    the definitions of the tables
    windows   stores who reported while a gate is open; computes what the gate judges

The app's own server (`awning.host`) receives the reports. The publisher reads them for `awning publish health`, and for
the gate between two waves.
"""
