/** What compiled templates import. Each name is a helper that the compiler may ask for; a test compares both lists. */

export * from "../escape/index";
export { add, div, floordiv, mod, modulo, mul, neg, pos, pow, sub } from "./arithmetic";
export { compare, contains, eq, ge, gt, le, lt } from "./compare";
export { concat } from "./concat";
export { dict, dict_of } from "./mapping";
export { field, get, item, sliced } from "./access";
export { cycler, joiner, located, method_next, method_reset, namespace_of, range, set_attribute, shadowed } from "./globals";
export { iterate, unpack } from "./iterate";
export { changed, cycle, loop_of, step } from "./loop";
export { call, keywords, macro, missing } from "./macro";
export { Markup, markup } from "./markup";
export { num, put, putIn, repr, str } from "./text";
export { truth } from "./truth";
export { tuple } from "./thing";
