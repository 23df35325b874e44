/** The helpers that compiled templates import. A test compares this list with the compiler's. */

export * from "../escape/index";
export { add, div, floordiv, mod, modulo, mul, neg, pos, pow, sub } from "./arithmetic";
export { contains, eq, order } from "./compare";
export { bounded, within } from "./bounded";
export { concat } from "./concat";
export { dict, dict_of } from "./mapping";
export { entry, field, get, item, keyed, sliced } from "./access";
export * from "./filters/sequences";
export * from "./filters/intl";
export {
  filter_capitalize,
  filter_center,
  filter_escape,
  filter_forceescape,
  filter_format,
  filter_indent,
  filter_lower,
  filter_replace,
  filter_safe,
  filter_string,
  filter_striptags,
  filter_title,
  filter_trim,
  filter_truncate,
  filter_upper,
  filter_wordcount,
} from "./filters/text";
export {
  filter_abs,
  filter_default,
  filter_filesizeformat,
  filter_float,
  filter_int,
  filter_length,
  filter_round,
} from "./filters/values";
export { filter_tojson, filter_urlencode, filter_urlize, filter_wordwrap, filter_xmlattr } from "./filters/web";
export { cycler, joiner, method_next, method_reset, namespace_of, range, set_attribute, shadowed } from "./globals";
export * from "./is";
export { iterate, unpack } from "./iterate";
export { located } from "./located";
export { changed, cycle, loop_of, method_changed, method_cycle, step } from "./loop";
export { call, keywords, macro, missing } from "./macro";
export { Markup, markup } from "./markup";
export {
  method_capitalize,
  method_casefold,
  method_islower,
  method_isupper,
  method_lower,
  method_swapcase,
  method_title,
  method_upper,
} from "./methods/case";
export * from "./methods/containers";
export * from "./methods/strings";
export { method_format } from "./format/brace";
export { declared_number, declared_string } from "./declared";
export { keeps_promises } from "./promises";
export { num, put, putIn, str } from "./text";
export { truth } from "./truth";
export { tuple } from "./thing";
