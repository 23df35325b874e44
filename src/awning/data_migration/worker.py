"""The child process of `engine.py`: reads calls as lines of JSON, and writes answers.

A call is `{"code", "widget", "data", "version"}`, with the data as JSON text. The code defines `__migrations`: the
module of each widget's `data.migrate.ts`. With `"data": null`, the call asks for the module's examples.
"""

import json
import os
import signal
import sys
import time
from typing import Any

import _quickjs  # type: ignore[import-not-found]

MEMORY = 64 * 1024 * 1024
STACK = 512 * 1024
SECONDS = 0.25
"""The processor time of one call."""

LARGEST = 1024 * 1024
"""The most bytes of an answer, unless the stored data are about as large. Each page of the shop has the app data."""

_REPEATABLE = """
(() => {
  const refuse = function __awning_refuse(what) {
    const error = new Error(`${what} is different each time, and a migration must give the same result again`);
    error.stack = `${error.stack}`.split("\\n").filter((line) => !line.includes("__awning_")).join("\\n");
    throw error;
  };
  const clock = Date;
  const dated = new Proxy(clock, {
    construct: function __awning_construct(target, values, self) {
      return values.length ? Reflect.construct(target, values, self) : refuse("the present time");
    },
    apply: function __awning_apply() { refuse("the present time"); },
  });
  clock.now = function __awning_now() { refuse("the present time"); };
  clock.prototype.constructor = dated;
  globalThis.Date = dated;
  Math.random = function __awning_random() { refuse("Math.random"); };
  delete globalThis.performance;
})();
"""
"""Takes away what gives another result when a killed run is repeated."""
_CALL = """
((widget, data, version) => {
  try {
    const module = __migrations[widget] || {};
    if (data === null) return JSON.stringify({ value: module.examples === undefined ? [] : module.examples });
    if (typeof module.migrate !== "function") throw new Error("it does not export a function migrate");
    const value = module.migrate(JSON.parse(data), version);
    if (value && typeof value.then === "function") throw new Error("migrate must not be async");
    return JSON.stringify({ value: value === undefined ? null : value });
  } catch (error) {
    const isError = error instanceof Error;
    return JSON.stringify({
      error: isError ? `${error.name}: ${error.message}` : `${error}`,
      stack: isError ? `${error.stack}` : "",
    });
  }
})
"""


def main() -> None:
    # Two operators in two time zones get the same data: `new Date("2026-03-01T10:00")` depends on the zone.
    os.environ["TZ"] = "UTC"
    if hasattr(time, "tzset"):  # not on Windows
        time.tzset()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends this process
    for line in sys.stdin:
        sys.stdout.write(json.dumps(_answer(json.loads(line))) + "\n")
        sys.stdout.flush()


def _answer(call: dict[str, Any]) -> dict[str, Any]:
    context = _quickjs.Context()
    context.set_max_stack_size(STACK)
    context.set_memory_limit(MEMORY)
    context.set_time_limit(SECONDS)
    try:
        context.eval(_REPEATABLE)
        context.eval(call["code"])
        function = context.eval(_CALL)
        text = function(call["widget"], call["data"], call["version"])
        if len(text) > max(LARGEST, 2 * len(call["data"] or "")):
            return _limit(f"it returns more than {LARGEST // 2**20} MB")
        answer: dict[str, Any] = json.loads(text)
        if "out of memory" not in answer.get("error", ""):
            return answer
        return _limit(f"it needs more than {MEMORY // 2**20} MB")
    except (_quickjs.JSException, _quickjs.StackOverflow, ValueError, RecursionError) as error:
        text = str(error)
        if "interrupted" in text:
            return _limit(f"it runs for more than {SECONDS:g} s")
        if "out of memory" in text:
            return _limit(f"it needs more than {MEMORY // 2**20} MB")
        first, _, stack = text.partition("\n")
        return {"error": first, "stack": stack}


def _limit(message: str) -> dict[str, Any]:
    return {"error": message, "stack": ""}


if __name__ == "__main__":
    main()
