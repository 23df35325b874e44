/**
 * Writes and rounds doubles as Python does: to the nearest decimal or, if the value is exactly between two decimals, to
 * the one with the even digit.
 */

/** Implements Python's `%.<digits>f`. A number that is rounded to zero has no sign. */
export function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return value !== value ? "nan" : value > 0 ? "inf" : "-inf";
  if (digits > 100) return fixed(value, 100) + "0".repeat(digits - 100);
  const size = Math.abs(value);
  const out = size < 1e21 ? evened(size, digits) : BigInt(size) + (digits ? "." + "0".repeat(digits) : "");
  return value < 0 && /[1-9]/.test(out) ? "-" + out : out;
}

/** Round a tie to the even digit, like Python; toFixed rounds it away from zero. In a tie, only zeros follow the 5. */
function evened(size: number, digits: number): string {
  const up = size.toFixed(digits);
  const exact = size.toFixed(Math.min(100, digits + 30));
  const tail = exact.slice(exact.indexOf(".") + 1 + digits);
  if (digits >= 100 || !/^50*$/.test(tail) || !/[13579]$/.test(up)) return up;
  return exact.slice(0, exact.indexOf(".") + (digits ? 1 + digits : 0));
}

/** Implements Python's `%.<digits>e`. */
export function scientific(value: number, digits: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const sign = value < 0 ? "-" : "";
  const [mantissa, exponent] = significant(Math.abs(value), digits + 1);
  const point = mantissa.length > 1 ? `${mantissa[0]}.${mantissa.slice(1)}` : mantissa;
  return `${sign}${point}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

/** Return the first `count` digits, correctly rounded, and the decimal exponent. */
function significant(size: number, count: number): [string, number] {
  if (!size) return ["0".repeat(count), 0];
  const wide = size.toExponential(Math.min(100, count + 29));
  const rounded = size.toExponential(Math.min(100, count - 1));
  const [digits, exponent] = split(rounded);
  const tail = split(wide)[0].slice(count);
  if (/^50*$/.test(tail) && /[13579]$/.test(digits) && split(wide)[1] === exponent) {
    return [split(wide)[0].slice(0, count), exponent];
  }
  return [digits.padEnd(count, "0"), exponent];
}

function split(text: string): [string, number] {
  const [mantissa, exponent] = text.split("e") as [string, string];
  return [mantissa.replace(".", ""), Number(exponent)];
}

/** Implements Python's `%.<digits>g`, and with `keepZeros` its `%#.<digits>g`. */
export function general(value: number, digits: number, keepZeros = false): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const count = digits || 1;
  const exponent = significant(Math.abs(value), count)[1];
  const out = exponent < -4 || exponent >= count ? scientific(value, count - 1) : fixed(value, count - 1 - exponent);
  return keepZeros ? out : trimmed(out);
}

/** Remove zeros at the end of the fraction. */
function trimmed(text: string): string {
  const [mantissa = "", ...power] = text.split(/(?=e)/);
  return mantissa.includes(".") ? mantissa.replace(/\.?0+$/, "") + power.join("") : text;
}

/**
 * Format with a precision but without a letter. The result is that of `g`, but it has a digit after the point, and the
 * exponent form begins one digit earlier.
 */
export function precise(value: number, digits: number): string {
  if (!Number.isFinite(value)) return fixed(value, 0);
  const count = digits || 1;
  const exponent = significant(Math.abs(value), count)[1];
  if (exponent < -4 || exponent >= count - 1) return trimmed(scientific(value, count - 1));
  const out = trimmed(fixed(value, count - 1 - exponent));
  return out.includes(".") ? out : `${out}.0`;
}

/** Pad to a width in code points: `<` left, `>` right, `^` centre, `=` after the sign. */
export function pad(text: string, width: number, align: string, fill: string): string {
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  if (align === "<") return text + fill.repeat(missing);
  if (align === "^") return fill.repeat(missing >> 1) + text + fill.repeat(missing - (missing >> 1));
  if (align !== "=") return fill.repeat(missing) + text;
  const sign = /^[-+ ]?(0[xXoObB])?/.exec(text)?.[0] ?? "";
  return sign + fill.repeat(missing) + text.slice(sign.length);
}

/** Implements Python's `round(value, digits)`. A value exactly between two results is rounded to the even digit. */
export function rounded(value: number, digits: number): number {
  if (!Number.isFinite(value)) return value;
  if (digits >= 0) return digits > 100 ? value : Number(fixed(value, digits));
  if (digits < -308) return 0;
  const unit = 10 ** -digits;
  if (Math.abs(value) >= 2 ** 53) return large(BigInt(value), 10n ** BigInt(-digits));
  const rest = Math.abs(value) % unit;
  const down = Math.abs(value) - rest;
  const up = rest * 2 > unit || (rest * 2 === unit && (down / unit) % 2 === 1);
  return Math.sign(value) * (up ? down + unit : down) + 0;
}

/**
 * Round a number above 2 ** 53, where not every multiple of a unit is a double: round exactly, then take the nearest
 * double.
 */
function large(value: bigint, unit: bigint): number {
  const size = value < 0n ? -value : value;
  const [down, rest] = [size / unit, size % unit];
  const up = rest * 2n > unit || (rest * 2n === unit && down % 2n === 1n);
  return Number((value < 0n ? -unit : unit) * (up ? down + 1n : down));
}
