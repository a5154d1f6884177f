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

  /** Tries again at once, if it waits. */
  readonly hurry = (): void => {
    if (this.isWanted && this.line === "waiting" && document.visibilityState === "visible") this.connect();
  };

  private connect(): void {
    clearTimeout(this.timer);
    this.turn("connecting");
    const socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`,
    );
    this.socket = socket;
    socket.onmessage = (event) => {
      if (this.socket === socket) this.hear(JSON.parse(event.data as string) as AnyMessage);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lose(event.code);
    };
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
