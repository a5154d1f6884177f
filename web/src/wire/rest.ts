/** Requests to the server: an answer, or a refusal with its reason. */
import type { Reason } from "./types";

/** The server said no, and why. */
export class Refusal extends Error {
  constructor(
    readonly reason: Reason,
    readonly status = 0,
  ) {
    super(reason.text);
    this.name = "Refusal";
  }
}

/** Nobody answered. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export async function ask<Answer>(method: Method, path: string, body?: unknown): Promise<Answer> {
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      credentials: "same-origin",
      ...(body === undefined
        ? {}
        : { headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new Unreachable();
  }
  const text = await answer.text();
  if (!answer.ok) throw new Refusal(reasonIn(text, answer.status), answer.status);
  return (text ? JSON.parse(text) : undefined) as Answer;
}

/** What a proxy answers in the server's place is no reason of ours. */
function reasonIn(text: string, status: number): Reason {
  try {
    const found = JSON.parse(text) as Reason;
    if (typeof found.code === "string") return found;
  } catch {
    // told below
  }
  return { code: "server_failed", details: { status }, text: "" };
}

/** What one's own device adds to the chance of a game: 16 random bytes. */
export function entropy(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
