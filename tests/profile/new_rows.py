"""One row of each kind, as a real patch: the path, a text of the file, and what replaces it."""

FAULT, THEME, ASSUMPTION, QUIRK = "half_head", "wide", "language-order", "handler-params"
FIELD, OPTION = "app_support_hours", "--minute-pace"

PATCHES = {
    "fault": [
        (
            "harness/awning_harness/service/faults/faults.py",
            "class InvalidJson(Fault):",
            '''class HalfHead(Fault):
    """The head of the response arrives, then the connection ends."""

    @property
    def effect(self) -> Effect:
        return Effect(got=Got.HALF, performed=True)

    async def play(self, exchange: Exchange) -> None:
        await exchange.begin(await exchange.perform())
        await exchange.send({"type": "http.response.body", "body": b"", "more_body": True})
        exchange.connection.close()


class InvalidJson(Fault):''',
        )
    ],
    "theme": [
        (
            "src/awning/contract/shop.py",
            '            Theme(\n                name="tiny",',
            """            Theme(
                name="wide",
                title="Wide",
                shows="The page is as wide as the window, up to `120rem`.",
                style="main.frame{max-width:120rem}",
            ),
            Theme(
                name="tiny",""",
        )
    ],
    "assumption": [
        (
            "src/awning/contract/assumptions/apps.py",
            '    _assume(\n        id="unset-snippet",',
            """    _assume(
        id="language-order",
        question="In which order does languages list the languages of a website?",
        alternatives={"own": "in that of the website", "by-code": "by their codes"},
        hostile="by-code",
        source="Apps Integration API, Endpoints: silent",
    ),
    _assume(
        id="unset-snippet",""",
        ),
        (
            "harness/awning_harness/service/operations.py",
            'return {"languages": list(call.website().languages)}',
            """own = call.website().languages
    return {"languages": sorted(own) if call.assumptions["language-order"] == "by-code" else list(own)}""",
        ),
    ],
    "quirk": [
        (
            "src/awning/contract/assumptions/events.py",
            '    _assume(\n        "scripts-run",',
            """    _assume(
        "handler-params",
        "Has the content handler the event parameter as `params`?",
        ("present", "absent"),
        ("present", "present", "absent"),
    ),
    _assume(
        "scripts-run",""",
        ),
        (
            "jsrc/emulator/host.ts",
            "    params: claim.param,",
            '    params: assumptions.is("handler-params", "absent") ? {} : claim.param,',
        ),
    ],
    "field": [
        (
            "src/awning/contract/manifest_fields.py",
            '    ManifestField(name="app_secret",',
            """    ManifestField(
        name="app_support_hours", kind=kinds.TEXT, about="When shops get help.", example="9 to 17"
    ),
    ManifestField(name="app_secret",""",
        ),
        ("manifest.toml", 'app_tab_mode = "self"', 'app_tab_mode = "self"\napp_support_hours = "9 to 17"'),
    ],
    "pace": [
        (
            "src/awning/publish/pacing.py",
            "    in_flight: int = 64",
            """    per_minute: float | None = _limit(
        None,
        PaceRule(
            option="--minute-pace",
            about="Requests per minute to the whole service; 0: no limit.",
            of="host",
            span_s=60.0,
        ),
    )
    in_flight: int = 64""",
        )
    ],
}
DOORS = {"fault": 2, "theme": 1, "assumption": 2, "quirk": 3, "field": 2, "pace": 2}
"""The most paths that a row of a kind may touch, outside of tests and docs."""
