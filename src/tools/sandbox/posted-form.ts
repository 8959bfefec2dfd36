import {
  bodyTooLarge,
  repeatedField,
  type SandboxResponse,
  unreadableBody,
  unsupportedContentType,
  unsupportedJson,
} from "./sandbox-responses.ts";

/** Bytes of the longest login form that is read. The contract shows no limit (section 8). */
export const BODY_LIMIT = 64 * 1024;

/** The fields of a login form, by their names. */
export type Form = ReadonlyMap<string, string>;

/** Reads a login form (contract, section 4.1). @returns its fields, or the response that refuses it. */
export async function readForm(request: Request): Promise<Form | SandboxResponse> {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") {
    return mediaType?.endsWith("json") ? unsupportedJson : unsupportedContentType;
  }
  let text: string | undefined;
  try {
    text = await readText(request);
  } catch {
    return unreadableBody;
  }
  if (text === undefined) return bodyTooLarge;
  const form = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    // It is unknown which value is meant.
    if (form.has(name)) return repeatedField;
    form.set(name, value);
  }
  return form;
}

async function readText(request: Request): Promise<string | undefined> {
  if (Number(request.headers.get("content-length")) > BODY_LIMIT) return undefined;
  if (!request.body) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > BODY_LIMIT) {
      // The rest stays unread: the response closes the connection.
      reader.releaseLock();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
