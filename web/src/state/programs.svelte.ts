/** The programs that one keeps on this server. */
import { ask } from "../wire/rest";
import type { ProgramLine } from "../wire/types";

class Programs {
  mine = $state.raw<ProgramLine[]>([]);

  async load(): Promise<void> {
    this.mine = await ask<ProgramLine[]>("GET", "/me/programs");
  }
}

export const programs = new Programs();
