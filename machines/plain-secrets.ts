import type { Failure, KeptLogin, LoginEvent, PausedLogin } from "./login.types.ts";
import { withoutData } from "./slots.ts";

/** Whether a value shows nothing, as a `Secret`: an object without members. */
const isOpaque = (value: unknown): boolean => typeof value === "object" && value !== null && Reflect.ownKeys(value).length === 0;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

/** The first value that can be seen, by its name. */
const findName = (values: Readonly<Record<string, unknown>>): string | undefined => Object.keys(values).find((name) => !isOpaque(values[name]));

const fail = (field: string | undefined, how: string): Failure | undefined =>
  field === undefined ? undefined : { kind: "fault", code: "invalid_input", field, detail: `must be a secret: ${how}` };

function findInCredentials(credentials: unknown): Failure | undefined {
  const { fields, token } = Object(credentials) as { readonly fields?: unknown; readonly token?: unknown };
  if (token !== undefined && !isOpaque(token)) return fail("token", "make credentials with createCredentials()");
  return fail(isRecord(fields) ? findName(fields) : "credentials", "make credentials with createCredentials()");
}

/**
 * The failure for an event whose secrets can be seen: from JavaScript, where no compiler says so, or after JSON. They must not come into a context, which
 * is stored and inspected. The failure names the field, and not its value.
 */
export function findPlainSecret(event: LoginEvent): Failure | undefined {
  switch (event.type) {
    case "credentials.submit":
      return findInCredentials(event.credentials);
    case "interaction.answer":
      return fail(isRecord(event.answer) ? findName(event.answer) : "answer", "wrap it with secret()");
    case "login.resume": {
      if (!event.paused) throw withoutData(event, "paused");
      const { key, token, credentials }: Partial<PausedLogin & KeptLogin> = event.paused;
      if (key !== undefined && !isOpaque(key)) return fail("key", "wrap it with secret()");
      if (token !== undefined && !isOpaque(token)) return fail("token", "wrap it with secret()");
      return credentials && findInCredentials(credentials);
    }
    default:
      return undefined;
  }
}
