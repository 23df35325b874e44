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
    'click "#never"': "disabled",
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
