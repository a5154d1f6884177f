import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

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
