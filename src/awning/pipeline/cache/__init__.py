"""What a build keeps in `.awning/cache` so that the next one is faster. It can be deleted at any time.

last_build        whether anything has changed since the last build
diagnostic_cache  the diagnostics of widgets and files that have not changed
toolchain         a stamp of awning itself: a cache of another version is not used
shared_files      files that several processes use: replaced in one step, locked
"""
