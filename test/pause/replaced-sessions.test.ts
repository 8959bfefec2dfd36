import { pause } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks, loggedIn, person } from "../bank/service.ts";
import { answer, start, submit } from "../login/started.ts";
import { KEY, takeUp, waiting } from "./paused.ts";

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

  test("may be one that was taken up: it starts anew with the whole form", async () => {
    const form = { ...person, fields: { company_code: "7701", document_number: "1.234-5" } };
    const { service, actor } = await waiting(
      [asks("otp", "key-1"), tooMany("other"), loggedOut, loggedIn("key-2")],
      { sessionReplacement: true },
      form,
    );
    const resumed = await takeUp(service, await pause(actor, { key: KEY }));
    resumed.actor.send(answer);
    await resumed.reaches("failed");
    resumed.actor.send({ type: "session.replace" });
    await resumed.reaches("loggedIn");
    expect(service.lines().slice(2)).toEqual(["GET /logout/?key=other", "POST /login/"]);
    expect(service.requests[3]?.form).toEqual({
      provider: "test",
      username: "ana",
      password: "hunter two",
      company_code: "7701",
      document_number: "1.234-5",
    });
  });
});
