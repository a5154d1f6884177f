/** What happened, cut into steps that are shown one after the other. */
import type { GhostEvent, RevealEvent, RollEvent } from "../wire/types";
import type { Speed } from "./settings.svelte";
import type { GameEvent } from "./table.svelte";

export type StepKind = "pass" | "reveal" | "place" | "flip" | "home" | "roll" | "ghost" | "collect" | "end";

export interface Step {
  kind: StepKind;
  /** What is played. */
  event: GameEvent;
  /** What is told with it: rolls of one seat are thrown together, a Ghost's turn is told when it is over. */
  tells: readonly GameEvent[];
  /** Milliseconds of suspense before it is told: the dice tumble. */
  suspense: number;
  /** Milliseconds from the telling to the next step. */
  duration: number;
  /** Whether the dice wait for their owner's gesture. */
  waitsForThrow: boolean;
  /** How many of a Ghost's groups lie on cards when the step is over. */
  placed: number;
}

interface Pace {
  /** A card or die on its way. */
  travel: number;
  tumble: number;
  /** To read what somebody else's dice show. */
  glance: number;
  /** To take in what one's own dice show. */
  gasp: number;
}

export const PACES: Record<Speed, Pace> = {
  calm: { travel: 400, tumble: 900, glance: 900, gasp: 1000 },
  normal: { travel: 320, tumble: 700, glance: 550, gasp: 900 },
  fast: { travel: 250, tumble: 400, glance: 250, gasp: 500 },
  instant: { travel: 0, tumble: 0, glance: 0, gasp: 0 },
};
/** Others' dice fall a little faster than one's own. */
const OTHERS_TUMBLE = 0.7;
/** Between two arrivals, so that the eye can follow. */
const BREATH = 0.5;

export interface Viewer {
  seat: number | null;
  speed: Speed;
  throwsByHand: boolean;
}

export function stepsOf(events: readonly GameEvent[], viewer: Viewer): Step[] {
  const steps: Step[] = [];
  for (const event of events) {
    const last = steps.at(-1);
    if (event.type === "ghost") steps.push(...ghostSteps(event, viewer));
    else if (event.type === "reveal" && event.round > 1)
      steps.push(passStep(event, viewer), plainStep(event, viewer));
    else if (event.type === "roll" && last?.event.type === "roll" && last.event.seat === event.seat)
      steps[steps.length - 1] = rollStep([...(last.tells as RollEvent[]), event], viewer);
    else if (event.type === "roll") steps.push(rollStep([event], viewer));
    else steps.push(plainStep(event, viewer));
  }
  return steps;
}

function step(kind: StepKind, event: GameEvent, rest: Partial<Step>): Step {
  return { kind, event, tells: [event], suspense: 0, duration: 0, waitsForThrow: false, placed: 0, ...rest };
}

function plainStep(event: Exclude<GameEvent, RollEvent | GhostEvent>, viewer: Viewer): Step {
  const pace = PACES[viewer.speed];
  const arrival = pace.travel * (1 + BREATH);
  switch (event.type) {
    case "reveal":
      return step("reveal", event, { duration: arrival });
    case "claim":
      return step("place", event, { duration: arrival });
    case "recover":
    case "rally":
      return step("home", event, { duration: event.dice > 0 ? arrival : pace.travel });
    case "take":
    case "collect":
      return step("collect", event, { duration: arrival });
    case "peek":
    case "mend":
    case "idols":
      return step("flip", event, { duration: arrival });
    case "reroll":
    case "tiebreak":
      return step("roll", event, { suspense: pace.tumble, duration: pace.gasp });
    case "end":
      return step("end", event, {});
  }
}

function rollStep(events: RollEvent[], viewer: Viewer): Step {
  const pace = PACES[viewer.speed];
  const [event] = events as [RollEvent];
  const isMine = event.seat === viewer.seat;
  // Dice of effort 1 are not rolled.
  if (events.every((roll) => roll.rolled.length === 0)) return step("roll", event, { tells: events });
  return step("roll", event, {
    tells: events,
    suspense: isMine ? pace.tumble : pace.tumble * OTHERS_TUMBLE,
    duration: isMine ? pace.gasp : pace.glance,
    waitsForThrow: isMine && viewer.throwsByHand && viewer.speed !== "instant",
  });
}

/** The torches pass before the next row is laid out (R7.1); its event tells both. */
function passStep(event: RevealEvent, viewer: Viewer): Step {
  return step("pass", event, { tells: [], duration: PACES[viewer.speed].travel });
}

/** Its roll, then each group to its card; the line in the log comes with the last of them. */
function ghostSteps(event: GhostEvent, viewer: Viewer): Step[] {
  const pace = PACES[viewer.speed];
  const count = event.place.length;
  const roll = step("ghost", event, {
    tells: count === 0 ? [event] : [],
    suspense: pace.tumble * OTHERS_TUMBLE,
    duration: pace.glance,
  });
  const places = event.place.map((_, index) =>
    step("ghost", event, {
      tells: index === count - 1 ? [event] : [],
      placed: index + 1,
      duration: pace.travel * (1 + BREATH),
    }),
  );
  return [roll, ...places];
}

/** What each die on the cards of the row shows, as far as it was rolled. */
export type Faces = Readonly<Record<number, readonly number[]>>;

export function facesAfter(faces: Faces, step: Step): Faces {
  const { event } = step;
  if (event.type === "reroll") {
    const shown = [...(faces[event.slot] ?? [])];
    shown[shown.findIndex((face) => face < event.effort)] = event.rolled;
    return { ...faces, [event.slot]: shown };
  }
  if (event.type === "roll") {
    const rolls = step.tells as readonly RollEvent[];
    return { ...faces, ...Object.fromEntries(rolls.map((roll) => [roll.slot, roll.rolled])) };
  }
  return event.type === "reveal" || event.type === "claim" ? {} : faces;
}
