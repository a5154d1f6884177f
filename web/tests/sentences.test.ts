import { beforeAll, describe, expect, it } from "vitest";
import { words } from "../src/i18n/index.svelte";
import type { GameEvent } from "../src/state/table.svelte";
import { sentenceOf } from "../src/table/sentences";
import { reveal, tableWith, numberedEvents, type Company } from "./games";

beforeAll(() => words.setLanguage("en"));

type EventList = Parameters<typeof numberedEvents> extends [number, ...infer Events] ? Events : never;

/** The sentence of the last event. */
function sentence(events: EventList, company: Company = {}): string {
  const all = numberedEvents(0, ...events);
  return sentenceOf(all.at(-1) as GameEvent, tableWith(all, company));
}

const two = { players: 2, seat: 0 };
const on = (seat: number, dice: number, effort: number, slot = 0) =>
  ({ type: "claim", seat, place: [{ slot, dice, effort }], last: false }) as const;

function claim(seat: number, dice: number, effort: number, slot = 0) {
  return { ...on(seat, dice, effort, slot), place: [{ slot, dice, effort }] };
}

const cases: [string, EventList, string, Company?][] = [
  [
    "a row",
    [reveal()],
    "You lead the way in. The Crypt holds Idol 4, Tapestry 3, Pottery 2, and Jewelry face-down.",
  ],
  [
    "somebody else's lead",
    [reveal({ leader: 1, row: ["I4", "T3"], down: [] })],
    "Bo leads the way in. The Crypt holds Idol 4 and Tapestry 3.",
  ],
  [
    "the Ghost's lead",
    [reveal({ leader: 1, row: ["I4", "T3"], down: [] })],
    "The Ghost drifts ahead. The Crypt holds Idol 4 and Tapestry 3.",
    { players: 1 },
  ],
  ["one's own claim", [reveal(), claim(0, 2, 3)], "You place 2 × 3 on the Idol."],
  [
    "a claim on two cards",
    [
      reveal(),
      {
        type: "claim",
        seat: 1,
        place: [
          { slot: 0, dice: 1, effort: 5 },
          { slot: 3, dice: 2, effort: 2 },
        ],
        last: false,
      },
    ],
    "Bo places 1 × 5 on the Idol and 2 × 2 on the Jewelry.",
  ],
  [
    "pushing out",
    [reveal(), claim(1, 1, 5), claim(0, 2, 3)],
    "You place 2 × 3 on the Idol. Out goes the 5 of Bo.",
  ],
  [
    "being pushed out",
    [reveal(), claim(0, 1, 5), claim(1, 2, 3)],
    "Bo places 2 × 3 on the Idol. Out goes your 5.",
  ],
  [
    "the last turn",
    [reveal(), { ...claim(2, 1, 1), last: true }],
    "Lights out: Cy places 1 × 1 on the Idol.",
  ],
  [
    "one's own last turn",
    [reveal(), { ...claim(0, 1, 1), last: true }],
    "Lights out: you place 1 × 1 on the Idol.",
  ],
  [
    "two cards of a kind",
    [reveal({ row: ["I4", "I2"], down: [1] }), claim(1, 1, 2, 1)],
    "Bo places 1 × 2 on the Idol (?).",
  ],
  ["recovering one", [reveal(), { type: "recover", seat: 0, dice: 1 }], "You recover 1 die."],
  ["recovering some", [reveal(), { type: "recover", seat: 1, dice: 2 }], "Bo recovers 2 dice."],
  ["passing", [reveal(), { type: "recover", seat: 1, dice: 0 }], "Bo catches a breath and passes."],
  ["one's own pass", [reveal(), { type: "recover", seat: 0, dice: 0 }], "You catch your breath and pass."],
  [
    "taking",
    [reveal(), { type: "take", seat: 1, slot: 3, flip: ["P1", "P?"] }],
    "Bo flips Pottery 1 and Pottery ? and takes the Jewelry, which lay face-down.",
  ],
  [
    "one's own taking",
    [reveal(), { type: "take", seat: 0, slot: 3, flip: ["P1", "P2"] }],
    "You flip Pottery 1 and Pottery 2 and take the Jewelry, which lay face-down.",
  ],
  [
    "looking",
    [reveal(), { type: "peek", seat: 1, flip: ["M2"] }],
    "Bo flips Manuscript 2 and looks at the face-down card.",
  ],
  [
    "looking at two",
    [reveal({ down: [2, 3] }), { type: "peek", seat: 0, flip: ["M2"] }],
    "You flip Manuscript 2 and look at the face-down cards.",
  ],
  [
    "mending",
    [reveal(), { type: "mend", seat: 1, flip: ["R1", "R3"] }],
    "Bo flips Remains 1 and Remains 3: one Servant is up again.",
  ],
  [
    "one's own mending",
    [reveal(), { type: "mend", seat: 0, flip: ["R1", "R3"] }],
    "You flip Remains 1 and Remains 3: one of your Servants is up again.",
  ],
  [
    "one's own rally",
    [reveal(), { type: "rally", seat: 0, dice: 1 }],
    "All your dice were pushed out, so 1 exhausted die comes home.",
  ],
  [
    "a rally",
    [reveal(), { type: "rally", seat: 1, dice: 2 }],
    "Bo was pushed out everywhere, so 2 exhausted dice come home.",
  ],
  [
    "a roll that holds",
    [reveal(), claim(0, 1, 4), { type: "roll", seat: 0, slot: 0, effort: 4, rolled: [4] }],
    "You roll 4 on the Idol and need 4: it holds.",
  ],
  [
    "rolls that hold",
    [reveal(), claim(1, 2, 4), { type: "roll", seat: 1, slot: 0, effort: 4, rolled: [4, 6] }],
    "Bo rolls 4 and 6 on the Idol and needs 4: all hold.",
  ],
  [
    "a roll that fails",
    [reveal(), claim(1, 2, 4), { type: "roll", seat: 1, slot: 0, effort: 4, rolled: [3, 6] }],
    "Bo rolls 3 and 6 on the Idol and needs 4: 1 die is exhausted.",
  ],
  [
    "rolls that fail",
    [reveal(), claim(0, 2, 4), { type: "roll", seat: 0, slot: 0, effort: 4, rolled: [3, 1] }],
    "You roll 3 and 1 on the Idol and need 4: 2 dice are exhausted.",
  ],
  [
    "no roll",
    [reveal(), claim(0, 2, 1), { type: "roll", seat: 0, slot: 0, effort: 1, rolled: [] }],
    "Your dice on the Idol work with effort 1 and cannot fail.",
  ],
  [
    "somebody's no roll",
    [reveal(), claim(1, 1, 1), { type: "roll", seat: 1, slot: 0, effort: 1, rolled: [] }],
    "Bo has a die on the Idol with effort 1: it cannot fail.",
  ],
  [
    "a roll again",
    [reveal(), { type: "reroll", seat: 1, slot: 1, effort: 4, flip: ["I?"], rolled: 5 }],
    "Bo flips Idol ? and rolls again on the Tapestry: 5, which holds.",
  ],
  [
    "one's own roll again",
    [reveal(), { type: "reroll", seat: 0, slot: 1, effort: 4, flip: ["I2"], rolled: 2 }],
    "You flip Idol 2 and roll again on the Tapestry: 2, and still too low.",
  ],
  [
    "a collection",
    [reveal(), claim(1, 1, 2, 3), { type: "collect", seat: 1, cards: ["J?"] }],
    "Bo takes Jewelry ?.",
  ],
  [
    "one's own collection",
    [reveal(), claim(0, 1, 2), claim(0, 1, 1, 3), { type: "collect", seat: 0, cards: ["I4", "J3"] }],
    "You take Idol 4 and Jewelry 3 (only you know).",
  ],
  [
    "the race for Idols",
    [reveal(), { type: "idols", flips: { 0: ["I1", "I2"], 1: ["I3", "I4"] } }],
    "First to two Idols! You flip Idol 1 and Idol 2; that is worth 5 at the end. " +
      "First to two Idols! Bo flips Idol 3 and Idol 4; that is worth 5 at the end.",
  ],
  [
    "a tie",
    [{ type: "tiebreak", rolled: { 0: [2, 3], 1: [] } }],
    "A tie for first place: the dice decide. You roll 2 and 3: 5. Bo has no dice left: 0.",
    two,
  ],
  [
    "one's own win",
    [{ type: "end", scores: [41, 38], winners: [0] }],
    "It is over: you win with 41 Coins!",
    two,
  ],
  [
    "a win",
    [{ type: "end", scores: [1, 0], winners: [0] }],
    "It is over: Ada wins with 1 Coin.",
    { seat: 1, players: 2 },
  ],
  [
    "a solo's end",
    [{ type: "end", scores: [41], winners: [0] }],
    "You leave the Crypt with 41 Coins.",
    { players: 1 },
  ],
  [
    "the Ghost's turn",
    [
      reveal({ row: ["I4", "T3"], down: [] }),
      claim(0, 1, 3),
      {
        type: "ghost",
        rolled: [5, 2, 5],
        place: [{ slot: 0, dice: 2, effort: 5 }],
        last: false,
      },
    ],
    "The Ghost rolls 5, 2, and 5. It puts 2 × 5 on the Idol. Out goes your 3. 1 die finds no place.",
    { players: 1 },
  ],
  [
    "the Ghost's last turn",
    [reveal(), { type: "ghost", rolled: [2], place: [], last: true }],
    "In the dark the Ghost rolls 2, pushed off before. Nothing fits anywhere, and it sulks.",
    { players: 1 },
  ],
  [
    "pushing out the Ghost",
    [
      reveal(),
      { type: "ghost", rolled: [2], place: [{ slot: 0, dice: 1, effort: 2 }], last: false },
      claim(0, 1, 3),
    ],
    "You place 1 × 3 on the Idol. Out goes the Ghost’s 2.",
    { players: 1 },
  ],
];

describe("sentences", () => {
  it.each(cases)("tell %s", (_, events, expected, company) => {
    expect(sentence(events, company)).toBe(expected.replaceAll(" × ", "\u00a0×\u00a0"));
  });

  it("tell spectators of everybody by name", () => {
    expect(sentence([reveal(), claim(0, 1, 2)], { seat: null })).toBe(
      "Ada places 1\u00a0×\u00a02 on the Idol.",
    );
  });

  it("tell of a shared win", () => {
    const shared = sentence([{ type: "end", scores: [30, 30, 2], winners: [1, 2] }]);
    expect(shared).toBe("It is over: Bo and Cy share the win with 30 Coins each.");
  });

  it.each([
    ["en", "It is over: you share the win with Cy, 30 Coins each!"],
    ["pl", "To koniec: dzielisz się zwycięstwem, po 30 monet. Razem z tobą: Cy."],
    ["fr", "C’est fini : tu partages la victoire avec Cy, à 30 pièces !"],
    ["el", "Τέλος: μοιράζεσαι τη νίκη με 30 νομίσματα. Μαζί σου: Cy."],
  ] as const)(
    "tell one of those who share a win whom they share it with, in %s",
    async (language, expected) => {
      await words.setLanguage(language);
      const shared = sentence([{ type: "end", scores: [30, 2, 30], winners: [0, 2] }]);
      await words.setLanguage("en");
      expect(shared.replaceAll("\u00a0", " ").replaceAll("\u202f", " ")).toBe(expected);
    },
  );

  it("leave no key and no gap unfilled", () => {
    for (const [, events, , company] of cases)
      expect(sentence(events, company)).not.toMatch(/[{}]|log\.|term\./);
  });
});
