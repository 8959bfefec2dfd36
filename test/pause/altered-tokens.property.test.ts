import fc from "fast-check";
import { pause } from "ventanilla";
import { describe, expect, test } from "vitest";
import { asks } from "../bank/service.ts";
import { codeFor, KEY, takeUp, waiting } from "./paused.ts";

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const encode = (text: string) => Buffer.from(text).toString("base64url");

async function paused(username = "ana") {
  const { service, actor } = await waiting(
    [asks("otp", "key-1")],
    {},
    {
      provider: "test",
      username,
      password: "hunter two",
    },
  );
  const token = await pause(actor, { key: KEY });
  const [header = "", , vector = "", sealed = "", tag = ""] = token.split(".");
  return { service, client: service.client(), token, header, vector, sealed, tag };
}

describe("a token in which one character was changed", () => {
  test.each(["vector", "sealed", "tag"] as const)("does not open, wherever that is in its %s", async (name) => {
    const made = await paused();
    const { service, client, token } = made;
    const start = token.indexOf(made[name]);
    const place = fc.integer({ min: start, max: start + made[name].length - 1 });
    await fc.assert(
      fc.asyncProperty(place, fc.constantFrom(...BASE64URL), async (index, character) => {
        fc.pre(token[index] !== character);
        const altered = token.slice(0, index) + character + token.slice(index + 1);
        expect(await codeFor(client, altered)).toBe("token_altered");
      }),
    );
    expect(service.requests).toHaveLength(1);
  });

  // Two of three lengths leave bits to spare in the last character, which a decoder would not look at.
  test.each(["a", "an", "ana"])("does not open where the change is in bits to spare (%s)", async (username) => {
    const { client, token, header, vector, sealed, tag } = await paused(username);
    const ends = [token.length - 1, `${header}..${vector}.${sealed}`.length - 1];
    expect(ends.map((end) => token[end])).toEqual([tag.at(-1), sealed.at(-1)]);
    for (const end of ends) {
      for (const character of BASE64URL.replace(token[end] ?? "", "")) {
        const altered = token.slice(0, end) + character + token.slice(end + 1);
        expect(await codeFor(client, altered)).toBe("token_altered");
      }
    }
  });

  test("does not open where that is in its header, whatever the header says then", async () => {
    const { service, client, token, header } = await paused();
    const codes = new Set<unknown>();
    for (const index of header.split("").keys()) {
      for (const character of ["A", "b", "9", "_"].filter((other) => other !== header[index])) {
        codes.add(await codeFor(client, token.slice(0, index) + character + token.slice(index + 1)));
      }
    }
    expect([...codes].sort()).toEqual([
      "token_altered",
      "token_incomplete",
      "token_of_another_key",
      "token_of_another_version",
    ]);
    expect(service.requests).toHaveLength(1);
  });
});

describe("a token in which more was changed", () => {
  test.each([
    ["the algorithm", { alg: "none" }, "token_altered"],
    ["the cipher", { enc: "A128GCM" }, "token_altered"],
    ["the compression", { zip: "DEF" }, "token_altered"],
    ["a critical extension", { crit: ["x"], x: 1 }, "token_altered"],
    ["a claim that is shown", { exp: 9_999_999_999 }, "token_altered"],
    ["the type", { typ: "ventanilla-login-2" }, "token_of_another_version"],
    ["the key's name", { kid: "AAAAAAAA" }, "token_of_another_key"],
  ])("does not open: %s", async (_, change, code) => {
    const { client, token, header } = await paused();
    const changed = { ...JSON.parse(Buffer.from(header, "base64url").toString()), ...change };
    expect(await codeFor(client, token.replace(header, encode(JSON.stringify(changed))))).toBe(code);
  });

  test("does not open with a part of another token", async () => {
    const [one, other] = [await paused(), await paused()];
    for (const name of ["vector", "sealed", "tag"] as const) {
      expect(await codeFor(one.client, one.token.replace(one[name], other[name]))).toBe("token_altered");
    }
  });
});

describe("a token that was cut", () => {
  test("at any length, from either end, is incomplete", async () => {
    const { service, client, token } = await paused();
    for (const length of token.split("").keys()) {
      expect(await codeFor(client, token.slice(0, length))).toBe("token_incomplete");
      expect(await codeFor(client, token.slice(length + 1))).toBe("token_incomplete");
    }
    expect(service.requests).toHaveLength(1);
  });

  test("in its middle does not open", async () => {
    const { client, token } = await paused();
    const place = fc.integer({ min: 0, max: token.length - 1 });
    await fc.assert(
      fc.asyncProperty(place, place, async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other) + 1];
        expect(["token_incomplete", "token_altered", "token_of_another_key", "token_of_another_version"]).toContain(
          await codeFor(client, token.slice(0, from) + token.slice(to)),
        );
      }),
    );
  });

  test("and put together again opens", async () => {
    const { service, token } = await paused();
    await takeUp(service, token.slice(0, 100) + token.slice(100));
  });
});

describe("what never was a token", () => {
  test("is incomplete, whatever text it is", async () => {
    const { service, client } = await paused();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: "binary" }), fc.string(), fc.base64String()), async (text) => {
        expect(await codeFor(client, text)).toBe("token_incomplete");
      }),
    );
    expect(service.requests).toHaveLength(1);
  });

  test("is incomplete with spaces around it, or more than one", async () => {
    const { client, token } = await paused();
    for (const text of [` ${token}`, `${token}\n`, `${token}.`, `"${token}"`, `${token},${token}`]) {
      expect(await codeFor(client, text)).toBe("token_incomplete");
    }
  });

  test("is of another version, or incomplete, where it has a token's shape", async () => {
    const { client, vector, sealed, tag } = await paused();
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (header) => {
        const isObject = typeof header === "object" && header !== null && !Array.isArray(header);
        const text = `${encode(JSON.stringify(header))}..${vector}.${sealed}.${tag}`;
        expect(await codeFor(client, text)).toBe(isObject ? "token_of_another_version" : "token_incomplete");
      }),
    );
  });

  test.each([undefined, null, 7, true, {}, [], ["a", "b"]])("is incomplete where it is no text: %j", async (value) => {
    const { client } = await paused();
    expect(await codeFor(client, value as unknown as string)).toBe("token_incomplete");
  });
});
