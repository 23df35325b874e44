"""Publishing with several machines: a controller and workers, which share a PostgreSQL database.

    controller   the process of `publish apply --fleet`: makes chunks wave by wave, takes back those of lost workers
    worker       the process of `publish work`: claims chunks, publishes their cells
    chunks       which worker owns which instances; the fence that keeps a lost worker from writing
    queue        the jobs, by Procrastinate
    shared_rate  one rate of calls for all workers
    settings     what the controller tells the workers

Workers need the database and the service's key, not `dist/`: releases are in the database. The lock of all publishes is
held by the controller. Needs the extra `fleet`.
"""
