import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createLinkMachine, createLoginMachine, readState } from "ventanilla";
import { expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { asks, loggedIn, type Service, startSandbox, startService } from "../../bank/service.ts";
import { submit } from "../../core/login/started.ts";
import { observed } from "./observed.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Whether the garbage collector removes an object. */
async function goes(reference: WeakRef<object>, turns = 50): Promise<boolean> {
  for (let turn = 0; turn < turns && reference.deref(); turn++) {
    // A turn of the event loop: until then a WeakRef that was made or read keeps its target.
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  return reference.deref() === undefined;
}

async function runLogin(service: Service, inspect: ReturnType<typeof observed>["inspect"]): Promise<WeakRef<object>> {
  // A time to answer has a timer, which holds the login until it runs out.
  const input = { validate: false, answerTimeout: Number.POSITIVE_INFINITY };
  const actor = createActor(createLoginMachine(service.client()), { input, inspect }).start();
  actor.send(submit);
  await waitFor(actor, (snapshot) => !["idle", "submitting"].includes(readState(snapshot).state));
  return new WeakRef(actor);
}

test.each([
  ["finished", loggedIn("k")],
  ["left while it waits", asks("otp", "k")],
])("telemetry does not keep a login that is %s in memory", async (_end, reply) => {
  const service = await startService([reply]);
  const { inspect } = observed(service);
  expect(await goes(await runLogin(service, inspect))).toBe(true);
  // Still in use.
  expect(inspect).toBeTypeOf("function");
});

test("nor the requests of a running flow; the running flow itself is found in memory", async () => {
  const service = await startSandbox();
  const { inspect } = observed(service);
  const actor = createActor(createLinkMachine(service.client()), { input: {}, inspect }).start();
  const children = Object.values(actor.getSnapshot().children);
  const request = new WeakRef(children.splice(0).find((child) => child?.id === "listProviders") as object);
  await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
  expect(await goes(request)).toBe(true);
  expect(await goes(new WeakRef(actor), 5)).toBe(false);
  actor.stop();
});
