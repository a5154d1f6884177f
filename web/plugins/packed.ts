import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const TEXT = /\.(css|html|js|svg|webmanifest)$/;
const SMALLEST_WORTHWHILE = 1024;

/** Lays every text beside itself as brotli and gzip pack it best: the server has not to do it again and again. */
export function packed(): Plugin {
  let folder = "";
  return {
    name: "packed",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir);
    },
    writeBundle(_, bundle) {
      for (const name of Object.keys(bundle).filter((each) => TEXT.test(each))) {
        const content = readFileSync(resolve(folder, name));
        if (content.length < SMALLEST_WORTHWHILE) continue;
        const thorough = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
        writeFileSync(resolve(folder, `${name}.br`), brotliCompressSync(content, thorough));
        writeFileSync(resolve(folder, `${name}.gz`), gzipSync(content, { level: 9 }));
      }
    },
  };
}
