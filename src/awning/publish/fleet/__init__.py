"""Publishing with several machines: a controller and workers, which share a PostgreSQL database.

    controller   the process of `publish apply --fleet`: makes chunks wave by wave, takes back chunks of lost workers
    worker       the process of `publish work`: claims chunks, publishes the cells of their instances
    chunks       which worker owns which instances; the fence that keeps a lost worker from writing
    queue        the queue of jobs, in Procrastinate
    shared_rate  one rate of calls for all workers
    settings     the settings of a run that the controller stores for its workers

Workers need the database and the API key. They do not need `dist/`, because releases are in the database. The
controller holds the publishers' lock. This package needs the extra `fleet`.
"""
