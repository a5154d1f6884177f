/** Exact fractions for probabilities, rounded only for display. */
export type Fraction = readonly [numerator: number, denominator: number];

export const ZERO: Fraction = [0, 1];
export const ONE: Fraction = [1, 1];

function divisor(a: number, b: number): number {
  return b === 0 ? Math.abs(a) : divisor(b, a % b);
}

export function fraction(numerator: number, denominator = 1): Fraction {
  const common = divisor(numerator, denominator) || 1;
  return [numerator / common, denominator / common];
}

export function plus([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return fraction(a * d + c * b, b * d);
}

export function times([a, b]: Fraction, [c, d]: Fraction): Fraction {
  return fraction(a * c, b * d);
}

/** The probability of the opposite. */
export function against([a, b]: Fraction): Fraction {
  return fraction(b - a, b);
}

export function toPower(base: Fraction, exponent: number): Fraction {
  return exponent === 0 ? ONE : times(base, toPower(base, exponent - 1));
}

export function valueOf([a, b]: Fraction): number {
  return a / b;
}
