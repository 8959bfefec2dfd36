import { expect } from "vitest";
import { type Received, type Reply, startService } from "../bank/service.ts";
import { type Watch, watch } from "./channels.ts";
import type { Driver } from "./drivers.ts";
import { type Canaries, createProvingClient, type Flow, flowCanaries, type Proof, sentTo, usedIn } from "./flows.ts";

const providers = { json: { status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] } };
const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
const destinations = { json: { status: "success", destinations: [{ id: 1, name: "Bank" }] } };

/** The flow's script for its own requests, and the contract's answers for those around it. */
export function startFlow({ script }: Flow, canaries: Canaries) {
  const left = [...script(canaries)];
  return startService((request: Received): Reply | Promise<Reply> => {
    const path = request.url.split("?")[0];
    if (path === "/provider/") return providers;
    if (path === "/provider/test/") return provider;
    if (path === "/transfer/destinations") return destinations;
    const line = left.shift() ?? { http: 500, text: "the script is over" };
    return typeof line === "function" ? line(request) : line;
  });
}

/** Sends canaries through a flow, makes sure that they arrived, and that nobody else saw them. */
export async function hunt(flow: Flow, drive: Driver, proof: Proof): Promise<Watch> {
  const canaries = flowCanaries();
  const bank = await startFlow(flow, canaries);
  const watching = watch(Object.values(canaries));
  const client = createProvingClient(bank, canaries, proof, {
    ...(flow.timeout && { timeout: { login: flow.timeout } }),
    ...watching.hooks,
  });
  const reached = await drive(client, canaries, watching, flow.settings ?? {});
  // Rejections and warnings are told a turn later.
  await new Promise((resolve) => setImmediate(resolve));

  expect(reached).toBe(flow.ends);
  const sent = sentTo(bank);
  const arrived = usedIn(flow, proof).filter((name) => sent.includes(canaries[name].token));
  expect(arrived).toEqual(usedIn(flow, proof));
  expect(watching.findings()).toEqual([]);
  return watching;
}
