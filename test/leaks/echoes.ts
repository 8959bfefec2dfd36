import { asks, type Line, loggedIn, type Received, type Reply } from "../bank/service.ts";
import type { Scene } from "../faults/faulty-bank.ts";
import { formatResponse } from "../faults/wire.ts";
import { answered, type Flow, first } from "./flows.ts";

/** Everything that was sent, as it was sent and as it was meant. */
const formatEcho = (request: Sent): string =>
  [request.url, request.body, ...Object.values(request.form), JSON.stringify(request.headers)].join(" ");

/** The values that were just sent, unchanged, keys included. */
const listValues = ({ form, url }: Sent): string[] => [
  ...Object.entries(form).flatMap(([name, value]) => (name === "provider" ? [] : [value])),
  ...new URL(url, "http://bank.test").searchParams.values(),
];

/** The API key, or the tokens of an app and of its login. */
const listProofs = ({ headers }: Received): string[] =>
  [headers["x-api-key"], headers.authorization?.replace("Bearer ", ""), headers["x-ventanilla-token"]].filter(
    (proof) => typeof proof === "string",
  );

type Sent = Pick<Received, "url" | "body" | "form" | "headers">;

const echoes: readonly [name: string, echo: (request: Sent, echoed: string) => Exclude<Reply, string>][] = [
  ["a page", (_, echoed) => ({ text: `<html>${echoed}</html>`, headers: { "content-type": "text/html" } })],
  ["a page of a failure", (_, echoed) => ({ http: 500, text: `<html>${echoed}</html>` })],
  ["a page of a refusal", (_, echoed) => ({ http: 403, text: `<html>${echoed}</html>` })],
  ["the reason of a failure", (request) => ({ http: 500, reason: encodeURIComponent(formatEcho(request)), text: "" })],
  ["half an answer", (_, echoed) => ({ text: `{"status":"logged_in","echo":${JSON.stringify(echoed)}` })],
  ["an answer without status", (_, echoed) => ({ json: { echo: echoed } })],
  ["an answer that is a text", (_, echoed) => ({ json: echoed })],
  [
    "a redirect",
    (request) => ({ http: 307, headers: { location: `/moved?${encodeURIComponent(formatEcho(request))}` } }),
  ],
  ["a refusal's other members", (_, echoed) => ({ json: { status: "wrong_credentials", echo: echoed, key: echoed } })],
  ["the status", (request) => ({ json: { status: formatEcho(request) } })],
  ["a status that reads like one", (request) => ({ json: { status: `bad-${listValues(request).at(-1)}` } })],
  ["the message", (_, echoed) => ({ json: { status: "error", message: echoed } })],
  ["the code", (_, echoed) => ({ json: { status: "error", code: echoed, type: echoed } })],
  ["a text of a description", (_, echoed) => ({ json: { status: "error", code: "B1001", description: echoed } })],
  ["a list of a description", (_, echoed) => ({ json: { status: "error", code: "B1002", description: [echoed] } })],
  [
    "an object of a description",
    (_, echoed) => ({ json: { status: "error", code: "B1004", description: { echoed } } }),
  ],
  ["a key that is not a string", (_, echoed) => ({ json: { status: "logged_in", key: { echoed } } })],
  [
    "a field that is not a string",
    (_, echoed) => ({ json: { status: "interaction_required", key: "k", field: [echoed] } }),
  ],
  ["a context that is not a string", (_, echoed) => ({ json: { ...question, context: { echoed } } })],
  [
    "headers",
    (request) => {
      const names = ["retry-after", "content-type", "set-cookie", "www-authenticate", "x-echo"];
      const echo = listValues(request).map(encodeURIComponent).join();
      return { http: 429, headers: Object.fromEntries(names.map((name) => [name, echo])) };
    },
  ],
];

/** Where a text of the bank's stands that the person reads. */
const shown = ["a text of a description", "the right answer"];

const question = { status: "interaction_required", key: "k", field: "otp" };

/** The right response to each request, with an echo in every text. */
const right = ({ url }: Sent, echo: string): Exclude<Reply, string> => {
  const status = url.startsWith("/login/") ? "interaction_required" : "success";
  return {
    json: {
      status: url.startsWith("/logout/") ? "logged_out" : status,
      field: "otp",
      context: echo,
      message: echo,
      providers: [{ code: "test", country: "UY", name: echo, [echo]: echo }],
      provider: { name: echo, country: "UY", auth_fields: [], logo: echo, [echo]: echo },
      destinations: [{ id: 1, name: echo, [echo]: echo }],
      clients: { 0: echo },
      key: echo,
      [echo]: echo,
    },
  };
};

/** The echoes as faults of the wire, for any request. */
export const echoingFaults = [...echoes, ["the right answer", right] as const].map(([place, echo]) => ({
  place,
  isShown: shown.includes(place),
  play: ({ socket, request: { target, body, headers } }: Scene) => {
    const sent = { url: target, body, form: Object.fromEntries(new URLSearchParams(body)), headers };
    const reply = echo(sent, formatEcho(sent));
    if ("write" in reply) throw new Error("no response to write");
    const { http = 200, reason = "", json, text = JSON.stringify(json) ?? "", headers: own } = reply;
    socket.write(formatResponse(`${http} ${reason}`, text, own));
  },
}));

/** A bank that repeats what it got at the first login. */
export const echoingAtFirst: readonly Flow[] = echoes.map(([place, echo]) => ({
  name: `an echo of the first login in ${place}`,
  isRepeated: shown.includes(place),
  script: () => [(request) => echo(request, formatEcho(request))],
  ends: "failed",
}));

/** A bank that repeats what it got at the second login. */
export const echoingAtSecond: readonly Flow[] = echoes.map(([place, echo]) => ({
  name: `an echo of the second login in ${place}`,
  isRepeated: shown.includes(place),
  script: (canaries) => [first(canaries), (request) => echo(request, formatEcho(request))],
  used: answered,
  ends: "failed",
}));

/** A bank that repeats one secret, and nothing else, where a name stands. */
export const echoingNames: readonly Flow[] = [
  {
    name: "a field named as the password",
    isRepeated: true,
    script: ({ password, sessionKey }) => [asks(password.value, "k"), loggedIn(sessionKey.value)],
    ends: "loggedIn",
  },
  {
    name: "a status that is the username",
    script: ({ username }) => [{ json: { status: username.value } }],
    ends: "failed",
  },
  {
    // To the client of a relay the login's token is that.
    name: "a status that is the session key",
    script: ({ firstKey }) => [
      asks("otp", firstKey.value),
      ({ headers }) => ({ json: { status: headers["x-ventanilla-token"] ?? firstKey.value } }),
    ],
    ends: "failed",
  },
];

/** Echoes after which the login goes on. */
export const echoingOn: readonly Flow[] = [
  {
    name: "an echo in the other members of an answer",
    script: (canaries) => [
      (request) => ({ json: { ...question, key: canaries.firstKey.value, echo: formatEcho(request) } }),
      (request) => ({ json: { status: "logged_in", key: canaries.sessionKey.value, echo: formatEcho(request) } }),
    ],
    used: [...answered, "sessionKey"],
    ends: "loggedIn",
  },
  {
    name: "an echo of what was just sent in the context",
    isRepeated: true,
    script: (canaries) => [
      (request) => asks("otp", canaries.firstKey.value, [...listValues(request), ...listProofs(request)].join()),
      (request) => asks("token", canaries.secondKey.value, listValues(request).join()),
      loggedIn(canaries.sessionKey.value),
    ],
    used: [...answered, "secondAnswer", "secondKey", "sessionKey"],
    ends: "loggedIn",
  },
];

/** A value in every encoding that a service may write it in. */
const encoded = (value: string): string[] => [
  value,
  encodeURIComponent(value),
  encodeURIComponent(value).replaceAll(/%../g, (code) => code.toLowerCase()),
  new URLSearchParams({ value }).toString(),
  JSON.stringify(value),
  JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`),
  value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;"),
];

/** A bank that repeats in every text all that it was sent in a conversation, and each key that it sent. */
export function parrot(lines: readonly ((echo: string, all: readonly string[]) => Reply)[]): Line[] {
  const heard = new Set<string>();
  return lines.map((line) => (request) => {
    for (const value of [...listValues(request), ...listProofs(request)]) heard.add(value);
    const key = (line("", []) as { json?: { key?: unknown } }).json?.key;
    if (typeof key === "string") heard.add(key);
    const all = [...heard];
    return line(all.flatMap(encoded).join("\n"), all);
  });
}
