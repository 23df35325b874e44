/** Convert a number, or a string such as `"12.50"`, to a finite number. Return undefined for any other value. */
export const finite = (value: unknown): number | undefined => {
  const number = typeof value == "string" && value.trim() ? +value : value;
  return Number.isFinite(number) ? (number as number) : undefined;
};
