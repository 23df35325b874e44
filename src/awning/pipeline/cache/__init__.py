"""The files in `.awning/cache`, which make the next build faster. They can be deleted at any time.

memory         what builds have worked out, also in results.sqlite
toolchain      a stamp of awning itself: a cache of another version is not used
shared_files   files that several processes use: replaced in one step, locked, compared

"""
