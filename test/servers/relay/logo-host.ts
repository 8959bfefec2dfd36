import { deflateSync } from "node:zlib";
import { onTestFinished, vi } from "vitest";

/** A PNG of 96 by 48 pixels: a green half and a white half. */
export const logoPng = createPng(96, 48, (x) => (x < 48 ? [0, 110, 70] : [255, 255, 255]));

/**
 * Takes the place of the HTTPS server of a host, for every `fetch` of this process.
 *
 * @returns the address of each request, and what it says of redirects.
 */
export function serveLogos(
  host: string,
  answer: () => Response | Promise<Response>,
): (readonly [string, string | undefined])[] {
  const asked: (readonly [string, string | undefined])[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal("fetch", async (input: string | URL | Request, init?: RequestInit) => {
    if (!(typeof input === "string" && new URL(input).host === host)) return fetch(input, init);
    asked.push([input, init?.redirect]);
    return answer();
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  return asked;
}

/** A PNG file (RFC 2083) of colours without transparency. */
function createPng(
  width: number,
  height: number,
  colorAt: (x: number) => readonly [number, number, number],
): Buffer<ArrayBuffer> {
  const row = Buffer.from([0, ...Array.from({ length: width }, (_, x) => colorAt(x)).flat()]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2], 8);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

function crc32(bytes: Buffer): number {
  let sum = 0xffff_ffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb8_8320 : 0);
  }
  return (sum ^ 0xffff_ffff) >>> 0;
}
