"""The accessibility tree of blocks in Chromium: which changes it shows, in which words, and which it does not."""

import pytest

from awning_harness.checks.snapshots.appearance import (
    Appearance,
    Unreadable,
    aria_tree,
    describe_aria_differences,
    write_structure,
)
from awning_harness.checks.snapshots.files import read_snapshot, write_snapshot
from awning_harness.visit.posing import take_trees

BUTTON = '<button style="all: unset">Buy</button>'
FIELD = '<label for="n">Note</label><input id="n">'
LIST = "<ul><li>One</li><li>Two</li></ul>"
SHADOW = '<div><template shadowrootmode="open">{}</template></div>'

CHANGES = {
    "button that becomes a div": (BUTTON, "<div>Buy</div>", ['button "Buy" is now text: Buy']),
    "lost label": (FIELD, FIELD.replace('for="n"', ""), ['textbox "Note" is now textbox']),
    "other level": (
        "<h3>Gift</h3>",
        "<h4>Gift</h4>",
        ['heading "Gift" [level=3] is now heading "Gift" [level=4]'],
    ),
    "opened": (
        "<button aria-expanded=false>More</button>",
        "<button aria-expanded=true>More</button>",
        ['button "More" [expanded=false] is now button "More" [expanded]'],
    ),
    "no longer says that it opens": (
        "<button aria-expanded=false>More: a, b</button>",
        "<button>More: a, b</button>",
        ["'button \"More: a, b\" [expanded=false]' is now 'button \"More: a, b\"'"],
    ),
    "second of two that no longer says it": (
        "<button>A</button><button aria-pressed=false>B</button>",
        "<button>A</button><button>B</button>",
        ['button "B" [pressed=false] is now button "B"'],
    ),
    "disabled": (
        "<button>Buy</button>",
        "<button disabled>Buy</button>",
        ['button "Buy" is now button "Buy" [disabled]'],
    ),
    "checked": (
        "<label><input type=checkbox> Wrap</label>",
        "<label><input type=checkbox checked> Wrap</label>",
        ['checkbox "Wrap" is now checkbox "Wrap" [checked]'],
    ),
    "name without a visible text": (
        '<button aria-label="Close"></button>',
        "<button></button>",
        ['button "Close" is now button'],
    ),
    "hidden from a screen reader": (
        "<p>In stock</p>",
        '<p aria-hidden="true">In stock</p>',
        ["paragraph: In stock is gone"],
    ),
    "alternative text": ('<img alt="Parcel">', '<img alt="">', ['img "Parcel" is gone']),
    "item of a list": (
        LIST,
        LIST.replace("</ul>", "<li>Three</li></ul>"),
        ["listitem: Three is new in list"],
    ),
    "within an open shadow root": (
        SHADOW.format("<h2>Gift</h2>"),
        SHADOW.format("<p>Gift</p>"),
        ['heading "Gift" [level=2] is now paragraph: Gift'],
    ),
}

QUIET = {
    "class names": ('<p class="a">Gift</p>', '<p class="b c">Gift</p>'),
    "order of attributes": (
        '<button id="a" aria-label="Close" aria-expanded="false"></button>',
        '<button aria-expanded="false" aria-label="Close" id="a"></button>',
    ),
    "address of a link": ('<a href="/1/en/cart">Cart</a>', '<a href="/2/en/cart">Cart</a>'),
    "white space": ("<p>In  stock</p>", "<p>\n  In stock </p>\n"),
    "element without a role": ("<p>In <span>stock</span></p>", "<p>In stock</p>"),
    "colour": ("<p>Gift</p>", '<p style="color: red">Gift</p>'),
}


@pytest.fixture
def tree_of(browser):
    page = browser.new_page()

    def look(*blocks):
        page.set_content("".join(f"<div data-order>{html}</div>" for html in blocks))
        for template in page.locator("template").all():
            template.evaluate(
                "(template) => template.parentNode.attachShadow({ mode: 'open' }).append(template.content)"
            )
        return aria_tree(take_trees(page.locator("[data-order]")))

    yield look
    page.close()


@pytest.mark.parametrize("name", CHANGES)
def test_change_that_only_a_screen_reader_notices_is_reported_in_words(tree_of, name):
    before, after, sentences = CHANGES[name]
    differences = describe_aria_differences(tree_of(before), tree_of(after))
    assert differences == [f"for a screen reader, {sentence}" for sentence in sentences]


@pytest.mark.parametrize("name", QUIET)
def test_change_that_no_screen_reader_notices_is_quiet(tree_of, name):
    before, after = QUIET[name]
    assert tree_of(before) == tree_of(after) != ()


def test_tree_has_all_blocks_in_their_order(tree_of):
    assert tree_of("<p>One</p>", '<a href="/">Two</a>') == ("- paragraph: One", '- link "Two"')


def appearance(*tree):
    return Appearance(structure=(), aria=tree, area=None, origin={}, picture=None, browser="")


@pytest.mark.parametrize("tree", [(), ("- group:", '  - heading "A: b" [level=2]', "  - text: '# x'")])
def test_tree_is_read_as_it_was_written(tree):
    assert read_snapshot(write_snapshot(appearance(*tree), state="any", language="en")).aria == tree


def test_snapshot_without_a_tree_is_read():
    stored = read_snapshot(write_structure((), state="any", language="en"))
    assert (stored.structure, stored.aria) == ((), None)


@pytest.mark.parametrize("line", ["<<<<<<< ours", "# Accessibility tree", "", "  text"])
def test_damaged_tree_is_refused_with_its_line(line):
    text = write_snapshot(
        appearance("- paragraph: One", line, "- paragraph: Two"), state="any", language="en"
    )
    with pytest.raises(Unreadable, match="line 5 is no line of an accessibility tree"):
        read_snapshot(text)
