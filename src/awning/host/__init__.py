"""The app's own server: what the browser reaches when a person installs the app or opens its settings.

    settings        what it is told; `from_environ` reads it from AWNING_*
    application     the ASGI application; `hooks` are the app's own code
    guard           Host, headers, log: around everything
    signed, visits  install and settings requests, verified
    sessions        who may see a settings page, and for how long
    settings_page   the page; `form` makes it from the schema of the app data
    installing, removing   the steps with the service, safe to repeat
    host, records   what all of them share; what is remembered
    current         the build that is served

Writes the inventory that the publisher reads. Never imports the pipeline: it trusts `dist/`. Needs the extra `host`.
"""

from awning.host.application import application, from_environment
from awning.host.hooks import Hooks, HostedInstance
from awning.host.settings import Settings, app_secret, checked_public_url, from_environ, to_environ

__all__ = [
    "Hooks",
    "HostedInstance",
    "Settings",
    "app_secret",
    "application",
    "checked_public_url",
    "from_environ",
    "from_environment",
    "to_environ",
]
