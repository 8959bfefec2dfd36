import { randomBytes } from "node:crypto";
import { createLoginMachine, type LoginActor, type LoginSettings, pause, resume, secret } from "ventanilla";
import { createMemoryStore, type Store } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { asks, type Line, loggedIn, selectClient } from "../bank/service.ts";
import { readPosition } from "../machines/position.ts";
import { createCanary } from "./canaries.ts";
import { type Canaries, type Flow, type Name, type Proof, submit } from "./flows.ts";
import { startScan } from "./scan.ts";

const clients: Line = { json: { status: "success", clients: { 0: "First Client" } } };

/** A login with canaries that is moved by tokens, watched everywhere. */
async function begin(script: Flow["script"], settings: LoginSettings = {}, proof: Proof = "apiKey") {
  const sealKey = createCanary("sealKey", randomBytes(32).toString("base64url"));
  const scan = await startScan({ script }, proof, [sealKey]);
  const { canaries, watching, createClient, expectClean } = scan;
  const reaches = (actor: LoginActor, state: string) => waitFor(actor, (snapshot) => readPosition(snapshot) === state);
  const look = (actor: LoginActor) => {
    watching.see("snapshot", actor.getSnapshot());
    watching.see("persisted snapshot", actor.getPersistedSnapshot());
  };
  const stored = new Set<string>();
  const claimStore: Store = {
    ...createMemoryStore(),
    swap: (...claim) => {
      watching.see("handler", claim);
      return stored.size < stored.add(claim[0]).size;
    },
  };

  const actor = createActor(createLoginMachine(createClient()), {
    input: { validate: false, ...settings },
    inspect: watching.follow,
  });
  onTestFinished(() => void actor.stop());
  actor.start();
  actor.send(submit(canaries));

  return {
    ...scan,
    sealKey,
    actor,
    reaches,
    /** Pauses a login here and resumes it elsewhere, by its token alone. */
    async move(here: LoginActor): Promise<LoginActor> {
      const token = await pause(createClient(), here, { key: sealKey.value });
      watching.see("sealed token", token);
      look(here);
      const outcome = await resume(createClient(), token, { key: secret(sealKey.value), claimStore });
      watching.see("outcome", outcome);
      if (!("pause" in outcome)) throw new Error(outcome.state);
      const there = outcome.actor;
      onTestFinished(() => void there.stop());
      // It has started already: what it was sent shows in its snapshot.
      there.system.inspect(watching.inspect);
      watching.actor(there);
      look(there);
      return there;
    },
    /** Uses the key that was reached. Then only the bank has seen all of these canaries. */
    async end(there: LoginActor, used: readonly Name[]): Promise<void> {
      const { context, output } = await reaches(there, "loggedIn");
      watching.see("outcome", output);
      watching.see("statechart", there.logic);
      await createClient().listTransferDestinations(context.key ?? "");
      await expectClean([proof, "username", "password", "companyCode", ...used]);
    },
  };
}

describe("no secret gets out of a login that is paused and taken up", () => {
  const question = ({ firstKey, sessionKey }: Canaries) => [asks("otp", firstKey.value), loggedIn(sessionKey.value)];
  const choice = ({ firstKey, sessionKey }: Canaries) => [
    selectClient(firstKey.value),
    clients,
    { json: { status: "success", key: sessionKey.value } },
  ];
  test.each<[string, Proof, Flow["script"], string, readonly Name[]]>([
    ["a question", "apiKey", question, "awaitingInteraction", ["firstAnswer", "firstKey", "sessionKey"]],
    ["a question", "bearerToken", question, "awaitingInteraction", ["firstAnswer", "firstKey", "sessionKey"]],
    ["the choice of a client", "apiKey", choice, "selectClient.choosing", ["firstKey", "sessionKey"]],
  ])("at %s, with %s", async (_, proof, script, state, used) => {
    const { canaries, watching, actor, reaches, move, end } = await begin(script, { clientSelection: true }, proof);
    await reaches(actor, state);
    const there = await move(actor);
    there.send({ type: "interaction.answer", answer: { otp: secret(canaries.firstAnswer.value) } });
    there.send({ type: "client.choose", client: "0" });
    await end(there, used);
    expect(watching.sightings("sealed token")).toBe(1);
    expect(watching.sightings("handler")).toBe(1);
    expect(watching.sightings("inspection")).toBeGreaterThan(20);
  });

  test("and cancelled where it was taken up", async () => {
    const { watching, actor, reaches, move } = await begin(({ firstKey }) => [asks("otp", firstKey.value)]);
    await reaches(actor, "awaitingInteraction");
    const there = await move(actor);
    there.send({ type: "login.cancel" });
    expect(readPosition(there.getSnapshot())).toBe("idle");
    expect(watching.sightings("emitted event")).toBe(2);
    expect(watching.findings()).toEqual([]);
  });
});

const alterClaims = (token: string): string => {
  const parts = token.split(".");
  const bytes = Buffer.from(parts[3] ?? "", "base64url");
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  return parts.with(3, bytes.toString("base64url")).join(".");
};

// That the other errors of tokens have a code and nothing else: test/core/pause, test/core/tokens.
test("nothing of the login, the token or its key is in the error of a token that was altered", async () => {
  const { createClient, sealKey, secrets, bank, watching, actor, reaches } = await begin(({ firstKey }) => [
    asks("otp", firstKey.value),
  ]);
  await reaches(actor, "awaitingInteraction");
  const token = await pause(createClient(), actor, { key: sealKey.value });
  const [header = "", , vector = "", claims = "", tag = ""] = token.split(".");
  const parts = { header, vector, claims, tag };
  secrets.push(...Object.entries(parts).map(([name, value]) => createCanary(`the token's ${name}`, value)));
  const error = await resume(createClient(), alterClaims(token), { key: sealKey.value }).catch(
    (fault: unknown) => fault,
  );
  watching.see("token error", error);
  expect(error).toMatchObject({ code: "token_invalid", detail: "altered" });
  expect(watching.findings()).toEqual([]);
  expect(bank.requests).toHaveLength(1);
});
