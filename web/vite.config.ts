import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { packed } from "./plugins/packed.ts";

const here = process.env.ROYALCRYPT_URL ?? "http://127.0.0.1:8642";

export default defineConfig({
  plugins: [svelte(), packed()],
  build: {
    outDir: "../src/royalcrypt/server/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: {
        // A language is loaded when it is wanted, and weighed by itself.
        chunkFileNames: (chunk) =>
          `assets/${chunk.facadeModuleId?.includes("/i18n/words/") ? "words/" : ""}[name]-[hash].js`,
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
