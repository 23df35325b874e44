/** What may be given for a number: fields of a payload that nobody promises may be missing. */
export type Amount = number | string | null | undefined;

/** A finite number, also one that is written as text (`"12.50"`); undefined for everything else. */
export const finite = (value: unknown): number | undefined => {
  const number = typeof value == "string" && value.trim() ? +value : value;
  return Number.isFinite(number) ? (number as number) : undefined;
};
