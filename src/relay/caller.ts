/**
 * Who asks, by the connection's own address: servers that know it set it on the request, where no header of the browser's can.
 * Undefined where they don't.
 */
export function callerByAddress(request: Request): string | undefined {
  return "ip" in request && typeof request.ip === "string" && request.ip !== "" ? networkOf(request.ip) : undefined;
}

/** One caller's network: whoever has one address of IPv6 has the 2^64 beside it too, and a budget for each would be none. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1]) return mapped[1];
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter(Boolean);
  // A double colon stands for as many zeros as are missing.
  const rest = tail === undefined ? [] : tail.split(":").filter(Boolean);
  const zeros = tail === undefined ? [] : Array(Math.max(0, 8 - groups.length - rest.length)).fill("0");
  return `${[...groups, ...zeros, ...rest].slice(0, 4).join(":").toLowerCase()}::/64`;
}
