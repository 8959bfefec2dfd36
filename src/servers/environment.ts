import { type Clock, systemClock } from "../core/api/repetition.ts";

/** The clocks, the timers and the random numbers of a server, as one parameter that a simulation replaces. */
export interface Environment extends Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** 256 random bits that an address and a cookie can hold. */
  createToken(): string;
}

export const systemEnvironment: Environment = { ...systemClock, now: () => Date.now(), createToken };

/** 256 random bits that an address and a cookie can hold. */
function createToken(): string {
  return toText(crypto.getRandomValues(new Uint8Array(32)));
}

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text);

function toText(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");
}
