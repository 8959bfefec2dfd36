/**
 * Identifies a caller by the connection's own address: servers that know it set `request.ip`, which no header of the browser can change.
 * IPv6 counts by its network of 64 bits. Give it as `readCaller` if clients connect without a proxy: then forged forwarding
 * headers have no effect.
 *
 * @returns undefined if the server does not set the address.
 */
export function readCallerAddress(request: Request): string | undefined {
  const ip = "ip" in request && typeof request.ip === "string" ? request.ip : "";
  return toNetworks(ip)[0] ?? (ip || undefined);
}

// Each proxy adds one of these headers. Behind it, the connection's address is the proxy's.
const FORWARDING_HEADERS = [
  "forwarded",
  "via",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "cf-connecting-ip",
];

/**
 * The default `readCaller`: the connection's address, unless there is a proxy in front of the server. All users of a proxy share its
 * address, so it identifies none of them.
 *
 * @param warn called once, with what to do, when a caller is unknown.
 */
export function createCallerReader(warn: (text: string) => void): (request: Request) => string | undefined {
  let hasWarned = false;
  return (request) => {
    const header = FORWARDING_HEADERS.find((name) => request.headers.has(name));
    const caller = header === undefined ? readCallerAddress(request) : undefined;
    if (caller === undefined && !hasWarned) {
      hasWarned = true;
      warn(formatWarning(header));
    }
    return caller;
  };
}

function formatWarning(header: string | undefined): string {
  const reason =
    header === undefined
      ? "the server does not set request.ip"
      : `a request came with the header "${header}", as from a proxy`;
  return (
    `callers can't be distinguished: ${reason}. They all share one rate limit, so one client can use it up for ` +
    "all. Give createRelay the option readCaller: read the header that your own proxy sets and overwrites, or, without a " +
    "proxy in front of the server, give readCallerAddress. See docs/production.md, Behind a proxy."
  );
}

/**
 * The networks of an IP address, the smallest first: an IPv4 address itself; of IPv6 the networks of 64 and of 48 bits, since
 * a client that has one address has the 2^64 beside it, and often the 2^80. Brackets, a port, a zone and a prefix length are left out.
 *
 * @returns an empty list if the text is not an IP address.
 */
export function toNetworks(text: string): readonly [] | readonly [address: string] | readonly [string, string] {
  const plain = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? text;
  const ipv4 = /^(\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?$/.exec(plain)?.[1];
  // Some programs read a number with a leading zero as octal.
  if (ipv4) return ipv4.split(".").every((part) => String(Number(part)) === part && Number(part) < 256) ? [ipv4] : [];
  const address = plain.replace(/%.*$/, "").replace(/\/\d+$/, "");
  if (!/^[\da-f.]*:[\da-f:.]*$/i.test(address) || !URL.canParse(`http://[${address}]`)) return [];
  // The platform's parser checks the address and normalises it: small letters, no leading zeros, one double colon.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const first = head.split(":").filter(Boolean);
  const last = (tail ?? "").split(":").filter(Boolean);
  const groups = [...first, ...Array<string>(8 - first.length - last.length).fill("0"), ...last];
  // IPv4 in IPv6: mapped by the operating system, or translated (RFC 6052). By its IPv6 network, all of IPv4 would be one caller.
  const prefix = groups.slice(0, 6).join(":");
  if (prefix === "0:0:0:0:0:ffff" || prefix === "64:ff9b:0:0:0:0") {
    const bytes = groups
      .slice(6)
      .flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]);
    return [bytes.join(".")];
  }
  return [`${groups.slice(0, 4).join(":")}::/64`, `${groups.slice(0, 3).join(":")}::/48`];
}
