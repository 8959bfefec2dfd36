import { inspect as print } from "node:util";
import { inspectAll, type LifecycleEvent, onLifecycle } from "ventanilla/telemetry";
import { describe, expect, test } from "vitest";
import { fromPromise } from "xstate";
import { traceLogins } from "../../src/telemetry/opentelemetry/index.ts";
import { asks, loggedIn, startService } from "../bank/service.ts";
import { type Canary, findCanaries } from "../leaks/canaries.ts";
import { linkStatechart, loginStatechart } from "../leaks/drivers.ts";
import { breaking, createProvingClient, type Flow, flowCanaries, logins, usedIn } from "../leaks/flows.ts";
import { startFlow } from "../leaks/hunt.ts";
import { recorder } from "./spans.ts";

const printed = (value: unknown) => print(value, { showHidden: true, depth: 8, getters: true });

/** Where a value shows a canary: in itself, in JSON, printed with hidden members. */
function leaks(value: unknown, canaries: readonly Canary[]): string[] {
  return [value, JSON.stringify(value), printed(value)].flatMap((form) => findCanaries(form, canaries));
}

/** A service whose answers repeat what was sent where telemetry looks: as a field's name, and as a status. */
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

describe.each(["apiKey", "appToken"] as const)("with %s, no canary shows in an event or a span", (proof) => {
  const flows = [...logins, ...breaking, ...echoing];
  const drivers = { "the login statechart": loginStatechart, "the link statechart": linkStatechart };
  const cases = flows.flatMap((flow) =>
    Object.entries(drivers).map(([surface, drive]) => [flow.name, surface, flow, drive] as const),
  );

  test.each(cases)("%s, in %s", async (_name, _surface, flow, drive) => {
    const canaries = flowCanaries();
    const bank = await startFlow(flow, canaries);
    const events: LifecycleEvent[] = [];
    const { inspect, spans, open } = recorder();
    const actors: { stop(): unknown }[] = [];
    const watching = {
      inspect: inspectAll(
        onLifecycle((event) => void events.push(event)),
        inspect,
      ),
      actor: (actor: { stop(): unknown }) => void actors.push(actor),
      see: () => {},
      hooks: {},
      findings: () => [],
    };
    const client = createProvingClient(bank, canaries, proof, {
      ...(flow.timeout && { timeout: { login: flow.timeout } }),
    });
    await drive(client, canaries, watching as never, flow.settings ?? {});
    for (const actor of actors) actor.stop();

    const sent = bank.requests.map(({ url, body, headers }) => `${url} ${body} ${JSON.stringify(headers)}`).join("\n");
    expect(usedIn(flow, proof).filter((name) => !sent.includes(canaries[name].token))).toEqual([]);
    expect(events.length).toBeGreaterThanOrEqual(2);
    expect(leaks(events, Object.values(canaries))).toEqual([]);
    expect(open()).toEqual([]);
    const shown = spans().map(({ name, attributes, events, status, links, resource }) => ({
      name,
      attributes,
      events,
      status,
      links,
      resource: resource.attributes,
    }));
    expect(shown.length).toBeGreaterThanOrEqual(2);
    expect(leaks(shown, Object.values(canaries))).toEqual([]);
  });

  test("but one that is planted in an event or a span is found in each form", () => {
    const canaries = flowCanaries();
    const { tracer, spans } = recorder();
    tracer.startSpan("planted", { attributes: { note: canaries.password.value } }).end();
    expect(leaks([{ type: "login.failed", code: canaries.password.token }], [canaries.password])).toHaveLength(3);
    const [{ attributes } = { attributes: {} }] = spans();
    expect(leaks(attributes, [canaries.password])).toHaveLength(3);
    const hidden = Object.defineProperty({}, "note", { value: canaries.password.token });
    expect(leaks(hidden, [canaries.password])).toHaveLength(2);
  });
});

test("what an actor of one's own says or throws goes on only where it is known", async () => {
  const { createActor, waitFor } = await import("xstate");
  const { createCredentials } = await import("ventanilla");
  const { loginMachine } = await import("ventanilla/machines/login");
  const canaries = flowCanaries();
  const { password } = canaries;
  const never = fromPromise<never, never>(() => new Promise(() => {}));
  const said = [
    () => Promise.reject({ code: password.token, request: password.value, httpStatus: password.value }),
    () => Promise.reject({ code: "network_failed", request: password.value, httpStatus: password.value }),
    () => Promise.resolve({ status: password.token }),
    () => Promise.resolve({ status: "refused", failure: { kind: "outcome", code: password.token } }),
    () => Promise.resolve({ status: "refused", failure: { code: "wrong_credentials", wireStatus: password.value } }),
  ];
  for (const say of said) {
    const events: LifecycleEvent[] = [];
    const { tracer, spans, open } = recorder();
    const machine = loginMachine.provide({
      actors: {
        submitCredentials: fromPromise(say as never) as never,
        listClients: never as never,
        selectClient: never as never,
        closeSession: never as never,
        waitUntil: never as never,
      },
    });
    const inspect = inspectAll(
      onLifecycle((event) => void events.push(event)),
      traceLogins({ tracer }),
    );
    const actor = createActor(machine, { input: {}, inspect }).start();
    actor.send({
      type: "credentials.submit",
      credentials: createCredentials({ provider: "test", username: "ana", password: "hunter two" }),
    });
    await waitFor(actor, (snapshot) => snapshot.matches("failed"));
    actor.stop();
    expect(open()).toEqual([]);
    const shown = [events, spans().map(({ attributes, status, events }) => ({ attributes, status, events }))];
    expect(leaks(shown, [password])).toEqual([]);
    expect(spans()).toHaveLength(2);
  }
});

test("the session key is no part of what tells logins apart", async () => {
  const service = await startService([loggedIn("k")]);
  const { login } = await import("ventanilla");
  const ids: string[] = [];
  const inspect = onLifecycle(({ id }) => void ids.push(id));
  await login(service.client(), {
    provider: "test",
    username: "ana",
    password: "hunter two",
    onInteraction: () => null,
    inspect,
  });
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), ids[0]]);
});
