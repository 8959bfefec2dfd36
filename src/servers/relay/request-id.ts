/** The header by which proxies name a request. */
export const REQUEST_ID = "x-request-id";

/** The id that a proxy has given a request. `undefined` if there is none, or if it is invalid. */
export function findRequestId({ headers }: Request): string | undefined {
  const given = headers.get(REQUEST_ID) ?? "";
  return /^[\w.:-]{1,100}$/.test(given) ? given : undefined;
}
