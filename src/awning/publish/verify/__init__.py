"""Verifies what was published: at the service, on the public page, and in a browser. It never writes to the service."""
