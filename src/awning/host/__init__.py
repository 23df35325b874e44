"""The app's own server: browsers reach it when a person installs the app or opens its settings.

    settings               the server's configuration; `from_environ` reads it from AWNING_*
    application            the ASGI application; `hooks` are the app's own code
    guard                  Host, headers and log of every request
    signed_request, visits   verified install and settings requests
    sessions               who may see a settings page, and for how long
    settings_page          the page; `form` makes it from the data schema
    installing, removing   the steps with the service, safe to repeat
    host, records          values that all requests share; the database
    served_build           the build that is served
    serving, migrating     run the server; migrate its tables

The server writes the inventory that the publisher reads. It trusts `dist/` and never imports the pipeline. It needs the
extra `host`.
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
