import { ProtocolErrorCode, type RequestId, type Transport } from "@modelcontextprotocol/server";

/** Bytes of a message. */
export const MESSAGE_LIMIT = 1024 * 1024;

/** Bytes at the beginning and at the end of a message above the limit, which are searched for its id. */
const SAMPLE = 1024;

const LINE_FEED = 0x0a;

/**
 * The lines of a stream, each in one piece. A line above the limit is skipped, because the reader of the SDK would end the connection. At most
 * the limit is kept of it.
 * @param onTooLarge called after such a line, with its id if it is a request that has one near its beginning or its end.
 */
export async function* readLines(
  stream: AsyncIterable<Buffer>,
  onTooLarge: (id: RequestId | undefined) => void,
): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  let head: Buffer | undefined;

  function keep(part: Buffer) {
    parts.push(part);
    size += part.length;
    if (size <= MESSAGE_LIMIT) return;
    const kept = Buffer.concat(parts);
    // Copies: a part of a buffer keeps the complete buffer in memory.
    head ??= Buffer.from(kept.subarray(0, SAMPLE));
    parts = [Buffer.from(kept.subarray(-SAMPLE))];
  }

  for await (const chunk of stream) {
    let begin = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, begin)) {
      keep(chunk.subarray(begin, end + 1));
      begin = end + 1;
      const line = Buffer.concat(parts);
      if (head) onTooLarge(findRequestId(head.toString(), line.toString()));
      else yield line;
      parts = [];
      size = 0;
      head = undefined;
    }
    keep(chunk.subarray(begin));
  }
}

/** Refuses a message that was too large to read. The protocol does not allow `null` for an unknown id: the member is left out. */
export function refuseTooLarge(transport: Pick<Transport, "send">, id: RequestId | undefined): Promise<void> {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: `A message can have ${MESSAGE_LIMIT} bytes.` };
  return transport.send({ jsonrpc: "2.0", ...(id !== undefined && { id }), error });
}

// Without escapes, so that each can be parsed.
const id = /"id"\s*:\s*(0|[1-9]\d{0,14}|"[^"\\\p{Cc}]*")/u;

// The members before "params", in any order.
const beginning = new RegExp(
  String.raw`^\s*\{\s*(?:(?:"jsonrpc"\s*:\s*"2\.0"|"method"\s*:\s*"[^"\\]*"|${id.source})\s*,\s*)+`,
  "u",
);

// The last member: SDKs write "params" before it.
const ending = new RegExp(String.raw`,\s*${id.source}\s*\}\s*$`, "u");

/** Finds the id of a request. A response has no method, and its id belongs to a request of this server. */
function findRequestId(head: string, tail: string): RequestId | undefined {
  const [members = ""] = beginning.exec(head) ?? [];
  if (!members.includes('"method"')) return undefined;
  const found = (id.exec(members) ?? ending.exec(tail))?.[1];
  return found === undefined ? undefined : JSON.parse(found);
}
