"""The files of the widget that a hand-written snippet becomes, and what its author should know.

widget.ts        the scripts in their order; head.ts those of the page's head
page.ts          what the snippet has beside its scripts, put where the snippet stands
markup.html.j2   its markup
style.css        its styles
module-1.ts ...  its module scripts
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from awning.contract import SLOTS, Dialect
from awning.errors import ConfigurationError
from awning.handwritten.page import Kind, Part, read_parts
from awning.handwritten.script import (
    LANGUAGE,
    plain_script,
    used_by_handlers,
    used_of_window,
    with_shared,
    with_window_as_this,
    without_placeholders,
    words,
)

MOST_BYTES = 4_000_000
JQUERY = re.compile(r"(?:^|/)jquery(?:[.-]\d[\w.-]*?)?(?:\.slim)?(?:\.min)?\.js(?:[?#].*)?$", re.IGNORECASE)
"""The address of jQuery itself, not of a plug-in."""

UNCHECKED = "// @ts-nocheck: written as JavaScript. Take this line out, and your editor checks the types.\n"
ANY_JQUERY = """\
// jQuery is the page's own. For its types: npm install --save-dev @types/jquery, and take this line out.
declare const $: any, jQuery: any;
"""
LOAD = """\
/** Load a script, in its turn. One that cannot be loaded does not keep the others from running. */
export const load = (address: string): Promise<void> =>
  new Promise((done) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = script.onerror = () => done();
    document.head.append(script);
  });
"""
PLACE = """\
/** What was written beside the scripts is put where the snippet stands. */
const snippet = document.currentScript;
const place = (html: string): void => {
  if (snippet) snippet.insertAdjacentHTML("beforebegin", html);
  else document.body.insertAdjacentHTML("beforeend", html);
};
"""
LINK = """\
document.head.append(Object.assign(document.createElement("link"), {{ rel: "stylesheet", href: {address} }}));
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Brought:
    """`files` are named relative to the widget's folder; `remarks` are sentences that name the file's lines."""

    slots: tuple[str, ...]
    files: dict[str, str]
    remarks: tuple[str, ...]


@dataclass(slots=True, kw_only=True)
class _Bringing:
    """One snippet on its way. `name` is what remarks call its file."""

    name: str
    dialect: Dialect
    parts: Sequence[Part]
    files: dict[str, str] = field(default_factory=dict)
    remarks: list[tuple[int, str]] = field(default_factory=list)

    def remark(self, line: int, sentence: str) -> None:
        self.remarks.append((line, sentence))

    def of(self, *kinds: Kind, head: bool | None = None) -> list[Part]:
        return [part for part in self.parts if part.kind in kinds and head in (None, part.head)]


def bring_in(html: str, *, name: str, title: str, dialect: Dialect, slot: str | None = None) -> Brought:
    """The widget that a snippet becomes. `name` is the snippet's file, `slot` stands in where no event tells it.

    Raises ConfigurationError for what is no snippet.
    """
    work = _Bringing(name=name, dialect=dialect, parts=read_parts(html))
    slots = _slots(work, slot)
    named = f'slot = "{slots[0]}"' if len(slots) == 1 else f"slots = {json.dumps(list(slots))}"
    work.files["widget.toml"] = (
        f'#:schema ../../.awning/types/widget.schema.json\ntitle = "{title}"\n{named}\n'
    )
    work.files["states.toml"] = _states(slots)
    _bring_styles(work)
    page = _page(work)
    _bring_scripts(work, "widget.ts", head=False, first=page)
    _bring_scripts(work, "head.ts", head=True, first=[])
    for part in work.of(Kind.LEFT_OUT):
        work.remark(part.line, f"{part.text} is left out: a widget has no place for it")
    return Brought(slots=slots, files=work.files, remarks=tuple(_remarks(work)))


def _remarks(work: _Bringing) -> Iterator[str]:
    """Each sentence once, with all its lines: `old.html:12, 14: ...`."""
    lines: dict[str, list[int]] = {}
    for line, sentence in sorted(work.remarks):
        lines.setdefault(sentence, []).append(line)
    for sentence, its in lines.items():
        yield f"{work.name}:{', '.join(map(str, dict.fromkeys(its)))}: {sentence}"


def _slots(work: _Bringing, asked: str | None) -> tuple[str, ...]:
    scripts = [part.text for part in work.of(Kind.SCRIPT, Kind.MODULE)]
    if not any(
        re.search(rf"(?<![\w$]){re.escape(work.dialect.global_object)}(?![\w$])", text) for text in scripts
    ):
        raise ConfigurationError(
            f"no script in {work.name} calls {work.dialect.global_object}.subscribeEvent",
            hint="a widget shows in a slot, and its script subscribes to the slot's event; nothing was written",
        )
    found = tuple(
        slot.name for slot in SLOTS.values() if any(slot.event(work.dialect) in text for text in scripts)
    )
    if not found and asked is None:
        raise ConfigurationError(
            f"no event in {work.name} tells which slot it is for",
            hint=f"name it: --slot {' or '.join(SLOTS)}; nothing was written",
        )
    if found and asked is not None and asked not in found:
        raise ConfigurationError(
            f"{work.name} subscribes to events of {' and '.join(found)}, not of {asked}",
            hint="leave --slot out; nothing was written",
        )
    return found or (str(asked),)


def _states(slots: Iterable[str]) -> str:
    payloads = {"after-price": "P1"}
    states = (
        f'\n[[state]]\nname = "{slot}"\ntitle = "As it was, {slot.replace("-", " ")}"\nslot = "{slot}"\n'
        f'payload = "{payloads.get(slot, "C1")}"\n'
        for slot in slots
    )
    return "#:schema ../../.awning/types/states.schema.json\n" + "".join(states)


def _bring_styles(work: _Bringing) -> None:
    styles = []
    for part in work.of(Kind.STYLE):
        media = part.attributes.get("media", "all").strip()
        css = _without_holes(work, part, value="").strip("\n")
        styles.append(css if media in ("", "all") else f"@media {media} {{\n{css}\n}}")
    if styles:
        work.files["style.css"] = "\n\n".join(styles) + "\n"
        line = work.of(Kind.STYLE)[0].line
        work.remark(line, "style.css holds for the whole page, as it did: name its classes after the widget")


def _page(work: _Bringing) -> list[str]:
    """Import of what stands beside the scripts, if anything does."""
    lines = [LINK.format(address=json.dumps(part.text)) for part in work.of(Kind.LINK)]
    imports = []
    blocks = [_block(work, part) for part in work.of(Kind.BLOCK)]
    for part in work.of(Kind.MARKUP):
        markup = _without_holes(work, part, value="\0")
        speaks = "\0" in markup
        jinja = markup.replace("{{", "{{ '{{' }}").replace("{%", "{{ '{%' }}").replace("{#", "{{ '{#' }}")
        work.files["markup.html.j2"] = jinja.replace("\0", "{{ language }}")
        imports.append('import markup from "./markup.html.j2";\n')
        given = f"{{ language: {LANGUAGE} }}" if speaks else "{}"
        blocks.append(f"place(String(markup({given})));\n")
    if not lines and not blocks:
        return []
    body = (["\n", PLACE, *blocks] if blocks else []) if imports else ([PLACE, *blocks] if blocks else [])
    work.files["page.ts"] = "".join([*imports, *lines, *body, *([] if imports else ["export {};\n"])])
    return ['import "./page.ts";\n']


def _block(work: _Bringing, part: Part) -> str:
    """A script that is data or a template: an element that other scripts read."""
    attributes = "".join(
        f' {name}="{value.replace(chr(34), "&quot;")}"' for name, value in part.attributes.items()
    )
    text = _without_holes(work, part, value="\0")
    html = json.dumps(f"<script{attributes}>{text}</script>", ensure_ascii=False)
    return f"place({html.replace(chr(92) + 'u0000', f'{chr(34)} + {LANGUAGE} + {chr(34)}')});\n"


def _without_holes(work: _Bringing, part: Part, *, value: str) -> str:
    """Text without the service's placeholders: `value` for the language, an empty object for the app data."""

    def hole(match: re.Match[str]) -> str:
        _remark_hole(work, match[1], part.line + part.text.count("\n", 0, match.start()))
        return value if match[1].endswith("language") else "{}"

    prefix = re.escape(work.dialect.placeholder_prefix)
    return re.sub(r"\{\{(" + prefix + r"\w+)\}\}", hole, part.text)


def _remark_hole(work: _Bringing, name: str, line: int) -> None:
    placeholder = f"{{{{{name}}}}}"
    if placeholder == work.dialect.language_placeholder:
        what = f"{placeholder} is now {LANGUAGE}; in a callback, param.page.language says the same"
    elif placeholder == work.dialect.app_data_placeholder:
        what = (
            f"{placeholder} is now an empty object: describe the settings in data.schema.json, and export a "
            "render function, which gets them as `data`"
        )
    else:
        what = f"{placeholder} is now an empty object: awning knows no such placeholder"
    work.remark(line, what)


def _bring_scripts(work: _Bringing, file: str, *, head: bool, first: list[str]) -> None:
    """`widget.ts` or `head.ts`. Module scripts have files of their own, and run after the others, as on a page."""
    parts = work.of(Kind.SCRIPT, Kind.SOURCE, head=head)
    modules = [_module(work, part, index) for index, part in enumerate(work.of(Kind.MODULE, head=head), 1)]
    if not parts and not modules and not first:
        return
    code, loads = _classic(work, parts)
    imports = list(first)
    if loads:
        work.files["load.ts"] = LOAD
    if modules:
        own = f"{'head-' if head else ''}script.ts"
        if code.strip():
            work.files[own] = _typed(code, ['import { load } from "./load.ts";\n'] if loads else [])
            imports.append(f'import "./{own}";\n')
        imports += [f'import "./{name}";\n' for name in modules]
        work.files[file] = "".join(imports)
        return
    imports += ['import { load } from "./load.ts";\n'] if loads else []
    comments = [] if head else [_comment(part) for part in work.of(Kind.COMMENT)]
    work.files[file] = "".join(comments) + _typed(code, imports)


def _comment(part: Part) -> str:
    text = re.sub(r"\{\{|\}\}", "", part.text)
    return "".join(f"// {line.strip()}\n" for line in text.strip().splitlines())


def _typed(code: str, imports: list[str]) -> str:
    uses_jquery = re.search(r"(?<![\w$.])(?:\$|jQuery)(?![\w$])", code) is not None
    ends = "" if imports else "\nexport {};\n"
    return UNCHECKED + "".join(imports) + (ANY_JQUERY if uses_jquery else "") + "\n" + code + ends


def _module(work: _Bringing, part: Part, index: int) -> str:
    name = f"{'head-' if part.head else ''}module-{index}.ts"
    code = _cleaned(work, part)
    work.files[name] = _typed(code, [])
    work.remark(
        part.line,
        f"the module script is {name}; it runs with the other scripts, no longer once the page is read",
    )
    return name


def _classic(work: _Bringing, parts: Sequence[Part]) -> tuple[str, bool]:
    """The code of scripts that share their names, and whether it loads others from an address."""
    out: list[str] = []
    open_calls = 0
    loads = False
    many = sum(part.kind is Kind.SCRIPT for part in parts) > 1
    wanted = _wanted(work)
    for part in parts:
        if part.kind is Kind.SOURCE:
            if JQUERY.search(part.text):
                work.remark(
                    part.line,
                    "jQuery is left out: pages of the service have their own (2.2.4 where it was observed)",
                )
                continue
            loads = True
            waits = (
                not {"async", "defer"} & part.attributes.keys() and part.attributes.get("type") != "module"
            )
            call = f"load({json.dumps(part.text)})"
            out.append(f"void {call}.then(() => {{\n" if waits else f"void {call};\n")
            open_calls += waits
            after = "; what follows it waits for it, and subscribes later than before" if waits else ""
            work.remark(part.line, f"{part.text} is loaded by the widget's script{after}")
            continue
        code, shared = with_shared(with_window_as_this(_cleaned(work, part)), wanted)
        if shared:
            work.remark(
                part.line,
                f"left on the window, for a handler in HTML or another script: {', '.join(shared)}",
            )
        out.append((f"// Line {part.line} of {work.name}\n" if many else "") + code)
    return "".join(out) + "});\n" * open_calls, loads


def _wanted(work: _Bringing) -> Callable[[str], bool]:
    scripts = [part.text for part in work.of(Kind.SCRIPT, Kind.MODULE)]
    markup = [part.text for part in work.of(Kind.MARKUP, Kind.BLOCK)]
    units = [
        words(part.text for part in work.of(Kind.SCRIPT, head=True)),
        words(part.text for part in work.of(Kind.SCRIPT, head=False)),
        words(part.text for part in work.of(Kind.MODULE)),
    ]
    elsewhere = (units[0] & units[1]) | (units[0] & units[2]) | (units[1] & units[2])
    names = used_by_handlers([*scripts, *markup]) | used_of_window(scripts) | elsewhere
    return lambda name: name in names


def _cleaned(work: _Bringing, part: Part) -> str:
    plain = plain_script(part.text)
    first = part.line + part.text.count("\n", 0, max(part.text.find(plain.rstrip("\n")), 0))
    code, replaced = without_placeholders(plain, work.dialect)
    for one in replaced:
        _remark_hole(work, one.name, first + one.line - 1)
    return code
