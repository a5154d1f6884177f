/** Parses opened text: one record, or one per line. The server validates the records. */

export interface OpenedRecord {
  /** Null if the text is not a JSON object. */
  record: object | null;
  /** The players' names, if the record has them. */
  label: string;
}

export function recordsIn(text: string): OpenedRecord[] {
  const whole = text.trim();
  if (whole === "") return [];
  const one = parsed(whole);
  if (one) return [openedRecord(one)];
  const lines = whole.split("\n").filter((line) => line.trim() !== "");
  const all = lines.map(parsed);
  return all.includes(null) ? [openedRecord(null)] : all.map(openedRecord);
}

function parsed(text: string): object | null {
  try {
    const found: unknown = JSON.parse(text);
    return typeof found === "object" && found !== null && !Array.isArray(found) ? found : null;
  } catch {
    return null;
  }
}

function openedRecord(record: object | null): OpenedRecord {
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
