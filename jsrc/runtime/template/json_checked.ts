import { json_text } from "./json";
import { fail } from "./thing";

/** Return the text like `json_text`, but throw an error that explains the problem. Dev builds use it. */
export const json_text_checked = (value: unknown): string => {
  if (typeof value == "object" && value) fail("a list or mapping cannot be printed");
  if (["bigint", "function", "symbol"].includes(typeof value)) fail(`a ${typeof value} cannot be printed`);
  if (typeof value == "number" && !/^-?(?!0\.0000)\d{1,16}(\.\d+)?$/.test(`${value}`)) {
    fail(`${value} is printed with an exponent or is no number: format it in the script`);
  }
  return json_text(value);
};
