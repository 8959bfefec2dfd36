import { expect } from "vitest";
import { type Received, type Reply, type Service, startService } from "../bank/service.ts";
import { type Canary, createCanary } from "./canaries.ts";
import { type isQuick, personal, watch } from "./channels.ts";
import { type Canaries, createProvingClient, type Flow, flowCanaries, type Proof, sentTo } from "./flows.ts";

const providers = { json: { status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] } };
const provider = { json: { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } } };
const destinations = { json: { status: "success", destinations: [{ id: 1, name: "Bank" }] } };

/** The token of the login that a request to a relay is of. */
export function findLoginToken({ headers }: Pick<Received, "headers">): readonly Canary[] {
  const token = headers["x-ventanilla-token"];
  return typeof token === "string" ? [createCanary("loginToken", token)] : [];
}

/** The flow's script for its own requests, and the contract's responses to those around it. @param known gets the token of the login. */
export function startFlow(
  { script }: Pick<Flow, "script">,
  canaries: Canaries,
  known: Canary[] = [],
): Promise<Service> {
  const left = [...script(canaries)];
  return startService((request: Received): Reply | Promise<Reply> => {
    known.push(...findLoginToken(request).filter(({ token }) => known.every((one) => one.token !== token)));
    const path = request.url.split("?")[0];
    if (path === "/provider/") return providers;
    if (path === "/provider/test/") return provider;
    const line = left.shift();
    if (path === "/transfer/destinations" && !line) return destinations;
    if (!line) return { http: 500, text: "the script is over" };
    return typeof line === "function" ? line(request) : line;
  });
}

/** A bank with a script, clients of it, and a watch for the canaries that both exchange. */
export async function startScan(
  { script, timeout }: Pick<Flow, "script" | "timeout">,
  proof: Proof = "apiKey",
  others: readonly Canary[] = [],
  isWatched?: typeof isQuick,
) {
  const canaries = flowCanaries();
  const secrets = [...Object.values(canaries), ...others];
  const bank = await startFlow({ script }, canaries, secrets);
  const watching = watch(secrets, isWatched);
  const createClient = () =>
    createProvingClient(bank, canaries, proof, { ...(timeout && { timeout: { login: timeout } }), ...watching.hooks });
  return {
    canaries,
    /** What is looked for; more may become known. */
    secrets,
    bank,
    watching,
    createClient,
    /** Expects that the bank got all of these, and that they were seen nowhere else. @param isRepeated whether the bank repeats them. */
    async expectClean(names: readonly (keyof Canaries)[], isRepeated = false): Promise<void> {
      // Rejections and warnings come a turn later.
      await new Promise((resolve) => setImmediate(resolve));
      const sent = sentTo(bank);
      expect(names.filter((name) => sent.includes(canaries[name].token))).toEqual(names);
      expect(watching.findings(isRepeated ? personal : [])).toEqual([]);
    },
  };
}
