import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { collectWarnings, form, interactionKey, PLAIN, type Stage, stage } from "../servers/relay/stage.ts";

const page = await readFile(new URL("../../docs/relay.md", import.meta.url), "utf8");
const [, section = ""] = page.split("### When a request is refused\n");
const reasons = [...(section.split("\n## ")[0] ?? "").matchAll(/^\| `([^`]+)` \| [\d, ]*\b403\b/gm)].map(
  ([, reason]) => reason,
);

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
  async invalid_key() {
    const set = await stage();
    const key = await interactionKey(set);
    await set.send("/transfer/destinations", {}, key);
    return set;
  },
};

test("docs/relay.md lists each reason of a relay for HTTP 403", () => {
  expect(reasons.toSorted()).toEqual(Object.keys(causes).toSorted());
});

test.each(Object.keys(causes))("a relay responds with HTTP 403 for the reason %s", async (reason) => {
  collectWarnings();
  const set = await causes[reason]?.();
  expect(set?.events.at(-1)).toMatchObject({ httpStatus: 403, reason });
});
