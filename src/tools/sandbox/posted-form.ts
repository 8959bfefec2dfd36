import {
  bodyTooLarge,
  repeatedField,
  type SandboxResponse,
  unreadableBody,
  unsupportedContentType,
  unsupportedJson,
} from "./sandbox-responses.ts";

/** The fields of a login form, by their names. */
export type Form = ReadonlyMap<string, string>;

/** Reads a login form (contract, section 4.1). @returns its fields, or the response that refuses it. */
export async function readForm(request: Request, bodyLimit: number): Promise<Form | SandboxResponse> {
  const mediaType = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (mediaType !== "application/x-www-form-urlencoded") {
    return mediaType?.endsWith("json") ? unsupportedJson : unsupportedContentType;
  }
  let text: string | undefined;
  try {
    text = await readText(request, bodyLimit);
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

async function readText(request: Request, limit: number): Promise<string | undefined> {
  if (Number(request.headers.get("content-length")) > limit) return undefined;
  if (!request.body) return "";
  const reader = request.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    length += value.byteLength;
    if (length > limit) {
      // The rest stays unread: the response closes the connection.
      reader.releaseLock();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
