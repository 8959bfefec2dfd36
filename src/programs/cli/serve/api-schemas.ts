import * as v from "valibot";
import { failures } from "../../../core/api/failures.ts";
import { LONGEST_TIMER } from "../../../core/api/input-checks.ts";
import type { FailureCode } from "../../../index.ts";
import { hostedEnds, languageTag, USER_LIMIT } from "../../../servers/hosted/hosted-options.ts";
import type { HostedEnd, HostedProgress, HostedSession, NewHostedSession } from "../../../servers/hosted/index.ts";

/** Seconds: a timer of the platform can wait no longer. */
const LONGEST = Math.floor(LONGEST_TIMER / 1000);
const EXPIRES_IN = `must be from 1 to ${LONGEST}`;

const describe = v.description;

export const IDEMPOTENCY_KEY = "Idempotency-Key";

export const RECIPIENT_LIMIT = 255;

// What a caller reads is in words of JSON, and repeats no value.
const string = v.string("must be a string");
const boolean = v.boolean("must be true or false");
const text = v.pipe(string, v.nonEmpty("must not be empty"));
const codes = Object.keys(failures) as [FailureCode, ...FailureCode[]];

export const id = v.pipe(text, describe("Names the session. It opens nothing."));
export const user = v.pipe(
  text,
  v.maxLength(USER_LIMIT, `must have ${USER_LIMIT} characters at most`),
  describe("Whose login it is, by a name of your own. No person sees it."),
);
export const provider = v.pipe(text, describe("The bank's code."));
const expiresAt = v.pipe(v.string(), v.isoTimestamp(), describe("Until when a person can begin or answer."));
const loggedInAt = v.pipe(
  v.string(),
  v.isoTimestamp(),
  describe("When the session at the bank began. It may last for minutes only."),
);
export const code = v.pipe(
  v.union([v.picklist(codes), v.string()]),
  describe("Why nothing came of it: a code of docs/errors.md. A later version may have more of them."),
);
export const login = v.pipe(text, describe("The id of the last login, as the log and telemetry have it."));
export const lastStep = v.pipe(
  v.picklist(["created", "opened", "submitting", "awaiting_interaction", "refused"]),
  describe("With cancelled and expired: the step at which the person has left. With refused, failure says why."),
);

/** The body of `POST /sessions`. */
export const newSession = v.strictObject({
  user,
  provider: v.exactOptional(v.pipe(provider, describe("The bank's code. Without it the person chooses."))),
  username: v.exactOptional(v.pipe(text, describe("The person's user name at the bank: the form begins with it."))),
  locale: v.exactOptional(
    v.pipe(
      string,
      v.regex(languageTag, "must be a language tag, such as es-MX"),
      describe("The language of the page, a tag such as es-MX. Default: the browser's."),
    ),
  ),
  return_to: v.exactOptional(
    v.pipe(
      string,
      v.url("must be an address"),
      describe("Where the page goes in the end, on an origin of --return-to."),
    ),
  ),
  expires_in: v.exactOptional(
    v.pipe(
      v.number("must be a number"),
      v.minValue(1, EXPIRES_IN),
      v.maxValue(LONGEST, EXPIRES_IN),
      describe("Seconds in which a person can begin or answer. Default 900."),
    ),
  ),
  bind_username: v.exactOptional(
    v.pipe(boolean, describe("Refuses a login with another user name than username. Default false.")),
  ),
  ignore_known_refusal: v.exactOptional(
    v.pipe(boolean, describe("Sends a form although --refusals knows it as refused. Default false.")),
  ),
  when_open: v.exactOptional(
    v.pipe(
      v.picklist(["reuse", "cancel"], 'must be "reuse" or "cancel"'),
      describe(
        "What to do with an open session of this user and provider that when_open has made. Default: there are two.",
      ),
    ),
  ),
});

/** The response to `POST /sessions`. */
export const createdSession = v.object({
  id,
  url: v.pipe(
    v.string(),
    v.url(),
    describe("The address for the person. It is a secret until the person has logged in."),
  ),
  status: v.literal("created"),
  expires_at: expiresAt,
});

export const session = v.object({
  id,
  user,
  status: v.picklist(["created", "opened", "awaiting_interaction", ...hostedEnds]),
  over: v.pipe(boolean, describe("Whether nothing comes after this status.")),
  provider: v.exactOptional(provider),
  failure: v.exactOptional(code),
  last_step: v.exactOptional(lastStep),
  login: v.exactOptional(login),
  logged_in_at: v.exactOptional(loggedInAt),
  expires_at: expiresAt,
});

/** The response to `GET /sessions?user=…`. */
export const sessions = v.object({ sessions: v.array(session) });

/** The response to `DELETE /sessions?user=…`. */
export const erased = v.object({
  erased: v.pipe(v.number(), v.integer(), describe("How many sessions there were.")),
  may_have_arrived: v.pipe(
    v.number(),
    v.integer(),
    describe("Of how many the bank may have got a login. A repeat of the call in the next five minutes says so again."),
  ),
});

/** The response to `POST /sessions/{id}/key`. */
export const sessionKey = v.object({
  key: v.pipe(text, describe("The session key. Only the same recipient gets it again.")),
});

/** Every response of HTTP 400 and above. */
export const apiError = v.object({
  error: code,
  message: v.pipe(v.string(), describe("For the developer.")),
  renew: v.exactOptional(
    v.pipe(
      v.string(),
      describe("Where a POST makes a session for logging in again: the same user, bank and user name."),
    ),
  ),
  field: v.exactOptional(v.pipe(v.string(), describe("The member, or the part of the request, that can't be used."))),
});

/** The body of a webhook. */
export const sessionEnded = v.object({
  type: v.literal("session.ended"),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.object({
    id,
    user,
    status: v.picklist(hostedEnds),
    provider: v.exactOptional(provider),
    failure: v.exactOptional(code),
    last_step: v.exactOptional(lastStep),
    login: v.exactOptional(login),
    logged_in_at: v.exactOptional(loggedInAt),
  }),
});

/** The body of a webhook of a step on the way, with --webhook-progress. */
export const sessionProgress = v.object({
  type: v.picklist(["session.opened", "session.awaiting_interaction", "session.refused"]),
  timestamp: v.pipe(v.string(), v.isoTimestamp()),
  data: v.object({
    id,
    user,
    provider: v.exactOptional(provider),
    number: v.exactOptional(v.pipe(v.number(), v.integer(), describe("The number of the submit, from 1 on."))),
    failure: v.exactOptional(code),
    login: v.exactOptional(login),
  }),
});

export type ApiError = v.InferOutput<typeof apiError>;

export function toNewSession(body: v.InferOutput<typeof newSession>): NewHostedSession {
  const {
    return_to: returnTo,
    expires_in: expiresIn,
    ignore_known_refusal: ignoreKnownRefusal,
    bind_username: bindUsername,
    when_open: whenOpen,
    ...same
  } = body;
  return {
    ...same,
    ...(bindUsername !== undefined && { bindUsername }),
    ...(ignoreKnownRefusal !== undefined && { ignoreKnownRefusal }),
    ...(whenOpen !== undefined && { whenOpen }),
    ...(returnTo !== undefined && { returnTo }),
    ...(expiresIn !== undefined && { expiresIn: expiresIn * 1000 }),
  };
}

const formatMore = (time: Date | undefined, step: HostedSession["lastStep"] | undefined) => ({
  ...(step && { last_step: step }),
  ...(time && { logged_in_at: time.toISOString() }),
});

export function formatSession({
  expiresAt: time,
  loggedInAt,
  lastStep: step,
  ...same
}: HostedSession): v.InferOutput<typeof session> {
  return { ...same, ...formatMore(loggedInAt, step), expires_at: time.toISOString() };
}

/** The body of a webhook, and the id of its message. */
export function formatWebhook(event: HostedEnd | HostedProgress) {
  const timestamp = new Date().toISOString();
  if ("status" in event) {
    const { loggedInAt, lastStep: step, ...same } = event;
    const data = { ...same, ...formatMore(loggedInAt, step) };
    const body: v.InferOutput<typeof sessionEnded> = { type: "session.ended", timestamp, data };
    return { id: event.id, body };
  }
  const { type, ...data } = event;
  const body: v.InferOutput<typeof sessionProgress> = { type: `session.${type}`, timestamp, data };
  return { id: [data.id, type, ...(data.number === undefined ? [] : [data.number])].join("."), body };
}
