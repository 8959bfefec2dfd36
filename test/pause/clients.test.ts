import { pause, readState } from "ventanilla";
import { describe, expect, test } from "vitest";
import { expectedSecret, selectClient } from "../bank/service.ts";
import { clients, KEY, takeUp, waiting } from "./paused.ts";

const chosen = (key?: string) => ({ json: { status: "success", key } });
const settings = { clientSelection: true, deadline: 4_000_000_000_000, answerTimeout: Number.POSITIVE_INFINITY };

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
      expiresAt: settings.deadline,
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
});
