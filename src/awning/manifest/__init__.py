"""Reads, checks and submits the app's manifest (Apps Integration API, App manifest).

    file               reads and checks manifest.toml or a .json manifest
    icon, image_size   checks the icon, in a file or at a URL
    default_snippets   the fields that are submitted, with the built default snippets
    portal             sends a manifest to the portal
    submission         performs `awning manifest submit`: checks, sends, records
    history            the last submission of each app

The rules of the fields are data in `awning.contract`, which the workspace and the simulated portal use, too.
"""
