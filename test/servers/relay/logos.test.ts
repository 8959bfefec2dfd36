import type { RelayOptions } from "ventanilla/relay";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { field, startService } from "../../bank/service.ts";
import { logoPng, serveLogos } from "./logo-host.ts";
import { stage as stageRelay } from "./stage.ts";

const CDN = "cdn.bank.example";

/** A relay before a service whose banks have a logo at this address, and the host of the logos. */
async function stage({
  logo = `https://${CDN}/test.png`,
  answer = () => new Response(logoPng),
  ...options
}: Partial<RelayOptions> & { readonly logo?: string; readonly answer?: () => Response | Promise<Response> } = {}) {
  const asked = serveLogos(CDN, answer);
  const provider = { name: "Bank", country: "UY", auth_fields: [field({ name: "username" })], logo };
  const bank = await startService(() => ({ json: { status: "success", provider } }));
  const set = await stageRelay({ logoHosts: [CDN], ...options }, { bank });
  return { ...set, asked };
}

/** A body whose connection breaks. */
const breakOff = (bytes: Uint8Array) =>
  new ReadableStream({
    start: (controller) => controller.enqueue(bytes),
    pull: (controller) => controller.error(new TypeError("terminated")),
  });

/** As an `img` of a page on another origin asks: without a header of the relay's. */
const load = (set: { url: string }, path = "logo/test/") => fetch(`${set.url}/${path}`);

test("a logo of a listed host is fetched once, and served to an img", async () => {
  const set = await stage();
  const { provider } = (await (await set.send("/provider/test/")).json()) as { provider: { logo: string } };
  expect(provider.logo).toBe("logo/test/");
  const [response] = await Promise.all([load(set), load(set)]);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/png",
    "cache-control": "public, max-age=86400",
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(logoPng);
  expect((await load(set)).status).toBe(200);
  expect(set.asked).toEqual([[`https://${CDN}/test.png`, "manual"]]);
});

test("a page's client gets its complete address", async () => {
  const set = await stage();
  const found = await set.browser().getProvider("test");
  expect(found).toMatchObject({ provider: { logo: `${set.url}/logo/test/` } });
});

describe("there is none, and the initials stay,", () => {
  const svg = "<svg xmlns='http://www.w3.org/2000/svg'/>";
  const sendFile = (body: BodyInit, type: string) => () => new Response(body, { headers: { "content-type": type } });
  test.each<[string, reason: string, answer: () => Response | Promise<Response>]>([
    ["for a redirect", "HTTP 302", () => Response.redirect(`https://${CDN}/other.png`)],
    ["for an SVG", "no PNG, JPEG, GIF or WebP", sendFile(svg, "image/svg+xml")],
    ["for an SVG that is called a PNG", "no PNG, JPEG, GIF or WebP", sendFile(svg, "image/png")],
    ["above 128 KiB", "more than 131072 bytes", sendFile(Buffer.concat([logoPng, Buffer.alloc(131_072)]), "image/png")],
    ["for another status", "HTTP 404", () => new Response(logoPng, { status: 404 })],
    ["for a host that does not respond", "no response", () => Promise.reject(new TypeError("fetch failed"))],
    ["for half a file", "no complete response", () => new Response(breakOff(logoPng))],
  ])("%s: it is reported once, and not fetched again", async (_, reason, answer) => {
    const set = await stage({ answer });
    for (const _ of [1, 2]) {
      const response = await load(set);
      expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"]);
    }
    expect(set.asked).toHaveLength(1);
    const reported = set.errors.map(({ code, field, detail }) => [code, field, detail]);
    expect(reported).toEqual([["response_against_contract", "provider.logo", `the logo of test: ${reason}`]]);
  });

  test.each([
    ["at a host that is not listed", "https://other.example/test.png"],
    ["at a port that is not listed", `https://${CDN}:8443/test.png`],
    ["without TLS", `http://${CDN}/test.png`],
    ["with a user in its address", `https://user@${CDN}/test.png`],
    ["below a host that looks alike", `https://${CDN}.other.example/test.png`],
    ["that is no address", "test.png"],
  ])("%s: nothing is fetched", async (_, logo) => {
    const set = await stage({ logo });
    expect((await load(set)).status).toBe(404);
    expect(await (await set.send("/provider/test/")).text()).not.toContain("logo/test/");
    expect(set.asked).toEqual([]);
  });
});

test("one that failed is fetched again after ten minutes, and one that is kept after a day", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  let isDown = true;
  const set = await stage({ answer: () => new Response(isDown ? "" : logoPng) });
  const statusAfter = async (time: number) => {
    vi.advanceTimersByTime(time);
    return (await load(set)).status;
  };
  expect(await statusAfter(0)).toBe(404);
  isDown = false;
  expect(await statusAfter(599_999)).toBe(404);
  expect(await statusAfter(1)).toBe(200);
  isDown = true;
  expect(await statusAfter(86_399_999)).toBe(200);
  expect(await statusAfter(1)).toBe(404);
  expect(set.asked).toHaveLength(3);
});

test("only what has to be fetched counts for the caller's limit, and nothing is fetched above it", async () => {
  const rateLimit = vi.fn(() => 0);
  const set = await stage({ rateLimit });
  await load(set);
  await load(set);
  expect(rateLimit).toHaveBeenCalledTimes(1);
  rateLimit.mockReturnValue(1000);
  expect((await load(set, "logo/other/")).status).toBe(429);
  rateLimit.mockImplementation(() => {
    throw new Error("the store is down");
  });
  expect((await load(set, "logo/third/")).status).toBe(429);
  expect(set.asked).toHaveLength(1);
});

test.each(["logo/", "logo/TEST/", "logo/test", "logo/..%2Ftest/", "logo/test/x"])(
  "%s is the path of no logo",
  async (path) => {
    const set = await stage();
    expect((await load(set, path)).status).toBe(404);
    expect(set.asked).toEqual([]);
  },
);
