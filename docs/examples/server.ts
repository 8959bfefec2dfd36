import { randomBytes } from "node:crypto";
import { deleteCookie, getCookie, H3, type H3Event, readBody, serve, setCookie } from "h3";
import { BankError, type CredentialTexts, createBankClient, type LoginOutcome, login, resume } from "ventanilla";
import { SANDBOX_API_KEY, serveSandbox } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";

const bank = await serveSandbox();
const client = createBankClient({ baseUrl: bank.url, apiKey: SANDBOX_API_KEY });
const key = randomBytes(32).toString("base64"); // in production: the same for every instance, from a vault
const claimStore = createMemoryStore(); // several instances: a store that they share, from "ventanilla/tokens"

// Out of reach of scripts, never without TLS, never from another site, and no longer than the token.
const cookie = { httpOnly: true, secure: true, sameSite: "strict", path: "/login", maxAge: 300 } as const;

/** Tells the browser what happened, and leaves it the login where the bank asks. */
async function respond(event: H3Event, outcome: LoginOutcome) {
  if (outcome.state === "awaitingInteraction") {
    setCookie(event, "login", await outcome.pause({ key }), cookie);
    return { status: "code_needed", question: outcome.interaction.context };
  }
  deleteCookie(event, "login", cookie);
  // The session key stays here: what the browser needs is fetched for it.
  if (outcome.state === "loggedIn") return client.listTransferDestinations(outcome.key);
  return { status: outcome.state };
}

/** An instance of the server. It keeps nothing between two requests, so the next one may reach any other. */
async function startInstance() {
  const app = new H3({
    silent: true,
    onError: ({ cause }) =>
      cause instanceof BankError ? Response.json({ status: cause.code }, { status: 400 }) : undefined,
  });
  app.post("/login", async (event) => {
    const form = await readBody<CredentialTexts>(event);
    if (!form) return { status: "missing_credentials" };
    const { provider, username, password, fields = {} } = form; // a browser sets no option of login()
    return respond(event, await login(client, { provider, username, password, fields }));
  });
  app.post("/login/code", async (event) => {
    const form = await readBody<{ code?: unknown }>(event);
    const code = typeof form?.code === "string" ? form.code : "";
    if (code === "") return { status: "missing_answer" }; // before the token is used up
    const outcome = await resume(client, getCookie(event, "login") ?? "", { key, claimStore });
    return respond(event, outcome.state === "awaitingInteraction" ? await outcome.answer(code) : outcome);
  });
  const server = serve(app, { port: 0, hostname: "127.0.0.1", silent: true });
  await server.ready();
  return server;
}

const [first, second] = [await startInstance(), await startInstance()];

/** What a browser does: it sends the cookie along, and can't read it. */
const post = (url: string, body: object, sent = "") =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", cookie: sent },
    body: JSON.stringify(body),
  });

const response = await post(`${first.url}login`, { provider: "test", username: "12345otp", password: "asdfg" });
console.log("first instance:", await response.json());
const [kept = "", ...attributes] = (response.headers.getSetCookie().at(-1) ?? "").split("; ");
console.log("its cookie:", attributes.join("; "));

const done = await post(`${second.url}login/code`, { code: "8888" }, kept);
console.log("second instance:", await done.json());
console.log("its cookie:", done.headers.getSetCookie().at(-1));

const again = await post(`${first.url}login/code`, { code: "8888" }, kept);
console.log("the same cookie again:", again.status, await again.json());

await Promise.all([first.close(true), second.close(true), bank.close()]);
