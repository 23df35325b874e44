"""The portal: where a person submits a manifest, installs an app on a website, and reads the assumptions."""

from awning_harness.service.portal.portal import Portal

__all__ = ["Portal"]
