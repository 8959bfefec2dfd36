import { createBankClient } from "ventanilla";
import { describe, expect, test } from "vitest";
import { createActor, emit, fromPromise, setup } from "xstate";
import { startService } from "../bank/service.ts";
import { newCanaries } from "./canaries.ts";
import { channels, type Source, type Watch, watch } from "./channels.ts";

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A statechart that keeps its input in plain text. */
function leak(watching: Watch, canary: string) {
  const machine = setup({
    types: { input: {} as string, context: {} as { note: string }, emitted: {} as { type: "noted"; note: string } },
    actors: { idle: fromPromise<void, { note: string }>(() => new Promise(() => {})) },
  }).createMachine({
    context: ({ input }) => ({ note: input }),
    entry: emit(({ context }) => ({ type: "noted", note: context.note })),
    invoke: { src: "idle", input: ({ context }) => context },
    on: { note: { actions: emit(({ context }) => ({ type: "noted", note: context.note })) } },
  });
  const actor = createActor(machine, { input: canary, inspect: watching.inspect });
  watching.actor(actor);
  actor.start();
  actor.send({ type: "note" });
  actor.stop();
}

/** Leaks a value into each channel, in the way that a real leak would. */
const plants: Record<Source, (watching: Watch, canary: string) => unknown> = {
  inspection: leak,
  snapshot: leak,
  "persisted snapshot": leak,
  "emitted event": leak,
  statechart: (watching, canary) => watching.see("statechart", setup({}).createMachine({ meta: { note: canary } })),
  view: (watching, canary) =>
    watching.see("view", { state: "awaitingInteraction", question: { field: { initial: canary } }, answer: () => {} }),
  // As libraries for schemas do: an issue holds the input, and the path to it contains the form.
  "form issue": (watching, canary) =>
    watching.see("form issue", {
      issues: [{ message: "no", input: canary, path: [{ key: "a", input: { b: canary } }] }],
    }),
  "lifecycle event": (watching, canary) => watching.see("lifecycle event", { type: "login.failed", code: canary }),
  span: (watching, canary) => watching.see("span", { name: "login", attributes: { note: canary } }),
  metric: (watching, canary) =>
    watching.see("metric", { name: "ventanilla.login.duration", attributes: { note: canary } }),
  // As HTTP libraries do: the address in a member, what was sent further down.
  error: (watching, canary) =>
    watching.see("error", Object.assign(new Error("no", { cause: { body: canary } }), { url: canary })),
  outcome: (watching, canary) => watching.see("outcome", { state: "loggedIn", key: canary }),
  // A token that is signed, and not sealed: its claims can be read.
  "sealed token": (watching, canary) => {
    const claims = Buffer.from(JSON.stringify({ password: canary })).toString("base64url");
    watching.see("sealed token", `${encodeURIComponent(canary)}.${claims}.`);
  },
  // As libraries for tokens do: an error for a token that has expired comes with its claims.
  "token error": (watching, canary) =>
    watching.see("token error", Object.assign(new Error("no", { cause: canary }), { payload: { password: canary } })),
  handler: (watching, canary) => watching.see("handler", [{ context: canary }, { signal: AbortSignal.abort() }]),
  "request hook": async (watching, canary) => {
    const service = await startService([]);
    const baseUrl = `${service.url}/${encodeURIComponent(canary)}`;
    await createBankClient({ baseUrl, apiKey: "k", retry: false, ...watching.hooks }).listProviders();
  },
  // As a log of all that a browser wrote does.
  "relay event": (watching, canary) => watching.see("relay event", { route: "unknown", status: canary }),
  "app message": (watching, canary) => watching.see("app message", JSON.stringify({ type: "failure", text: canary })),
  // A key that is encoded, and not sealed.
  storage: (watching, canary) =>
    watching.see(
      "storage",
      `{"text":"${canary}","key":"${Buffer.from(canary).toString("base64url")}"}`.split('"').join("."),
    ),
  console: (_, canary) => {
    console.debug("sending %o", { body: canary });
  },
  output: (_, canary) => {
    process.stderr.write(canary);
  },
  "process event": (_, canary) => {
    process.emitWarning(canary);
    Promise.reject(new Error(canary));
    return turn();
  },
};

describe("a canary that is planted in a channel is found", () => {
  const each = Object.entries(channels).flatMap(([source, forms]) =>
    forms.map((form) => [source as Source, form] as const),
  );
  test.each(each)("%s, %s", async (source, form) => {
    const { note } = newCanaries(["note"]);
    const watching = watch([note]);
    await plants[source](watching, note.value);
    expect(watching.sightings(source)).toBeGreaterThan(0);
    const ofChannel = watching.findings().filter((finding) => finding.startsWith(`${source}, ${form}: note at `));
    expect(ofChannel).not.toEqual([]);
  });

  const consoles = (["log", "info", "warn", "error", "debug", "trace", "dir", "table"] as const).map(
    (method): [Source, string, (canary: string) => unknown] => ["console", method, (text) => console[method]([text])],
  );
  test.each<[Source, string, (canary: string) => unknown]>([
    ...consoles,
    ["process event", "a warning", (canary: string) => process.emitWarning(canary)],
    ["process event", "an unhandled rejection", (canary: string) => void Promise.reject(new Error(canary))],
    [
      "process event",
      "an uncaught exception",
      (canary: string) =>
        setImmediate(() => {
          throw new Error(canary);
        }),
    ],
  ])("%s: %s", async (source, _, plant) => {
    const { note } = newCanaries(["note"]);
    const watching = watch([note]);
    plant(note.value);
    await turn();
    await turn();
    expect(watching.findings()).toContainEqual(expect.stringMatching(`^${source}, raw: note at `));
  });

  test("every kind of inspection event is searched", () => {
    const { note } = newCanaries(["note"]);
    const watching = watch([note]);
    const kinds = new Set<string>();
    leak(
      {
        ...watching,
        inspect: (event) => {
          kinds.add(event.type);
          watching.inspect(event);
        },
      },
      note.value,
    );
    expect([...kinds].sort().join(" ")).toBe(
      "@xstate.action @xstate.actor @xstate.event @xstate.microstep @xstate.snapshot",
    );
  });
});

test("nothing is found where there is no canary", () => {
  const { note, other } = newCanaries(["note", "other"]);
  const watching = watch([note]);
  leak(watching, other.value);
  expect(watching.sightings("inspection")).toBeGreaterThan(0);
  expect(watching.findings()).toEqual([]);
});
