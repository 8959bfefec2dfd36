import type { RelayAnswer } from "./answers.ts";

/** With every answer, whatever it says. */
const ALWAYS = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Pages of allowed origins read the answers by CORS; nobody else's page may so much as embed one.
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  vary: "Origin",
  "x-content-type-options": "nosniff",
};

/** Makes an answer a response that no cache keeps, no page embeds and no browser takes for anything but JSON. */
export function responseOf({ http, body, headers }: RelayAnswer, readable: Readonly<Record<string, string>>): Response {
  const all = { ...ALWAYS, ...readable, ...headers };
  if (!body) return new Response(null, { status: http, headers: all });
  return new Response(JSON.stringify(body), { status: http, headers: { ...all, "content-type": "application/json" } });
}
