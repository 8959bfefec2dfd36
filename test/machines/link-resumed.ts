import { createLinkMachine, type LinkSettings } from "ventanilla";
import { expect } from "vitest";
import { createActor, type InspectionEvent, waitFor } from "xstate";
import type { HoldingBank } from "../bank/holding-bank.ts";
import { linkCases } from "./link-cases.ts";
import { formatLinkState } from "./link-steps.ts";
import { answer, form, loginCases, pausedQuestion, question } from "./login-cases.ts";

const settingsFor = { "the list of banks": {}, "the fields of a known bank": { provider: form.provider } } as const;

/** A link that goes on where its page was left: it reads what it shows, and sends nothing before the answer. */
export const resumedLinks = Object.entries<LinkSettings>(settingsFor).map(([begins, settings]) => ({
  name: `a link that begins with ${begins} goes on with a question`,
  steps: [begins, "a paused question is taken up", "the question is answered"],
  async run(
    bank: HoldingBank,
    inspect: (event: InspectionEvent) => void,
    beforeStep: (index: number) => void = () => {},
  ): Promise<void> {
    const { client, requests, next } = bank.converse();
    const actor = createActor(createLinkMachine(client), { input: settings, inspect });
    beforeStep(0);
    actor.start();
    const read = await next();
    beforeStep(1);
    actor.send({ type: "login.resume", paused: { ...pausedQuestion, settings } });
    expect(formatLinkState(actor.getSnapshot())).toBe(settings.provider ? "loadingFields" : "loadingProviders");
    const { wire: fields = "broken" } = linkCases["the bank's fields are read"];
    if (settings.provider) read.end(fields);
    else {
      const { wire: list = "broken" } = linkCases["the banks are listed"];
      read.end(list);
      (await next()).end(fields);
    }
    const { context, children } = await waitFor(
      actor,
      ({ children }) => children.login?.getSnapshot().value === "awaitingInteraction",
    );
    expect(context).toMatchObject({ provider: form.provider, resumed: undefined });
    expect(children.login?.getSnapshot().context.interaction).toMatchObject({ context: question.context, number: 2 });
    expect(requests.map(({ method }) => method)).not.toContain("POST");
    beforeStep(2);
    actor.send({ type: "interaction.answer", answer });
    const { wire: started = "broken" } = loginCases["the bank starts a session"];
    (await next()).end(started);
    expect((await waitFor(actor, ({ status }) => status === "done")).output).toMatchObject({ state: "linked" });
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(1);
  },
}));
