"""The work of build.py: it makes `.venv` from the lock files, completely or not at all, and then starts awning.

    hand_over.py     the fast path: compare the stamp, start awning
    stamp.py         the inputs of an environment, and whether the present environment was made from them
    environment.py   the states of .venv; one process at a time makes it
    install.py       installation with uv, or with venv and pip; hints for their failures
    interrupts.py    Ctrl-C and SIGTERM during the installation
    complaint.py     error messages

Only the standard library is used, because awning is not installed yet. The fast path imports neither `pathlib` nor
`subprocess`, which would take half of its time.
"""
