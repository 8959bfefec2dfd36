import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createBankClient } from "ventanilla";
import { createHostedLogin } from "ventanilla/hosted";
import { createRelay } from "ventanilla/relay";
import { createSandbox, SANDBOX_API_KEY } from "ventanilla/sandbox";
import { createMemoryStore } from "ventanilla/tokens";
import { describe, expect, onTestFinished, test } from "vitest";
import { openService, promised, type Received, type Reply, respondAs } from "../../bank/service.ts";
import { type BankPage, inEachBrowser } from "./bank-page.ts";

const doors = ["relay", "hosted"] as const;
type Door = (typeof doors)[number];

const writeByProxy = (http: number): Reply => ({
  http,
  text: `<!doctype html><h1>${http}</h1>`,
  headers: { "content-type": "text/html" },
});

/** What comes in place of a response. */
const losses = {
  "a reset": "broken",
  "HTTP 502": writeByProxy(502),
  "HTTP 503": writeByProxy(503),
  "HTTP 504": writeByProxy(504),
  "HTTP 403 as a web page": writeByProxy(403),
  // Both instances end, and new ones begin.
  "a restart": "broken",
} satisfies Readonly<Record<string, Reply>>;
type Loss = keyof typeof losses;

/** When a response gets lost: its request does not reach the server, the bank works on it, or the server has responded. */
type Moment = "before" | "during" | "after";

const accounts = {
  plain: { provider: "test", username: "12345", password: "gfdsa" },
  code: { provider: "test", username: "12345otp", password: "asdfg" },
  clients: { provider: "canal_pa", username: "samekey", password: "s3creto", company_code: "7701" },
};
type Account = (typeof accounts)[keyof typeof accounts];

/** Writes down what the page shows, since it was loaded or came back from the cache: each step, or that the login is under way. */
const steps = `
  window.steps = [];
  customElements.whenDefined("bank-login").then(() => {
    const root = document.querySelector("bank-login").shadowRoot;
    const note = () => {
      const shown = root.querySelector("[data-state]");
      const step = shown?.textContent.includes("Logging in (up to") ? "under way" : shown?.dataset.state;
      if (step && step !== window.steps.at(-1)) window.steps.push(step);
    };
    note();
    new MutationObserver(note).observe(root, { subtree: true, childList: true, attributes: true });
    addEventListener("pageshow", ({ persisted }) => {
      if (!persisted) return;
      window.steps.length = 0;
      note();
    });
  });`;

/** Whether a request is of those that are sent once. */
const isOnce = (method: string, path: string) =>
  method === "POST" ? path.endsWith("/login/") : /\/client\/[^/]+\/$/.test(path);

/** Two instances behind a balancer, which takes them in turn and loses responses. They have one store, and the sandbox as their bank. */
async function openInstances(door: Door) {
  const sandbox = createSandbox();
  /** What the bank got of what is sent once. */
  const sent: string[] = [];
  let ready: Promise<void> = Promise.resolve();
  let arrived = promised();
  const client = createBankClient({
    baseUrl: "http://sandbox.example",
    apiKey: SANDBOX_API_KEY,
    retry: false,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { pathname } = new URL(request.url);
      if (isOnce(request.method, pathname)) {
        sent.push(`${request.method} ${pathname}`);
        arrived.keep();
        await ready;
      }
      return sandbox(request);
    },
  });

  let loss: Loss | undefined;
  let moment: Moment = "before";
  /** Loses a response, and those to what the browser repeats by itself. */
  async function lose(request: Received): Promise<Reply> {
    const [how, when] = [loss, moment];
    const passedOn = when === "before" ? undefined : next()(request);
    if (when === "during") await arrived.promise;
    if (when === "after") await passedOn;
    if (how === "a restart") restart();
    return losses[how ?? "a reset"];
  }
  const elsewhere = await openService(() => ({
    text: "<!doctype html><title>Elsewhere</title>",
    headers: { "content-type": "text/html" },
  }));
  onTestFinished(elsewhere.close);
  const element = await readFile(new URL("../../../dist/element.js", import.meta.url));
  let account: Account = accounts.plain;
  const { url, close } = await openService(async (request) => {
    const { method, url: path } = request;
    if (path === "/element.js") return { text: element, headers: { "content-type": "text/javascript" } };
    if (path === "/steps.js") return { text: steps, headers: { "content-type": "text/javascript" } };
    if (path === "/") {
      const { provider } = account;
      const text = `<!doctype html><head><title>Shop</title></head><bank-login relay="/bank/" provider="${provider}" client-selection></bank-login><script type="module" src="/element.js"></script>`;
      return withSteps({ text, headers: { "content-type": "text/html" } });
    }
    if (loss !== undefined && isOnce(method, path)) return lose(request);
    return withSteps(await next()(request));
  });
  onTestFinished(close);

  const { startedAt: _, ...memory } = createMemoryStore({ rows: new Map() });
  const sealKey = randomBytes(32).toString("base64");
  function start() {
    let isAlive = true;
    // What a process that was killed asks for never comes.
    const whileAlive =
      <Parameters extends unknown[], Result>(work: (...parameters: Parameters) => Result) =>
      async (...parameters: Parameters): Promise<Awaited<Result>> =>
        isAlive ? await work(...parameters) : new Promise<never>(() => {});
    const store = {
      read: whileAlive(memory.read),
      swap: whileAlive(memory.swap),
      delete: whileAlive(memory.delete),
      list: whileAlive(memory.list),
    };
    const kill = () => {
      isAlive = false;
    };
    const common = { client, store, sealKey, clientSelection: true, rateLimit: false } as const;
    if (door === "hosted") {
      const hosted = createHostedLogin({ ...common, url: `${url}/login`, name: "Shop", onEnd: () => undefined });
      return { kill, create: hosted.create, handle: respondAs(hosted.handle) };
    }
    const relay = createRelay({
      ...common,
      path: "/bank/",
      allowedOrigins: [url],
      readUser: ({ request }) => /user=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1],
      onLogin: () => undefined,
    });
    return { kill, create: undefined, handle: respondAs(relay) };
  }
  let instances = [start(), start()];
  /** What is under way ends in its own instance, as after a signal to end. */
  function restart() {
    instances = [start(), start()];
  }
  function next() {
    instances.reverse();
    const [{ handle } = start()] = instances;
    return handle;
  }

  let address = url;
  return {
    elsewhere: elsewhere.url,
    /** The address of the page. */
    readAddress: () => address,
    /** What the bank got. */
    sent,
    countLogins: () => sent.filter((line) => line === "POST /login/").length,
    /** Opens the form of an account, and fills it in. */
    async open(page: BankPage, chosen: Account) {
      account = chosen;
      const { provider, ...fields } = chosen;
      const session = await instances[0]?.create?.({ user: "ana", provider });
      if (!session) {
        await page.goto(url);
        await page.evaluate(() => void Object.assign(document, { cookie: "user=ana" }));
      }
      address = session?.url ?? url;
      await page.goto(address);
      await page.waitForState("idle");
      for (const [name, text] of Object.entries(fields)) await page.fill(name, text);
    },
    /** Loses each response to what is sent once, until `keep`. */
    lose(how: Loss, when: Moment) {
      loss = how;
      moment = when;
      arrived = promised();
    },
    keep() {
      loss = undefined;
    },
    /** Lets the bank wait with its responses. @returns what lets it respond. */
    hold() {
      const { promise, keep } = promised();
      ready = promise;
      return keep;
    },
    /** Kills both instances. Others take their place. */
    kill() {
      for (const { kill } of instances) kill();
      restart();
    },
  };
}

/** A page that writes its steps down. A script stays as it is: it may be compressed. */
function withSteps(reply: Reply): Reply {
  if (typeof reply === "string" || !("text" in reply) || !reply.headers?.["content-type"]?.startsWith("text/html"))
    return reply;
  return {
    ...reply,
    text: Buffer.from(reply.text ?? "")
      .toString()
      .replace("</head>", '<script src="/steps.js"></script></head>'),
  };
}

type Instances = Awaited<ReturnType<typeof openInstances>>;

const SUBMIT = '[data-verb="submit"]';
const ANSWER = '[data-verb="answer"]';
const CHOICE = "[data-choice]";

const readPage = (page: BankPage) =>
  page.evaluate(() => {
    const section = document.querySelector("bank-login")?.shadowRoot?.querySelector<HTMLElement>("section");
    return (section ?? document.body)?.innerText ?? "";
  });

/** Waits for a text of the page, or of its component. */
async function waitForText(page: BankPage, text: string | RegExp): Promise<void> {
  await expect.poll(() => readPage(page).catch(() => "")).toMatch(text);
}

const waitForEnd = (page: BankPage) => waitForText(page, /(is|bank is) connected\. You can/);

/** The steps that the page has shown since it was loaded. */
const readSteps = (page: BankPage) => page.evaluate(() => (window as unknown as { steps: string[] }).steps);

/** Leaves the page by a link, and comes back. */
async function leaveAndGoBack(page: BankPage, elsewhere: string): Promise<void> {
  await page.evaluate((url) => void setTimeout(() => location.assign(url)), elsewhere);
  await expect.poll(() => page.evaluate(() => document.title).catch(() => "")).toBe("Elsewhere");
  await page.traverse(-1, "Shop");
}

inEachBrowser((openPage, name) => {
  describe.each(doors)("at the door %s", (door) => {
    async function open(account: Account): Promise<{ page: BankPage; site: Instances }> {
      const site = await openInstances(door);
      const page = await openPage();
      await site.open(page, account);
      return { page, site };
    }

    test.each(Object.keys(losses) as Loss[])(
      "%s in place of a response loses nothing, and sends nothing twice",
      async (loss) => {
        const { page, site } = await open(accounts.code);
        site.lose(loss, "before");
        await page.click(SUBMIT);
        await waitForText(page, "Nothing reached the bank.");
        expect(site.sent).toEqual([]);
        expect(await page.readValue("[name=username]")).toBe("12345otp");
        expect(await page.readValue("[name=password]")).toBe("asdfg");

        site.lose(loss, "during");
        const respond = site.hold();
        await page.click(SUBMIT);
        await expect.poll(site.countLogins).toBe(1);
        await page.waitForState("submitting");
        site.keep();
        respond();
        await page.waitForState("awaitingInteraction");

        await page.fill("otp", "8888");
        site.lose(loss, "before");
        await page.click(ANSWER);
        await waitForText(page, "Nothing reached the bank.");
        expect(site.countLogins()).toBe(1);
        expect(await page.readValue("[name=otp]")).toBe("8888");

        site.lose(loss, "after");
        await page.click(ANSWER);
        await expect.poll(site.countLogins).toBe(2);
        site.keep();
        await waitForEnd(page);
        expect(site.countLogins()).toBe(2);
      },
    );

    test.each(["a reset", "HTTP 502"] as const)("%s in place of the response to a choice of a client", async (loss) => {
      const { page, site } = await open(accounts.clients);
      site.lose(loss, "after");
      await page.click(SUBMIT);
      await expect.poll(site.countLogins).toBe(1);
      site.keep();
      await page.waitForState("selectClient");
      site.lose(loss, "before");
      await page.click(CHOICE);
      await waitForText(page, "Nothing reached the bank.");
      expect(site.sent).toHaveLength(1);
      site.lose(loss, "during");
      const respond = site.hold();
      await page.click(CHOICE);
      await expect.poll(() => site.sent.length).toBe(2);
      site.keep();
      respond();
      await waitForEnd(page);
      expect(site.sent).toHaveLength(2);
    });

    test("after a kill while the bank works nobody knows: the page says so, and sends nothing", async () => {
      const { page, site } = await open(accounts.plain);
      const respond = site.hold();
      await page.click(SUBMIT);
      await expect.poll(site.countLogins).toBe(1);
      site.kill();
      await page.reload();
      await page.waitForState("submitting");
      respond();
      await expect.poll(() => readPage(page), { timeout: 30_000 }).toContain("may have reached the bank");
      expect(site.countLogins()).toBe(1);
    });

    test.each([
      [
        "a link and Back",
        async (page, { elsewhere, readAddress }) => {
          if (name !== "WebKitGTK" || door !== "hosted") return leaveAndGoBack(page, elsewhere);
          // Its driver loses its way when Back leads to a page with an opener policy: the link is opened again.
          await page.goto(elsewhere);
          await page.goto(readAddress());
        },
      ],
      ["a reload", (page) => page.reload()],
      [
        "two reloads in quick succession",
        async (page) => {
          await page.reload();
          await page.reload();
        },
      ],
    ] satisfies [string, (page: BankPage, site: Instances) => Promise<void>][])(
      "after %s the page shows that the login is under way, then how it has ended",
      async (_, leave) => {
        const { page, site } = await open(accounts.code);
        const comeBack = async () => {
          await leave(page, site);
          await page.waitForState("submitting");
          expect(await readSteps(page)).toEqual(["under way"]);
        };
        let respond = site.hold();
        await page.click(SUBMIT);
        await expect.poll(site.countLogins).toBe(1);
        await comeBack();
        respond();
        await page.waitForState("awaitingInteraction");
        await leave(page, site);
        await page.waitForState("awaitingInteraction");
        respond = site.hold();
        await page.fill("otp", "8888");
        await page.click(ANSWER);
        await expect.poll(site.countLogins).toBe(2);
        await comeBack();
        respond();
        await waitForEnd(page);
        expect(site.countLogins()).toBe(2);
      },
    );
  });
});
