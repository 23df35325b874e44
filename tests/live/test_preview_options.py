"""What `awning preview` refuses before it opens a browser."""

import pytest


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("http://127.0.0.1:9/", "not at a public address"),
        ("http://localhost/", "not at a public address"),
        ("http://169.254.169.254/latest/meta-data/", "not at a public address"),
        ("http://[::1]/", "not at a public address"),
        ("http://10.0.0.1/", "not at a public address"),
        ("file:///etc/passwd", "is not the address of a page"),
        ("shop.example/product", "is not the address of a page"),
        ("http://user:secret@shop.example/", "user name or a password"),
        ("http://nowhere.invalid/", "no address is known of the host nowhere.invalid"),
        ("http://[", "is not the address of a page"),
    ],
)
def test_preview_refuses_an_address(awning, project, address, says):
    result = awning("preview", address, "--json")
    assert result.code == 2
    assert says in result.json["error"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("--widget", "nite"), 'did you mean "note"'),
        (("--language", "fr"), "there are: en, lv"),
        (("--headed",), "exclude each other"),
    ],
)
def test_preview_refuses_an_option(awning, project, options, says):
    project.add_widget("note")
    result = awning("preview", "http://127.0.0.1:9/", "--allow-private", "--json", *options)
    assert result.code == 2
    assert says in f"{result.json['error']} {result.json['hint']}"


@pytest.mark.parametrize(
    ("content", "says"), [(b"{", ":1:2 is not JSON"), (b"[]", "neither"), (b"\xff", "is not UTF-8")]
)
def test_preview_refuses_data_that_are_none(awning, project, tmp_path, content, says):
    project.add_widget("note")
    file = tmp_path / "data.json"
    file.write_bytes(content)
    result = awning("preview", "http://127.0.0.1:9/", "--allow-private", "--json", "--data", file)
    assert result.code == 2
    assert says in result.json["error"]
