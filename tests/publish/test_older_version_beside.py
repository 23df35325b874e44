"""A process of an older version that runs on beside a migrated journal cannot break its chain of hashes."""

from contextlib import closing

import pytest
from kept_in import both, kept_in, postgres
from sqlalchemy import insert

from awning.errors import DatabaseUnusable
from awning.publish import Journal, state_at
from awning.publish.state.migrations import JOURNAL
from awning.publish.state.migrations.journal import v1

__all__ = ["kept_in", "postgres"]  # fixtures


@both
def test_entry_of_a_version_without_hashes_is_refused(tmp_path, kept_in):
    state = state_at(tmp_path / "state", kept_in.url)
    with closing(Journal.open(state)) as journal, closing(state.open(JOURNAL)) as older:
        journal.begin("new")
        with pytest.raises(DatabaseUnusable), older.writing() as connection:
            connection.execute(insert(v1.ENTRY).values(at="now", run=2, kind="begin", note="old"))
        assert journal.begin("newer") == 2
        assert journal.verify() is None
