import { type Clock, systemClock } from "../core/api/repetition.ts";
import { createToken } from "./random-token.ts";

/** The clocks, the timers and the random numbers of what a server keeps, as one parameter: a simulation has its own. */
export interface Environment extends Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** 256 random bits that an address and a cookie can hold. */
  createToken(): string;
}

/** Those of the platform. */
export const systemEnvironment: Environment = { ...systemClock, now: () => Date.now(), createToken };
