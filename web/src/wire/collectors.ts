// Made from royalcrypt.rules.catalogue by `npm run wire`; not to be edited.

/** By type and side, the lines of the pictogram. */
export const CLAUSES = {
  IA: [{"cards": 1, "isPaid": true, "gift": {"verb": "reroll"}}],
  IB: [{"cards": 2, "when": "first", "gift": {"coins": 5}}, {"cards": 2, "gift": {"coins": 2}}],
  JA: [{"cards": 2, "gift": {"times": 2}}],
  JB: [{"cards": 1, "isEach": true, "gift": {"coins": 1}}],
  MA: [{"cards": 2, "gift": {"worth": 4}}],
  MB: [{"cards": 1, "isPaid": true, "gift": {"verb": "peek"}}],
  PA: [{"cards": 2, "gift": {"coins": 2}}, {"cards": 3, "gift": {"coins": 4}}, {"cards": 4, "gift": {"coins": 8}}],
  PB: [{"cards": 2, "isPaid": true, "gift": {"verb": "take"}}],
  RA: [{"cards": 2, "isPaid": true, "gift": {"verb": "mend"}}],
  RB: [{"cards": 4, "gift": {"coins": 10}}],
  TA: [{"cards": 1, "when": "most", "gift": {"coins": 5}}],
  TB: [{"cards": 3, "when": "alone", "gift": {"coins": 7}}, {"cards": 3, "when": "many", "gift": {"coins": 4}}],
} as const;

/** Numbers that texts name. */
export const NUMBERS: Readonly<Record<string, number>> = {
  idol_a_flips: 1,
  idol_b_cards: 2,
  idol_b_pays: 5,
  idol_b_else: 2,
  idol_b_flips: 2,
  jewelry_a_cards: 2,
  jewelry_a_pays: 1,
  jewelry_b_cards: 1,
  jewelry_b_pays: 1,
  manuscript_a_cards: 2,
  manuscript_a_pays: 4,
  manuscript_b_flips: 1,
  pottery_a_cards: 2,
  pottery_a_pays: 2,
  pottery_a_cards_2: 3,
  pottery_a_pays_2: 4,
  pottery_a_cards_3: 4,
  pottery_a_pays_3: 8,
  pottery_b_flips: 2,
  remains_a_flips: 2,
  remains_b_cards: 4,
  remains_b_pays: 10,
  tapestry_a_cards: 1,
  tapestry_a_pays: 5,
  tapestry_b_cards: 3,
  tapestry_b_pays: 7,
  tapestry_b_else: 4,
};
