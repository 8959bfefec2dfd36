import { createCredentials, createLinkMachine } from "ventanilla";
import { createSandbox } from "ventanilla/sandbox";
import { expect, test } from "vitest";
import { createActor, waitFor } from "xstate";
import { createSandboxClient } from "../../conformance/sandbox.ts";

test.each(["destinations", "dependentChoices", "clientSelection"])(
  "a link whose setting %s is the text false refuses it before the login is sent",
  async (name) => {
    const sandbox = createSandbox();
    const sent: string[] = [];
    const client = createSandboxClient({
      fetch: (input, init) => {
        const request = new Request(input, init);
        sent.push(request.method);
        return sandbox(request);
      },
    });
    const input = { provider: "test", [name]: "false" as never };
    const actor = createActor(createLinkMachine(client), { input }).start();
    await waitFor(actor, ({ children }) => children.login?.getSnapshot().value === "idle");
    const credentials = createCredentials({ provider: "test", username: "12345", password: "gfdsa" });
    actor.send({ type: "credentials.submit", credentials });
    const { children } = await waitFor(actor, ({ children }) => children.login?.getSnapshot().value === "failed");
    expect(children.login?.getSnapshot().context.failure).toMatchObject({ code: "invalid_input", field: name });
    expect(sent).not.toContain("POST");
  },
);
