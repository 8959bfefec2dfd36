import { CONFIRMATION_FIELD } from "./bank.ts";
import type { Told } from "./history.ts";
import { noteSubmit } from "./kept-rows.ts";
import type { PageAccess, PageSubmit } from "./processes.ts";

// What pages of both doors send, and how they read the responses.

type Json = Readonly<Record<string, unknown>>;

export interface PageRequest {
  readonly method?: "GET" | "POST";
  /** Below the address of the door. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface PageResponse {
  readonly status: number;
  readonly json: Json;
  readonly lastSubmit: number | undefined;
}

/** The request of a login. @param own what names its page to the door. */
export function createRequest(
  url: string,
  { session, number }: PageAccess,
  { method = "GET", path, headers, body }: PageRequest,
  own: Readonly<Record<string, string>>,
): Request {
  return new Request(`${url}${path}`, {
    method,
    headers: {
      "x-ventanilla": "1",
      "x-ventanilla-login": session,
      "x-ventanilla-submit": String(number),
      ...own,
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
}

/** The request that is sent once. */
export function createSubmit(submit: PageSubmit): PageRequest {
  const { question, client, form } = submit;
  const body = client ? "" : new URLSearchParams(form).toString();
  noteSubmit(submit, body);
  const headers = question === undefined ? {} : { "x-session-key": question };
  if (client) return { path: `client/${client}/`, headers };
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return { method: "POST", path: "login/", headers: { ...headers, ...type }, body };
}

export async function readPageResponse(response: Response): Promise<PageResponse> {
  // A page of its own says that something is broken.
  const isJson = response.headers.get("content-type")?.includes("json");
  const json = isJson ? ((await response.json()) as Json) : {};
  const last = response.headers.get("x-ventanilla-submit") ?? json["lastSubmit"];
  return { status: response.status, json, lastSubmit: last == null ? undefined : Number(last) };
}

export const readSubmit = ({ json, lastSubmit }: PageResponse): Told => ({ ...readResponse(json), lastSubmit });

const readNumber = (name: string): number => Number(name.split("-")[1]);

function readResponse(json: Json): Told {
  const { status, error, key, context, field, message } = json;
  switch (status) {
    // To the choice of a client.
    case "success":
    case "logged_in":
      return { kind: "loggedIn" };
    case "select_client":
      return { kind: "clients", name: String(key), number: readNumber(String(key)) };
    case "wrong_credentials":
      return { kind: "refused" };
    case "unknown_submit":
      return { kind: "neverSent" };
    case "interaction_required":
      return {
        kind: "question",
        name: String(key),
        number: readNumber(String(key)),
        text: String(context),
        isConfirmation: String(field) === CONFIRMATION_FIELD,
        timeLeft: Number(json["time_left"]),
        isAnsweredAutomatically: json["awaits_approval"] === true,
      };
  }
  // The choice of a client that the bank does not know: before it was sent, or after.
  if (status === "error" && message === "wrong_client") return { kind: key === undefined ? "failed" : "refused" };
  if (error === "outcome_unknown") return { kind: "unknown" };
  if (error === "service_unavailable") return { kind: "later" };
  if (error === "not_signed_in") return { kind: "over" };
  if (message === "Invalid key") return { kind: "gone" };
  if (error === "http_failed") return { kind: "failed" };
  throw new Error(`The page can't read ${JSON.stringify(json)}.`);
}
