import { inspect as print } from "node:util";
import { createCredentials } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { asks, person } from "../bank/service.ts";
import { type Canary, findCanaries } from "../leaks/canaries.ts";
import { linkStatechart, loginStatechart } from "../leaks/drivers.ts";
import { breaking, createProvingClient, type Flow, flowCanaries, logins, usedIn } from "../leaks/flows.ts";
import { startFlow } from "../leaks/hunt.ts";
import { observed } from "./observed.ts";

/** The canaries in events and spans: in the values, in JSON, printed with hidden members. */
function leaks({ events, spans }: Pick<ReturnType<typeof observed>, "events" | "spans">, canaries: readonly Canary[]) {
  const shown = spans().map(({ name, attributes, events, status, links, resource }) => ({
    name,
    attributes,
    events,
    status,
    links,
    resource: resource.attributes,
  }));
  const printed = print([events, shown], { showHidden: true, depth: 8, getters: true });
  return [[events, shown], JSON.stringify([events, shown]), printed].flatMap((form) => findCanaries(form, canaries));
}

/** Flows of a service that repeats secrets where telemetry looks: as the name of a field and as a status. */
const echoing: readonly Flow[] = [
  { name: "a field named as the password", script: ({ password }) => [asks(password.value, "k")], ends: "failed" },
  {
    name: "a status that is the username",
    script: ({ username }) => [{ json: { status: username.value } }],
    ends: "failed",
  },
  {
    name: "a status that is the session key",
    script: ({ firstKey }) => [asks("otp", firstKey.value), { json: { status: firstKey.value } }],
    ends: "failed",
  },
];

const watchedFlows = [...logins, ...breaking, ...echoing].flatMap((flow) => [
  { flow, proof: "apiKey", drive: linkStatechart, fewestSpans: 4 } as const,
  { flow, proof: "appToken", drive: loginStatechart, fewestSpans: 2 } as const,
]);

test.each(watchedFlows)(
  "no canary of $flow.name shows in an event or a span, with the $proof",
  async ({ flow, proof, drive, fewestSpans }) => {
    const canaries = flowCanaries();
    const bank = await startFlow(flow, canaries);
    const watched = observed(bank);
    const actors: { stop(): unknown }[] = [];
    const watching = {
      inspect: watched.inspect,
      actor: (actor: { stop(): unknown }) => void actors.push(actor),
      see: () => {},
    };
    const timeout = flow.timeout ? { timeout: { login: flow.timeout } } : {};
    const client = createProvingClient(bank, canaries, proof, timeout);
    await drive(client, canaries, watching as never, flow.settings ?? {});
    for (const actor of actors) actor.stop();

    const sent = bank.requests.map(({ url, body, headers }) => `${url} ${body} ${JSON.stringify(headers)}`).join("\n");
    expect(usedIn(flow, proof).filter((name) => !sent.includes(canaries[name].token))).toEqual([]);
    expect(watched.events.length).toBeGreaterThanOrEqual(2);
    expect(watched.spans().length).toBeGreaterThanOrEqual(fewestSpans);
    expect(watched.open()).toEqual([]);
    expect(leaks(watched, Object.values(canaries))).toEqual([]);
  },
);

const { password } = flowCanaries();
test.each([
  () => Promise.reject({ code: password.token, request: password.value, httpStatus: password.value }),
  () => Promise.reject({ code: "network_failed", request: password.value, httpStatus: password.value }),
  () => Promise.resolve({ status: password.token }),
  () => Promise.resolve({ status: "refused", failure: { kind: "outcome", code: password.token } }),
  () => Promise.resolve({ status: "refused", failure: { code: "wrong_credentials", wireStatus: password.value } }),
])("of the output or error of the user's own actor only known codes are shown (%#)", async (say) => {
  const watched = observed({ client: () => undefined } as never);
  const machine = loginMachine.provide({ actors: { submitCredentials: fromPromise(say as never) as never } });
  const actor = createActor(machine, { input: {}, inspect: watched.inspect }).start();
  actor.send({ type: "credentials.submit", credentials: createCredentials(person) });
  await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  actor.stop();
  expect(watched.open()).toEqual([]);
  expect(watched.spans()).toHaveLength(2);
  expect(leaks(watched, [password])).toEqual([]);
  // A planted secret is found in each form.
  watched.tracer.startSpan("planted", { attributes: { note: password.value } }).end();
  expect(leaks(watched, [password])).toHaveLength(3);
});
