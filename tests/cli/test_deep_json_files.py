"""A JSON file of nested brackets is refused like any other file of the wrong kind. No reader shows a traceback."""

import pytest

from awning.build_record import read_build_record
from awning.check.baseline import read_baseline
from awning.cli.summary.summary import read_sarif
from awning.errors import ConfigurationError
from awning.host.host import _read_json as read_served
from awning.manifest.history import History
from awning.publish.plan.saved_plan import read_plan
from awning.publish.release.build_files import BuildFiles
from awning.publish.release.difference import _sources as sources_of_maps
from awning.source_map import SourceMap

DEEP = "[" * 100_000


def read_history(file):
    return History(path=file).app_of("app", "https://portal.example")


@pytest.mark.parametrize("read", [read_plan, read_sarif, read_baseline, read_served, read_history])
@pytest.mark.parametrize("text", [DEEP, '{"a":' * 100_000, "[1]"])
def test_file_is_refused(tmp_path, read, text):
    file = tmp_path / "file.json"
    file.write_text(text)
    with pytest.raises(ConfigurationError):
        read(file)


def test_build_record_is_refused(tmp_path):
    (tmp_path / "build.json").write_text(DEEP)
    with pytest.raises(ConfigurationError, match="is not a build record"):
        read_build_record(tmp_path)


@pytest.mark.parametrize(
    "text", [DEEP, "[]", "{}", '{"sources": 1, "mappings": ""}', '{"sources": [], "mappings": "!"}']
)
def test_source_map_is_refused(text):
    with pytest.raises(ValueError, match=r"source map|line 1"):
        SourceMap.read(text)


def test_map_of_a_release_is_refused():
    files = BuildFiles(record=None, texts={"maps/app/body.map": DEEP})
    with pytest.raises(ConfigurationError, match="is not a source map"):
        sources_of_maps(files)
