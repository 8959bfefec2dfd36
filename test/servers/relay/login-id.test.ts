import { BankError, type LoginOutcome, resume } from "ventanilla";
import type { RelayOptions } from "ventanilla/relay";
import { createMemoryStore } from "ventanilla/tokens";
import { expect, test } from "vitest";
import {
  expectedId,
  type LoginCase,
  loginUnread,
  openQuestion,
  type Service,
  startService,
  toLogin,
} from "../../bank/service.ts";
import { observed } from "../../tools/telemetry/observed.ts";
import { SEAL_KEY, stage } from "./stage.ts";

const otp = { provider: "test", username: "12345otp", password: "asdfg" };
const company = { provider: "canal_pa", username: "newkey", password: "s3creto", fields: { company_code: "7701" } };
const busy = { provider: "faro_uy", username: "sessions", password: "s3creto" };

/** A page's logins on a relay, and every id that they have anywhere. */
async function stageIds(options: Partial<RelayOptions> = {}, bank?: Service) {
  const failed: string[] = [];
  const onError = (_: BankError, { id }: { readonly id: string }) => void failed.push(id);
  const set = await stage({ ...options, onError }, bank && { bank });
  const page = observed({ client: (more) => set.browser(more) });
  const ids = () => ({
    lifecycle: page.events.map(({ id }) => id),
    // Each request of a login has a span.
    spans: [...new Set(page.spans().flatMap(({ attributes }) => attributes["ventanilla.login.id"] ?? []))],
    relay: set.events.map(({ id }) => id),
    onLogin: set.logins.map(({ id }) => id),
    onError: failed,
  });
  return { ...page, set, ids };
}

test.each<[what: string, form: LoginCase, options: Partial<RelayOptions>, requests: number]>([
  ["with a question", { ...otp, onInteraction: () => "8888" }, {}, 2],
  ["with a choice of client", { ...company, onSelectClient: () => "1" }, { clientSelection: true }, 3],
  ["that closes another session first", { settings: { sessionReplacement: true }, ...busy }, { logout: true }, 3],
])("a login %s has one id, from the page to the server behind the relay", async (_, form, options, requests) => {
  const { client, inspect, set, ids } = await stageIds(options);
  const outcome = await loginUnread(client, ...toLogin({ ...form, inspect }));
  if (outcome.state !== "loggedIn") expect.fail(outcome.state);
  await client.listTransferDestinations(outcome.key);
  const { id } = outcome;
  expect(id).toEqual(expectedId);
  const found = ids();
  expect(new Set(Object.values(found).flat())).toEqual(new Set([id]));
  expect(found).toMatchObject({ spans: [id], onLogin: [id], onError: [] });
  expect(set.events).toHaveLength(requests + 1);
});

test("a login that fails has the id of its errors", async () => {
  const bank = await startService(() => ({ http: 500, text: "The bank is down." }));
  const { client, inspect, ids } = await stageIds({}, bank);
  await loginUnread(client, otp, { inspect }).catch((error: unknown) => expect(error).toBeInstanceOf(BankError));
  const found = ids();
  const [id] = found.onError;
  expect(found).toEqual({ lifecycle: [id, id], spans: [id], relay: [id], onLogin: [], onError: [id] });
});

test("a login that is paused goes on under its id", async () => {
  const { client, inspect, ids } = await stageIds();
  const asked = openQuestion(await loginUnread(client, otp, { inspect }));
  const token = await asked.pause({ key: SEAL_KEY });
  const resumed = await resume(client, token, {
    key: SEAL_KEY,
    claimStore: createMemoryStore({ rows: new Map() }),
    inspect,
  });
  const outcome: LoginOutcome = await openQuestion(resumed).answer("8888");
  expect(new Set([...Object.values(ids()).flat(), asked.id])).toEqual(new Set([outcome.id]));
});
