"""The names that differ between white-label services."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """The names of one service. The defaults are the names in the specification.

    `global_object` is the browser global with `subscribeEvent`; `event_prefix` begins every event name;
    `placeholder_prefix` begins every snippet placeholder; `version_parameter` is the parameter with the
    front end's version in signed requests; `key_prefix` begins an API key.
    """

    global_object: str = "svcPlugins"
    event_prefix: str = "svc-"
    placeholder_prefix: str = "svc_"
    version_parameter: str = "svcVersion"
    key_prefix: str = "SVC-"

    @property
    def app_data_placeholder(self) -> str:
        """The placeholder that the service replaces with the app data (Apps Integration API, Code snippet)."""
        return f"{{{{{self.placeholder_prefix}app_data}}}}"

    @property
    def language_placeholder(self) -> str:
        """The placeholder that the service replaces with the page's language (Apps Integration API, Code snippet)."""
        return f"{{{{{self.placeholder_prefix}language}}}}"
