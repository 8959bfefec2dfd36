import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { secret } from "ventanilla";
import { describe, expect, onTestFinished, test } from "vitest";
import { startService } from "../bank/service.ts";
import { findCanaries } from "./canaries.ts";
import { type Canaries, flowCanaries } from "./flows.ts";

// What the platform remembers by itself, for anybody in the process to read.

const formOf = ({ username, password, companyCode }: Canaries) => ({
  provider: "test",
  username: username.value,
  password: password.value,
  company_code: companyCode.value,
});

describe("the platform's timeline of requests", () => {
  /** Which canaries it shows after a second login. */
  const shown = async (sessionKeyIn: "query" | "header") => {
    const canaries = flowCanaries();
    const service = await startService([{ json: { status: "logged_in" } }]);
    const client = service.client({ apiKey: canaries.apiKey.value, sessionKeyIn });
    // The timeline itself may be full of what other tests have sent.
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) =>
      entries.push(...list.getEntries().filter(({ name }) => name.startsWith(service.url))),
    );
    observer.observe({ type: "resource" });
    onTestFinished(() => observer.disconnect());
    await client.login(
      { ...formOf(canaries), otp: canaries.firstAnswer.value },
      { key: secret(canaries.firstKey.value) },
    );
    await expect.poll(() => entries).toHaveLength(1);
    return findCanaries(
      entries.map((entry) => JSON.stringify(entry)),
      Object.values(canaries),
    );
  };

  test("shows no secret where the key goes in a header", async () => {
    expect(await shown("header")).toEqual([]);
  });

  // It holds addresses, and that is where the contract puts the key (docs/security.md).
  test("shows the session key, and nothing else, where it goes as the contract has it", async () => {
    expect(await shown("query")).toEqual(["firstKey at value.0"]);
  });
});

describe("the addresses that Node tells instrumentations, such as OpenTelemetry's of HTTP,", () => {
  /** Which canaries stand in the addresses of a second login and a logout. */
  const told = async (sessionKeyIn: "query" | "header") => {
    const canaries = flowCanaries();
    const addresses: string[] = [];
    const listener = (message: unknown) => {
      const { request } = message as { request: { origin: string; path: string; headers: unknown } };
      addresses.push(`${request.origin}${request.path}`);
      // Whoever listens to the whole of it has the API key (docs/security.md).
      expect(JSON.stringify(request.headers)).toContain(canaries.apiKey.value);
    };
    subscribe("undici:request:create", listener);
    onTestFinished(() => void unsubscribe("undici:request:create", listener));
    const service = await startService([{ json: { status: "logged_in" } }, { json: { status: "logged_out" } }]);
    const client = service.client({ apiKey: canaries.apiKey.value, sessionKeyIn });
    const key = secret(canaries.firstKey.value);
    await client.login({ ...formOf(canaries), otp: canaries.firstAnswer.value }, { key });
    await client.logout(key);
    expect(addresses.map((address) => new URL(address).pathname)).toEqual(["/login/", "/logout/"]);
    return findCanaries(addresses, Object.values(canaries));
  };

  test("hold no secret where the key goes in a header", async () => {
    expect(await told("header")).toEqual([]);
  });

  test("hold the session key, and nothing else, where it goes as the contract has it", async () => {
    expect(await told("query")).toEqual(["firstKey at value.0", "firstKey at value.1"]);
  });
});
