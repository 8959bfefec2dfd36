import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatResponse, listen, type Received } from "../faults/wire.ts";
import { programs } from "../programs.ts";
import { grown } from "./grown.ts";

const run = programs(new URL("released.ts", import.meta.url));

const seed = randomBytes(12).toString("hex");

/** What the bank says to the last login of a flow; `undefined`: nothing. */
const endings: Readonly<Record<string, object | "broken" | undefined>> = {
  "is refused": { status: "wrong_credentials" },
  "is refused in its statechart": { status: "wrong_credentials" },
  breaks: "broken",
  "breaks in its statechart": "broken",
  "breaks, and the error is not printed": "broken",
  "has too many sessions": { status: "max_sessions_reached" },
  "runs into the time-out": undefined,
  "is cancelled under way in its statechart": undefined,
};

function answer({ target }: Received): object | "broken" | undefined {
  const url = new URL(target, "http://bank.test");
  const [, encoded = "", ...path] = url.pathname.split("/");
  const flow = decodeURIComponent(encoded);
  const withKey = (said: object, name: string) => ({ ...said, key: grown(seed, flow, name) });
  switch (path.join("/")) {
    case "provider/":
      return { status: "success", providers: [{ code: "test", country: "UY", name: "Test" }] };
    case "provider/test/":
      return { status: "success", provider: { name: "Test", country: "UY", auth_fields: [] } };
    case "transfer/destinations":
      return { status: "success", destinations: [] };
    case "client/":
      return { status: "success", clients: { 0: "First Client" } };
    case "client/0/":
      return withKey({ status: "success" }, "sessionKey");
  }
  if (!url.searchParams.has("key")) {
    if (flow === "is cancelled under way") return undefined;
    if (flow === "chooses a client") return withKey({ status: "select_client" }, "interactionKey");
    return withKey({ status: "interaction_required", field: "otp", context: "code?" }, "interactionKey");
  }
  const ending = flow in endings ? endings[flow] : { status: "logged_in" };
  return typeof ending === "object" ? withKey(ending, "sessionKey") : ending;
}

const secrets = ["username", "password", "companyCode", "answer", "interactionKey", "sessionKey", "apiKey"] as const;
type Name = (typeof secrets)[number];

const unanswered: readonly Name[] = ["username", "password", "companyCode", "apiKey"];
const answered: readonly Name[] = [...unanswered, "answer", "interactionKey"];

// The client is kept, and with it its API key. Where a session was reached, the outcome that is kept holds its key.
/** By flow: what the login must have sent, and what may be left in memory after it. */
const ended: readonly (readonly [flow: string, sent: readonly Name[], left: readonly Name[]])[] = [
  ["succeeds", answered, ["sessionKey", "apiKey"]],
  ["is refused", answered, ["apiKey"]],
  ["breaks", answered, ["apiKey"]],
  ["has too many sessions", answered, ["sessionKey", "apiKey"]],
  ["runs into the time-out", answered, ["apiKey"]],
  ["runs out of time", unanswered, ["apiKey"]],
  ["meets a handler that throws", unanswered, ["apiKey"]],
  ["is cancelled at a question", unanswered, ["apiKey"]],
  ["is cancelled under way", unanswered, ["apiKey"]],
  ["is over in its statechart", answered, ["sessionKey", "apiKey"]],
  ["is refused in its statechart", answered, ["apiKey"]],
  ["breaks in its statechart", answered, ["apiKey"]],
  ["is cancelled in its statechart", unanswered, ["apiKey"]],
  ["is cancelled under way in its statechart", answered, ["apiKey"]],
  ["chooses a client", [...unanswered, "interactionKey"], ["sessionKey", "apiKey"]],
  ["is paused", unanswered, ["apiKey"]],
  ["is taken up", answered, ["sessionKey", "apiKey"]],
  ["is part of a link", [...answered, "sessionKey"], ["sessionKey", "apiKey"]],
  ["is over with its client", answered, []],
  // V8 keeps the frames of an error, with the objects that they ran on, until somebody reads its stack: see BankError.
  ["breaks, and the error is not printed", answered, ["apiKey"]],
  ["meets a handler that throws, and the error is not printed", unanswered, ["apiKey"]],
];

const note = grown(seed, "control", "note");

let folder = "";
let sent = "";
let heap = "";

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "ventanilla-released-"));
  const bank = await listen({
    onRequest: (socket, request) => {
      const said = answer(request);
      if (said === "broken") socket.destroy();
      else if (said)
        socket.write(formatResponse("200 OK", JSON.stringify(said), { "content-type": "application/json" }));
    },
  });
  const file = join(folder, "released.heapsnapshot");
  const parameters = [seed, `http://127.0.0.1:${bank.port}`, file];
  const { code, complaints } = await run("released", { parameters, options: ["--expose-gc"] });
  expect([code, complaints]).toEqual([0, ""]);
  sent = bank.requests.map(({ bytes }) => bytes).join("\n");
  await bank.close();
  heap = await readFile(file, "utf8");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the memory of a process holds no secret but what its program still holds, of a login that", () => {
  test.each(ended)("%s", (flow, names, left) => {
    const isIn = (text: string) => (name: Name) => text.includes(grown(seed, flow, name));
    expect(names.filter(isIn(sent))).toEqual(names);
    // What holds one of them: the memory panel of Chromium's developer tools opens the snapshot.
    expect(secrets.filter(isIn(heap))).toEqual(left);
  });
});

test("a secret that is kept on purpose is found", () => {
  expect(heap).toContain(note);
});
