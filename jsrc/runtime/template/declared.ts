/** Checks declared types at run time, where JavaScript itself would also accept another type. */

import { fail } from "./thing";

export const declared_string = (value: unknown): string =>
  typeof value == "string" ? value : fail("declared as string");

export const declared_number = (value: unknown): number =>
  typeof value == "number" ? value : fail("declared as number");
