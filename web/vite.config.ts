import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { packed } from "./plugins/packed.ts";
import { Shell } from "./plugins/shell.ts";
import { worker } from "./plugins/worker.ts";

const here = process.env.ROYALCRYPT_URL ?? "http://127.0.0.1:8642";

/** What is loaded when somebody goes there: a language, the table, and what few people see at first. */
const FOLDERS: [of: RegExp, folder: string][] = [
  [/\/i18n\/words\//, "words/"],
  [/\/locales\//, "words/later/"],
  [/\/screens\/(RunningTable|Rules)\.svelte$/, "table/"],
  [/^(RunningTable|Rules|KeyHelp)\.css$/, "table/"],
  [/\/src\/table\/(?!KeyHelp|CollectorSides|Pictogram)\w+\.svelte$/, "table/"],
  [/\/src\/features\//, "later/"],
  [/^shell\.css$/, ""],
  [/\.css$/, "later/"],
];

/** Each is weighed by itself. */
function folderOf(source: string): string {
  return FOLDERS.find(([of]) => of.test(source))?.[1] ?? "";
}

interface Chunk {
  name: string;
  facadeModuleId?: string | null;
  moduleIds: string[];
}

/** What several screens share is weighed with the first of them. */
function folderOfChunk({ name, facadeModuleId, moduleIds }: Chunk): string {
  if (facadeModuleId || name === SHELL) return folderOf(facadeModuleId ?? "");
  return moduleIds.some((id) => id.includes("/src/table/")) ? "table/" : "later/";
}

const SHELL = "shell";
const shell = new Shell();

export default defineConfig({
  plugins: [svelte(), shell.plugin(), worker(), packed()],
  build: {
    outDir: "../src/royalcrypt/server/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: { groups: [{ name: SHELL, test: shell.has }] },
        chunkFileNames: (chunk) => `assets/${folderOfChunk(chunk)}[name]-[hash].js`,
        assetFileNames: ({ names }) => `assets/${folderOf(names[0] ?? "")}[name]-[hash][extname]`,
      },
    },
  },
  resolve: process.env.VITEST ? { conditions: ["browser"] } : {},
  server: {
    proxy: {
      "/api": here,
      "/socket": { target: here.replace("http", "ws"), ws: true },
    },
  },
  test: {
    environment: "happy-dom",
    include: ["tests/**/*.test.ts"],
    testTimeout: 60_000,
  },
});
