/** The rules as the page tells them: topics in order, each a heading and its paragraphs. */
import { words } from "../i18n/index.svelte";

export const TOPICS = [
  "goal",
  "setup",
  "round",
  "servants",
  "push",
  "recover",
  "collect",
  "collectors",
  "end",
  "ties",
  "solo",
  "hidden",
  "words",
] as const;
export type Topic = (typeof TOPICS)[number];

/** The words that are explained at the end, in the order in which one meets them. */
export const TERMS = [
  "crypt",
  "treasure",
  "servant",
  "effort",
  "exhausted",
  "push_out",
  "collector",
  "reward",
  "flip",
  "torch",
  "leader",
  "lights_out",
  "reveal",
  "claim",
  "recover",
  "collect",
  "pass",
  "only_child",
  "ghost",
] as const;

export function isTopic(text: string | null): text is Topic {
  return TOPICS.includes(text as Topic);
}

/** As many as the catalogue has. */
export function paragraphsOf(topic: Topic): string[] {
  const found: string[] = [];
  for (let number = 1; words.has(`rules.${topic}.${number}`); number += 1) {
    found.push(words.say(`rules.${topic}.${number}`));
  }
  return found;
}

/** Letters without case and accents, so that nobody has to spell as we do. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Whether every word that is looked for begins a word of the text. */
export function matches(text: string, search: string): boolean {
  const among = plain(text).split(/[^\p{L}\p{N}]+/u);
  const wanted = plain(search).split(/[^\p{L}\p{N}]+/u);
  return wanted.every((word) => among.some((other) => other.startsWith(word)));
}
