/** REST requests; refusals are thrown. */
import { saveEntropy } from "../state/commitments";
import type { Reason } from "./types";

/** The server refused the request. */
export class Refusal extends Error {
  constructor(
    readonly reason: Reason,
    readonly status = 0,
  ) {
    super(reason.text);
    this.name = "Refusal";
  }
}

/** The server did not answer. */
export class Unreachable extends Error {
  override name = "Unreachable";
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** `invite` is the last part of a private table's link, for non-members. */
export async function request<Answer>(
  method: Method,
  path: string,
  body?: unknown,
  invite: string | null = null,
): Promise<Answer> {
  const headers = {
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(invite === null ? {} : { "X-Table-Invite": invite }),
  };
  let answer: Response;
  try {
    answer = await fetch(`/api${path}`, {
      method,
      credentials: "same-origin",
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Unreachable();
  }
  const text = await answer.text();
  if (!answer.ok) throw new Refusal(reasonIn(text, answer.status), answer.status);
  return (text ? JSON.parse(text) : undefined) as Answer;
}

/** A proxy's error pages contain no reason. */
function reasonIn(text: string, status: number): Reason {
  try {
    const found = JSON.parse(text) as Reason;
    if (typeof found.code === "string") return found;
  } catch {
    // Not JSON; handled below.
  }
  return { code: "server_failed", details: { status }, text: "" };
}

/** This device's entropy for a game: 16 random bytes, stored for the fairness check. */
export function entropy(): string {
  const share = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
  saveEntropy(share);
  return share;
}
