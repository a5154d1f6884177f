/** Translations of the page, from the catalogues that the server and the command line use. */
import type app from "../../../src/royalcrypt/locales/en/app.json";
import type collector from "../../../src/royalcrypt/locales/en/collector.json";
import type log from "../../../src/royalcrypt/locales/en/log.json";
import type page from "../../../src/royalcrypt/locales/en/page.json";
import type reason from "../../../src/royalcrypt/locales/en/reason.json";
import type rules from "../../../src/royalcrypt/locales/en/rules.json";
import type term from "../../../src/royalcrypt/locales/en/term.json";
import type advice from "../../../src/royalcrypt/locales/en/advice.json";
import type analysis from "../../../src/royalcrypt/locales/en/analysis.json";
import type daily from "../../../src/royalcrypt/locales/en/daily.json";
import type duplicate from "../../../src/royalcrypt/locales/en/duplicate.json";
import type history from "../../../src/royalcrypt/locales/en/history.json";
import type identity from "../../../src/royalcrypt/locales/en/identity.json";
import type orders from "../../../src/royalcrypt/locales/en/orders.json";
import type program from "../../../src/royalcrypt/locales/en/program.json";
import type replay from "../../../src/royalcrypt/locales/en/replay.json";
import type tutorial from "../../../src/royalcrypt/locales/en/tutorial.json";
import type { Language } from "../state/settings.svelte";
import { NUMBERS } from "../wire/collectors";
import type { Reason } from "../wire/types";

export type Key = keyof (typeof app &
  typeof collector &
  typeof log &
  typeof page &
  typeof reason &
  typeof rules &
  typeof term &
  typeof advice &
  typeof analysis &
  typeof daily &
  typeof duplicate &
  typeof history &
  typeof identity &
  typeof orders &
  typeof program &
  typeof replay &
  typeof tutorial);
/** Catalogues that only some screens use; loaded with the screen. */
export type Subject =
  | "advice"
  | "analysis"
  | "app"
  | "daily"
  | "duplicate"
  | "history"
  | "identity"
  | "orders"
  | "program"
  | "replay"
  | "tutorial";
export type Details = Record<string, string | number>;
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Catalogue = Record<string, Message>;

const catalogues = import.meta.glob<Catalogue>("./words/*.ts", { import: "default" });
const subjects = import.meta.glob<Catalogue>(
  "../../../src/royalcrypt/locales/*/{advice,analysis,app,daily,duplicate,history,identity,orders,program,replay,tutorial}.json",
  { import: "default" },
);

async function subjectIn(language: Language, subject: Subject): Promise<Catalogue> {
  return (await subjects[`../../../src/royalcrypt/locales/${language}/${subject}.json`]?.()) ?? {};
}

/** Caches one formatter per language: browsers create them slowly. */
function perLanguage<Rules>(make: (language: string) => Rules): (language: string) => Rules {
  const made: Partial<Record<string, Rules>> = {};
  return (language) => (made[language] ??= make(language));
}

const pluralsOf = perLanguage((language) => new Intl.PluralRules(language));
const numbersOf = perLanguage((language) => new Intl.NumberFormat(language));
const percentagesOf = perLanguage(
  (language) => new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 0 }),
);
const listsOf = perLanguage((language) => new Intl.ListFormat(language, { type: "conjunction" }));
const signedOf = perLanguage(
  (language) => new Intl.NumberFormat(language, { signDisplay: "exceptZero", maximumFractionDigits: 1 }),
);
const choicesOf = perLanguage((language) => new Intl.ListFormat(language, { type: "disjunction" }));

const COINS = /_coins$/;

/** Fills in a message; `count` selects the plural form. The Collectors' numbers are predefined. */
export function filled(
  message: Message,
  details: Details,
  language: string,
  coins: (count: number) => string = String,
): string {
  const text =
    typeof message === "string"
      ? message
      : (message[pluralsOf(language).select(Number(details.count))] ?? message.other ?? "");
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const paid = COINS.test(name) ? NUMBERS[name.replace(COINS, "")] : undefined;
    if (paid !== undefined) return coins(paid);
    const detail = details[name] ?? NUMBERS[name];
    if (detail === undefined) return whole;
    return typeof detail === "number" ? numbersOf(language).format(detail) : detail;
  });
}

class Words {
  language = $state<Language>("en");
  private catalogue = $state.raw<Catalogue>({});
  private readonly wanted = new Set<Subject>();

  async setLanguage(language: Language): Promise<void> {
    const usual = (await catalogues[`./words/${language}.ts`]?.()) ?? {};
    const more = await Promise.all([...this.wanted].map((subject) => subjectIn(language, subject)));
    this.catalogue = Object.assign({}, usual, ...more) as Catalogue;
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Loads the catalogues of these subjects, now and after each change of language. */
  async need(...wanted: Subject[]): Promise<void> {
    const unknown = wanted.filter((subject) => !this.wanted.has(subject));
    const found = await Promise.all(unknown.map((subject) => subjectIn(this.language, subject)));
    this.catalogue = Object.assign({}, this.catalogue, ...found) as Catalogue;
    for (const subject of unknown) this.wanted.add(subject);
  }

  translate(key: string, details: Details = {}): string {
    const message = this.catalogue[key];
    return message === undefined ? key : filled(message, details, this.language, this.coins);
  }

  /** A number of coins in words. */
  private readonly coins = (count: number): string => this.translate("collector.coins", { count });

  has(key: string): boolean {
    return key in this.catalogue;
  }
}

export const words = new Words();

/** The message of a key in the current language. */
export function t(key: Key, details: Details = {}): string {
  return words.translate(key, details);
}

/** Translates the server's terms in a refusal (actions, Collectors). */
function inWords(name: string, detail: string | number): string | number {
  if (typeof detail !== "string" || !["verb", "legal", "collector"].includes(name)) return detail;
  const terms = detail.split(", ").map((word) => {
    const key = name === "collector" ? `term.${word}` : `term.verb.${word}`;
    return words.has(key) ? words.translate(key) : word;
  });
  return terms.join(", ");
}

/** The event number that stands for the head of a record. */
const HEAD = -1;

/** The text of a refusal; some codes have variants. */
export function because(reason: Reason): string {
  const { why, what, needed, n, rule } = reason.details;
  const kinds = [n === HEAD ? "head" : why, what, needed].map((kind) => `reason.${reason.code}.${kind}`);
  const key = kinds.find((kind) => words.has(kind)) ?? `reason.${reason.code}`;
  if (!words.has(key)) return reason.text || words.translate("page.failed.unknown");
  const translated = Object.entries(reason.details).map(([name, detail]) => [name, inWords(name, detail)]);
  const details = Object.fromEntries(translated) as Details;
  // Broken rules of a record have their own messages.
  if (typeof rule === "string") {
    const rest = Object.entries(reason.details).filter(([name]) => name !== "rule");
    details.why = because({ code: rule, details: Object.fromEntries(rest), text: String(why) });
  }
  return words.translate(key, details);
}

export function percent(part: number): string {
  return percentagesOf(words.language).format(part);
}

/** A number with its sign. */
export function signed(value: number): string {
  return signedOf(words.language).format(value);
}

/** "One, two and three". */
export function list(parts: readonly string[]): string {
  return listsOf(words.language).format(parts);
}

/** "One, two or three". */
export function either(parts: readonly string[]): string {
  return choicesOf(words.language).format(parts);
}

export function decimal(value: number, digits = 1): string {
  return new Intl.NumberFormat(words.language, { maximumFractionDigits: digits }).format(value);
}

export function moment(
  at: number,
  style: "date" | "time" | "both" = "both",
  more: Intl.DateTimeFormatOptions = {},
): string {
  const options: Intl.DateTimeFormatOptions = {
    ...(style === "time" ? {} : { dateStyle: "medium" }),
    ...(style === "date" ? {} : { timeStyle: "short" }),
    ...more,
  };
  return new Intl.DateTimeFormat(words.language, options).format(at);
}
