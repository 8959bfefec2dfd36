import {
  createBankClient,
  createLinkMachine,
  createLoginMachine,
  type LinkView,
  type LoginView,
  linkView,
  loginView,
} from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type Path, viewDriver } from "ventanilla/testing";
import { createActor, type InspectionEvent } from "xstate";

/** One request as the bank got it. */
interface Sent {
  /** Method, path with its values as names, and the names in its query. */
  readonly name: string;
  readonly form: Readonly<Record<string, string>>;
}

interface Flow {
  getSnapshot(): { readonly context: { readonly failure?: { readonly code: string } | undefined } };
  stop(): unknown;
}

/** A screen that is a view alone, on real actors and the path's bank. */
export function openScreen(path: Path, inspect: (event: InspectionEvent) => void = () => {}) {
  const sent: Sent[] = [];
  const bank = fetchFor(path);
  const client = createBankClient({
    baseUrl: "http://sandbox.test",
    apiKey: SANDBOX_API_KEY,
    retry: false,
    async fetch(input, init) {
      const request = new Request(input, init);
      const { method, url } = request;
      const { pathname, searchParams } = new URL(url);
      const template = pathname.replace(/(?<=^.provider.)[^/]+/, "{code}").replace(/(?<=^.client.)[^/]+/, "{id}");
      const query = [...searchParams.keys()].join("&");
      const form: Record<string, string> = {};
      // The request is noted at once: to read its body takes a turn.
      sent.push({ name: `${method} ${template}${query && `?${query}`}`, form });
      for (const [field, value] of new URLSearchParams(await request.clone().text())) form[field] = value;
      return bank(request);
    },
  });
  const screen = (actor: Flow, look: () => LinkView | LoginView) => ({
    driver: { ...viewDriver(look), received: () => bank.received },
    look,
    sent,
    /** What the login failed with, or the flow around it. */
    failure: () => actor.getSnapshot().context.failure?.code,
    close: () => actor.stop(),
  });
  if (path.flow === "link") {
    const actor = createActor(createLinkMachine(client), {
      input: { validate: false, ...path.settings },
      inspect,
    }).start();
    return screen(actor, () => linkView(actor.getSnapshot(), actor));
  }
  const { provider, detail } = path;
  const actor = createActor(createLoginMachine(client), {
    input: { validate: false, ...path.settings },
    inspect,
  }).start();
  return screen(actor, () => loginView(actor.getSnapshot(), actor, { provider, detail }));
}
