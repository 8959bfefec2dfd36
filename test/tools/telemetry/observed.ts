import type { BankClientOptions } from "ventanilla";
import { inspectAll, type LifecycleEvent, lifecycleTelemetry } from "ventanilla/telemetry";
import { onTestFinished, vi } from "vitest";
import type { Service } from "../../bank/service.ts";
import { recorder } from "./spans.ts";

/** An event as one line, without its id. */
export function line({ type, code, state, provider, duration, ...rest }: LifecycleEvent): string {
  const others = Object.entries(rest).filter(([name]) => name !== "id" && name !== "expiresAt");
  const beside = others.map(([name, value]) => ` ${name}=${value}`).join("");
  return `${type} ${code} at ${provider} in ${state} after ${duration}${beside}`;
}

/** Watches logins at a service by events and by spans. Each response takes 100 milliseconds on its clock. */
export function observed(service: Pick<Service, "client">, options: Partial<BankClientOptions> = {}) {
  let time = 5000;
  const events: LifecycleEvent[] = [];
  const spans = recorder();
  const client = service.client({
    ...options,
    onResponse: () => {
      time += 100;
    },
  });
  const lifecycle = lifecycleTelemetry((event) => void events.push(event));
  const clock = vi.spyOn(performance, "now").mockImplementation(() => time);
  onTestFinished(() => clock.mockRestore());
  /** Lets the person take that long. */
  const wait = (milliseconds: number) => {
    time += milliseconds;
  };
  return {
    ...spans,
    client,
    events,
    inspect: inspectAll(lifecycle, spans.inspect),
    lines: () => events.map(line),
    wait,
  };
}
