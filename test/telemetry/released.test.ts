import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createLinkMachine, createLoginMachine, readState } from "ventanilla";
import { inspectAll, onLifecycle } from "ventanilla/telemetry";
import { expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { asks, loggedIn, startSandbox, startService } from "../bank/service.ts";
import { submit } from "../login/started.ts";
import { recorder } from "./spans.ts";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Whether what is referred to goes once the garbage collector may take it. */
async function goes(reference: WeakRef<object>, turns = 50): Promise<boolean> {
  for (let turn = 0; turn < turns && reference.deref(); turn++) {
    // A turn of the event loop: until then a WeakRef that was made or read keeps its target.
    await new Promise((resolve) => setTimeout(resolve, 5));
    collect();
  }
  return reference.deref() === undefined;
}

const watching = () =>
  inspectAll(
    onLifecycle(() => {}),
    recorder().inspect,
  );

test.each(["finished", "failed", "stopped", "cancelled", "left while it waits"])(
  "a login that is over, %s, is not held by those who watched it",
  async (end) => {
    const last = end === "failed" ? { json: { status: "wrong_credentials" } } : loggedIn("k");
    const service = await startService([end === "finished" || end === "failed" ? last : asks("otp", "k")]);
    const inspect = watching();
    const run = async () => {
      // A time to answer has a timer, which holds the login until it runs out.
      const input = { answerTimeout: Number.POSITIVE_INFINITY };
      const actor = createActor(createLoginMachine(service.client()), { input, inspect });
      actor.start();
      actor.send(submit);
      await waitFor(actor, (snapshot) => !["idle", "submitting"].includes(readState(snapshot)));
      if (end === "stopped") actor.stop();
      if (end === "cancelled") actor.send({ type: "login.cancel" });
      return new WeakRef(actor);
    };
    expect(await goes(await run())).toBe(true);
    // Still in use.
    expect(inspect).toBeTypeOf("function");
  },
);

test("the requests of a flow that goes on are not held either, and what is held is found", async () => {
  const service = await startSandbox();
  const inspect = watching();
  const actor = createActor(createLinkMachine(service.client()), { input: {}, inspect });
  actor.start();
  const child = (id: string) => {
    const one = Object.values(actor.getSnapshot().children).find((candidate) => candidate?.id === id);
    return new WeakRef(one as object);
  };
  const request = child("listProviders");
  await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
  expect(await goes(request)).toBe(true);
  expect(await goes(new WeakRef(actor), 5)).toBe(false);
  actor.stop();
});
