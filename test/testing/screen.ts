import {
  createBankClient,
  createLinkMachine,
  createLoginMachine,
  type FailureCode,
  type LinkView,
  type LoginView,
  linkView,
  loginView,
} from "ventanilla";
import { SANDBOX_API_KEY } from "ventanilla/sandbox";
import { fetchFor, type LinkDriver, type Path, viewDriver } from "ventanilla/testing";
import { createActor, type InspectionEvent } from "xstate";

/** One request as the bank got it. */
export interface Sent {
  /** Method, path with its values as names, and the names in its query. */
  readonly name: string;
  readonly form: Readonly<Record<string, string>>;
}

/** A screen without a screen, and what comes of it. */
export interface Screen {
  readonly driver: LinkDriver;
  readonly look: () => LoginView | LinkView;
  readonly sent: readonly Sent[];
  /** What the login failed with, or the flow around it. */
  failure(): FailureCode | undefined;
  close(): void;
}

/** Opens what a screen of this path shows, on real actors and the path's bank. */
export function openScreen(path: Path, inspect: (event: InspectionEvent) => void = () => {}): Screen {
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
      // At once, so that nothing sent is missed; the body of a request takes a turn to read.
      sent.push({ name: `${method} ${template}${query && `?${query}`}`, form });
      for (const [field, value] of new URLSearchParams(await request.clone().text())) form[field] = value;
      return bank(request);
    },
  });
  if (path.flow === "link") {
    const actor = createActor(createLinkMachine(client), { input: path.settings, inspect }).start();
    const look = () => linkView(actor.getSnapshot(), actor.send);
    const failure = () => actor.getSnapshot().context.failure?.code as FailureCode | undefined;
    return { driver: viewDriver(look), look, sent, failure, close: () => actor.stop() };
  }
  const { provider, detail } = path;
  const actor = createActor(createLoginMachine(client), { input: path.settings, inspect }).start();
  const look = () => loginView(actor.getSnapshot(), actor.send, { provider, detail });
  const failure = () => actor.getSnapshot().context.failure?.code as FailureCode | undefined;
  return { driver: viewDriver(look), look, sent, failure, close: () => actor.stop() };
}
