"""The app's manifest as a file: read, checked, submitted (Apps Integration API, App manifest).

    file               reads and checks manifest.toml or a .json manifest
    icon, image_size   the icon, from a file or a URL
    default_snippets   adds the built default snippets to the fields
    portal             the call that submits
    submission         one `manifest submit`: check, send, record
    history            what was submitted before, and as which app

The rules of the fields are data in `awning.contract`, which the workspace and the simulated portal use, too.
"""
