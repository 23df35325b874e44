"""Keeping the service's placeholders out of compiled code.

The service replaces `{{svc_...}}` wherever it stands in a snippet (Apps Integration API, Code snippet), also inside a
string of a script. A bundler folds and prints strings anew, so only the finished script can be made safe.
"""

import re


def break_placeholders(script: str, prefix: str = "svc_") -> str:
    r"""The script with every `{{svc_` written `{\x7bsvc_`: to JavaScript the same string, template or pattern."""
    return re.sub(r"\{\{(?=" + re.escape(prefix) + ")", lambda _: r"{\x7b", script)
