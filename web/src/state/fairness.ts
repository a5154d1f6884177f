/**
 * The fairness check: recomputes every card and die of a finished game from the committed secret (RECORD.md,
 * Chance).
 */
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { TYPES } from "./cards";
import type { GameRecord } from "./record";
import type { GameEvent } from "./table.svelte";

type Purpose = "card" | "top" | "die" | "ghost" | "tie";
type Of<Type extends GameEvent["type"]> = Extract<GameEvent, { type: Type }>;

/** The first difference between a record and its commitment; `n` is the event, -1 before all events. */
export interface Difference {
  what: Purpose | "commitment" | "promise" | "story";
  n: number;
  round: number;
  seat: number;
  /** The card's position in the row or the die's in the event, from 1. */
  number: number;
  recorded: string;
  due: string;
}

export interface Verdict {
  finding: "fair" | "unfair" | "unproven";
  difference: Difference | null;
  cards: number;
  dice: number;
  /** Whether the game's chance contains entropy of this device. */
  hasOwnShare: boolean;
}

/** This device's own data on the game, compared with the record. */
export interface Witness {
  /** The commitment that this device received first. */
  commitment?: string | null;
  /** All entropy sent by this device. */
  entropy?: readonly string[];
  events?: readonly GameEvent[];
}

const VALUES = [1, 2, 3, 4];
const WORDS = 2 ** 32;
const FACES = 6;
const GHOST = 1;
const FACE_DOWN_RANK = 2.5;
/** Copies of each value in the deck by the number of players (R2.1). */
const COPIES: Record<number, readonly number[]> = {
  1: [1, 1, 1, 1],
  2: [1, 1, 1, 1],
  3: [1, 2, 2, 1],
  4: [2, 2, 2, 2],
};

export function verify(record: GameRecord, witness: Witness = {}): Verdict {
  const proof = record.fairness;
  const seed = proof?.seed ?? "";
  const verdict: Verdict = { finding: "unproven", difference: null, cards: 0, dice: 0, hasOwnShare: false };
  if (!proof || !/^([0-9a-f]{2})+$/i.test(seed) || record.events.at(-1)?.type !== "end") return verdict;
  const secret = hexToBytes(seed);
  const entropy = proof.entropy ?? [];
  const promise = proof.commitment.toLowerCase();
  verdict.hasOwnShare = entropy.some((share) => share !== "" && (witness.entropy ?? []).includes(share));

  const secretDigest = bytesToHex(sha256(secret));
  if (witness.commitment && witness.commitment.toLowerCase() !== promise) {
    return unfair(verdict, { what: "promise", recorded: promise, due: witness.commitment.toLowerCase() });
  }
  if (promise !== secretDigest)
    return unfair(verdict, { what: "commitment", recorded: promise, due: secretDigest });
  const mismatch = (witness.events ?? []).find((seen) => !eventsAgree(seen, record.events[seen.n]));
  if (mismatch) return unfair(verdict, { what: "story", n: mismatch.n });

  const chance = new Chance(secret, entropy.join(","));
  const difference = new RecordCheck(record, chance, verdict).firstDifference();
  if (difference) return { ...verdict, finding: "unfair", difference };
  return { ...verdict, finding: "fair" };
}

function unfair(verdict: Verdict, found: Partial<Difference> & Pick<Difference, "what">): Verdict {
  const difference = { n: -1, round: 0, seat: 0, number: 0, recorded: "", due: "", ...found };
  return { ...verdict, finding: "unfair", difference };
}

/** Whether a recorded event agrees with the received one; values hidden at that time may be anything. */
export function eventsAgree(seen: unknown, stored: unknown): boolean {
  if (typeof seen === "string" && typeof stored === "string") {
    return seen === stored || (seen.endsWith("?") && seen[0] === stored[0] && seen.length === stored.length);
  }
  if (typeof seen !== "object" || seen === null) return seen === stored;
  if (typeof stored !== "object" || stored === null) return false;
  const names = new Set([...Object.keys(seen), ...Object.keys(stored)]);
  names.delete("at");
  const [before, after] = [seen as Record<string, unknown>, stored as Record<string, unknown>];
  return [...names].every((name) => eventsAgree(before[name] ?? null, after[name] ?? null));
}

class Chance {
  constructor(
    private readonly secret: Uint8Array,
    private readonly entropy: string,
  ) {}

  /** A uniform outcome, from 0. */
  choose(purpose: Purpose, round: number, seat: number, index: number, outcomes: number): number {
    for (let attempt = 0; ; attempt += 1) {
      const address = `${this.entropy}|${purpose}|${round}|${seat}|${index}|${attempt}`;
      const digest = hmac(sha256, this.secret, utf8ToBytes(address));
      const word = new DataView(digest.buffer).getUint32(0);
      if (word < outcomes * Math.floor(WORDS / outcomes)) return word % outcomes;
    }
  }
}

/** Replays a record in order and counts the checked cards and dice. */
class RecordCheck {
  private unseen: string[];
  private top: string | null = null;
  private round = 0;
  private readonly rolled = new Map<string, number>();

  constructor(
    private readonly record: GameRecord,
    private readonly chance: Chance,
    private readonly count: { cards: number; dice: number },
  ) {
    const copies = COPIES[record.game.players] ?? [];
    this.unseen = TYPES.flatMap((letter) =>
      VALUES.flatMap((value) => Array<string>(copies[value - 1] ?? 0).fill(`${letter}${value}`)),
    );
  }

  firstDifference(): Difference | null {
    for (const event of this.record.events) {
      const found = event.type === "reveal" ? this.differenceInRow(event) : this.differenceInDice(event);
      if (found) return found;
    }
    return null;
  }

  private differenceInRow(event: Of<"reveal">): Difference | null {
    this.round += 1;
    this.rolled.clear();
    const at = { n: event.n, round: this.round, seat: 0 };
    const drawn: string[] = [];
    for (let index = 0; index < event.row.length; index += 1) drawn.push(this.draw(index));
    const due = this.record.game.players === 1 ? sortForGhost(drawn, event.down.length) : drawn;
    for (const [index, card] of event.row.entries()) {
      this.count.cards += 1;
      const wanted = due[index] ?? "";
      if (card !== wanted) return { ...at, what: "card", number: index + 1, recorded: card, due: wanted };
    }
    if (this.unseen.length) this.top = this.pick("top", 0, this.unseen).charAt(0);
    if (this.top && event.top && event.top !== this.top) {
      return { ...at, what: "top", number: 0, recorded: event.top, due: this.top };
    }
    return null;
  }

  private draw(index: number): string {
    const top = this.top;
    const card = this.pick(
      "card",
      index,
      top ? this.unseen.filter((one) => one.startsWith(top)) : this.unseen,
    );
    this.unseen = this.unseen.toSpliced(this.unseen.indexOf(card), 1);
    this.top = null;
    return card;
  }

  private pick(purpose: Purpose, index: number, cards: string[]): string {
    if (!cards.length) return "";
    return cards[this.chance.choose(purpose, this.round, 0, index, cards.length)] ?? "";
  }

  private differenceInDice(event: GameEvent): Difference | null {
    for (const { purpose, seat, faces } of diceOf(event)) {
      for (const [index, face] of faces.entries()) {
        const address = `${purpose} ${seat}`;
        const before = this.rolled.get(address) ?? 0;
        this.rolled.set(address, before + 1);
        this.count.dice += 1;
        const due = this.chance.choose(purpose, this.round, seat, before, FACES) + 1;
        if (face !== due) {
          const at = { n: event.n, round: this.round, seat, number: index + 1 };
          return { ...at, what: purpose, recorded: String(face), due: String(due) };
        }
      }
    }
    return null;
  }
}

function diceOf(event: GameEvent): { purpose: Purpose; seat: number; faces: number[] }[] {
  switch (event.type) {
    case "roll":
      return [{ purpose: "die", seat: event.seat, faces: event.rolled }];
    case "reroll":
      return [{ purpose: "die", seat: event.seat, faces: [event.rolled] }];
    case "ghost":
      return [{ purpose: "ghost", seat: GHOST, faces: event.rolled }];
    case "tiebreak":
      return Object.entries(event.rolled).map(([seat, faces]) => ({
        purpose: "tie",
        seat: Number(seat),
        faces,
      }));
    default:
      return [];
  }
}

/** Highest first, face-down cards counting 2.5; of equal ones the first drawn is first (R10.3). */
function sortForGhost(drawn: string[], down: number): string[] {
  const rank = (card: string, index: number): number =>
    index < drawn.length - down ? Number(card.charAt(1)) : FACE_DOWN_RANK;
  return drawn
    .map((card, index) => ({ card, rank: rank(card, index) }))
    .sort((one, other) => other.rank - one.rank)
    .map(({ card }) => card);
}
