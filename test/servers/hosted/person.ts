import { setTimeout as wait } from "node:timers/promises";
import { createBrowser } from "./stage.ts";

/** Does something until it has a result, as an app and a page do. */
export async function insist<Result>(work: () => Promise<Result | undefined>): Promise<Result> {
  for (;;) {
    const result = await work().catch(() => undefined);
    if (result !== undefined) return result;
    await wait(50);
  }
}

/** Who logs in. */
export interface Person {
  readonly username: string;
  /** Headers that a proxy adds to the requests of the browser. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called after each step. */
  readonly onStep?: () => Promise<unknown>;
}

/** A person who opens an address and does what the page says, until the session has ended. A submit whose response was lost is waited for. */
export async function logInAtPage(url: string, { username, headers, onStep }: Person): Promise<void> {
  const browser = createBrowser(headers);
  await insist(async () => (await browser.open(url)).status === 200 || undefined);
  for (;;) {
    const state = await insist(() =>
      browser.readState().then((response) => (response.status < 500 ? response : undefined)),
    );
    if (state.status === 410) return;
    const login = await browser.resume().catch(() => undefined);
    const step = async () => {
      if (!login) return browser.logIn(username, "asdfg");
      const response = await browser.ask(login.number);
      if (response.status === "interaction_required") await browser.answer(`step-${login.number}`, { otp: "8888" });
    };
    await step().catch(() => wait(50));
    await onStep?.();
  }
}
