"""The files of `dist/preview/`, with which the settings form shows the widgets as they will look.

A merchant chooses a state by its title. The form has the data, so of states that differ only in their data, only the
first is there; and none whose page fires no event. The scripts do not depend on the widgets, so they are remembered.
"""

import json
from collections.abc import Iterator, Mapping

from awning.bundle.emulator import TARGET, dialect_defines
from awning.bundle.request import BundleRequest, EntryPoint
from awning.bundle.run import bundle, find_esbuild
from awning.contract import Dialect
from awning.contract.shop import THEMES, Theme
from awning.errors import ConfigurationError
from awning.jsrc import jsrc_root
from awning.pipeline.build_session import BuildSession
from awning.pipeline.cache.memory import ResultKind, hash_of
from awning.pipeline.phases import UnwrittenBuild
from awning.preview_record import (
    FORM,
    FRAME,
    STATES,
    PlayedResponse,
    PreviewEvents,
    PreviewState,
    encode_preview,
    encode_state,
)
from awning.programs import Binary
from awning.states.host_responses import read_host_response
from awning.states.json_values import thaw
from awning.states.state_events import state_events
from awning.workspace.model import Widget, WidgetState, Workspace

SCRIPTS: ResultKind[tuple[str, str]] = ResultKind("preview scripts", tuple[str, str], on_disk=True)
"""The scripts of the frame and of the form."""
WIDGET_STATES: ResultKind[tuple[bytes, ...]] = ResultKind("preview states", tuple[bytes, ...], on_disk=True)

_JQUERY = "jquery-2.2.4.min.js"
_NO_CONTENT = 204


def preview_files(
    build: UnwrittenBuild, environ: Mapping[str, str], session: BuildSession
) -> dict[str, bytes]:
    """Return the files of the preview by path; none when no widget has a state that it can show.

    Raises ConfigurationError when esbuild cannot be used.
    """
    if build.assembled is None:
        return {}
    sources, workspace = build.sources, build.sources.workspace
    dialect = sources.dialect
    settings = hash_of(repr((workspace.languages, workspace.beacon, dialect, workspace.own_store)))
    states = tuple(
        state for widget in sources.widgets for state in _remembered(widget, build, session, settings)
    )
    if not states:
        return {}
    record = encode_preview(build.assembled.record.fingerprint, dialect, states)
    frame, form = _remembered_scripts(find_esbuild(environ), dialect, session)
    if session.writes:
        session.memory.save()
    return {STATES: record, FRAME: frame.encode(), FORM: form.encode()}


def _remembered(
    widget: Widget, build: UnwrittenBuild, session: BuildSession, settings: str
) -> tuple[bytes, ...]:
    """Return the states of a widget as JSON. `settings` is a hash of what does not depend on the widget."""
    files = (f"{file.path} {file.sha256}" for file in build.sources.by_folder[widget.name].values())
    key = hash_of("preview states", settings, *files)
    workspace = build.sources.workspace
    return session.memory.memo(
        WIDGET_STATES,
        key,
        lambda: tuple(encode_state(state) for state in _preview_states(widget, workspace)),
    )


def _preview_states(widget: Widget, workspace: Workspace) -> Iterator[PreviewState]:
    """Yield the states of a widget that show something else for the same data."""
    seen: set[str] = set()
    for state in widget.states:
        circumstances = _without_data(state)
        if circumstances in seen:
            continue
        seen.add(circumstances)
        # The beacon's address is answered, as in tests, so that a preview reports nothing.
        written = {**({workspace.beacon: _NO_CONTENT} if workspace.beacon else {}), **state.fetch}
        try:
            events = dict(_events(widget, state, workspace))
            answers = {
                url: read_host_response(answer, widget.folder).played() for url, answer in written.items()
            }
        except ConfigurationError:  # the check has reported it, and `--allow-errors` accepted it
            continue
        if events:
            yield _preview_state(widget, state, events, answers)


def _preview_state(
    widget: Widget,
    state: WidgetState,
    events: Mapping[str, PreviewEvents],
    answers: Mapping[str, PlayedResponse],
) -> PreviewState:
    return PreviewState(
        widget=widget.name,
        widget_title=widget.title,
        name=state.name,
        title=state.title,
        slot=state.slot,
        events=events,
        answers=answers,
        now=state.now,
        whole=bool(widget.verbatim),
    )


def _without_data(state: WidgetState) -> str:
    """Return a text that is equal for two states that differ only in their data, or in how tests look at them."""
    theme = _theme(state)
    parts = (state.slot, state.payload, state.steps, state.now, state.currency, theme.direction, state.fetch)
    return json.dumps(thaw(parts), sort_keys=True, default=str)


def _theme(state: WidgetState) -> Theme:
    return THEMES[state.theme] if state.theme else next(iter(THEMES.values()))


def _events(widget: Widget, state: WidgetState, workspace: Workspace) -> Iterator[tuple[str, PreviewEvents]]:
    for language in widget.languages:
        dialect, store = workspace.profile.dialect, workspace.store
        staged = state_events(state, language, workspace.languages, dialect, store)
        if staged.event is None:
            continue
        directions = (_theme(state).direction, store.direction(language))
        yield (
            language,
            PreviewEvents(
                event=staged.event,
                params=thaw(staged.params),
                automatic=tuple(staged.automatic),
                steps=tuple(staged.steps),
                direction="rtl" if "rtl" in directions else "ltr",
            ),
        )


def _remembered_scripts(esbuild: Binary, dialect: Dialect, session: BuildSession) -> tuple[str, str]:
    """Return the scripts of the frame and of the form."""
    defines = dialect_defines(dialect)
    key = hash_of("preview scripts", json.dumps(defines), esbuild.identity)
    return session.memory.memo(SCRIPTS, key, lambda: _scripts(esbuild, defines))


def _scripts(esbuild: Binary, defines: Mapping[str, str]) -> tuple[str, str]:
    jsrc = jsrc_root()
    request = BundleRequest(
        entry_points=tuple(EntryPoint(name, jsrc / "preview" / f"{name}.ts") for name in ("frame", "form")),
        root=jsrc,
        jsrc=jsrc,
        defines=defines,
        source_maps=False,
        target=TARGET,
    )
    outputs = bundle(esbuild, request).outputs
    # The pages of a shop have jQuery, and the emulator looks for it when it is loaded.
    jquery = (jsrc / "vendor" / _JQUERY).read_text(encoding="utf-8")
    return f"{jquery}\n{outputs['frame'].code.decode()}", outputs["form"].code.decode()
