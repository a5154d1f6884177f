/** The rules as topics, each a heading with paragraphs. */
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

/** Terms of the glossary, in the order of their first use. */
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

/** All paragraphs in the catalogue. */
export function paragraphsOf(topic: Topic): string[] {
  const found: string[] = [];
  for (let number = 1; words.has(`rules.${topic}.${number}`); number += 1) {
    found.push(words.translate(`rules.${topic}.${number}`));
  }
  return found;
}

/** Lower case without accents, for the search. */
export function plain(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Whether every search word starts a word of the text. */
export function matches(text: string, search: string): boolean {
  const among = plain(text).split(/[^\p{L}\p{N}]+/u);
  const wanted = plain(search).split(/[^\p{L}\p{N}]+/u);
  return wanted.every((word) => among.some((other) => other.startsWith(word)));
}
