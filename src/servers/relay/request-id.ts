/** The header by which proxies name a request. */
export const REQUEST_ID = "x-request-id";

/** The id that a proxy has given a request. `undefined` for none, and for a text that is no id. */
export function findRequestId({ headers }: Request): string | undefined {
  const given = headers.get(REQUEST_ID) ?? "";
  return /^[\w.:-]{1,100}$/.test(given) ? given : undefined;
}
