import { writeHeapSnapshot } from "node:v8";
import {
  type BankClient,
  createBankClient,
  createCredentials,
  createLinkMachine,
  createLoginMachine,
  type LoginOptions,
  type LoginState,
  login,
  pause,
  resume,
  secret,
} from "ventanilla";
import { createMemoryStore } from "ventanilla/tokens";
import { createActor, waitFor } from "xstate";
import { openQuestion } from "../bank/service.ts";
import { readPosition } from "../machines/position.ts";
import { grown } from "./grown.ts";

// A program of its own, run by released.test.ts: it logs in again and again, keeps what a program may keep of that, and
// writes down its memory.

const [seed = "", address = "", file = ""] = process.argv.slice(2);
const SEAL_KEY = Buffer.alloc(32, 7).toString("base64");

/** A login with canaries. What it resolves with is kept, and its client as well. */
type Flow = (client: BankClient, canary: (name: string) => string) => Promise<unknown>;

const toForm = (canary: (name: string) => string) => ({
  provider: "test",
  username: `${canary("username")} &=ñ`,
  password: `${canary("password")} &=ñ`,
  fields: { company_code: `${canary("companyCode")} &=ñ` },
});

const unprinted =
  (options: LoginOptions = {}): Flow =>
  (client, canary) =>
    login(client, toForm(canary), {
      onInteraction: () => `${canary("answer")}&=ñ`,
      ...options,
      settings: { validate: false, ...options.settings },
    }).catch((error: unknown) => error);

// The way of every log: an error is kept once its stack was written out.
const headless =
  (options: LoginOptions = {}): Flow =>
  async (client, canary) => {
    const end = await unprinted(options)(client, canary);
    if (end instanceof Error) String(end.stack);
    return end;
  };

const noAnswer = () => {
  throw new Error("no answer today");
};

const started = (client: BankClient, canary: (name: string) => string, settings = {}) => {
  const actor = createActor(createLoginMachine(client), { input: { validate: false, ...settings } });
  actor.start();
  actor.send({ type: "credentials.submit", credentials: createCredentials(toForm(canary)) });
  const reaches = (state: string) => waitFor(actor, (snapshot) => readPosition(snapshot) === state);
  return { actor, reaches };
};

const statechart =
  (end: string, settings = {}): Flow =>
  async (client, canary) => {
    const { actor, reaches } = started(client, canary, settings);
    await reaches("awaitingInteraction");
    actor.send({ type: "interaction.answer", answer: { otp: secret(`${canary("answer")}&=ñ`) } });
    await reaches(end);
    return actor;
  };

const untilAsked = async (client: BankClient, canary: (name: string) => string) => {
  const { actor, reaches } = started(client, canary);
  await reaches("awaitingInteraction");
  return actor;
};

const flows: Readonly<Record<string, Flow>> = {
  succeeds: headless(),
  "is refused": headless(),
  breaks: headless(),
  "has too many sessions": headless(),
  "runs into the time-out": headless(),
  "runs out of time": headless({ settings: { answerTimeout: 1 }, onInteraction: () => new Promise(() => {}) }),
  "meets a handler that throws": headless({ onInteraction: noAnswer }),
  "breaks, and the error is not printed": unprinted(),
  "meets a handler that throws, and the error is not printed": unprinted({ onInteraction: noAnswer }),
  "is cancelled at a question": async (client, canary) => {
    const controller = new AbortController();
    const onInteraction = () => {
      // The signal's reason is an error of the platform's, with the frames it was made in: those of a timer hold nothing.
      setTimeout(() => controller.abort());
      return new Promise<never>(() => {});
    };
    return [controller, await headless({ signal: controller.signal, onInteraction })(client, canary)];
  },
  "is cancelled under way": async (client, canary) => {
    const controller = new AbortController();
    const onTransition = (state: LoginState) => {
      if (state.state === "submitting") setTimeout(() => controller.abort(), 1_000);
    };
    return [controller, await headless({ signal: controller.signal, onTransition })(client, canary)];
  },
  "is over in its statechart": statechart("loggedIn"),
  "is refused in its statechart": statechart("failed"),
  "breaks in its statechart": statechart("failed"),
  "is cancelled in its statechart": async (client, canary) => {
    const actor = await untilAsked(client, canary);
    actor.send({ type: "login.cancel" });
    return actor;
  },
  "is cancelled under way in its statechart": async (client, canary) => {
    const actor = await untilAsked(client, canary);
    actor.send({ type: "interaction.answer", answer: { otp: secret(`${canary("answer")}&=ñ`) } });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    actor.send({ type: "login.cancel" });
    return actor;
  },
  "chooses a client": async (client, canary) => {
    const { actor, reaches } = started(client, canary, { clientSelection: true });
    await reaches("selectClient.choosing");
    actor.send({ type: "client.choose", client: "0" });
    await reaches("loggedIn");
    return actor;
  },
  "is paused": async (client, canary) => pause(client, await untilAsked(client, canary), { key: SEAL_KEY }),
  "is taken up": async (client, canary) => {
    const token = await pause(client, await untilAsked(client, canary), { key: SEAL_KEY });
    const outcome = await resume(client, token, { key: SEAL_KEY, claimStore: createMemoryStore({ rows: new Map() }) });
    return [token, outcome, await openQuestion(outcome).answer(`${canary("answer")}&=ñ`)];
  },
  "is part of a link": async (client, canary) => {
    const actor = createActor(createLinkMachine(client), { input: { destinations: true, validate: false } }).start();
    await waitFor(actor, (snapshot) => snapshot.matches("choosingProvider"));
    actor.send({ type: "provider.choose", provider: "test" });
    await waitFor(actor, (snapshot) => snapshot.matches("loggingIn"));
    actor.send({ type: "credentials.submit", credentials: createCredentials(toForm(canary)) });
    const child = actor.getSnapshot().children.login;
    if (child) await waitFor(child, (snapshot) => readPosition(snapshot) === "awaitingInteraction");
    actor.send({ type: "interaction.answer", answer: { otp: secret(`${canary("answer")}&=ñ`) } });
    await waitFor(actor, (snapshot) => snapshot.matches("linked"));
    return actor;
  },
};

const kept: unknown[] = [];

// A function of its own, so that nothing of it is left on the stack.
async function run(name: string, flow: Flow): Promise<unknown> {
  const canary = (of: string) => grown(seed, name, of);
  const client = createBankClient({
    baseUrl: `${address}/${encodeURIComponent(name)}`,
    apiKey: canary("apiKey"),
    retry: false,
    timeout: { login: name === "runs into the time-out" ? 3_000 : 60_000 },
  });
  return [client, await flow(client, canary)];
}

for (const [name, flow] of Object.entries(flows)) kept.push(await run(name, flow));
await run("is over with its client", headless());
// Kept on purpose, in an unlikely place: the search must find it.
const note = secret(grown(seed, "control", "note"));
kept.push({ hidden: [() => note] });

for (let turn = 0; turn < 10; turn++) {
  globalThis.gc?.();
  // What is not ours, and is let go of here to see what is:
  // - the platform remembers the addresses of its last 250 requests, and so the keys in them (platform.test.ts);
  performance.clearResourceTimings();
  // - it remembers the text that a regular expression matched last (platform.test.ts);
  /x/.test("x");
  // - the HTTP stack has its buffers: they hold bytes, of which a heap snapshot tells nothing.
  await new Promise((resolve) => setTimeout(resolve, 10));
}
writeHeapSnapshot(file);
// Until here.
kept.length = 0;
