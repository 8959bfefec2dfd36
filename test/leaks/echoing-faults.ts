import type { Scene } from "../faults/bank.ts";
import { formatResponse } from "../faults/wire.ts";

/** A fault that repeats what was sent, whatever the request is. */
export interface EchoingFault {
  readonly fault: string;
  readonly play: (scene: Scene) => unknown;
}

/** The request to the letter, and once more as it was meant. */
const echoOf = ({ request: { bytes, target, body } }: Scene): string => {
  const sent = [...new URL(target, "http://bank.test").searchParams, ...new URLSearchParams(body)];
  return [bytes, ...sent.map((pair) => pair.join("="))].join("\n");
};

const says = (http: string, body: string, headers: Readonly<Record<string, string>> = {}) =>
  formatResponse(http, body, headers);

const page = (http: string) => (scene: Scene) =>
  scene.socket.write(says(http, `<html>${echoOf(scene)}</html>`, { "content-type": "text/html" }));

const json = (http: string, said: (echo: string) => unknown) => (scene: Scene) =>
  scene.socket.write(says(http, JSON.stringify(said(echoOf(scene)))));

/** What each request is answered with when nothing is wrong, with an echo for every text. */
const allRight = (scene: Scene) => {
  const { target } = scene.request;
  const echo = echoOf(scene);
  const status = target.startsWith("/login/") ? "interaction_required" : "success";
  const said = {
    status: target.startsWith("/logout/") ? "logged_out" : status,
    field: "otp",
    context: echo,
    message: echo,
    providers: [{ code: "test", country: "UY", name: echo, [echo]: echo }],
    provider: { name: echo, country: "UY", auth_fields: [], logo: echo, [echo]: echo },
    destinations: [{ id: 1, name: echo, [echo]: echo }],
    clients: { 0: echo },
    key: echo,
    [echo]: echo,
  };
  scene.socket.write(says("200 OK", JSON.stringify(said)));
};

export const echoingFaults: readonly EchoingFault[] = [
  { fault: "an echo in a page", play: page("200 OK") },
  { fault: "an echo in a page of a failure", play: page("500 Internal Server Error") },
  { fault: "an echo in a page of a refusal", play: page("403 Forbidden") },
  {
    fault: "an echo in the reason of a failure",
    play: (scene) => scene.socket.write(says(`500 ${encodeURIComponent(echoOf(scene))}`, "")),
  },
  {
    fault: "an echo in headers",
    play: (scene) => {
      const echo = echoOf(scene).replaceAll(/[^\x20-\x7e]/g, " ");
      const headers = ["retry-after", "content-type", "set-cookie", "www-authenticate", "x-echo"];
      scene.socket.write(says("503 Later", "", Object.fromEntries(headers.map((name) => [name, echo]))));
    },
  },
  {
    fault: "an echo in half an answer",
    play: (scene) => scene.socket.write(says("200 OK", `{"status":"success","echo":${JSON.stringify(echoOf(scene))}`)),
  },
  { fault: "an echo in place of an answer", play: json("200 OK", (echo) => echo) },
  { fault: "an echo in the status", play: json("200 OK", (status) => ({ status })) },
  { fault: "an echo in the message", play: json("400 Bad Request", (message) => ({ status: "error", message })) },
  {
    fault: "an echo in the code",
    play: json("400 Bad Request", (code) => ({ status: "error", code, type: code, field: code })),
  },
  {
    fault: "an echo in a description",
    play: json("200 OK", (echo) => ({ status: "error", code: "B1004", description: { [echo]: [echo] } })),
  },
  { fault: "an echo in the right answer", play: allRight },
];
