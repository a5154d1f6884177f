/** The user's identity on this server and the connection to it. */
import { request, Refusal } from "../wire/rest";
import { PROTOCOL, Socket, type Command, type ConnectionState } from "../wire/socket";
import type { AnyMessage, Me, Reason } from "../wire/types";

type Listener = (message: AnyMessage) => void;

/** Whether a retry would give the same answer. */
function isFinal({ status }: Refusal): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

class Session {
  me = $state.raw<Me | null>(null);
  line = $state<ConnectionState>("closed");
  /** The host's message to everybody. */
  notice = $state("");
  /** Whether this page must be reloaded: the server has another version or does not speak its protocol. */
  isOutdated = $state(false);
  /** How often the connection was opened. */
  openings = $state(0);

  /** Why the server closed the connection for good, if it did. */
  closeReason = $state.raw<Reason | null>(null);

  private readonly socket = new Socket();
  private readonly listeners = new Set<Listener>();
  private version: string | null = null;
  private endPause: () => void = () => undefined;

  constructor() {
    this.socket.onStateChange = (line) => {
      this.line = line;
      if (line === "open") {
        this.openings += 1;
        this.closeReason = null;
      }
      if (line === "closed" && this.me) void this.checkSignOut(this.me);
    };
    this.socket.onMessage = (message) => this.receive(message);
  }

  /** Whether the identity is settled, even if there is none. */
  isReady = $state(false);

  /** Restores the identity of this device; retries while the server does not answer. */
  async begin(): Promise<void> {
    for (let pause = 500; !this.isReady; pause = Math.min(pause * 2, 8000)) {
      try {
        this.me = await request<Me | null>("GET", "/me");
        // Users without an identity need no connection.
        if (this.me) this.socket.open();
        else this.line = "closed";
        this.isReady = true;
      } catch (error) {
        if (error instanceof Refusal && isFinal(error)) {
          this.closeReason = error.reason;
          this.isReady = true;
          return;
        }
        this.line = "waiting";
        await new Promise<void>((resume) => {
          this.endPause = resume;
          setTimeout(resume, pause);
        });
      }
    }
  }

  /** Creates an identity with a name; keeps an existing one. */
  async join(name: string, invitation: string | null = null): Promise<Me> {
    this.me ??= await request<Me>("POST", "/me", { name, ...(invitation ? { invitation } : {}) });
    this.socket.open();
    return this.me;
  }

  async rename(name: string): Promise<void> {
    this.me = await request<Me>("PATCH", "/me", { name });
  }

  async signIn(code: string): Promise<void> {
    this.become(await request<Me>("POST", "/sign-in", { code }));
  }

  async recover(phrase: string): Promise<void> {
    this.become(await request<Me>("POST", "/sign-in/phrase", { phrase }));
  }

  /** Deletes the identity. */
  async deleteIdentity(name: string): Promise<void> {
    await request("DELETE", "/me", { name });
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
    await request("DELETE", "/me/device");
    this.me = null;
    this.socket.close();
  }

  /** Reconnects at once. */
  reconnectNow(): void {
    this.endPause();
    if (this.closeReason && !this.me) {
      this.closeReason = null;
      this.isReady = false;
      void this.begin();
      return;
    }
    if (this.line === "closed" && this.me) this.socket.open();
    else this.socket.reconnectNow();
  }

  send(command: Command): Promise<AnyMessage> {
    return this.socket.request(command);
  }

  /** Prefers this table's server process at the next connection. */
  preferTable(table: string): void {
    this.socket.preferTable(table);
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
  private async checkSignOut(me: Me): Promise<void> {
    try {
      const known = await request<Me | null>("GET", "/me");
      if (!known && this.me === me) this.me = null;
    } catch (error) {
      if (error instanceof Refusal && this.me === me) this.closeReason = error.reason;
    }
  }

  private receive(message: AnyMessage): void {
    if (message.type === "welcome") {
      this.version ??= message.version;
      this.isOutdated = this.version !== message.version || message.protocol !== PROTOCOL;
      this.notice = message.notice ?? "";
    } else if (message.type === "presence" && message.is_apart) {
      this.socket.moveTo(message.table);
    } else if (message.type === "notice") {
      this.notice = message.text;
    } else if (message.type === "refused" && message.re == null && message.table == null) {
      if (message.reason.code === "wrong_protocol") this.isOutdated = true;
      else this.closeReason = message.reason;
    }
    for (const listener of [...this.listeners]) listener(message);
  }
}

export const session = new Session();
