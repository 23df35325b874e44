-- What awning made before its databases had versions.
CREATE TABLE instance (
	id INTEGER NOT NULL,
	auth_code VARCHAR NOT NULL,
	name VARCHAR,
	languages VARCHAR NOT NULL,
	labels VARCHAR NOT NULL,
	added_at VARCHAR NOT NULL,
	PRIMARY KEY (id),
	UNIQUE (auth_code),
	UNIQUE (name)
);
INSERT INTO "instance" VALUES(1,'code-a','shop','lv','','2026-03-01T10:00:00+00:00');
