/** Splits events into steps that are shown one by one. */
import type { GhostEvent, RevealEvent, RollEvent } from "../wire/types";
import type { Speed } from "./settings.svelte";
import type { GameEvent } from "./table.svelte";

export type StepKind = "pass" | "reveal" | "place" | "flip" | "home" | "roll" | "ghost" | "collect" | "end";

export interface Step {
  kind: StepKind;
  /** What is played. */
  event: GameEvent;
  /** The step's events: rolls of one seat are one throw; a Ghost's turn is shown at its end. */
  logged: readonly GameEvent[];
  /** Milliseconds of tumbling before the events are shown. */
  suspense: number;
  /** Milliseconds until the next step. */
  duration: number;
  /** Whether the dice wait for the viewer's throw. */
  waitsForThrow: boolean;
  /** How many of a Ghost's groups lie on cards after the step. */
  placed: number;
}

interface Pace {
  /** Movement of a card or die. */
  travel: number;
  tumble: number;
  /** Reading time for other seats' dice. */
  resultPause: number;
  /** Reading time for the viewer's dice. */
  ownResultPause: number;
}

export const PACES: Record<Speed, Pace> = {
  calm: { travel: 400, tumble: 900, resultPause: 900, ownResultPause: 1000 },
  normal: { travel: 320, tumble: 700, resultPause: 550, ownResultPause: 900 },
  fast: { travel: 250, tumble: 400, resultPause: 250, ownResultPause: 500 },
  instant: { travel: 0, tumble: 0, resultPause: 0, ownResultPause: 0 },
};
/** Other seats' dice tumble faster. */
const OTHERS_TUMBLE = 0.7;
/** Overlap of two arrivals. */
const ARRIVAL_INTERVAL = 0.5;

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
      steps[steps.length - 1] = rollStep([...(last.logged as RollEvent[]), event], viewer);
    else if (event.type === "roll") steps.push(rollStep([event], viewer));
    else steps.push(plainStep(event, viewer));
  }
  return steps;
}

function step(kind: StepKind, event: GameEvent, rest: Partial<Step>): Step {
  return { kind, event, logged: [event], suspense: 0, duration: 0, waitsForThrow: false, placed: 0, ...rest };
}

function plainStep(event: Exclude<GameEvent, RollEvent | GhostEvent>, viewer: Viewer): Step {
  const pace = PACES[viewer.speed];
  const arrival = pace.travel * (1 + ARRIVAL_INTERVAL);
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
      return step("roll", event, { suspense: pace.tumble, duration: pace.ownResultPause });
    case "end":
      return step("end", event, {});
  }
}

function rollStep(events: RollEvent[], viewer: Viewer): Step {
  const pace = PACES[viewer.speed];
  const [event] = events as [RollEvent];
  const isMine = event.seat === viewer.seat;
  // Dice of effort 1 are not rolled.
  if (events.every((roll) => roll.rolled.length === 0)) return step("roll", event, { logged: events });
  return step("roll", event, {
    logged: events,
    suspense: isMine ? pace.tumble : pace.tumble * OTHERS_TUMBLE,
    duration: isMine ? pace.ownResultPause : pace.resultPause,
    waitsForThrow: isMine && viewer.throwsByHand && viewer.speed !== "instant",
  });
}

/** The torches pass before the next row is laid out (R7.1); one event reports both. */
function passStep(event: RevealEvent, viewer: Viewer): Step {
  return step("pass", event, { logged: [], duration: PACES[viewer.speed].travel });
}

/** The roll, then each group; the log line appears with the last one. */
function ghostSteps(event: GhostEvent, viewer: Viewer): Step[] {
  const pace = PACES[viewer.speed];
  const count = event.place.length;
  const roll = step("ghost", event, {
    logged: count === 0 ? [event] : [],
    suspense: pace.tumble * OTHERS_TUMBLE,
    duration: pace.resultPause,
  });
  const places = event.place.map((_, index) =>
    step("ghost", event, {
      logged: index === count - 1 ? [event] : [],
      placed: index + 1,
      duration: pace.travel * (1 + ARRIVAL_INTERVAL),
    }),
  );
  return [roll, ...places];
}

/** Faces of the rolled dice on the cards of the row, by slot. */
export type Faces = Readonly<Record<number, readonly number[]>>;

export function facesAfter(faces: Faces, step: Step): Faces {
  const { event } = step;
  if (event.type === "reroll") {
    const shown = [...(faces[event.slot] ?? [])];
    shown[shown.findIndex((face) => face < event.effort)] = event.rolled;
    return { ...faces, [event.slot]: shown };
  }
  if (event.type === "roll") {
    const rolls = step.logged as readonly RollEvent[];
    return { ...faces, ...Object.fromEntries(rolls.map((roll) => [roll.slot, roll.rolled])) };
  }
  return event.type === "reveal" || event.type === "claim" ? {} : faces;
}
