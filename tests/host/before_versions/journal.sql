-- What awning made before its databases had versions.
CREATE TABLE entry (
	seq INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
	at VARCHAR NOT NULL,
	run INTEGER NOT NULL,
	kind VARCHAR NOT NULL,
	instance VARCHAR,
	language VARCHAR,
	place VARCHAR,
	outcome VARCHAR,
	"before" VARCHAR,
	"after" VARCHAR,
	note TEXT
);
INSERT INTO "entry" VALUES(1,'2026-03-01T10:00:00.656+00:00',1,'begin',NULL,NULL,NULL,NULL,NULL,NULL,'old');
CREATE TABLE snippet (
	sha256 VARCHAR NOT NULL,
	text TEXT NOT NULL,
	PRIMARY KEY (sha256)
);
CREATE INDEX ix_entry_run ON entry (run);
CREATE TRIGGER entry_no_update BEFORE UPDATE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER entry_no_delete BEFORE DELETE ON entry BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
