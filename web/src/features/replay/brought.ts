/** Text that somebody brings along: one record, or one a line. Whether it is any good, the server says. */

export interface Brought {
  /** None for what is no JSON object. */
  record: object | null;
  /** Who played, if it says so. */
  label: string;
}

export function recordsIn(text: string): Brought[] {
  const whole = text.trim();
  if (whole === "") return [];
  const one = parsed(whole);
  if (one) return [brought(one)];
  const lines = whole.split("\n").filter((line) => line.trim() !== "");
  const all = lines.map(parsed);
  return all.includes(null) ? [brought(null)] : all.map(brought);
}

function parsed(text: string): object | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

function brought(record: object | null): Brought {
  return { record, label: record ? namesIn(record).join(", ") : "" };
}

function namesIn(record: object): string[] {
  const seats = (record as { game?: { seats?: unknown } | null }).game?.seats;
  if (!Array.isArray(seats)) return [];
  return seats.flatMap((seat: unknown) => {
    const name = (seat as { name?: unknown } | null)?.name;
    return typeof name === "string" ? [name] : [];
  });
}
