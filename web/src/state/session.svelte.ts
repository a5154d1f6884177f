/** The user's identity on this server and the connection to it. */
import { ask, Refusal } from "../wire/rest";
import { Socket, type Command, type Line } from "../wire/socket";
import type { AnyMessage, Me, Reason } from "../wire/types";

type Listener = (message: AnyMessage) => void;

/** Whether a retry would give the same answer. */
function isFinal({ status }: Refusal): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

class Session {
  me = $state.raw<Me | null>(null);
  line = $state<Line>("closed");
  /** The host's message to everybody. */
  notice = $state("");
  /** Whether the server's version has changed since this page was loaded. */
  isOutdated = $state(false);
  /** How often the connection was opened. */
  openings = $state(0);

  /** Why the server closed the connection for good, if it did. */
  farewell = $state.raw<Reason | null>(null);

  private readonly socket = new Socket();
  private readonly listeners = new Set<Listener>();
  private version: string | null = null;
  private wake: () => void = () => undefined;

  constructor() {
    this.socket.onLine = (line) => {
      this.line = line;
      if (line === "open") {
        this.openings += 1;
        this.farewell = null;
      }
      if (line === "closed" && this.me) void this.ponder(this.me);
    };
    this.socket.onMessage = (message) => this.hear(message);
  }

  /** Whether the identity is settled, even if there is none. */
  isReady = $state(false);

  /** Restores the identity of this device; retries while the server does not answer. */
  async begin(): Promise<void> {
    for (let pause = 500; !this.isReady; pause = Math.min(pause * 2, 8000)) {
      try {
        this.me = await ask<Me | null>("GET", "/me");
        // Users without an identity need no connection.
        if (this.me) this.socket.open();
        else this.line = "closed";
        this.isReady = true;
      } catch (error) {
        if (error instanceof Refusal && isFinal(error)) {
          this.farewell = error.reason;
          this.isReady = true;
          return;
        }
        this.line = "waiting";
        await new Promise<void>((resume) => {
          this.wake = resume;
          setTimeout(resume, pause);
        });
      }
    }
  }

  /** Creates an identity with a name; keeps an existing one. */
  async join(name: string, invitation: string | null = null): Promise<Me> {
    this.me ??= await ask<Me>("POST", "/me", { name, ...(invitation ? { invitation } : {}) });
    this.socket.open();
    return this.me;
  }

  async rename(name: string): Promise<void> {
    this.me = await ask<Me>("PATCH", "/me", { name });
  }

  async signIn(code: string): Promise<void> {
    this.become(await ask<Me>("POST", "/sign-in", { code }));
  }

  async recover(phrase: string): Promise<void> {
    this.become(await ask<Me>("POST", "/sign-in/phrase", { phrase }));
  }

  /** Deletes the identity. */
  async vanish(name: string): Promise<void> {
    await ask("DELETE", "/me", { name });
    this.me = null;
    this.socket.close();
  }

  private become(me: Me): void {
    this.me = null;
    this.socket.close();
    this.me = me;
    this.socket.open();
  }

  async signOut(): Promise<void> {
    await ask("DELETE", "/me/device");
    this.me = null;
    this.socket.close();
  }

  /** Reconnects at once. */
  hurry(): void {
    this.wake();
    if (this.farewell && !this.me) {
      this.farewell = null;
      this.isReady = false;
      void this.begin();
      return;
    }
    if (this.line === "closed" && this.me) this.socket.open();
    else this.socket.hurry();
  }

  send(command: Command): Promise<AnyMessage> {
    return this.socket.ask(command);
  }

  /** Prefers this table's server process at the next connection. */
  comeNear(table: string): void {
    this.socket.comeNear(table);
  }

  /** Subscribes to all messages; returns the cancel function. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The server's time, in milliseconds since 1970. */
  now(): number {
    return Date.now() + this.socket.offset;
  }

  /** The server closed the connection for good: checks whether this device was signed out. */
  private async ponder(me: Me): Promise<void> {
    try {
      const known = await ask<Me | null>("GET", "/me");
      if (!known && this.me === me) this.me = null;
    } catch (error) {
      if (error instanceof Refusal && this.me === me) this.farewell = error.reason;
    }
  }

  private hear(message: AnyMessage): void {
    if (message.type === "welcome") {
      this.version ??= message.version;
      this.isOutdated = this.version !== message.version;
      this.notice = message.notice ?? "";
    } else if (message.type === "presence" && message.is_apart) {
      this.socket.gather(message.table);
    } else if (message.type === "notice") {
      this.notice = message.text;
    } else if (message.type === "refused" && message.re == null && message.table == null) {
      this.farewell = message.reason;
    }
    for (const listener of [...this.listeners]) listener(message);
  }
}

export const session = new Session();
