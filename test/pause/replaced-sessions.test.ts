import { pause } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks } from "../bank/service.ts";
import { answer, start, submit } from "../login/started.ts";
import { KEY, takeUp } from "./paused.ts";

describe("a login that had another session closed", () => {
  const tooMany = (key: string) => ({ http: 403, json: { status: "max_sessions_reached", key } });
  const loggedOut = { json: { status: "logged_out" } };

  test("does not have a second one closed after it was taken up", async () => {
    const script = [tooMany("other"), loggedOut, asks("otp", "key-1"), tooMany("another")];
    const { service, actor, reaches } = await start(script, { sessionReplacement: true });
    actor.send(submit);
    await reaches("failed");
    actor.send({ type: "session.replace" });
    await reaches("awaitingInteraction");

    const resumed = await takeUp(service, await pause(actor, { key: KEY }));
    resumed.actor.send(answer);
    const failed = await resumed.reaches("failed");
    expect(failed.context).toMatchObject({ sessionReplaced: true, failure: { code: "max_sessions_reached" } });
    expect(failed.can({ type: "session.replace" })).toBe(false);
  });
});
