"""Migrates the app data of a shop to the version that a build's schema describes, by the widgets' own functions."""

from awning.data_migration.engine import MigrationEngine
from awning.data_migration.migration import DataMigration, Migrated, Unmigrated, example_faults

__all__ = [
    "DataMigration",
    "Migrated",
    "MigrationEngine",
    "Unmigrated",
    "example_faults",
]
