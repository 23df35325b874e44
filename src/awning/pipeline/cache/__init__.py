"""The files in `.awning/cache`, which make the next build faster. They can be deleted at any time.

last_build        whether anything has changed since the last build
diagnostic_cache  the diagnostics of widgets and files that have not changed
toolchain         a stamp of awning itself: a cache of another version is not used
shared_files      files that several processes use: replaced in one step, locked
"""
