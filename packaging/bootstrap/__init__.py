"""What build.py does: makes `.venv` from the lock files, whole or not at all, and hands over to awning.

    hand_over.py     the fast path: stamp compared, awning started
    stamp.py         what an environment is made from, and whether the one that is there is the one
    environment.py   the states of .venv, one maker at a time, nothing half-made
    install.py       uv, or venv and pip; what to do when they fail

Standard library only, and nothing of awning's: it is not installed yet. On the fast path `pathlib` and `subprocess`
are not imported: they would be half of its time.
"""
