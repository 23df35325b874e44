"""The portal: the pages on which a person submits a manifest, installs an app on a website and sets assumptions."""

from awning_harness.service.portal.portal import Portal

__all__ = ["Portal"]
