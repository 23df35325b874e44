"""A widget's style, restricted to the widget.

css         a text as parts and rules
scope       the same rules inside `.aw-1a2b3c { ... }`
keyframes   the names of key frames, and where they are used
outside_uses  the same names in templates and scripts
shadow      the rules for a shadow root, and the rules that must be outside of it
properties  names of properties that no browser knows
selectors   selectors that name an element outside of the widget
sheet_findings  what is not closed, and style sheets of other hosts, in styles and templates
"""

from awning.pipeline.style.css import without_depth
from awning.pipeline.style.keyframes import Keyframes, read_keyframes
from awning.pipeline.style.outside_uses import script_findings, template_findings
from awning.pipeline.style.properties import property_findings
from awning.pipeline.style.scope import at_rule_findings, scope
from awning.pipeline.style.selectors import selector_findings
from awning.pipeline.style.shadow import compact, document_rules, import_findings, shadow_rules
from awning.pipeline.style.sheet_findings import (
    bracket_findings,
    foreign_sheet_findings,
    template_sheet_findings,
)

__all__ = [
    "Keyframes",
    "at_rule_findings",
    "bracket_findings",
    "compact",
    "document_rules",
    "foreign_sheet_findings",
    "import_findings",
    "property_findings",
    "read_keyframes",
    "scope",
    "script_findings",
    "selector_findings",
    "shadow_rules",
    "template_findings",
    "template_sheet_findings",
    "without_depth",
]
