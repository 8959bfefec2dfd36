import { randomBytes, randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  ANSWER,
  collectWarnings,
  form,
  interactionKey,
  OTP,
  PLAIN,
  SEAL_KEY,
  type Stage,
  stage,
} from "../servers/relay/stage.ts";

const page = await readFile(new URL("../../docs/relay-operate.md", import.meta.url), "utf8");
const [, section = ""] = page.split("### HTTP 403\n");
const reasons = [...(section.split("\n#")[0] ?? "").matchAll(/^\| `([^`]+)`(?! in ).*? \|/gm)].map(
  ([, reason]) => reason,
);

const answer = (set: Stage, key: string, headers = {}) => set.send("/login/", form(ANSWER, headers), key);

/** Each makes a relay respond with HTTP 403. */
const causes: Readonly<Record<string, () => Promise<Stage>>> = {
  async origin_refused() {
    const set = await stage();
    await set.send("/login/", form(PLAIN, { origin: "https://other.example" }));
    return set;
  },
  async app_refused() {
    const set = await stage();
    await set.send("/login/", form(PLAIN, { origin: "" }));
    return set;
  },
  async header_missing() {
    const set = await stage();
    await set.send("/login/", form(PLAIN, { "x-ventanilla": "" }));
    return set;
  },
  async attempt_id_reused() {
    const set = await stage();
    const headers = { "x-attempt-id": randomUUID() };
    await set.send("/login/", form(PLAIN, headers));
    await set.send("/login/", form(OTP, headers));
    return set;
  },
  async "token_invalid: expired"() {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const set = await stage();
    const key = await interactionKey(set);
    vi.setSystemTime(Date.now() + 3_600_000);
    await answer(set, key);
    return set;
  },
  async "token_invalid: of another key"() {
    const key = await interactionKey(await stage({ sealKey: SEAL_KEY }));
    const set = await stage({ sealKey: randomBytes(32).toString("base64") });
    await answer(set, key);
    return set;
  },
  async "token_invalid: incomplete"() {
    const set = await stage();
    const key = await interactionKey(set);
    await answer(set, key.slice(0, -9));
    return set;
  },
  async token_used() {
    const set = await stage();
    const key = await interactionKey(set);
    await answer(set, key);
    await answer(set, key);
    return set;
  },
  async invalid_key() {
    const set = await stage();
    const key = await interactionKey(set);
    await set.send("/transfer/destinations", {}, key);
    return set;
  },
};

test("docs/relay-operate.md lists each reason of a relay for HTTP 403", () => {
  expect(reasons.toSorted()).toEqual(Object.keys(causes).toSorted());
});

test.each(Object.keys(causes))("a relay responds with HTTP 403 for the reason %s", async (reason) => {
  collectWarnings();
  const set = await causes[reason]?.();
  expect(set?.events.at(-1)).toMatchObject({ httpStatus: 403, reason });
});
