/** Why something was not answered, and how that is said. */
import { because, t } from "../i18n/index.svelte";
import { toast } from "../kit/toast.svelte";
import { Refusal, Unreachable } from "../wire/rest";
import { LineLost } from "../wire/socket";
import type { Reason } from "../wire/types";

/** The server's reason, or that it was not reached; what is a mistake of ours is thrown on. */
export function reasonOf(error: unknown): Reason {
  if (error instanceof Refusal) return error.reason;
  if (error instanceof Unreachable || error instanceof LineLost)
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
