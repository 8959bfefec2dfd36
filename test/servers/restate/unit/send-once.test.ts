import type { ObjectSharedContext } from "@restatedev/restate-sdk";
import { BankError } from "ventanilla";
import { expect, test } from "vitest";
import { sendOnce } from "../../../../src/servers/restate/send-once.ts";

/** A journal as Restate keeps it: what a `run` came to is there for every later attempt. `dies` ends the attempt before that. */
function attempts() {
  const journal = new Map<string, unknown>();
  return (dies?: string) =>
    ({
      run: async (name: string, action: () => unknown) => {
        if (!journal.has(name)) {
          const value = await action();
          if (dies === name) throw new Error("the attempt died");
          journal.set(name, JSON.parse(JSON.stringify(value)));
        }
        return journal.get(name);
      },
    }) as unknown as ObjectSharedContext;
}

test("the intent is recorded before the send", async () => {
  const attempt = attempts();
  let sent = 0;
  const send = async () => `reply ${++sent}`;
  await expect(sendOnce(attempt("intent: POST /login/"), "POST /login/", send)).rejects.toThrow("died");
  expect(sent).toBe(0);
  // Nothing was recorded, so nothing was sent, so it may be.
  expect(await sendOnce(attempt(), "POST /login/", send)).toBe("reply 1");
});

test("an attempt that died over the send is taken over by the process that sent it", async () => {
  const attempt = attempts();
  let sent = 0;
  const send = async () => `reply ${++sent}`;
  await expect(sendOnce(attempt("POST /login/"), "POST /login/", send)).rejects.toThrow("died");
  expect(await sendOnce(attempt(), "POST /login/", send)).toBe("reply 1");
  expect(sent).toBe(1);
});

test("another process's intent is never sent", async () => {
  const journal = {
    run: async (name: string, action: () => unknown) => (name.startsWith("intent") ? "another's" : action()),
  };
  const send = () => Promise.reject(new Error("sent"));
  await expect(sendOnce(journal as unknown as ObjectSharedContext, "POST /login/", send)).rejects.toMatchObject({
    code: "outcome_unknown",
    request: "POST /login/",
  });
});

test("a fault goes to the journal as a fault, and is not repeated", async () => {
  let sent = 0;
  const send = () => {
    sent++;
    return Promise.reject(new BankError("network_failed", { request: "POST /login/" }));
  };
  await expect(sendOnce(attempts()(), "POST /login/", send)).rejects.toMatchObject({ code: "network_failed" });
  expect(sent).toBe(1);
});
