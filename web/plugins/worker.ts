import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { minify, transformWithOxc, type Plugin } from "vite";
import type { CacheManifest } from "../src/worker/protocol.ts";

const SOURCE = "src/worker/sw.ts";
/** What is read and learned without a connection: kept with all that it needs. */
const READ_OFFLINE =
  /\/src\/(main\.ts|screens\/(Rules|RunningTable)\.svelte|features\/(tutorial|attention)\/)/;
const TUTORIAL = /tutorial/i;
const USUAL_WORDS = /\/i18n\/words\/(\w+)\.ts$/;
const MORE_WORDS = /\/locales\/(\w+)\/(tutorial|app)\.json$/;
const FONT = /-(latin|latin-ext|greek)-wght-.*\.woff2$/;
/** The letters that a language needs besides those that all need. */
const LETTERS: Record<string, string> = { pl: "latin-ext", el: "greek" };
const PUBLIC = ["/favicon.svg", "/manifest.webmanifest", "/icon-192.png"];

interface Piece {
  fileName: string;
  type: "chunk" | "asset";
  facadeModuleId?: string | null;
  moduleIds?: string[];
  imports?: string[];
  names?: string[];
  source?: string | Uint8Array;
  viteMetadata?: { importedCss: Set<string>; importedAssets: Set<string> };
}

/** Some pieces, and all that these cannot do without. */
function closure(bundle: Record<string, Piece>, wanted: Iterable<string>): Set<string> {
  const found = new Set<string>();
  const open = [...wanted];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const { imports = [], viteMetadata } = bundle[name] ?? {};
    open.push(...imports, ...(viteMetadata?.importedCss ?? []), ...(viteMetadata?.importedAssets ?? []));
  }
  return found;
}

function isReadOffline({ type, fileName, moduleIds = [] }: Piece): boolean {
  if (type === "chunk") return moduleIds.some((id) => READ_OFFLINE.test(id));
  return fileName.endsWith(".svg") || TUTORIAL.test(fileName);
}

/** The words and letters of each language. */
function languagesOf(pieces: Piece[]): Record<string, string[]> {
  const languages: Record<string, string[]> = {};
  for (const { facadeModuleId, fileName } of pieces) {
    const language = (USUAL_WORDS.exec(facadeModuleId ?? "") ?? MORE_WORDS.exec(facadeModuleId ?? ""))?.[1];
    if (language) (languages[language] ??= []).push(`/${fileName}`);
  }
  for (const [language, letters] of Object.entries(LETTERS))
    for (const { fileName } of pieces)
      if (FONT.exec(fileName)?.[1] === letters) languages[language]?.push(`/${fileName}`);
  return languages;
}

/** What the service worker keeps of a build, by language. */
export function keptOf(bundle: Record<string, Piece>): CacheManifest {
  const pieces = Object.values(bundle);
  const page = String(bundle["index.html"]?.source ?? "");
  const isWords = ({ facadeModuleId }: Piece): boolean =>
    USUAL_WORDS.test(facadeModuleId ?? "") || /\/locales\//.test(facadeModuleId ?? "");
  const first = pieces.filter((piece) => isReadOffline(piece) && !isWords(piece));
  const files = [
    ...closure(
      bundle,
      first.map(({ fileName }) => fileName),
    ),
  ]
    .filter((name) => !FONT.test(name) || FONT.exec(name)?.[1] === "latin")
    .map((name) => `/${name}`);
  const letters = pieces.filter(({ fileName }) => FONT.exec(fileName)?.[1] === "latin");
  const shared = [...new Set([...files, ...letters.map(({ fileName }) => `/${fileName}`), ...PUBLIC])].sort();
  const languages = languagesOf(pieces);
  const digest = createHash("sha256").update(page).digest("hex");
  const told = JSON.stringify([digest, shared, languages]);
  return {
    version: createHash("sha256").update(told).digest("hex").slice(0, 12),
    page: digest,
    shared,
    languages,
  };
}

/** Writes `sw.js`: the page's service worker, told what belongs to this build. */
export function worker(): Plugin {
  let root = "";
  return {
    name: "worker",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      root = config.root;
    },
    async generateBundle(_, bundle) {
      const path = resolve(root, SOURCE);
      const told = JSON.stringify(keptOf(bundle as unknown as Record<string, Piece>));
      const { code } = await transformWithOxc(readFileSync(path, "utf8"), path);
      const { code: small } = await minify(
        path,
        code.replace("__KEPT__", () => told),
      );
      // A script as browsers start them, and no module.
      const source = small.replace(/export\s*\{\s*\};?\s*$/, "");
      this.emitFile({ type: "asset", fileName: "sw.js", source });
    },
  };
}
