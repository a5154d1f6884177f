/** Errors of requests and their texts. */
import { because, t } from "../i18n/index.svelte";
import { toast } from "../kit/toast.svelte";
import { Refusal, Unreachable } from "../wire/rest";
import { ConnectionLost } from "../wire/socket";
import type { Reason } from "../wire/types";

/** The server's reason or "unreachable"; rethrows programming errors. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof Unreachable || error instanceof ConnectionLost)
    return { code: "unreachable", details: {}, text: t("page.failed.unreachable") };
  throw error;
}

export function failureText(error: unknown): string {
  return because(reasonOf(error));
}

export function toastFailure(error: unknown): void {
  const reason = reasonOf(error);
  toast(() => because(reason), { isBad: true });
}
