"""Generated scripts: callbacks with conditions, loops, closures, `try`, early return and `await` around the init call.

Conditions compare fields of the payload with constants, so that the engine can reach each branch (`engine_payloads`).
Each seed makes one script.
"""

import random

PRICE, CHECKOUT = "svc-content-after-price", "svc-content-after-checkout"
EVENTS = (PRICE, "svc-content-after-cart", CHECKOUT)
"""Each event has at most one subscriber: of several, the emulator could not tell which one calls init late."""
DEEPEST = 3


class ScriptWriter:
    def __init__(self, seed: int) -> None:
        self.choice = random.Random(seed)
        self.names = 0
        self.fields: tuple[str, ...] = ()

    def pick(self, *options: str) -> str:
        return self.choice.choice(options)

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def script(self) -> str:
        events = self.choice.sample(EVENTS, self.choice.choice((1, 1, 1, 2)))
        body = [self.subscription(event) for event in events]
        return "\n".join(["let done = false, count = 0, keep = null;", *body])

    def subscription(self, event: str) -> str:
        updated = event in {PRICE, CHECKOUT} and self.choice.random() < 0.1
        self.fields = ("item",) if event == PRICE else ("cartData",)
        asynchronous = self.pick("", "", "", "async ")
        body = self.block(0, asynchronous=bool(asynchronous))
        name = f"{event}-updated" if updated else event
        return f'svcPlugins.subscribeEvent("{name}", {asynchronous}(event, init, params) => {{\n{body}}});'

    def condition(self) -> str:
        if self.fields == ("item",):
            plain = (
                f"params.item.price > {self.choice.choice((5, 20, 21, 50))}",
                'params.item.name === "Linen"', 'params.item.brand === "acme"', "params.item.stock === null",
                f"params.item.variants.length > {self.choice.choice((0, 1, 2))}", "params.item.sku",
                'params.item.category.startsWith("a/")', "params.item.weight >= 180",
            )  # fmt: skip
        else:
            plain = ("params.cartData.total > 60", "params.cartData.total_no_discount === 63.8",
                     'params.currency.code === "EUR"', "params.cartData.total")  # fmt: skip
        state = ("done", "!done", "count > 0", "count === 0", "keep", "!keep", 'typeof init === "function"')
        condition = self.pick(*plain, *state)
        if self.choice.random() < 0.2:
            condition = f"{condition} {self.pick('&&', '||')} {self.pick(*plain, *state)}"
        return f"!({condition})" if self.choice.random() < 0.15 else condition

    def call(self) -> str:
        return self.pick(
            "init();", "init().setContent('a');", "keep = init();", "keep ??= init();", "keep || (keep = init());",
            "done = true; init();", "count++; init();", "if (!done) { done = true; init(); }",
            "if (!keep) keep = init(); keep.setContent('b');", "if (count === 0) { count++; init(); }",
        )  # fmt: skip

    def throwing(self) -> str:
        return self.pick(
            "throw new Error('no');", "params.item.stock.toFixed(2);", "null.x;", "JSON.parse('{');",
            "[].reduce((a) => a);",
            "params.missing.x;", "(void 0)();", "new Array(-1);", "[...undefined];", "const { a } = null;", "1 in 'a';",
            "JSON.parse('{}');", "params.page.language.trim();", "'a'.repeat(2);", "Number('x').toFixed(1);",
            "1n + 1;", "later1; let later1 = 1;", "const { b: { c } } = {};", "let [[d]] = [];",
        )  # fmt: skip

    def block(self, depth: int, *, asynchronous: bool, loop: bool = False) -> str:
        count = self.choice.choice((1, 2, 2, 3))
        lines = [self.statement(depth, asynchronous=asynchronous, loop=loop) for _ in range(count)]
        return "".join("  " * (depth + 1) + line + "\n" for line in lines)

    def statement(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        simple = [self.call, self.call, self.call, lambda: "count++;", lambda: "done = !done;"]
        simple += [lambda: f"if ({self.condition()}) return;"]
        if asynchronous:
            simple += [
                lambda: self.pick(
                    "await null;", "await Promise.resolve(1);", "await new Promise((d) => setTimeout(d, 1));"
                )
            ]
        if loop:
            simple += [lambda: f"if ({self.condition()}) {self.pick('break', 'continue')};"]
        if depth >= DEEPEST or self.choice.random() < 0.4:
            return self.choice.choice(simple)()
        compound = (
            self.if_, self.if_, self.if_, self.try_, self.try_, self.for_, self.for_of, self.closure, self.deferred,
            self.switch, self.each, self.while_,
        )  # fmt: skip
        return self.choice.choice(compound)(depth, asynchronous=asynchronous, loop=loop)

    def if_(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        text = f"if ({self.condition()}) {{\n{self.block(depth + 1, asynchronous=asynchronous, loop=loop)}}}"
        if self.choice.random() < 0.5:
            text += f" else {{\n{self.block(depth + 1, asynchronous=asynchronous, loop=loop)}}}"
        return text

    def try_(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        body = self.block(depth + 1, asynchronous=asynchronous, loop=loop)
        extra = self.throwing() if self.choice.random() < 0.8 else ""
        body = f"{extra}\n{body}" if self.choice.random() < 0.4 else f"{body}{extra}\n"
        inside = self.block(depth + 1, asynchronous=asynchronous, loop=loop)
        ending = self.pick("catch", "catch", "finally", "both")
        if ending == "finally":
            return f"try {{\n{body}}} finally {{\n{self.call()}\n}}"
        text = f"try {{\n{body}}} catch (error) {{\n{inside}}}"
        return text + (f" finally {{\n{self.call()}\n}}" if ending == "both" else "")

    def for_(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        i = self.fresh("i")
        rounds = self.choice.choice((0, 1, 1, 2, 3))
        body = self.block(depth + 1, asynchronous=asynchronous, loop=True)
        return f"for (let {i} = 0; {i} < {rounds}; {i}++) {{\n{body}}}"

    def while_(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        i = self.fresh("w")
        body = self.block(depth + 1, asynchronous=asynchronous, loop=True)
        return f"let {i} = {self.choice.choice((0, 1, 2))}; while ({i}-- > 0) {{\n{body}}}"

    def for_of(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        values = "params.item.variants" if self.fields == ("item",) else self.pick("[1]", "[]", "[1, 2]")
        name = self.fresh("v")
        body = self.block(depth + 1, asynchronous=asynchronous, loop=True)
        return f"for (const {name} of {values}) {{\n{body}}}"

    def each(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        values = self.pick(
            "[1]", "[]", "[1, 2]", *(("params.item.variants",) if self.fields == ("item",) else ())
        )
        method = self.pick("forEach", "map", "some")
        return f"{values}.{method}(() => {{\n{self.block(depth + 1, asynchronous=False)}}});"

    def closure(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        name = self.fresh("f")
        inside = asynchronous and self.choice.random() < 0.5
        calls = " ".join(f"{name}();" for _ in range(self.choice.choice((0, 1, 1, 2))))
        await_ = "await " if inside and calls and self.choice.random() < 0.5 else ""
        body = self.block(depth + 1, asynchronous=inside)
        return f"const {name} = {'async ' if inside else ''}() => {{\n{body}}}; {await_}{calls}"

    def deferred(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        body = self.block(depth + 1, asynchronous=False)
        return self.pick(
            f"setTimeout(() => {{\n{body}}}, 1);", f"Promise.resolve().then(() => {{\n{body}}});",
            f"queueMicrotask(() => {{\n{body}}});", f"(async () => {{ await null;\n{body}}})();",
            f"(() => {{\n{body}}})();", f"(function () {{\n{body}}}).call(null);",
        )  # fmt: skip

    def switch(self, depth: int, *, asynchronous: bool, loop: bool) -> str:
        value, cases = (
            ("params.item.currency", ('"EUR"', '"USD"'))
            if self.fields == ("item",)
            else ("count", ("0", "1"))
        )
        parts = [
            f"case {case}:\n{self.block(depth + 1, asynchronous=asynchronous)}{self.pick('break;', 'break;', '')}\n"
            for case in cases
        ]
        default = (
            f"default:\n{self.block(depth + 1, asynchronous=asynchronous)}"
            if self.choice.random() < 0.5
            else ""
        )
        return f"switch ({value}) {{\n{''.join(parts)}{default}}}"


def script(seed: int) -> str:
    return ScriptWriter(seed).script()
