import { randomBytes } from "node:crypto";
import {
  type ClaimStore,
  createLoginMachine,
  type LoginActor,
  type LoginSettings,
  pause,
  readState,
  resume,
  secret,
  type TokenError,
} from "ventanilla";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createActor, waitFor } from "xstate";
import { asks, type Line, loggedIn, selectClient } from "../bank/service.ts";
import { type Canary, canaryOf } from "./canaries.ts";
import { type Canaries, type Flow, type Name, type Proof, submit } from "./flows.ts";
import { startHunt } from "./hunt.ts";

afterEach(() => void vi.useRealTimers());

const newSealKey = (): Canary => canaryOf("sealKey", randomBytes(32).toString("base64url"));

const clients: Line = { json: { status: "success", clients: { 0: "First Client" } } };

/** A login with canaries that is moved by tokens, watched everywhere. */
async function begin(script: Flow["script"], settings: LoginSettings = {}, proof: Proof = "apiKey") {
  const sealKey = newSealKey();
  const hunt = await startHunt({ script }, proof, [sealKey]);
  const { canaries, watching, createClient, expectClean } = hunt;
  const reaches = (actor: LoginActor, state: string) => waitFor(actor, (snapshot) => readState(snapshot) === state);
  const look = (actor: LoginActor) => {
    watching.see("snapshot", actor.getSnapshot());
    watching.see("persisted snapshot", actor.getPersistedSnapshot());
  };
  const stored = new Set<string>();
  const claimStore: ClaimStore = {
    claim: (...claim) => {
      watching.see("handler", claim);
      return stored.size < stored.add(claim[0]).size;
    },
  };

  const actor = createActor(createLoginMachine(createClient()), { input: settings, inspect: watching.follow });
  onTestFinished(() => void actor.stop());
  actor.start();
  actor.send(submit(canaries));

  return {
    ...hunt,
    sealKey,
    actor,
    reaches,
    /** Pauses a login here and resumes it elsewhere, by its token alone. */
    async move(here: LoginActor): Promise<LoginActor> {
      const token = await pause(here, { key: sealKey.value });
      watching.see("sealed token", token);
      look(here);
      const outcome = await resume(createClient(), token, { key: secret(sealKey.value), claimStore });
      watching.see("outcome", outcome);
      if (!("pause" in outcome)) throw new Error(outcome.status);
      const there = outcome.actor;
      onTestFinished(() => void there.stop());
      // It has started already: what it was sent shows in its snapshot.
      there.system.inspect(watching.inspect);
      watching.actor(there);
      look(there);
      return there;
    },
    /** Uses the key that was reached. Then the bank has seen all of these canaries, and nobody else has. */
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
    ["a question", "appToken", question, "awaitingInteraction", ["firstAnswer", "firstKey", "sessionKey"]],
    ["the choice of a client", "apiKey", choice, "selectClient.choosing", ["firstKey", "sessionKey"]],
  ])("at %s, with %s", async (_, proof, script, state, used) => {
    const { canaries, watching, actor, reaches, move, end } = await begin(script, { clientSelection: true }, proof);
    await reaches(actor, state);
    const there = await move(actor);
    there.send({ type: "interaction.answer", answer: secret(canaries.firstAnswer.value) });
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
    expect(readState(there.getSnapshot())).toBe("idle");
    expect(watching.sightings("emitted event")).toBe(2);
    expect(watching.findings()).toEqual([]);
  });
});

/** Somebody who holds a token and its keys, and what goes wrong. */
interface Holder {
  readonly token: string;
  readonly sealKey: Canary;
  take(token: string, options?: Partial<Parameters<typeof resume>[2]>): Promise<unknown>;
}

const otherKey = newSealKey();
const altered = (token: string, segment: number, change: (bytes: Buffer) => void) => {
  const parts = token.split(".");
  const bytes = Buffer.from(parts[segment] ?? "", "base64url");
  change(bytes);
  return parts.with(segment, bytes.toString("base64url")).join(".");
};
const flip = (bytes: Buffer) => {
  bytes[0] = (bytes[0] ?? 0) ^ 1;
};

const wrongs: readonly [code: string, wrong: string, happen: (holder: Holder) => Promise<unknown>][] = [
  ["token_incomplete", "a token without its end", ({ token, take }) => take(token.slice(0, -1))],
  ["token_incomplete", "something that is no token", ({ sealKey, take }) => take(sealKey.value)],
  ["token_altered", "sealed claims that were changed", ({ token, take }) => take(altered(token, 3, flip))],
  ["token_altered", "a tag that was changed", ({ token, take }) => take(altered(token, 4, flip))],
  [
    "token_of_another_version",
    "a header of tomorrow",
    ({ token, take }) => take(altered(token, 0, (header) => header.write("9", header.indexOf("login-1") + 6))),
  ],
  ["token_of_another_key", "another key", ({ token, take }) => take(token, { key: otherKey.value })],
  ["token_used", "a token that was used", ({ token, take }) => take(token, { claimStore: { claim: () => false } })],
  [
    "handler_failed",
    "a store that throws what it was given",
    ({ token, sealKey, take }) =>
      take(token, {
        claimStore: {
          claim: (id) => {
            throw Object.assign(new Error(`${id} ${token}`, { cause: sealKey.value }), { token });
          },
        },
      }),
  ],
  [
    "handler_failed",
    "a store that throws a part of the token",
    ({ token, take }) => take(token, { claimStore: { claim: () => Promise.reject(new Error(token.split(".")[3])) } }),
  ],
  [
    "invalid_input",
    "a key that is too long",
    ({ token, sealKey, take }) => take(token, { key: `${sealKey.value}AAAA` }),
  ],
  [
    "token_expired",
    "a token whose time is over",
    ({ token, take }) => {
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 });
      return take(token);
    },
  ],
];

describe("nothing of the login, the token or its key is in the error", () => {
  const failing = async (happen: (holder: Holder) => Promise<unknown>, baseUrl?: string) => {
    const { canaries, sealKey, secrets, bank, watching, actor, reaches } = await begin(({ firstKey }) => [
      asks("otp", firstKey.value),
    ]);
    await reaches(actor, "awaitingInteraction");
    const token = await pause(actor, { key: sealKey.value });
    const [header = "", , vector = "", claims = "", tag = ""] = token.split(".");
    const parts = { header, vector, claims, tag };
    secrets.push(otherKey, ...Object.entries(parts).map(([name, value]) => canaryOf(`the token's ${name}`, value)));
    const client = bank.client({ apiKey: canaries.apiKey.value, ...(baseUrl && { baseUrl }) });
    const error = await happen({
      token,
      sealKey,
      take: (given, options) => resume(client, given, { key: sealKey.value, ...options }),
    }).then(
      () => undefined,
      (fault: TokenError) => fault,
    );
    watching.see("token error", error);
    expect(watching.findings()).toEqual([]);
    expect(bank.requests).toHaveLength(1);
    return error?.code;
  };

  test.each(wrongs)("%s, by %s", async (code, _, happen) => {
    expect(await failing(happen)).toBe(code);
  });

  test("token_of_another_address", async () => {
    expect(await failing(({ token, take }) => take(token), "http://bank.test")).toBe("token_of_another_address");
  });

  test("login_not_waiting, while a request is under way", async () => {
    const { sealKey, actor, watching, reaches } = await begin(() => ["held"]);
    await reaches(actor, "submitting");
    const error = await pause(actor, { key: sealKey.value }).catch((fault: unknown) => fault);
    watching.see("token error", error);
    expect(error).toMatchObject({ code: "login_not_waiting" });
    expect(watching.findings()).toEqual([]);
  });
});
