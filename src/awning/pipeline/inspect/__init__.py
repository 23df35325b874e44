"""Phase 3: the problems of the widgets that are built. Nothing is written.

findings   what the check's rules report for each widget and each script
"""

from awning.pipeline.inspect.findings import inspect_sources

__all__ = ["inspect_sources"]
