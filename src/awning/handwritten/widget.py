"""Puts the parts of a hand-written snippet into the files of a widget, and collects remarks for its author.

widget.toml      the title, the slots and the globals that the scripts leave
states.toml      a state for each slot, with an empty answer for each file of another host
widget.ts        the scripts of the body in their order
head.ts          the scripts of the page's head
script.ts        the plain scripts, if there are module scripts: widget.ts then only imports files
module-1.ts ...  the module scripts
head-script.ts, head-module-1.ts ...  the same for the scripts of the head
load.ts          loads scripts from other addresses
parsed.ts        runs a script when the page is parsed: module scripts, and scripts that use the markup at load
page.ts          inserts the markup and data blocks where the snippet stands, and links style sheets
markup.html.j2   the markup
style.css        the styles
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from awning.contract import SLOTS, Dialect
from awning.errors import ConfigurationError
from awning.handwritten.addresses import JQUERY
from awning.handwritten.conversion import Conversion
from awning.handwritten.page import PartKind, SnippetPart, element_names, read_parts
from awning.handwritten.script import (
    LANGUAGE,
    names_in_handlers,
    names_on_window,
    names_put_on_window,
    plain_script,
    split_imports,
    uses_at_load,
    with_window_as_this,
    with_window_names,
    without_placeholders,
    words,
)
from awning.handwritten.toml_files import write_settings, write_states

ALLOWED = "allowed in widget.toml"
UNCHECKED = "// @ts-nocheck: written as JavaScript. Remove this line, and your editor checks the types.\n"
ANY_JQUERY = """\
// jQuery is the page's own. For its types: npm install --save-dev @types/jquery, and take this line out.
declare const $: any, jQuery: any;
"""
LOAD = """\
/** Load a script. If it cannot be loaded, the other scripts still run. */
export const load = (address: string): Promise<void> =>
  new Promise((done) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = script.onerror = () => done();
    document.head.append(script);
  });
"""
IMPORT_LOAD = 'import { load } from "./load.ts";\n'
PARSED = """\
/** Run a script when the page is parsed: its elements are there, and DOMContentLoaded is still to come. */
export const whenParsed = (script: () => void): void => {
  if (document.readyState === "loading") document.addEventListener("readystatechange", script, { once: true });
  else script();
};
"""
IMPORT_PARSED = 'import { whenParsed } from "./parsed.ts";\n'
PLACE = """\
/** Insert the HTML of the snippet where the snippet is. */
const snippet = document.currentScript;
const place = (html: string): void => {
  if (snippet?.isConnected) snippet.insertAdjacentHTML("beforebegin", html);
  else document.body.insertAdjacentHTML("beforeend", html);
};
"""
LINK = """\
document.head.append(Object.assign(document.createElement("link"), {{ rel: "stylesheet", href: {address} }}));
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConvertedWidget:
    """A widget that was made from a snippet. `files` has the text of each file by its path in the widget's folder.

    `remarks` are sentences for the author, each with the lines of the snippet that it refers to.
    """

    slots: tuple[str, ...]
    files: dict[str, str]
    remarks: tuple[str, ...]


def convert_snippet(
    html: str, *, name: str, title: str, dialect: Dialect, slot: str | None = None
) -> ConvertedWidget:
    """Convert a snippet to a widget. `name` is the file name of the snippet, `title` the title of the widget.

    `slot` is needed only when the scripts name no event.

    Raises ConfigurationError when no script uses the service's global object, when neither an event nor `slot` tells
    the slot, or when the events belong to other slots than `slot`.
    """
    conversion = Conversion(name=name, dialect=dialect, parts=read_parts(html))
    slots = _slots(conversion, slot)
    write_states(conversion, slots)
    _convert_styles(conversion)
    page = _convert_page(conversion)
    _convert_scripts(conversion, "widget.ts", head=False, first=page)
    _convert_scripts(conversion, "head.ts", head=True, first=[])
    _allow_assigned_globals(conversion)
    write_settings(conversion, title, slots)
    for part in conversion.of(PartKind.LEFT_OUT):
        conversion.remark(part.line, f"{part.text} is left out: a widget has no place for it")
    return ConvertedWidget(slots=slots, files=conversion.files, remarks=tuple(_remarks(conversion)))


def _remarks(conversion: Conversion) -> Iterator[str]:
    """Yield the remarks. Equal sentences become one remark with all their lines: `old.html:12, 14: ...`."""
    lines_by_sentence: dict[str, list[int]] = {}
    for line, sentence in sorted(conversion.remarks):
        lines_by_sentence.setdefault(sentence, []).append(line)
    for sentence, lines in lines_by_sentence.items():
        yield f"{conversion.name}:{', '.join(map(str, dict.fromkeys(lines)))}: {sentence}"


def _slots(conversion: Conversion, requested: str | None) -> tuple[str, ...]:
    """Return the slots whose events the scripts name; the requested slot when they name none.

    Raises ConfigurationError as `convert_snippet` does.
    """
    scripts = [part.text for part in conversion.of(PartKind.SCRIPT, PartKind.MODULE)]
    if not any(
        re.search(rf"(?<![\w$]){re.escape(conversion.dialect.global_object)}(?![\w$])", text)
        for text in scripts
    ):
        raise ConfigurationError(
            f"no script in {conversion.name} calls {conversion.dialect.global_object}.subscribeEvent",
            hint="a widget shows in a slot, and its script subscribes to the slot's event; nothing was written",
        )
    slots = tuple(
        slot.name
        for slot in SLOTS.values()
        if any(slot.event(conversion.dialect) in text for text in scripts)
    )
    if not slots and requested is None:
        raise ConfigurationError(
            f"no event in {conversion.name} tells its slot",
            hint=f"name it: --slot {' or '.join(SLOTS)}; nothing was written",
        )
    if slots and requested is not None and requested not in slots:
        raise ConfigurationError(
            f"{conversion.name} subscribes to events of {' and '.join(slots)}, not of {requested}",
            hint="leave --slot out; nothing was written",
        )
    return slots or (str(requested),)


def _allow_assigned_globals(conversion: Conversion) -> None:
    """Allow the globals that the scripts assign themselves: `window.price = 1`."""
    for part in conversion.of(PartKind.SCRIPT, PartKind.MODULE):
        names = [
            name
            for name in names_put_on_window(
                without_placeholders(plain_script(part.text), conversion.dialect)[0]
            )
            if name not in conversion.globals and name != conversion.dialect.global_object
        ]
        conversion.globals |= dict.fromkeys(names, f"{conversion.name} puts it on the window")
        if names:
            conversion.remark(part.line, f"on the window, as before: {', '.join(names)} ({ALLOWED})")


def _convert_styles(conversion: Conversion) -> None:
    styles = []
    for part in conversion.of(PartKind.STYLE):
        media = part.attributes.get("media", "all").strip()
        css = _without_placeholders(conversion, part, value="").strip("\n")
        styles.append(css if media in ("", "all") else f"@media {media} {{\n{css}\n}}")
    if styles:
        conversion.files["style.css"] = "\n\n".join(styles) + "\n"
        line = conversion.of(PartKind.STYLE)[0].line
        conversion.remark(
            line, "style.css applies to the whole page, as before: name its classes after the widget"
        )


def _convert_page(conversion: Conversion) -> list[str]:
    """Write `page.ts` and `markup.html.j2` for style sheet links, data blocks and markup, if there are any.

    Returns a list with the statement that imports `page.ts`; an empty list when the file is not written.
    """
    links = [LINK.format(address=json.dumps(part.text)) for part in conversion.of(PartKind.LINK)]
    imports = []
    blocks = [_block(conversion, part) for part in conversion.of(PartKind.BLOCK)]
    for part in conversion.of(PartKind.MARKUP):
        markup = _without_placeholders(conversion, part, value="\0")
        has_language = "\0" in markup
        jinja = markup.replace("{{", "{{ '{{' }}").replace("{%", "{{ '{%' }}").replace("{#", "{{ '{#' }}")
        conversion.files["markup.html.j2"] = jinja.replace("\0", "{{ language }}")
        imports = ['import markup from "./markup.html.j2";\n', IMPORT_PARSED]
        arguments = f"{{ language: {LANGUAGE} }}" if has_language else "{}"
        blocks.append(_when_parsed(conversion, f"  place(String(markup({arguments})));\n"))
        conversion.remark(part.line, "the markup is inserted when the page is parsed")
    if not links and not blocks:
        return []
    sections = ["".join(imports), "".join(links), PLACE + "".join(blocks) if blocks else ""]
    ends = "" if imports else "export {};\n"
    conversion.files["page.ts"] = "\n".join(section for section in sections if section) + ends
    return ['import "./page.ts";\n']


def _when_parsed(conversion: Conversion, code: str) -> str:
    """Return the code in a call that runs it when the page is parsed.

    Before, a script may change no elements of the page (rule `early-dom`).
    """
    conversion.files["parsed.ts"] = PARSED
    return f"whenParsed(() => {{\n{code}}});\n"


def _block(conversion: Conversion, part: SnippetPart) -> str:
    """Return the statement that inserts a script element whose content (data or a template) other scripts read."""
    attributes = "".join(
        f' {name}="{value.replace(chr(34), "&quot;")}"' for name, value in part.attributes.items()
    )
    text = _without_placeholders(conversion, part, value="\0")
    html = json.dumps(f"<script{attributes}>{text}</script>", ensure_ascii=False)
    return f"place({html.replace(chr(92) + 'u0000', f'{chr(34)} + {LANGUAGE} + {chr(34)}')});\n"


def _without_placeholders(conversion: Conversion, part: SnippetPart, *, value: str) -> str:
    """Return the part's text. `value` replaces the placeholder of the language, `{}` every other placeholder."""

    def replace(match: re.Match[str]) -> str:
        _remark_placeholder(conversion, match[1], part.line + part.text.count("\n", 0, match.start()))
        return value if match[1].endswith("language") else "{}"

    prefix = re.escape(conversion.dialect.placeholder_prefix)
    return re.sub(r"\{\{(" + prefix + r"\w+)\}\}", replace, part.text)


def _remark_placeholder(conversion: Conversion, name: str, line: int) -> None:
    placeholder = f"{{{{{name}}}}}"
    if placeholder == conversion.dialect.language_placeholder:
        what = f"{placeholder} is now {LANGUAGE}; in a callback, param.page.language has the same value"
    elif placeholder == conversion.dialect.app_data_placeholder:
        what = (
            f"{placeholder} is now an empty object: describe the settings in data.schema.json, and export a "
            "render function, which gets them as `data`"
        )
    else:
        what = f"{placeholder} is now an empty object: awning knows no such placeholder"
    conversion.remark(line, what)


def _convert_scripts(conversion: Conversion, file: str, *, head: bool, first: list[str]) -> None:
    """Write `widget.ts` or `head.ts`. Each script of the type `module` gets its own file.

    The module scripts run after the plain scripts, when the page is parsed, as a browser runs them. The plain scripts
    of the body run at once, unless they use the markup, because who subscribes late may miss an event.
    """
    parts = conversion.of(PartKind.SCRIPT, PartKind.SOURCE, head=head)
    modules = [
        _write_module(conversion, part, index)
        for index, part in enumerate(conversion.of(PartKind.MODULE, head=head), 1)
    ]
    if not parts and not modules and not first:
        return
    code, loads = _join_scripts(conversion, parts)
    comments = [] if head else [_comment(part) for part in conversion.of(PartKind.COMMENT)]
    imports = list(first)
    helpers = []
    if loads:
        conversion.files["load.ts"] = LOAD
        helpers.append(IMPORT_LOAD)
    if not head and _needs_markup(conversion, code, loads=loads):
        code = _when_parsed(conversion, code)
        helpers.append(IMPORT_PARSED)
        conversion.remark(
            next(part.line for part in parts),
            "the scripts may use the markup, so they run when the page is parsed, and subscribe later than before",
        )
    if modules:
        own = f"{'head-' if head else ''}script.ts"
        if code.strip():
            conversion.files[own] = _typed(code, helpers)
            imports.append(f'import "./{own}";\n')
        imports += [f'import "./{name}";\n' for name in modules]
        conversion.files[file] = "".join(comments + imports)
        return
    conversion.files[file] = "".join(comments) + _typed(code, imports + helpers)


def _needs_markup(conversion: Conversion, code: str, *, loads: bool) -> bool:
    """Whether the code may use the markup as it is loaded. Scripts from other addresses are not known, so they may."""
    markup = [part.text for part in conversion.of(PartKind.MARKUP)]
    tags = [tag for text in markup for tag in re.findall(r"<[^>]+>", text)]
    if not tags or not code.strip():
        return False
    return loads or uses_at_load(code, words(tags), element_names(markup))


def _comment(part: SnippetPart) -> str:
    text = re.sub(r"\{\{|\}\}", "", part.text)
    return "".join(f"// {line.strip()}\n" for line in text.strip().splitlines())


def _typed(code: str, imports: list[str]) -> str:
    uses_jquery = re.search(r"(?<![\w$.])(?:\$|jQuery)(?![\w$])", code) is not None
    ends = "" if imports else "\nexport {};\n"
    return UNCHECKED + "".join(imports) + (ANY_JQUERY if uses_jquery else "") + "\n" + code + ends


def _write_module(conversion: Conversion, part: SnippetPart, index: int) -> str:
    """Write the file of a module script. Returns its name."""
    name = f"{'head-' if part.head else ''}module-{index}.ts"
    imports, code = split_imports(_script_code(conversion, part))
    conversion.files[name] = _typed(_when_parsed(conversion, code), [IMPORT_PARSED, *imports])
    return name


def _join_scripts(conversion: Conversion, parts: Sequence[SnippetPart]) -> tuple[str, bool]:
    """Return the code of all plain scripts, joined because they share names, and whether it loads scripts from URLs."""
    out: list[str] = []
    open_calls = 0
    loads = False
    many = sum(part.kind is PartKind.SCRIPT for part in parts) > 1
    used_names = _names_used_elsewhere(conversion)
    for part in parts:
        if part.kind is PartKind.SOURCE:
            if JQUERY.search(part.text):
                conversion.remark(
                    part.line,
                    "jQuery is left out: pages of the service have their own (2.2.4 on observed pages)",
                )
                continue
            loads = True
            waits = (
                not {"async", "defer"} & part.attributes.keys() and part.attributes.get("type") != "module"
            )
            call = f"load({json.dumps(part.text)})"
            out.append(f"void {call}.then(() => {{\n" if waits else f"void {call};\n")
            open_calls += waits
            after = "; the code after it waits for it, and subscribes later than before" if waits else ""
            conversion.remark(part.line, f"{part.text} is loaded by the widget's script{after}")
            continue
        code, names = with_window_names(with_window_as_this(_script_code(conversion, part)), used_names)
        conversion.globals |= dict.fromkeys(names, "a handler in HTML or another script uses it")
        if names:
            conversion.remark(
                part.line,
                f"assigned to the window, for a handler in HTML or another script: {', '.join(names)} ({ALLOWED})",
            )
        out.append((f"// Line {part.line} of {conversion.name}\n" if many else "") + code)
    return "".join(out) + "});\n" * open_calls, loads


def _names_used_elsewhere(conversion: Conversion) -> frozenset[str]:
    """Return the names that must be on the window, because they are used outside of the file that declares them.

    Such a name is in an event handler in HTML, or is a property of the window that a script reads or writes, or is in
    scripts of two groups. The groups become different files: plain scripts of the head, plain scripts of the body,
    modules.
    """
    scripts = [part.text for part in conversion.of(PartKind.SCRIPT, PartKind.MODULE)]
    markup = [part.text for part in conversion.of(PartKind.MARKUP, PartKind.BLOCK)]
    units = [
        words(part.text for part in conversion.of(PartKind.SCRIPT, head=True)),
        words(part.text for part in conversion.of(PartKind.SCRIPT, head=False)),
        words(part.text for part in conversion.of(PartKind.MODULE)),
    ]
    shared = (units[0] & units[1]) | (units[0] & units[2]) | (units[1] & units[2])
    return names_in_handlers([*scripts, *markup]) | names_on_window(scripts) | shared


def _script_code(conversion: Conversion, part: SnippetPart) -> str:
    """Return the script's code without placeholders. Each placeholder gets a remark."""
    plain = plain_script(part.text)
    first = part.line + part.text.count("\n", 0, max(part.text.find(plain.rstrip("\n")), 0))
    code, replaced = without_placeholders(plain, conversion.dialect)
    for placeholder in replaced:
        _remark_placeholder(conversion, placeholder.name, first + placeholder.line - 1)
    return code
