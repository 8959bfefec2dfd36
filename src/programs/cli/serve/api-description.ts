import { toJsonSchema } from "@valibot/to-json-schema";
import type { GenericSchema } from "valibot";
import {
  apiError,
  createdSession,
  erased,
  IDEMPOTENCY_KEY,
  newSession,
  session,
  sessionEnded,
  sessionKey,
  sessionProgress,
  sessions,
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
          description: "One taker gets it, and gets it again: repeat the call if its response was lost.",
          parameters: [takerParameter],
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
      schemas: Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, toSchema(schema)])),
    },
  };
}

const schemas = {
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

function toSchema(schema: GenericSchema) {
  const { $schema: _, ...rest } = toJsonSchema(schema, { target: "draft-2020-12" });
  return rest;
}

const idParameter = { name: "id", in: "path", required: true, schema: { type: "string" } };

const userParameter = {
  name: "user",
  in: "query",
  required: true,
  description: "The user that the sessions were made for.",
  schema: { type: "string", minLength: 1 },
};

const takerParameter = {
  name: IDEMPOTENCY_KEY,
  in: "header",
  required: true,
  description: "Names the taker: the id of the job that stores the key.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const toContent = (name: keyof typeof schemas) => ({
  "application/json": { schema: { $ref: `#/components/schemas/${name}` } },
});

const respond = (description: string, name: keyof typeof schemas) => ({ description, content: toContent(name) });

const meanings = {
  400: "The request can't be used: `field` names the member or the header.",
  401: "The key is missing or wrong.",
  404: "There is no such session.",
  408: "The body came too slowly.",
  409: "There is no session key to take: the session is not `logged_in`, or another taker has it.",
  413: "The body is too large.",
  415: "The body is not `application/json`.",
  429: "Too many sessions for this user.",
  500: "Something broke. The log has it.",
  503: "The store or the banking service is not available. Repeat the call as it was.",
} as const;

function errors(...statuses: readonly (keyof typeof meanings)[]) {
  const toEntry = (status: keyof typeof meanings) => {
    const headers = { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } };
    return [status, { ...respond(meanings[status], "Error"), ...((status === 429 || status === 503) && { headers }) }];
  };
  return Object.fromEntries(statuses.map(toEntry));
}

const toReadiness = (description: string) => ({
  description,
  content: {
    "application/json": {
      schema: {
        type: "object",
        properties: { status: { enum: ["ready", "store_failed", "bank_unreachable"] } },
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
