"""A widget's style, kept to the widget.

tokens   a text as CSS tokens (CSS Syntax, section 4, as far as nesting needs it)
braces   what opens and does not close, and the other way round
scope    the same rules inside `.aw-1a2b3c { ... }`, with what cannot be nested in front
document what of a style must stand outside of a shadow root
compact  the same rules in fewer bytes, for styles that travel inside a script
"""

from awning.pipeline.style.braces import brace_findings
from awning.pipeline.style.compact import compact
from awning.pipeline.style.document import document_rules, shadow_rules
from awning.pipeline.style.scope import scope

__all__ = ["brace_findings", "compact", "document_rules", "scope", "shadow_rules"]
