/** The WebSocket connection. It reconnects by itself and then repeats all subscriptions. */
import { Refusal } from "./rest";
import type { AnyCommand, AnyMessage } from "./types";

type WithoutId<Command> = Command extends { id?: unknown } ? Omit<Command, "id"> : never;
export type Command = WithoutId<AnyCommand>;
export type ConnectionState = "closed" | "connecting" | "open" | "waiting";

interface Waiting {
  resolve: (message: AnyMessage) => void;
  reject: (error: Error) => void;
}

/** The connection broke before the response; the server may have received the command. */
export class ConnectionLost extends Error {
  override name = "LineLost";
}

/** In protocol 2 an update has the changes of the view instead of the whole view. */
export const PROTOCOL = 2;
const FIRST_PAUSE = 400;
const MAX_PAUSE = 10_000;
const TIMEOUT = 15_000;
const POLICY = 1008;
/** Milliseconds an old connection stays open while the new one repeats the subscriptions. */
const OVERLAP = 1000;

export class Socket {
  line: ConnectionState = "closed";
  /** The server's clock minus this one's, in milliseconds. */
  offset = 0;
  /** Called with every message in order, including responses to `ask`. */
  onMessage: (message: AnyMessage) => void = () => {};
  onStateChange: (line: ConnectionState) => void = () => {};

  private socket: WebSocket | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private number = 0;
  private pause = FIRST_PAUSE;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pingTimer: ReturnType<typeof setInterval> | undefined;
  private shouldConnect = false;
  /** The last table watched; the next connection prefers its server process. */
  private table: string | null = null;
  /** The table whose server process this connection uses. */
  private near: string | null = null;
  /** A replacement connection with its welcome message; used once no response is pending here. */
  private next: { socket: WebSocket; near: string; welcome: AnyMessage | null } | null = null;

  open(): void {
    this.shouldConnect = true;
    addEventListener("online", this.reconnectNow);
    document.addEventListener("visibilitychange", this.reconnectNow);
    if (this.line === "closed") this.connect();
  }

  close(): void {
    this.shouldConnect = false;
    removeEventListener("online", this.reconnectNow);
    document.removeEventListener("visibilitychange", this.reconnectNow);
    clearTimeout(this.timer);
    this.socket?.close();
    this.reset();
    this.setLine("closed");
  }

  /** Sends a command; resolves with the response of the same id, rejects with a refusal. */
  request(command: Command): Promise<AnyMessage> {
    const socket = this.socket;
    if (!socket || this.line !== "open") return Promise.reject(new ConnectionLost());
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      socket.send(JSON.stringify({ ...command, id }));
    });
  }

  /** Prefers this table's server process at the next connection. */
  preferTable(table: string): void {
    this.table = table;
  }

  /** The table moved to another server process: opens a connection there, unless this one leads there. */
  moveTo(table: string): void {
    if (this.line !== "open" || this.next || table !== this.table || table === this.near) return;
    const next = { socket: this.createSocket(), near: table, welcome: null as AnyMessage | null };
    this.next = next;
    next.socket.onmessage = (event) => {
      if (this.next !== next || next.welcome) return;
      const first = JSON.parse(event.data as string) as AnyMessage;
      if (first.type === "welcome") next.welcome = first;
      else this.dropNext();
      this.switchConnection();
    };
    next.socket.onclose = () => {
      if (this.next === next) this.next = null;
    };
  }

  /** Reconnects at once, if disconnected. */
  readonly reconnectNow = (): void => {
    if (this.shouldConnect && this.line === "waiting" && document.visibilityState === "visible")
      this.connect();
  };

  private connect(): void {
    clearTimeout(this.timer);
    this.setLine("connecting");
    this.adopt(this.createSocket(), this.table);
  }

  private createSocket(): WebSocket {
    const query = new URLSearchParams({ protocol: String(PROTOCOL) });
    if (this.table) query.set("near", this.table.slice(-3));
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    return new WebSocket(`${scheme}://${location.host}/socket?${query}`);
  }

  private adopt(socket: WebSocket, near: string | null): void {
    this.socket = socket;
    this.near = near;
    socket.onmessage = (event) => {
      if (this.socket === socket) this.receive(JSON.parse(event.data as string) as AnyMessage);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.handleClose(event.code);
    };
  }

  /** Switches to the replacement once it is welcomed and no response is pending. */
  private switchConnection(): void {
    if (!this.next?.welcome || this.waiting.size > 0) return;
    const { socket, near, welcome } = this.next;
    const previous = this.socket;
    this.next = null;
    clearInterval(this.pingTimer);
    this.adopt(socket, near);
    this.receive(welcome);
    setTimeout(() => previous?.close(), OVERLAP);
  }

  private dropNext(): void {
    this.next?.socket.close();
    this.next = null;
  }

  private receive(message: AnyMessage): void {
    if (message.type === "welcome") {
      this.offset = message.now - Date.now();
      this.pause = FIRST_PAUSE;
      this.setLine("open");
      this.pingTimer = setInterval(() => this.checkConnection(), TIMEOUT);
    }
    const re = "re" in message ? message.re : undefined;
    const waiting = re == null ? undefined : this.waiting.get(re);
    if (re != null) this.waiting.delete(re);
    this.onMessage(message);
    if (!waiting) return;
    if (message.type === "refused") waiting.reject(new Refusal(message.reason));
    else waiting.resolve(message);
    this.switchConnection();
  }

  /** Checks an apparently open connection, for example after sleep or a change of network. */
  private checkConnection(): void {
    const socket = this.socket;
    const late = setTimeout(() => socket?.close(), TIMEOUT / 2);
    this.request({ type: "ping" }).then(
      () => clearTimeout(late),
      () => clearTimeout(late),
    );
  }

  private handleClose(code: number): void {
    this.reset();
    if (!this.shouldConnect) return;
    if (code === POLICY) {
      this.setLine("closed");
      return;
    }
    this.setLine("waiting");
    this.timer = setTimeout(() => this.connect(), this.pause * (0.75 + Math.random() / 2));
    this.pause = Math.min(this.pause * 2, MAX_PAUSE);
  }

  private reset(): void {
    clearInterval(this.pingTimer);
    this.dropNext();
    this.socket = null;
    const lost = [...this.waiting.values()];
    this.waiting.clear();
    for (const one of lost) one.reject(new ConnectionLost());
  }

  private setLine(line: ConnectionState): void {
    this.line = line;
    this.onStateChange(line);
  }
}
