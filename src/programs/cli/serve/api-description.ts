import { toJsonSchemaDefs } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import {
  apiError,
  code,
  createdSession,
  erased,
  IDEMPOTENCY_KEY,
  id,
  lastStep,
  login,
  newSession,
  provider,
  RECIPIENT_LIMIT,
  session,
  sessionEnded,
  sessionKey,
  sessionProgress,
  sessions,
  user,
} from "./api-schemas.ts";

/** The description of the API: OpenAPI 3.1, from the schemas that the API checks with. */
export function describeApi(url: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "ventanilla serve",
      version: "1",
      description: "Bank logins with an address: make a session, give its address to a person, take the session key.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ key: [] }],
    paths: {
      "/sessions": {
        post: {
          operationId: "createSession",
          summary: "Make a session with an address",
          requestBody: { required: true, content: toContent("NewSession") },
          responses: {
            201: respond("The session.", "CreatedSession"),
            ...errors(400, 401, 408, 413, 415, 429, 500, 503),
          },
        },
        get: {
          operationId: "listSessions",
          summary: "List the newest sessions of a user, a hundred at most",
          parameters: [userParameter],
          responses: { 200: respond("The sessions, the newest first.", "Sessions"), ...errors(400, 401, 500, 503) },
        },
        delete: {
          operationId: "eraseSessions",
          summary: "Erase all sessions of a user",
          description: "Open ones end, and no webhook tells of it. Sessions at the banks stay open.",
          parameters: [userParameter],
          responses: { 200: respond("How many there were.", "Erased"), ...errors(400, 401, 500, 503) },
        },
      },
      "/sessions/{id}": {
        parameters: [idParameter],
        get: {
          operationId: "readSession",
          summary: "Say where a session is",
          responses: { 200: respond("The session.", "Session"), ...errors(401, 404, 500, 503) },
        },
        delete: {
          operationId: "cancelSession",
          summary: "Cancel a session that has not ended",
          responses: { 200: respond("The session, as it now is.", "Session"), ...errors(401, 404, 500, 503) },
        },
      },
      "/sessions/{id}/key": {
        parameters: [idParameter],
        post: {
          operationId: "takeKey",
          summary: "Take the session key",
          description: "One recipient gets it, and gets it again: repeat the call if its response was lost.",
          parameters: [recipientParameter],
          responses: { 200: respond("The session key.", "SessionKey"), ...errors(400, 401, 404, 409, 500, 503) },
        },
      },
      "/sessions/{id}/renew": {
        parameters: [idParameter],
        post: {
          operationId: "renewSession",
          summary: "Make a session for logging in again",
          description: "For the same user at the same bank, with the same user name, language and way back.",
          responses: { 201: respond("The new session.", "CreatedSession"), ...errors(401, 404, 429, 500, 503) },
        },
      },
      "/openapi.json": { get: openRead("describe", "This description") },
      "/health": { get: openRead("checkHealth", "Say that the server responds") },
      "/ready": {
        get: {
          ...openRead("checkReadiness", "Say whether the server can do its work"),
          responses: { 200: toReadiness("It can."), 503: toReadiness("It can't: `status` says why.") },
        },
      },
    },
    webhooks: {
      sessionEnded: {
        post: {
          operationId: "sessionEnded",
          summary: "Sent to --webhook when a session has ended",
          description:
            "Signed as Standard Webhooks say: webhook-id (the session's id), webhook-timestamp, webhook-signature.",
          requestBody: { required: true, content: toContent("SessionEnded") },
          responses: { "2XX": { description: "Received. It is sent again after any other response." } },
        },
      },
      sessionProgress: {
        post: {
          operationId: "sessionProgress",
          summary: "Sent to --webhook for each step on the way, with --webhook-progress",
          description:
            "Signed in the same way. webhook-id has the session's id, the type and the number. It may be missing, and may come late.",
          requestBody: { required: true, content: toContent("SessionProgress") },
          responses: { "2XX": { description: "Received. It is sent four times at most." } },
        },
      },
    },
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "VENTANILLA_SERVE_KEY" } },
      schemas: toJsonSchemaDefs(schemas, {
        target: "draft-2020-12",
        overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
      }),
      parameters,
      responses: Object.fromEntries(errorStatuses.map((status) => [`Error${status}`, toErrorResponse(status)])),
    },
  };
}

const schemas = {
  Id: id,
  User: user,
  Provider: provider,
  Code: code,
  LoginId: login,
  LastStep: lastStep,
  NewSession: newSession,
  CreatedSession: createdSession,
  Session: session,
  Sessions: sessions,
  Erased: erased,
  SessionKey: sessionKey,
  SessionEnded: sessionEnded,
  SessionProgress: sessionProgress,
  Error: apiError,
} satisfies Record<string, GenericSchema>;

const toReference = (kind: "parameters" | "responses", name: string) => ({ $ref: `#/components/${kind}/${name}` });

const parameters = {
  id: { name: "id", in: "path", required: true, schema: { $ref: "#/components/schemas/Id" } },
  user: {
    name: "user",
    in: "query",
    required: true,
    description: "The user that the sessions were made for.",
    schema: { $ref: "#/components/schemas/User" },
  },
  recipient: {
    name: IDEMPOTENCY_KEY,
    in: "header",
    required: true,
    description: "Names the recipient: the id of the job that stores the key.",
    schema: { type: "string", minLength: 1, maxLength: RECIPIENT_LIMIT },
  },
};

const idParameter = toReference("parameters", "id");
const userParameter = toReference("parameters", "user");
const recipientParameter = toReference("parameters", "recipient");

const toContent = (name: keyof typeof schemas) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});

const respond = (description: string, name: keyof typeof schemas) => ({ description, content: toContent(name) });

const meanings = {
  400: "The request can't be used: `field` names the member or the header.",
  401: "The key is missing or wrong.",
  404: "There is no such session.",
  408: "The body came too slowly.",
  409: "The session has no key to take: it is not `logged_in`, or another recipient has it.",
  413: "The body is too large.",
  415: "The body is not `application/json`.",
  429: "Too many sessions for this user.",
  500: "Something broke. The log has it.",
  503: "The store or the banking service is not available. Repeat the call as it was.",
} as const;

type ErrorStatus = keyof typeof meanings;
const errorStatuses = Object.keys(meanings).map(Number) as ErrorStatus[];

function toErrorResponse(status: ErrorStatus) {
  const headers = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } };
  return { ...respond(meanings[status], "Error"), ...((status === 429 || status === 503) && { headers }) };
}

const errors = (...statuses: readonly ErrorStatus[]) =>
  Object.fromEntries(statuses.map((status) => [status, toReference("responses", `Error${status}`)]));

const toReadiness = (description: string) => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { status: { enum: ["ready", "store_failed", "bank_unreachable"] } },
        required: ["status"],
      },
    },
  },
});

/** A read for which no key is needed. */
const openRead = (operationId: string, summary: string) => ({
  operationId,
  summary,
  security: [],
  responses: { 200: { description: "It responds.", content: { "application/json": { schema: { type: "object" } } } } },
});
