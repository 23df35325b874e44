"""Settled assumptions are written into pyproject.toml, and everything else in it stays."""

import tomllib

import pytest

from awning.errors import ConfigurationError
from awning.workspace.model import SettledAnswer
from awning.workspace.settled import save_settled

NEW = {
    "unset-snippet": SettledAnswer(answer="null", by="probe", on="2026-03-02", service="https://a.example/v1")
}
LINE = (
    'unset-snippet = { answer = "null", by = "probe", on = "2026-03-02", service = "https://a.example/v1" }'
)
HEAD = '[tool.awning]\nlanguages = ["en"]  # ours\n'
TABLE = "[tool.awning.profiles.live.assumptions]"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (HEAD, f"{HEAD}\n{TABLE}\n{LINE}\n"),
        (f"{HEAD}\n\n\n", f"{HEAD}\n{TABLE}\n{LINE}\n"),
        (f"{HEAD}\n{TABLE}\n", f"{HEAD}\n{TABLE}\n{LINE}\n"),
        (
            f'{HEAD}\n{TABLE}  # known\nunset-snippet = {{ answer = "empty" }}\n# a note\n\n[tool.ruff]\na = 1\n',
            f"{HEAD}\n{TABLE}  # known\n# a note\n{LINE}\n\n[tool.ruff]\na = 1\n",
        ),
        (
            f'{HEAD}\n[ tool.awning.profiles."live" . assumptions ]\n"data-form" = {{ answer = "kept" }}',
            f'{HEAD}\n[ tool.awning.profiles."live" . assumptions ]\n"data-form" = {{ answer = "kept" }}\n{LINE}',
        ),
        (
            f'{HEAD}[tool.awning.profiles.live]\nbase_url = "https://a.example/v1"\n',
            f'{HEAD}[tool.awning.profiles.live]\nbase_url = "https://a.example/v1"\n\n{TABLE}\n{LINE}\n',
        ),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_answers_are_added_and_the_rest_stays(tmp_path, old, new, ends):
    file = tmp_path / "pyproject.toml"
    file.write_bytes(old.replace("\n", ends).encode())
    save_settled(tmp_path, "live", NEW)
    assert file.read_bytes().decode() == new.replace("\n", ends)
    save_settled(tmp_path, "live", NEW)
    assert file.read_bytes().decode() == new.replace("\n", ends), "a second time changes nothing"
    tomllib.loads(new)


@pytest.mark.parametrize(
    "old",
    [
        f"{HEAD}\n[tool.awning.profiles]\nlive = {{ assumptions = {{ }} }}\n",
        f'{HEAD}\n{TABLE[:-1]}.unset-snippet]\nanswer = "empty"\n',
        f'{HEAD}\n{TABLE}\ndata-form = {{ answer = "kept", by = """probe""", on = """\n2026-03-02""" }}\n{TABLE}',
        f"{HEAD}\n[tool.awning.profiles]\nlive = 1\n",
    ],
)
def test_file_that_the_answers_cannot_be_added_to_stays_and_the_lines_are_shown(tmp_path, old):
    file = tmp_path / "pyproject.toml"
    file.write_text(old)
    with pytest.raises(ConfigurationError, match="cannot be added") as caught:
        save_settled(tmp_path, "live", NEW)
    assert LINE in caught.value.hint
    assert file.read_text() == old


def test_profile_with_a_name_that_needs_quotes(tmp_path):
    file = tmp_path / "pyproject.toml"
    file.write_text(HEAD)
    save_settled(tmp_path, 'a "b".c', NEW)
    assert tomllib.loads(file.read_text())["tool"]["awning"]["profiles"]['a "b".c']["assumptions"]
