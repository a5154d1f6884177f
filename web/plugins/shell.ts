import type { Plugin } from "vite";

const ENTRY = /\/src\/main\.ts$/;

/** What the first screen needs: kept together, however many other screens share parts of it. */
export class Shell {
  private readonly modules = new Set<string>();

  readonly has = (id: string): boolean => this.modules.has(id);

  /** Finds out what belongs to it. */
  plugin(): Plugin {
    const { modules } = this;
    return {
      name: "shell",
      apply: "build",
      buildEnd() {
        const open = [...this.getModuleIds()].filter((id) => ENTRY.test(id));
        for (let id = open.pop(); id !== undefined; id = open.pop()) {
          if (modules.has(id)) continue;
          modules.add(id);
          open.push(...(this.getModuleInfo(id)?.importedIds ?? []));
        }
      },
    };
  }
}
