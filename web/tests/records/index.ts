/** Games that the server's engine played with committed chance (`royalcrypt verify` finds them fair). */
import type { GameRecord } from "../../src/state/record";

const files = import.meta.glob<GameRecord>("./*.json", { import: "default", eager: true });

export const NAMES = Object.keys(files).map((path) => path.slice(2, -5));

/** A copy of one's own, to be changed at will. */
export function loaded(name: string): GameRecord {
  const found = files[`./${name}.json`];
  if (!found) throw new Error(`No record is called ${name}.`);
  return structuredClone(found);
}
