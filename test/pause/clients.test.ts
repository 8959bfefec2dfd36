import { pause, readState } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, expectedSecret, selectClient } from "../bank/service.ts";
import { answer } from "../login/started.ts";
import { clients, KEY, takeUp, waiting } from "./paused.ts";

const chosen = (key?: string) => ({ json: { status: "success", key } });
const settings = { clientSelection: true } as const;

describe("a login paused at the choice of a client", () => {
  test("shows the same clients and chooses with its key", async () => {
    const { service, actor } = await waiting([selectClient("key-1"), clients, chosen()], settings);
    const resumed = await takeUp(service, await pause(actor, { key: KEY }));
    expect(readState(resumed.actor.getSnapshot())).toBe("selectClient.choosing");
    expect(resumed.actor.getSnapshot().context).toMatchObject({
      clients: [
        { id: "0", name: "First Client" },
        { id: "FIC-7", name: "Señora Ñandú" },
      ],
      // An answer would need them; a choice doesn't.
      credentials: undefined,
      interaction: undefined,
    });
    expect(service.requests).toHaveLength(2);
    resumed.actor.send({ type: "client.choose", client: "FIC-7" });
    const { output } = await resumed.reaches("loggedIn");
    expect(output).toEqual({ provider: "test", key: expectedSecret("key-1") });
    expect(service.lines().slice(2)).toEqual(["GET /client/FIC-7/?key=key-1"]);
  });

  test("after a question goes on with the key of the choice", async () => {
    const script = [asks("otp", "key-1"), selectClient("key-2"), clients, chosen("key-3")];
    const { service, actor, reaches } = await waiting(script, settings);
    actor.send(answer);
    await reaches("selectClient.choosing");
    const resumed = await takeUp(service, await pause(actor, { key: KEY }));
    expect(readState(resumed.actor.getSnapshot())).toBe("selectClient.choosing");
    resumed.actor.send({ type: "client.choose", client: "0" });
    expect((await resumed.reaches("loggedIn")).output).toEqual({ provider: "test", key: expectedSecret("key-3") });
    expect(service.lines()).toEqual([
      "POST /login/",
      "POST /login/?key=key-1",
      "GET /client/?key=key-2",
      "GET /client/0/?key=key-2",
    ]);
  });
});
