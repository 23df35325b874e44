/** Values that a template declares, where JavaScript would go on with one of another type. */

import { fail } from "./thing";

export const declared_string = (value: unknown): string =>
  typeof value == "string" ? value : fail("declared as string");

export const declared_number = (value: unknown): number =>
  typeof value == "number" ? value : fail("declared as number");
