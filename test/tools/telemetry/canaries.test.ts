import { createCredentials } from "ventanilla";
import { loginMachine } from "ventanilla/machines/login";
import { expect, test } from "vitest";
import { createActor, fromPromise, waitFor } from "xstate";
import { person } from "../../bank/service.ts";
import { watch } from "../../leaks/channels.ts";
import { flowCanaries } from "../../leaks/flows.ts";

// That nothing of a login shows in events and spans: test/leaks/scan.test.ts.

const { password } = flowCanaries();
test.each([
  () => Promise.reject({ code: password.token, request: password.value, httpStatus: password.value }),
  () => Promise.reject({ code: "network_failed", request: password.value, httpStatus: password.value }),
  () => Promise.resolve({ status: password.token }),
  () => Promise.resolve({ status: "refused", failure: { kind: "outcome", code: password.token } }),
  () => Promise.resolve({ status: "refused", failure: { code: "wrong_credentials", wireStatus: password.value } }),
])("of the output or error of the user's own actor only known codes are shown (%#)", async (say) => {
  const watching = watch([password], (source) => ["lifecycle event", "span", "metric"].includes(source));
  const machine = loginMachine.provide({ actors: { submitCredentials: fromPromise(say as never) as never } });
  const actor = createActor(machine, { input: { validate: false }, inspect: watching.inspect }).start();
  actor.send({ type: "credentials.submit", credentials: createCredentials(person) });
  await waitFor(actor, (snapshot) => snapshot.matches("failed"));
  actor.stop();
  expect(watching.sightings("span")).toBe(2);
  expect(watching.sightings("lifecycle event")).toBe(2);
  expect(watching.sightings("metric")).toBe(4);
  expect(watching.findings()).toEqual([]);
});
