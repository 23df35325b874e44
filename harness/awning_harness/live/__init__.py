"""Live pages in a browser: `awning preview`."""
