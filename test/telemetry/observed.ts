import type { BankClient } from "ventanilla";
import { type LifecycleEvent, onLifecycle } from "ventanilla/telemetry";
import type { Service } from "../bank/service.ts";

/** What each of these events tells beside its type, in its order, as one line. The id is left out. */
export function line({ type, code, step, provider, duration, ...rest }: LifecycleEvent): string {
  const others = Object.entries(rest).filter(([name]) => name !== "id" && name !== "expiresAt");
  const beside = others.map(([name, value]) => ` ${name}=${value}`).join("");
  return `${type} ${code} at ${provider} in ${step} after ${duration}${beside}`;
}

/** Watches logins at a service. Time goes by with its answers alone: 100 milliseconds for each. */
export function observed(service: Service) {
  let time = 5000;
  const events: LifecycleEvent[] = [];
  const client: BankClient = service.client({
    onResponse: () => {
      time += 100;
    },
  });
  const inspect = onLifecycle((event) => void events.push(event), { now: () => time });
  /** The person takes that long. */
  const wait = (milliseconds: number) => {
    time += milliseconds;
  };
  const lines = () => events.map(line);
  return { client, inspect, events, lines, wait };
}
