"""Builds a workspace: from the author's files to `dist/`.

build              root -> BuildResult; does nothing if nothing has changed   incremental.py
inspect_workspace  root -> Verdict, the same as a build's; writes nothing     incremental.py
watch_workspace    root -> a build to dist/ now and after each change         watch.py
Follower           for `awning dev`: patches and builds, never to dist/       follow.py, live.py
build_workspace    workspace -> BuildRecord; always builds                    phases.py
find_readers       workspace, paths -> the widgets that read each            readers.py
write_types        root -> .awning/types, which editors read                  phases.py
ScriptOrigins      place in a development script -> place in an author's file script_origin.py
BuiltScript        place in a script of a test build -> place in its source   write/maps.py
"""
