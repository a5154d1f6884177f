/** Standing orders of one seat as stored on the server, and checks of new ones. */
import { because } from "../../i18n/index.svelte";
import { failureText } from "../../state/failure";
import type { LiveTable } from "../../state/table.svelte";
import { request } from "../../wire/rest";
import type { NewOrders, OrdersAnswer, OrderTold, WireOrder } from "../../wire/types";

export class StandingOrders {
  current = $state.raw<OrdersAnswer | null>(null);
  isBusy = $state(false);
  /** Why the last request failed. */
  trouble = $state("");

  private requestId = 0;

  constructor(private readonly table: LiveTable) {}

  get orders(): OrderTold[] {
    return this.current?.orders ?? [];
  }

  async load(): Promise<void> {
    const requestId = ++this.requestId;
    const current = await this.attempt(() => request<OrdersAnswer>("GET", this.path));
    if (current && requestId === this.requestId) this.current = current;
  }

  /** Replaces all orders; returns whether that worked. */
  async give(orders: WireOrder[]): Promise<boolean> {
    if (this.isBusy) return false;
    this.isBusy = true;
    this.requestId += 1;
    const current = await this.attempt(() => request<OrdersAnswer>("PUT", this.path, this.body(orders)));
    this.isBusy = false;
    if (current) this.current = current;
    return current !== null;
  }

  add(order: WireOrder): Promise<boolean> {
    return this.give([...this.orders.map(plain), order]);
  }

  remove(index: number): Promise<boolean> {
    return this.give(this.orders.map(plain).filter((_, other) => other !== index));
  }

  /** Moves an order up or down by one. */
  move(index: number, by: 1 | -1): Promise<boolean> {
    const orders = this.orders.map(plain);
    const [moved] = orders.splice(index, 1);
    if (moved) orders.splice(index + by, 0, moved);
    return this.give(orders);
  }

  async withdraw(): Promise<boolean> {
    this.requestId += 1;
    const current = await this.attempt(() => request<OrdersAnswer>("DELETE", this.path));
    if (current) this.current = current;
    return current !== null;
  }

  /** Checks an order: why it is impossible, or empty if it is valid. */
  async check(order: WireOrder): Promise<string> {
    try {
      const current = await request<OrdersAnswer>("POST", `${this.path}/check`, this.body([order]));
      const objection = current.orders[0]?.objection;
      return objection ? because(objection) : "";
    } catch (error) {
      return failureText(error);
    }
  }

  private body(orders: WireOrder[]): NewOrders {
    return { round: this.current?.round ?? 1, orders };
  }

  private async attempt<Answer>(what: () => Promise<Answer>): Promise<Answer | null> {
    try {
      const answer = await what();
      this.trouble = "";
      return answer;
    } catch (error) {
      this.trouble = failureText(error);
      return null;
    }
  }

  private get path(): string {
    return `/tables/${this.table.id}/seats/${this.table.seat ?? 0}/orders`;
  }
}

/** The order without the server's verdict. */
export function plain({ when, action, slot }: OrderTold): WireOrder {
  return { when, action, slot };
}
