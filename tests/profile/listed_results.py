"""Keeps the result of each cell of a run in a list."""

from awning.publish.run_watcher import RunWatcher


class Listed(RunWatcher):
    def __init__(self, results):
        self.results = results

    def cell(self, result):
        self.results.append(result)
