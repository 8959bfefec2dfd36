import { createCipheriv, createDecipheriv, createHash, createHmac } from "node:crypto";
import { createRandom } from "./draws.ts";
import type { Schedule, Waiting } from "./schedule.ts";

/**
 * Replaces clock, timers and random numbers of this thread by those of a run, and WebCrypto by the same sums without a wait: those end in another
 * order each time.
 *
 * @returns what puts them back.
 */
export function replaceGlobals(schedule: Schedule): () => void {
  const undo: (() => void)[] = [];
  const replace = (holder: object, name: string, value: unknown) => {
    const before = Object.getOwnPropertyDescriptor(holder, name);
    Object.defineProperty(holder, name, { value, configurable: true, writable: true });
    undo.push(() => {
      Reflect.deleteProperty(holder, name);
      if (before) Object.defineProperty(holder, name, before);
    });
  };

  const RealDate = Date;
  const now = () => schedule.now + schedule.owner.clockOffset;
  class SimulatedDate extends RealDate {
    constructor(...values: []) {
      if (values.length > 0) super(...values);
      else super(now());
    }
    static override now = now;
  }
  replace(globalThis, "Date", SimulatedDate);
  replace(performance, "now", () => schedule.now);
  replace(globalThis, "setTimeout", (run: () => void, delay = 0) => schedule.after(delay, run));
  replace(globalThis, "clearTimeout", (waiting: Waiting | undefined) => {
    if (waiting) waiting.isCancelled = true;
  });
  replace(AbortSignal, "timeout", (delay: number) => {
    const controller = new AbortController();
    schedule.after(delay, () => controller.abort());
    return controller.signal;
  });

  const random = createRandom(1);
  const fill = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = Math.floor(random() * 256);
    return bytes;
  };
  replace(crypto, "getRandomValues", fill);
  replace(crypto, "randomUUID", () => createUuid(fill));
  for (const [name, work] of Object.entries(subtle)) replace(crypto.subtle, name, work);
  return () => {
    for (const step of undo.reverse()) step();
  };
}

/** The random id of an attempt, as a page makes it. */
export function createUuid(fill: (bytes: Uint8Array) => Uint8Array): string {
  const text = Buffer.from(fill(new Uint8Array(16))).toString("hex");
  return [text.slice(0, 8), text.slice(8, 12), text.slice(12, 16), text.slice(16, 20), text.slice(20)].join("-");
}

/** A key with its bytes at hand. `jose` knows one by its name. */
interface SimulatedKey {
  readonly [Symbol.toStringTag]: "CryptoKey";
  readonly type: "secret";
  readonly extractable: false;
  readonly algorithm: { readonly name: string; readonly length: number; readonly hash: { readonly name: string } };
  readonly usages: readonly string[];
  readonly bytes: Uint8Array;
}

interface Aes {
  readonly iv: Uint8Array;
  readonly additionalData?: Uint8Array;
}

const TAG = 16;
const toBytes = (data: ArrayBuffer | Uint8Array): Uint8Array =>
  data instanceof Uint8Array ? data : new Uint8Array(data);
const toBuffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

const createKey = (algorithm: string | { readonly name: string }, usages: readonly string[], bytes: Uint8Array) =>
  ({
    [Symbol.toStringTag]: "CryptoKey",
    type: "secret",
    extractable: false,
    algorithm: {
      name: typeof algorithm === "string" ? algorithm : algorithm.name,
      length: bytes.length * 8,
      hash: { name: "SHA-256" },
    },
    usages,
    bytes,
  }) satisfies SimulatedKey;

const subtle = {
  digest: async (_: string, data: Uint8Array) => toBuffer(createHash("sha256").update(data).digest()),
  sign: async (_: string, { bytes }: SimulatedKey, data: Uint8Array) =>
    toBuffer(createHmac("sha256", bytes).update(data).digest()),
  generateKey: async (algorithm: { readonly name: string }, _: boolean, usages: readonly string[]) =>
    createKey(algorithm, usages, new Uint8Array(32).fill(7)),
  importKey: async (
    _: string,
    data: Uint8Array,
    algorithm: string | { readonly name: string },
    __: boolean,
    usages: readonly string[],
  ) => createKey(algorithm, usages, new Uint8Array(toBytes(data))),
  encrypt: async ({ iv, additionalData }: Aes, { bytes }: SimulatedKey, data: Uint8Array) => {
    const cipher = createCipheriv("aes-256-gcm", bytes, iv);
    if (additionalData) cipher.setAAD(additionalData);
    return toBuffer(Buffer.concat([cipher.update(data), cipher.final(), cipher.getAuthTag()]));
  },
  decrypt: async ({ iv, additionalData }: Aes, { bytes }: SimulatedKey, data: ArrayBuffer | Uint8Array) => {
    const sealed = toBytes(data);
    const decipher = createDecipheriv("aes-256-gcm", bytes, iv);
    if (additionalData) decipher.setAAD(additionalData);
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG));
    return toBuffer(Buffer.concat([decipher.update(sealed.subarray(0, -TAG)), decipher.final()]));
  },
};
