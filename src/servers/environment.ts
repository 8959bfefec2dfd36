import { createToken } from "./random-token.ts";

/** The clock, the timers and the random numbers of what a server keeps, as one parameter: a simulation has its own. */
export interface Environment {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds of a clock that is never set. */
  elapsed(): number;
  /** Resolves after that many milliseconds, and at once if the signal is aborted. */
  wait(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** 256 random bits that an address and a cookie can hold. */
  createToken(): string;
}

/** Those of the platform. */
export const systemEnvironment: Environment = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal?.addEventListener("abort", end);
      if (signal?.aborted) end();
    }),
  createToken,
};
