/** The live line to the server. It comes back by itself, and says everything anew that it was told to follow. */
import { Refusal } from "./rest";
import type { AnyCommand, AnyMessage } from "./types";

type WithoutId<Command> = Command extends { id?: unknown } ? Omit<Command, "id"> : never;
export type Command = WithoutId<AnyCommand>;
export type Line = "closed" | "connecting" | "open" | "waiting";

interface Waiting {
  resolve: (message: AnyMessage) => void;
  reject: (error: Error) => void;
}

/** The line broke before an answer came; what was sent may have been heard. */
export class LineLost extends Error {
  override name = "LineLost";
}

const FIRST_PAUSE = 400;
const LONGEST_PAUSE = 10_000;
const PATIENCE = 15_000;
const POLICY = 1008;
/** Milliseconds for which a line that was left stays open: until the next one has said everything anew. */
const OVERLAP = 1000;

export class Socket {
  line: Line = "closed";
  /** The server's clock minus this one's, in milliseconds. */
  offset = 0;
  /** Called with every message, in order; answers to `ask` included. */
  onMessage: (message: AnyMessage) => void = () => {};
  onLine: (line: Line) => void = () => {};

  private socket: WebSocket | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pulse: ReturnType<typeof setInterval> | undefined;
  private isWanted = false;
  /** The table that was last looked at; the next line is opened near others who look at it. */
  private table: string | null = null;
  /** The table that this line is near. */
  private near: string | null = null;
  /** A line to be taken instead of this one, once nothing is waited for here, and how it was greeted. */
  private next: { socket: WebSocket; near: string; welcome: AnyMessage | null } | null = null;

  open(): void {
    this.isWanted = true;
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    if (this.line === "closed") this.connect();
  }

  close(): void {
    this.isWanted = false;
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    clearTimeout(this.timer);
    this.socket?.close();
    this.drop();
    this.turn("closed");
  }

  /** Sends a command; gives the answer that carries its number, or the refusal as an error. */
  ask(command: Command): Promise<AnyMessage> {
    const socket = this.socket;
    if (!socket || this.line !== "open") return Promise.reject(new LineLost());
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ ...command, id }));
    });
  }

  /** From now on lines are opened near others at this table. */
  comeNear(table: string): void {
    this.table = table;
  }

  /** Others at the table have come in elsewhere: takes another line that leads there, unless this one does. */
  gather(table: string): void {
    if (this.line !== "open" || this.next || table !== this.table || table === this.near) return;
    const next = { socket: this.dial(), near: table, welcome: null as AnyMessage | null };
    this.next = next;
    next.socket.onmessage = (event) => {
      if (this.next !== next || next.welcome) return;
      const first = JSON.parse(event.data as string) as AnyMessage;
      if (first.type === "welcome") next.welcome = first;
      else this.forgetNext();
      this.changeOver();
    };
    next.socket.onclose = () => {
      if (this.next === next) this.next = null;
    };
  }

  /** Tries again at once, if it waits. */
  readonly hurry = (): void => {
    if (this.isWanted && this.line === "waiting" && document.visibilityState === "visible") this.connect();
  };

  private connect(): void {
    clearTimeout(this.timer);
    this.turn("connecting");
    this.take(this.dial(), this.table);
  }

  private dial(): WebSocket {
    const near = this.table ? `?near=${encodeURIComponent(this.table.slice(-3))}` : "";
    return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket${near}`);
  }

  private take(socket: WebSocket, near: string | null): void {
    this.socket = socket;
    this.near = near;
    socket.onmessage = (event) => {
      if (this.socket === socket) this.hear(JSON.parse(event.data as string) as AnyMessage);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lose(event.code);
    };
  }

  /** To the next line, if there is one that was welcomed, and no answer is missing. */
  private changeOver(): void {
    if (!this.next?.welcome || this.waiting.size > 0) return;
    const { socket, near, welcome } = this.next;
    const left = this.socket;
    this.next = null;
    clearInterval(this.pulse);
    this.take(socket, near);
    this.hear(welcome);
    setTimeout(() => left?.close(), OVERLAP);
  }

  private forgetNext(): void {
    this.next?.socket.close();
    this.next = null;
  }

  private hear(message: AnyMessage): void {
    if (message.type === "welcome") {
      this.offset = message.now - Date.now();
      this.pause = FIRST_PAUSE;
      this.turn("open");
      this.pulse = setInterval(() => this.feel(), PATIENCE);
    }
    const re = "re" in message ? message.re : undefined;
    const waiting = re == null ? undefined : this.waiting.get(re);
    if (re != null) this.waiting.delete(re);
    this.onMessage(message);
    if (!waiting) return;
    if (message.type === "refused") waiting.reject(new Refusal(message.reason));
    else waiting.resolve(message);
    this.changeOver();
  }

  /** A line that looks open may be dead: a phone that slept, a network that changed. */
  private feel(): void {
    const socket = this.socket;
    const late = setTimeout(() => socket?.close(), PATIENCE / 2);
    this.ask({ type: "ping" }).then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
  }

  private lose(code: number): void {
    this.drop();
    if (!this.isWanted) return;
    if (code === POLICY) {
      this.turn("closed");
      return;
    }
    this.turn("waiting");
    this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
  }

  private drop(): void {
    clearInterval(this.pulse);
    this.forgetNext();
    this.socket = null;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of lost) one.reject(new LineLost());
  }

  private turn(line: Line): void {
    this.line = line;
    this.onLine(line);
  }
}
