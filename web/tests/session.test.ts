import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AnyMessage } from "../src/wire/types";

const ADA = { person: "ada", name: "Ada" };
const opened = vi.fn<() => void>();

function answering(...answers: (() => Promise<Response>)[]): void {
  const fetched = vi.fn<() => Promise<Response>>();
  for (const answer of answers) fetched.mockImplementationOnce(answer);
  vi.stubGlobal("fetch", fetched);
}
const says =
  (body: unknown, status = 200) =>
  () =>
    Promise.resolve(new Response(JSON.stringify(body), { status }));

const hear = (session: Awaited<ReturnType<typeof fresh>>, message: object): void =>
  session["receive"](message as AnyMessage);

async function fresh() {
  vi.resetModules();
  const { Socket } = await import("../src/wire/socket");
  Socket.prototype.open = opened;
  return (await import("../src/state/session.svelte")).session;
}

beforeEach(() => {
  vi.useFakeTimers();
  opened.mockClear();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("restoring the identity", () => {
  it("finds none on a new device and opens no connection", async () => {
    const session = await fresh();
    answering(says(null));
    await session.begin();
    expect([session.isReady, session.me, opened.mock.calls.length]).toEqual([true, null, 0]);
  });

  it("finds the identity of this device", async () => {
    const session = await fresh();
    answering(says(ADA));
    await session.begin();
    expect([session.isReady, session.me?.name, opened.mock.calls.length]).toEqual([true, "Ada", 1]);
  });

  it("stops on a refusal and gives the reason", async () => {
    const session = await fresh();
    const banned = { code: "banned", text: "You cannot play here.", details: {} };
    answering(says(banned, 403));
    await session.begin();
    expect([session.isReady, session.line, session.closeReason]).toEqual([true, "closed", banned]);

    answering(says(ADA));
    session.reconnectNow();
    await vi.advanceTimersByTimeAsync(1);
    expect([session.isReady, session.me?.name, session.closeReason]).toEqual([true, "Ada", null]);
  });

  it("retries while the server does not answer", async () => {
    const session = await fresh();
    answering(() => Promise.reject(new TypeError("gone")), says({}, 502), says(null));
    const begun = session.begin();
    await vi.advanceTimersByTimeAsync(100);
    expect([session.isReady, session.line]).toEqual([false, "waiting"]);
    await vi.advanceTimersByTimeAsync(5000);
    await begun;
    expect(session.isReady).toBe(true);
  });
});

describe("a page that is older than the server", () => {
  const WELCOME = { type: "welcome", ...ADA, now: 0, version: "1", protocol: 2 };

  it("notices another version", async () => {
    const session = await fresh();
    hear(session, WELCOME);
    expect(session.isOutdated).toBe(false);
    hear(session, { ...WELCOME, version: "2" });
    expect(session.isOutdated).toBe(true);
  });

  it.each([1, 3, undefined])("notices that the server speaks protocol %s", async (protocol) => {
    const session = await fresh();
    hear(session, { ...WELCOME, protocol });
    expect(session.isOutdated).toBe(true);
  });

  it("is told to reload, not to try again, if its protocol is refused", async () => {
    const session = await fresh();
    const reason = { code: "wrong_protocol", text: "", details: { newest: 3 } };
    hear(session, { type: "refused", reason });
    expect([session.isOutdated, session.closeReason]).toEqual([true, null]);
  });
});
