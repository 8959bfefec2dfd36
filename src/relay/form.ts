import { type Secret, secret } from "../api/secret.ts";
import {
  bodyAlreadyRead,
  bodyTooLarge,
  malformedFields,
  missingCredentials,
  type RelayAnswer,
  requestAborted,
  slowBody,
  unsupportedContentType,
} from "./answers.ts";
import { fieldsOf } from "./fields.ts";

/** A login form (contract, section 4.1) as it goes on to the bank: nothing after this sees a value. */
export interface LoginForm {
  readonly provider: string;
  readonly username: Secret;
  readonly password: Secret;
  /** The provider's own fields. */
  readonly others: Readonly<Record<string, Secret>>;
}

export interface FormLimits {
  readonly bodyLimit: number;
  readonly bodyTimeout: number;
  readonly fieldLimit: number;
}

/** Reads the text of a form, or says why it can't be read. */
export async function readForm(request: Request, limits: FormLimits): Promise<string | RelayAnswer> {
  const { headers } = request;
  // A form comes as it is: what would have to be unpacked first could unpack to anything.
  if (!isForm(headers.get("content-type")) || headers.has("content-encoding")) return unsupportedContentType;
  if (Number(headers.get("content-length")) > limits.bodyLimit) return bodyTooLarge;
  if (request.bodyUsed || request.body?.locked) return bodyAlreadyRead;
  const text = await readText(request, limits);
  // A parser that read Node's own stream leaves an empty one.
  const isEmptied = text === "" && (Number(headers.get("content-length")) > 0 || headers.has("transfer-encoding"));
  return isEmptied ? bodyAlreadyRead : text;
}

/** Takes a login form in, or says why it can't be sent on. */
export function parseForm(text: string, fieldLimit: number): LoginForm | RelayAnswer {
  const fields = fieldsOf(text, fieldLimit);
  if (!fields) return malformedFields;
  // No field is sent empty: the client refuses it, and the contract calls it missing.
  if ([...fields.values()].includes("")) return missingCredentials;
  const { provider, username, password, ...others } = Object.fromEntries(fields);
  if (provider === undefined || username === undefined || password === undefined) return missingCredentials;
  const concealed = Object.entries(others).map(([name, value]) => [name, secret(value)]);
  return {
    provider,
    username: secret(username),
    password: secret(password),
    others: Object.fromEntries(concealed),
  };
}

function isForm(contentType: string | null): boolean {
  return /^application\/x-www-form-urlencoded *(; *charset="?utf-8"? *)?$/i.test(contentType ?? "");
}

/** The body as text, counted while it comes, within the time for it. */
async function readText(request: Request, { bodyLimit, bodyTimeout }: FormLimits): Promise<string | RelayAnswer> {
  if (!request.body) return "";
  const reader = request.body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<"timeout">((resolve) => {
    timer = setTimeout(() => resolve("timeout"), bodyTimeout);
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let text = "";
  let size = 0;
  try {
    for (;;) {
      const part = await Promise.race([reader.read(), timeout]);
      if (part === "timeout") return slowBody;
      if (part.done) return text + decoder.decode();
      size += part.value.byteLength;
      if (size > bodyLimit) return bodyTooLarge;
      text += decoder.decode(part.value, { stream: true });
    }
  } catch {
    // The connection broke, or the bytes are no UTF-8; the platform's error is not passed on.
    return request.signal.aborted ? requestAborted : malformedFields;
  } finally {
    clearTimeout(timer);
    // The rest is left unread: the answer closes the connection it comes on. A read under way ends with an error.
    reader.closed.catch(() => undefined);
    reader.releaseLock();
  }
}
