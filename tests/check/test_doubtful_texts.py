"""Texts that a shopper would not read: empty ones, and sentences that are still in the default language."""

import tomllib

import pytest
from project import Project

from awning.check.message_uses import doubtful_texts
from awning.pipeline.incremental import inspect_workspace
from awning.workspace.reader import read_workspace
from awning.workspace.scaffolding import make_workspace

ENGLISH = {"a": "Arrives on {day}", "b": "Sold out", "c": "Only {count} left", "d": "In stock"}
LATVIAN = {"a": "Piegāde {day}", "b": "Izpārdots", "c": "Palikuši tikai {count}", "d": "Ir noliktavā"}


def findings(tmp_path, english: dict, other: dict, languages: tuple[str, str] = ("en", "lv")) -> list[str]:
    """Return the findings for a widget with these messages: the rule, and the line in the file."""
    make_workspace(tmp_path / "app", slot="after-price", languages=languages)
    folder = tmp_path / "app/widgets/stock-note"
    texts = {}
    for language, messages in zip(languages, (english, other), strict=True):
        lines = [
            f"{key} = {message!r}"
            if isinstance(message, str)
            else f"{key} = {{ {', '.join(f'{form} = {text!r}' for form, text in message.items())} }}"
            for key, message in messages.items()
        ]
        text = "\n".join(lines) + "\n"
        assert tomllib.loads(text) == messages
        (folder / "messages" / f"{language}.toml").write_text(text)
        texts[f"widgets/stock-note/messages/{language}.toml"] = text
    (widget,) = read_workspace(tmp_path / "app").widgets
    return [f"{each.rule} {each.place}" for each in doubtful_texts(widget, texts)]


@pytest.mark.parametrize(
    ("key", "english", "other", "rules"),
    [
        (
            "a",
            "Arrives on {day}",
            "Arrives on {day}",
            ["message-untranslated widgets/stock-note/messages/lv.toml:1:1"],
        ),
        (
            "c",
            {"one": "{n} is left", "other": "{n} are left"},
            {"one": "{n} is left", "other": "{n} are left"},
            ["message-untranslated widgets/stock-note/messages/lv.toml:3:1"],
        ),
        ("b", "Sold out", "", ["message-empty widgets/stock-note/messages/lv.toml:2:1"]),
        ("b", " ", "Izpārdots", ["message-empty widgets/stock-note/messages/en.toml:2:1"]),
        (
            "b",
            "Sold out",
            {"zero": "", "one": "", "other": " "},
            ["message-empty widgets/stock-note/messages/lv.toml:2:1"],
        ),
        ("b", "Sold out", {"zero": "", "one": "one", "other": "many"}, []),
        ("b", "Total", "Total", []),
        ("b", "Māls & Uguns", "Māls & Uguns", []),
        ("b", "{amount} / 100 g", "{amount} / 100 g", []),
        ("b", "€ 12.50", "€ 12.50", []),
        ("b", "→", "→", []),
        *[
            ("b", text, text, [])
            for text in (
                "{ amount } kg",
                "https://shop.example/help",
                "help@shop.example",
                "mailto:help@shop.example",
                "<strong>{count}</strong>",
                '<a href="/terms" class="plain link">Terms</a>',
                '<a href="/ask">{ name }@shop.example</a>',
                "https://shop.example/{ id }/help/me",
                "iPhone Pro",
            )
        ],
        *[
            ("b", text, text, ["message-untranslated widgets/stock-note/messages/lv.toml:2:1"])
            for text in (
                "Ask help@shop.example for advice",
                "<strong>Sold out</strong>",
                "{ amount } kg left",
                "More: https://shop.example for advice",
                "iPhone is sold",
                "if < 5 are left, > 3",
            )
        ],
    ],
)
def test_finding_is_about_sentences_and_empty_texts(tmp_path, key, english, other, rules):
    assert findings(tmp_path, {**ENGLISH, key: english}, {**LATVIAN, key: other}) == rules


def test_language_that_is_still_translated_has_no_finding(tmp_path):
    assert findings(tmp_path, ENGLISH, {**ENGLISH, "a": LATVIAN["a"], "b": LATVIAN["b"]}) == []


@pytest.mark.parametrize("variant", ["en-GB", "en_GB"])
def test_variant_of_the_default_language_has_no_finding(tmp_path, variant):
    british = {**LATVIAN, "a": ENGLISH["a"]}
    assert findings(tmp_path, ENGLISH, british, ("en", variant)) == []


UNTRANSLATED = ["message-untranslated widgets/stock-note/messages/lv.toml:1:1"]


@pytest.mark.parametrize(
    ("texts", "rules"),
    [
        (ENGLISH, UNTRANSLATED),
        ({"a": "Your order leaves our house today"}, UNTRANSLATED),
        ({"a": "Close", "b": "Basket", "c": "Price", "d": "Colour", "e": "Weight"}, UNTRANSLATED),
        ({"a": "Sold out", "b": "Arrives on {day}"}, []),
        ({"a": "Total", "b": "Status", "c": "Name"}, []),
        ({"a": "Hello"}, []),
        ({"a": "12 / 24", "b": "{amount} kg", "c": "€", "d": "https://shop.example/a/b/c/d/e/f"}, []),
        ({"a": "Māls & Uguns", "b": "iPhone Pro"}, []),
        ({"a": "", "b": " "}, None),
    ],
)
def test_copied_language_has_one_finding(tmp_path, texts, rules):
    found = [finding for finding in findings(tmp_path, texts, dict(texts)) if "untranslated" in finding]
    assert found == (rules or [])


def test_copy_of_a_plural_message_may_have_other_forms(tmp_path):
    english = {"a": {"one": "Only {count} item is left", "other": "Only {count} items are left"}}
    latvian = {"a": {"zero": english["a"]["other"], **english["a"]}}
    assert findings(tmp_path, english, latvian) == UNTRANSLATED


def test_language_copied_from_one_that_is_not_the_default_is_found(tmp_path):
    project = Project(tmp_path, languages=("en", "lv", "lt", "lv-LV"))
    texts = {"en": ENGLISH, "lv": LATVIAN, "lt": LATVIAN, "lv-LV": LATVIAN}
    files = {
        f"messages_{language}_toml": "".join(f"{key} = {text!r}\n" for key, text in messages.items())
        for language, messages in texts.items()
    }
    view = "<p>{{ t('a', day=1) }}{{ t('b') }}{{ t('c', count=1) }}{{ t('d') }}</p>"
    project.add_widget("note", view_html_j2=view, **files)
    [finding] = inspect_workspace(project.root, types=False).counted()
    assert (finding.rule, str(finding.place)) == (
        "message-untranslated",
        "widgets/note/messages/lt.toml:1:1",
    )
    assert finding.message == "all 4 messages in lt are the same as in lv"
