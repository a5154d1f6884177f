/** The options of a Choice or a Select: each value with its words. */
export function optionsOf<const Value extends string | number>(
  values: readonly Value[],
  label: (value: Value) => string,
  hint?: (value: Value) => string,
): { value: Value; label: string; hint?: string }[] {
  return values.map((value) => ({ value, label: label(value), ...(hint && { hint: hint(value) }) }));
}
