/** Private notes: saved while typing, kept on this device until the server has them, merged on conflict. */
import { request, Refusal } from "../../wire/rest";
import type { Memo } from "../../wire/types";
import { read, remove, write } from "../../state/storage";

export type MemoState = "loading" | "saved" | "writing" | "saving" | "offline" | "refused" | "conflict";

export const PAUSE = 600;
const RETRY = 4000;
export const LONGEST = 2000;

interface Draft {
  text: string;
  /** The server's version that this draft is based on. */
  since: number;
}

export class Notes {
  text = $state("");
  state = $state<MemoState>("loading");
  /** The conflicting text of another device. */
  theirs = $state.raw<Memo | null>(null);

  private since = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private saving: Promise<void> | null = null;
  private isClosed = false;

  constructor(
    private readonly table: string,
    private readonly person: string,
  ) {}

  async load(): Promise<void> {
    const draft = read<Draft | null>(this.key, null);
    if (draft) this.text = draft.text;
    try {
      const memo = await request<Memo>("GET", this.path);
      this.begin(memo, draft);
    } catch {
      this.state = "offline";
      this.since = draft?.since ?? 0;
      this.later(() => void this.load(), RETRY);
    }
  }

  private begin(memo: Memo, draft: Draft | null): void {
    this.since = memo.updated;
    if (!draft || draft.text === memo.text) {
      this.text = memo.text;
      remove(this.key);
      this.state = "saved";
    } else if (draft.since === memo.updated) {
      void this.save();
    } else this.clash(memo);
  }

  write(text: string): void {
    this.text = text;
    write(this.key, { text: this.text, since: this.since } satisfies Draft);
    if (this.state === "conflict" || this.state === "loading") return;
    this.state = "writing";
    this.later(() => void this.save(), PAUSE);
  }

  /** Saves at once when the notes are closed. */
  async flush(): Promise<void> {
    if (this.state === "writing" || this.state === "offline") await this.save();
  }

  close(): void {
    void this.flush();
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  /** Resolves a conflict with this device's text or the other's. */
  settle(choice: "mine" | "theirs"): void {
    const { theirs } = this;
    if (!theirs) return;
    this.since = theirs.updated;
    this.theirs = null;
    if (choice === "theirs") {
      this.text = theirs.text;
      remove(this.key);
      this.state = "saved";
    } else {
      write(this.key, { text: this.text, since: this.since } satisfies Draft);
      void this.save();
    }
  }

  private async save(): Promise<void> {
    clearTimeout(this.timer);
    if (this.saving) await this.saving;
    this.saving = this.send();
    await this.saving;
    this.saving = null;
  }

  private async send(): Promise<void> {
    const { text } = this;
    this.state = "saving";
    try {
      const memo = await request<Memo>("PUT", this.path, { text, since: this.since });
      this.since = memo.updated;
      if (this.text === text) {
        remove(this.key);
        this.state = "saved";
      } else this.write(this.text);
    } catch (error) {
      await this.explain(error);
    }
  }

  private async explain(error: unknown): Promise<void> {
    if (error instanceof Refusal && error.reason.code === "memo_changed") {
      const memo = await request<Memo>("GET", this.path).catch(() => null);
      if (memo?.text === this.text) this.begin(memo, null);
      else if (memo) this.clash(memo);
      else this.state = "offline";
    } else if (error instanceof Refusal && error.status < 500 && error.status !== 429) {
      this.state = "refused";
    } else {
      this.state = "offline";
      this.later(() => void this.save(), RETRY);
    }
  }

  private clash(memo: Memo): void {
    this.theirs = memo;
    this.state = "conflict";
  }

  private later(what: () => void, pause: number): void {
    clearTimeout(this.timer);
    if (!this.isClosed) this.timer = setTimeout(what, pause);
  }

  private get path(): string {
    return `/tables/${this.table}/memo`;
  }

  // Devices with several users need one key for each.
  private get key(): string {
    return `memo.${this.person}.${this.table}`;
  }
}
