/** A finite number, also one that is written as text (`"12.50"`); undefined for everything else. */
export const finite = (value: unknown): number | undefined => {
  const number = typeof value == "string" && value.trim() ? +value : value;
  return Number.isFinite(number) ? (number as number) : undefined;
};
