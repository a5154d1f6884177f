import type { Catalogue } from "../index.svelte";

const parts = import.meta.glob<Catalogue>(
  "../../../../src/royalcrypt/locales/pl/{collector,log,page,reason,rules,term}.json",
  { eager: true, import: "default" },
);

export default Object.assign({}, ...Object.values(parts)) as Catalogue;
