"""The portal: pages to submit a manifest, install an app on a website, change resellers and set assumptions.

It also has the request log and descriptions of the APIs.
"""
