"""A block with a form, and the steps of a shopper in it. Tests and the gallery must cause the same events there.

`BLOCK` is a JavaScript function that fills an element with the form, and records events in its `data-events`.
One field is in an open shadow root, as with `isolation = "shadow"`.
"""

FORM = """
<textarea id=note></textarea>
<label><input type=checkbox id=agree> <span>I agree</span></label>
<input type=checkbox id=styled style="position:absolute;opacity:0;width:1px;height:1px">
<label for=styled>Wrap it</label>
<label><input type=radio name=way id=post checked> Post</label><label><input type=radio name=way id=van> Van</label>
<select id=day><option value=mo>Monday</option><option value=tu>Tuesday</option></select>
<details><summary>More</summary><button type=button class=more>Add</button></details>
<button type=button class=twice>One</button><button type=button class=twice>Two</button>
<button type=button id=never disabled>Never</button>
<p contenteditable id=free></p>
<p hidden id=hidden>Hidden</p>
<input id=readonly readonly value=A><input type=file id=photo>
<input type=number id=count><input type=date id=birthday>
<input type=color id=tint><input type=range id=level max=10 value=5>
<select id=size>
<option>S</option><option disabled>M</option><optgroup disabled label=Big><option>L</option></optgroup>
</select>
<fieldset disabled><input id=locked></fieldset>
<div inert><input id=inert><button type=button id=dead>Dead</button></div>
<button type=button id=pad>Pad</button>
<div id=shadow></div>
"""

BLOCK = (
    """(block) => {
  block.innerHTML = `"""
    + FORM
    + """`;
  const shadow = block.querySelector("#shadow").attachShadow({ mode: "open" });
  shadow.innerHTML = "<input id=inner>";
  const events = [];
  for (const type of ["click", "input", "change", "toggle"]) block.addEventListener(type, (event) => {
    const { id, localName, value, checked, open, type: kind } = event.composedPath()[0];
    if (type === "click" && localName !== "button") return;
    const is = kind === "checkbox" || kind === "radio" ? checked : localName === "details" ? open : value;
    events.push(`${type} ${id || localName} ${is ?? ""}`.trim());
    block.dataset.events = events.join("; ");
  }, true);
  for (const type of ["pointerdown", "mousedown", "focus", "focusin", "pointerup", "mouseup", "blur"]) {
    block.querySelector("#pad").addEventListener(type, () => events.push(type));
  }
}"""
)

ACTIONS = {
    "type": (('type "#note" "Happy birthday"',), "input note Happy birthday"),
    "type, and leave the field": (
        ('type "#note" "Hi"', 'check "#agree"'),
        "input note Hi; change note Hi; input agree true; change agree true",
    ),
    "type twice, and leave the field": (
        ('type "#note" "A"', 'type "#note" "B"', 'click "#note"', 'choose "#day" "Tuesday"'),
        "input note A; input note B; change note B; input day tu; change day tu",
    ),
    "leave a field with the text that it had": (
        ('type "#note" "A"', 'type "#note" ""', 'check "#agree"'),
        "input note A; input note; input agree true; change agree true",
    ),
    "type where no field is": (
        ('type "#free" "A"', 'check "#agree"'),
        "input free; input agree true; change agree true",
    ),
    "type into a field that is chosen, and leave it": (
        ('type "#birthday" "2026-12-24"', 'type "#tint" "#FF8800"', 'type "#level" "7"', 'check "#agree"'),
        (
            "input birthday 2026-12-24; change birthday 2026-12-24; input tint #ff8800; change tint #ff8800; "
            "input level 7; change level 7; input agree true; change agree true"
        ),
    ),
    "type a number, and leave the field": (
        ('type "#count" "12.5"', 'check "#agree"'),
        "input count 12.5; change count 12.5; input agree true; change agree true",
    ),
    "press, and leave": (
        ('click "#pad"', 'check "#agree"'),
        (
            "pointerdown; mousedown; focus; focusin; pointerup; mouseup; click pad; "
            "blur; input agree true; change agree true"
        ),
    ),
    "type in a shadow root": (('type "#inner" "Hi"',), "input inner Hi"),
    "check and uncheck": (
        ('check "#agree"', 'uncheck "#agree"'),
        "input agree true; change agree true; input agree false; change agree false",
    ),
    "check what only its label shows": (('check "#styled"',), "input styled true; change styled true"),
    "choose a radio button": (("check '#van'",), "input van true; change van true"),
    "choose by the label": (('choose "#day" "Tuesday"',), "input day tu; change day tu"),
    "choose by the value": (('choose "#day" "tu"',), "input day tu; change day tu"),
    "open, and click inside": (
        ('open "details"', 'click "button.more"'),
        "toggle details true; click button",
    ),
    "open and close": (('open "details"', 'close "details"'), "toggle details true; toggle details false"),
}
"""The steps, and the events that they cause, by name."""

REFUSED = {
    'click "#nothing"': "nothing in the block matches the selector",
    'click "button.twice"': "2 elements in the block match the selector",
    'click "#hidden"': "the element is hidden",
    'click "#never"': "a shopper cannot reach the element: it is disabled",
    'type "#locked" "A"': "a shopper cannot reach the element: it is disabled",
    'type "#readonly" "B"': "a shopper cannot reach the element: it is read-only",
    'type "#inert" "A"': "a shopper cannot reach the element: it is inert",
    'click "#dead"': "a shopper cannot reach the element: it is inert",
    'choose "#size" "M"': 'a shopper cannot choose "M": it is disabled',
    'choose "#size" "L"': 'a shopper cannot choose "L": it is disabled',
    'type "#photo" "x"': '<input type="file"> is no field for text',
    'type "#count" "many"': 'a field of type number takes no "many", but for example "2"',
    'type "#birthday" "24.12.2026"': (
        'a field of type date takes no "24.12.2026", but for example "2026-12-24"'
    ),
    'type "#tint" "purplish"': 'a field of type color takes no "purplish", but for example "#ff8800"',
    'type "#level" "42"': 'a field of type range takes no "42", but for example "5"',
    'type "button.twice:first-of-type" "Hi"': "<button> is no field for text",
    'check "#note"': "<textarea> is no checkbox or radio button",
    'uncheck "#agree"': "it is unchecked already",
    'check "#post"': "it is checked already",
    'choose "#day" "Sunday"': 'it has no option "Sunday"; it has Monday (value mo), Tuesday (value tu)',
    'choose "#day" "Monday"': '"Monday" is chosen already',
    'open "#day"': "<select> is no <details>",
    'close "details"': "it is closed already",
}
"""The reason why a step is not possible, by step."""
