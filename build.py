#!/usr/bin/env python3
"""Starts awning from a bare clone, with nothing but Python 3.11 or later:

    python3 build.py              build the widgets to dist/      (awning build)
    python3 build.py dev          a shop with the widgets in it   (awning dev)
    python3 build.py ANYTHING     the same as `awning ANYTHING`

The first call makes `.venv` and installs the locked packages: with uv if it is on PATH, else with venv and pip.
AWNING_BUILD_WITH (`uv` or `pip`) overrides this choice. Later calls compare a stamp and start awning without a network;
if the locks, the Python version or another input of the stamp have changed, they make `.venv` again. The work is in
packaging/bootstrap, which needs only the standard library. This file is valid for Python 3.6 too, so that an old Python
prints an error message and not a syntax error.
"""

import os
import sys


def main() -> int:
    if sys.version_info < (3, 11):
        found = ".".join(str(part) for part in sys.version_info[:2])
        sys.stderr.write(f"build.py: awning needs Python 3.11 or later, and this is Python {found}\n")
        sys.stderr.write("build.py:   hint: run it with a newer one, such as python3.12 build.py\n")
        return 2
    root = os.path.dirname(os.path.realpath(__file__))  # the same path, even through a link
    sys.path.insert(0, os.path.join(root, "packaging"))
    from bootstrap.hand_over import run

    return run(root, sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
