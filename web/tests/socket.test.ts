import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROTOCOL, Socket } from "../src/wire/socket";
import type { AnyMessage } from "../src/wire/types";

/** A fake WebSocket; the test controls both ends. */
class Wire {
  static made: Wire[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  isClosed = false;
  readonly sent: { type: string; id: number }[] = [];

  constructor(readonly url: string) {
    Wire.made.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string; id: number });
  }
  close(): void {
    this.isClosed = true;
    this.onclose?.({ code: 1000 });
  }
  says(message: object): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  welcomes(): void {
    this.says({
      type: "welcome",
      person: "ada",
      name: "Ada",
      now: Date.now(),
      version: "1",
      protocol: PROTOCOL,
    });
  }
  breaks(): void {
    this.onclose?.({ code: 1006 });
  }
}

const openings = vi.fn<(line: string) => void>();
function opened(table: string | null = null): { socket: Socket; wire: Wire } {
  const socket = new Socket();
  socket.onStateChange = openings;
  if (table) socket.preferTable(table);
  socket.open();
  last().welcomes();
  openings.mockClear();
  return { socket, wire: last() };
}
function last(): Wire {
  const wire = Wire.made.at(-1);
  if (!wire) throw new Error("no line was opened");
  return wire;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", Wire);
  Wire.made = [];
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a connection refused for good", () => {
  it("hands on the reason and is not opened again", () => {
    const socket = new Socket();
    const heard = vi.fn<(message: AnyMessage) => void>();
    socket.onMessage = heard;
    socket.open();
    const refused = { type: "refused", reason: { code: "wrong_protocol", text: "", details: { newest: 3 } } };
    last().says(refused);
    last().onclose?.({ code: 1008 });
    vi.advanceTimersByTime(60_000);
    expect(heard.mock.calls).toEqual([[refused]]);
    expect([socket.line, Wire.made.length]).toEqual(["closed", 1]);
  });
});

describe("a connection near others at a table", () => {
  it("is requested if the table is known", () => {
    expect(new URL(opened("6BSQvIA0Y2sa").wire.url).search).toBe("?protocol=2&near=2sa");
    expect(new URL(opened().wire.url).search).toBe("?protocol=2");
  });

  it("is opened once per table, and only for the watched one", () => {
    const { socket } = opened("6BSQvIA0Y2sa");
    socket.moveTo("6BSQvIA0Y2sa");
    socket.moveTo("another");
    expect(Wire.made).toHaveLength(1);
  });

  it("is used after its welcome; the old one closes a moment later", () => {
    const { socket, wire } = opened();
    socket.preferTable("6BSQvIA0Y2sa");
    socket.moveTo("6BSQvIA0Y2sa");
    socket.moveTo("6BSQvIA0Y2sa");
    expect(Wire.made).toHaveLength(2);
    expect(openings).not.toHaveBeenCalled();
    last().welcomes();
    expect(openings.mock.calls).toEqual([["open"]]);
    void socket.request({ type: "ping" });
    expect([wire.sent.length, last().sent.length]).toEqual([0, 1]);
    expect(wire.isClosed).toBe(false);
    vi.advanceTimersByTime(1000);
    expect([wire.isClosed, last().isClosed]).toEqual([true, false]);
    expect(socket.line).toBe("open");
  });

  it("waits until no response is pending", async () => {
    const { socket, wire } = opened();
    socket.preferTable("6BSQvIA0Y2sa");
    const answer = socket.request({ type: "ping" });
    socket.moveTo("6BSQvIA0Y2sa");
    last().welcomes();
    last().says({ type: "notice", text: "hello" });
    expect(openings).not.toHaveBeenCalled();
    wire.says({ type: "done", re: wire.sent[0]?.id, now: Date.now() });
    expect(openings.mock.calls).toEqual([["open"]]);
    expect((await answer).type).toBe("done");
  });

  it("is optional: failures keep the old connection", () => {
    const { socket, wire } = opened();
    socket.preferTable("6BSQvIA0Y2sa");
    socket.moveTo("6BSQvIA0Y2sa");
    last().breaks();
    socket.moveTo("6BSQvIA0Y2sa");
    last().says({ type: "refused", reason: { code: "too_many", text: "", details: {} } });
    expect(last().isClosed).toBe(true);
    expect([Wire.made.length, openings.mock.calls.length, socket.line]).toEqual([3, 0, "open"]);
    void socket.request({ type: "ping" });
    expect(wire.sent).toHaveLength(1);
  });

  it("is dropped if the old one breaks; the reconnection prefers the same table", () => {
    const { socket, wire } = opened();
    socket.preferTable("6BSQvIA0Y2sa");
    socket.moveTo("6BSQvIA0Y2sa");
    const forgotten = last();
    wire.breaks();
    expect(forgotten.isClosed).toBe(true);
    vi.advanceTimersByTime(1000);
    expect(Wire.made).toHaveLength(3);
    expect(new URL(last().url).search).toBe("?protocol=2&near=2sa");
  });
});
