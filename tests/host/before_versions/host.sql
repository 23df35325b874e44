-- What awning made before its databases had versions.
CREATE TABLE installation (
	"key" VARCHAR NOT NULL,
	auth_code VARCHAR,
	url VARCHAR,
	brand VARCHAR,
	begun_at FLOAT NOT NULL,
	installed_at FLOAT,
	configured_at FLOAT,
	published_at FLOAT,
	announced_at FLOAT,
	removing_at FLOAT,
	removed_at FLOAT,
	PRIMARY KEY ("key")
);
INSERT INTO "installation" VALUES('@a','code-a',NULL,NULL,1.0,NULL,NULL,NULL,NULL,NULL,NULL);
CREATE TABLE session (
	id VARCHAR NOT NULL,
	digest VARCHAR NOT NULL,
	"key" VARCHAR NOT NULL,
	language VARCHAR NOT NULL,
	return_link VARCHAR,
	begun_at FLOAT NOT NULL,
	PRIMARY KEY (id)
);
CREATE INDEX ix_session_begun_at ON session (begun_at);
CREATE INDEX ix_session_key ON session ("key");
