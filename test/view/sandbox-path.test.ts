import {
  createBankClient,
  createLinkMachine,
  type FormValues,
  type LinkSettings,
  type LinkView,
  linkView,
} from "ventanilla";
import { createSandbox } from "ventanilla/sandbox";
import { expect, onTestFinished, test } from "vitest";
import { createActor } from "xstate";

// A screen knows nothing but views: each step of the path is a view, and what a person does there is a verb of it.

/** A person in front of the flow, on the sandbox. */
function begin(settings: LinkSettings = {}) {
  const sandbox = createSandbox({ apiKey: "an-api-key" });
  const requests: string[] = [];
  const client = createBankClient({
    baseUrl: "http://sandbox.test",
    apiKey: "an-api-key",
    fetch: (input, init) => {
      const request = new Request(input, init);
      const { pathname, searchParams } = new URL(request.url);
      requests.push([request.method, pathname, ...searchParams.keys()].join(" "));
      return Promise.resolve(sandbox(request));
    },
  });
  const actor = createActor(createLinkMachine(client), { input: settings });
  onTestFinished(() => void actor.stop());
  const look = (): LinkView => linkView(actor.getSnapshot(), actor.send);
  actor.start();

  /** The screen of that step, as soon as it is there. */
  const screen = <Step extends LinkView["step"]>(
    step: Step,
    fits: (view: Extract<LinkView, { step: Step }>) => boolean = () => true,
  ) =>
    new Promise<Extract<LinkView, { step: Step }>>((resolve, reject) => {
      // It comes, or the flow is over.
      const see = () => {
        const view = look();
        if (view.step !== step || !fits(view as Extract<LinkView, { step: Step }>)) {
          if (actor.getSnapshot().status !== "active") reject(new Error(`It is ${view.step}, not ${step}.`));
          return;
        }
        subscription.unsubscribe();
        resolve(view as Extract<LinkView, { step: Step }>);
      };
      const subscription = actor.subscribe({ next: () => queueMicrotask(see), complete: () => queueMicrotask(see) });
      queueMicrotask(see);
    });

  /** Finds a bank by what a person calls it, and comes to its form. */
  const toBank = async (text: string) => {
    const list = await screen("choosingProvider");
    const [first] = list.search({ text });
    list.choose(first?.code ?? "");
    return screen("enteringCredentials");
  };
  return { requests, screen, toBank };
}

const filledIn = (view: Extract<LinkView, { step: "enteringCredentials" }>, values: FormValues): FormValues => {
  const result = view.form.schema["~standard"].validate(values);
  if (result instanceof Promise || !("value" in result)) throw new Error("The form is not right.");
  return result.value;
};

test("a choice, a token and a client lead on, one after the other", async () => {
  const { requests, screen, toBank } = begin({ clientSelection: true });
  const view = await toBank("ceibo");
  const type = view.form.fields.find(({ name }) => name === "type");
  expect(type).toMatchObject({
    input: "select",
    initial: "",
    choices: [
      { value: "pers", label: "Personal" },
      { value: "corp", label: "Company" },
    ],
  });
  view.submit(filledIn(view, { username: "group", password: "s3creto", type: "corp" }));
  const { question, answer } = await screen("answering");
  expect(question).toMatchObject({ text: "Ingrese su token", field: { name: "token", input: "text" } });
  answer("246802");
  const { clients, choose } = await screen("choosingClient");
  expect(clients).toEqual([
    { id: "0", name: "Ceibo Sur S.A." },
    { id: "1", name: "Ceibo Norte S.A." },
  ]);
  choose("1");
  const { provider, destinations } = await screen("linked");
  expect({ provider, destinations }).toMatchObject({ provider: "ceibo_ar", destinations: [{ id: 11 }, { id: 14 }] });
  expect(requests.slice(2)).toEqual([
    "POST /login/",
    "POST /login/ key",
    "GET /client/ key",
    "GET /client/1/ key",
    "GET /transfer/destinations key",
  ]);
});

test("what one choice leaves of another is offered, and changes with it", async () => {
  const { requests, screen, toBank } = begin({ dependentChoices: true });
  const offered = (view: Extract<LinkView, { step: "enteringCredentials" }>) =>
    view.form.fields.find(({ name }) => name === "type")?.choices.map(({ value }) => value);
  const isRest = (view: Extract<LinkView, { step: "enteringCredentials" }>) =>
    !view.narrowing && offered(view)?.length === 2;
  const view = await toBank("puente");
  expect(offered(view)).toEqual(["cc", "ci", "pp"]);

  view.narrow?.("country_code", "CO");
  await screen("enteringCredentials", ({ narrowing }) => narrowing);
  const colombian = await screen("enteringCredentials", isRest);
  expect(offered(colombian)).toEqual(["cc", "pp"]);

  colombian.narrow?.("country_code", "VE");
  await screen("enteringCredentials", ({ narrowing }) => narrowing);
  const venezuelan = await screen("enteringCredentials", isRest);
  expect(offered(venezuelan)).toEqual(["ci", "pp"]);

  const typed = { username: "foreign", password: "s3creto", country_code: "VE", type: "ci" };
  expect(colombian.form.schema["~standard"].validate(typed)).toEqual({
    issues: [{ message: "Choose one of these.", path: ["type"] }],
  });
  venezuelan.submit(filledIn(venezuelan, typed));
  expect(await screen("linked")).toMatchObject({ provider: "puente_co", destinations: [{ id: 52 }] });
  expect(requests).toEqual([
    "GET /provider/",
    "GET /provider/puente_co/",
    "GET /provider/puente_co/ key value",
    "GET /provider/puente_co/ key value",
    "POST /login/",
    "GET /transfer/destinations key",
  ]);
});
