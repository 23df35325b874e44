"""The app's own server. A browser opens it when a person installs the app or opens its settings.

    settings                 the server's configuration; `from_environ` reads it from AWNING_*
    application, hooks       the ASGI application; the app's own code, which it calls after a change
    connection, guard        limits of a connection; checks, headers and log line of each request
    visits                   verifies install and settings requests, reads their parameters and handles them
    sessions                 who may see a settings page, and for how long; what its form has posted
    settings_page, form      the settings page; its form, made from the data schema
    installing               the steps of an installation and of an uninstallation; each is safe to repeat
    turn                     a lock for each instance among all workers
    reports, addresses       count the reports of pages, and limit those of each address
    pages, languages         render pages; their texts in the visitor's language
    host                     the objects that all requests share, such as the build; the health check
    host_records             the server's own tables: read, written, created
    serving                  runs the server

The server writes the inventory that the publisher reads. It reads the build from `dist/` and never imports the
pipeline. It needs the extra `host`.
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
