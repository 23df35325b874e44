"""The app's manifest as a file: read, checked, submitted (Apps Integration API, App manifest).

    file          manifest.toml or a .json manifest, read and checked
    icon          the icon's bytes, from a file or a URL
    portal        a submission to the portal
    history       what was submitted before, and as which app

The rules of the fields are data in `awning.contract`, so that the workspace and the simulated portal read the same.
"""
