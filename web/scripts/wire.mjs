// Writes src/wire/types.ts from the server's own schemas, and src/wire/collectors.ts from the Collector catalogue.
// With --check it only compares.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

/** Tuples as the compiler knows them, and references without remarks of their own. */
function plain(node) {
  if (Array.isArray(node)) node.forEach(plain);
  else if (node && typeof node === "object") {
    if (node.prefixItems) {
      node.items = node.prefixItems;
      node.additionalItems = false;
      delete node.prefixItems;
    }
    if (node.$ref) {
      delete node.description;
      delete node.default;
    }
    Object.values(node).forEach(plain);
  }
}

const target = new URL("../src/wire/types.ts", import.meta.url);
const python = process.env.PYTHON ?? "../.venv/bin/python";

execFileSync(python, ["../scripts/collectors.py", ...process.argv.slice(2)], { stdio: "inherit" });
const schema = JSON.parse(execFileSync(python, ["../scripts/wire_schema.py"], { encoding: "utf-8" }));
schema.title = "Wire";
plain(schema);
const banner = "// Made from the server's schemas by `npm run wire`; not to be edited.";
const compiled = await compile(schema, "Wire", {
  bannerComment: banner,
  additionalProperties: false,
  unreachableDefinitions: true,
  ignoreMinAndMaxItems: true,
  format: true,
  style: { printWidth: 110 },
});

const made = compiled
  .replace(/\n \* ?\n \* This interface was referenced[^/]*\//g, "\n */")
  .replace(/\/\*\*\n \* This interface was referenced[^/]*\/\n/g, "");

if (!process.argv.includes("--check")) {
  writeFileSync(target, made);
} else if (readFileSync(target, "utf-8") !== made) {
  console.error("src/wire/types.ts does not fit the server: run `npm run wire` and read the difference.");
  process.exit(1);
}
