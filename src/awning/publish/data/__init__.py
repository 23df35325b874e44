"""Changes of the app data of many instances: journaled, resumed by the same command, and taken back.

    change      the app data of one instance as they are read, and what a change wants of them
    work        the work on one instance: read, decide, journal the intent, write, read back
    run         one run, from lock to summary; and what it would change (`--dry-run`)
    setting     `awning data set`: the settings of a file; `awning data restore`: what was there before
    writes      what the journal knows of earlier writes

An instance's app data are one cell, so the runner, the pace, the breaker and the journal are those of snippets
(`awning.publish.runner`). Their entries in the journal have kinds of their own (`EntryKind.DATA_INTENT`): what reads
the entries of snippets, such as a rollback or drift, must never take app data for a snippet.
"""
