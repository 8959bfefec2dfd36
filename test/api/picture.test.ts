import { describe, expect, test } from "vitest";
import { PICTURE_LIMIT, PIXEL_LIMIT } from "../../src/api/limits.ts";
import { isPicture, readPicture } from "../../src/api/picture.ts";
import {
  createPng,
  dataUrl,
  extendedWebp,
  gif,
  jpeg,
  jpegBehind,
  losslessWebp,
  png,
  pngOfBytes,
  webp,
} from "./pictures.ts";
import { bankThatSays, FORM, SESSION_KEY } from "./server.ts";

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const segment = (marker: number, length: number) =>
  Buffer.from([0xff, marker, length >> 8, length & 255, ...new Array(length - 2).fill(0)]);

describe("a picture is", () => {
  test.each([
    ["a PNG", dataUrl("image/png", png), "image/png", png],
    ["a PNG without its address", png, "image/png", png],
    ["a JPEG", dataUrl("image/jpeg", jpeg), "image/jpeg", jpeg],
    ["a JPEG by its common name", dataUrl("image/jpg", jpeg), "image/jpeg", jpeg],
    ["a JPEG without its address", jpeg, "image/jpeg", jpeg],
    ["a GIF", dataUrl("image/gif", gif), "image/gif", gif],
    ["a GIF without its address", gif, "image/gif", gif],
    ["a WebP", dataUrl("image/webp", webp), "image/webp", webp],
    ["a WebP without its address", webp, "image/webp", webp],
    ["a lossless WebP", losslessWebp, "image/webp", losslessWebp],
    ["an extended WebP", extendedWebp, "image/webp", extendedWebp],
    ["an address in capitals", `DATA:IMAGE/PNG;BASE64,${png}`, "image/png", png],
    ["base64 in lines", ` ${png.replaceAll(/.{76}/g, "$&\r\n")}\n`, "image/png", png],
  ])("%s", (_, context, mediaType, file) => {
    expect(isPicture(context)).toBe(true);
    const url = `data:${mediaType};base64,${file}`;
    expect(readPicture(context)).toEqual({ mediaType, width: 12, height: 7, base64: file, url });
  });

  test("a JPEG whose size stands behind other segments", () => {
    const file = jpegBehind(segment(0xe1, 60_000), segment(0xfe, 300), segment(0xc4, 31));
    expect(readPicture(file)).toMatchObject({ mediaType: "image/jpeg", width: 12, height: 7 });
  });

  test("as large as the limits allow", () => {
    expect(readPicture(createPng(4, PIXEL_LIMIT / 4))).toMatchObject({ width: 4, height: PIXEL_LIMIT / 4 });
    expect(readPicture(pngOfBytes(PICTURE_LIMIT))).toMatchObject({ width: 12 });
  });
});

describe("nothing is shown of", () => {
  test.each([
    ["an SVG, which can hold a script", dataUrl("image/svg+xml", base64(svg))],
    ["an SVG in the clear", `data:image/svg+xml,${encodeURIComponent(svg)}`],
    ["an SVG that says to be a PNG", dataUrl("image/png", base64(svg))],
    ["a PNG that says to be an SVG", dataUrl("image/svg+xml", png)],
    ["a PNG that says to be a JPEG", dataUrl("image/jpeg", png)],
    ["another media type", dataUrl("image/bmp", base64("BM......"))],
    ["a media type with a charset", `data:image/png;charset=utf-8;base64,${png}`],
    ["a media type with a second address in it", `data:image/png;base64,data:image/png;base64,${png}`],
    ["bytes that are not base64", `data:image/png,${png}`],
    ["base64 with a sign that it has not", dataUrl("image/png", `${png.slice(0, 40)}!${png.slice(41)}`)],
    ["base64 for addresses", dataUrl("image/png", png.replaceAll("/", "_"))],
    ["base64 of half a group", dataUrl("image/png", png.slice(0, -5))],
    ["base64 with its end in the middle", dataUrl("image/png", `${png.slice(0, 40)}==${png.slice(42)}`)],
    ["base64 with escapes of an address", dataUrl("image/png", png.replaceAll("=", "%3D"))],
    ["an empty file", "data:image/png;base64,"],
    ["an address without a comma", "data:image/png"],
    ["the first bytes of a PNG alone", dataUrl("image/png", base64("\x89PNG\r\n\x1a\n"))],
    ["a PNG that ends before its size", dataUrl("image/png", png.slice(0, 24))],
    ["a GIF that ends before its size", dataUrl("image/gif", base64("GIF89a\x01"))],
    ["a WebP that ends before its size", dataUrl("image/webp", webp.slice(0, 32))],
    ["another file in the container of WebP", base64("RIFF\0\0\0\0WAVEfmt data-data-data-data")],
    ["a JPEG that ends before its size", dataUrl("image/jpeg", jpeg.slice(0, 40))],
    ["a JPEG without a frame", dataUrl("image/jpeg", base64("\xff\xd8\xff\xda\0\x04\0\0\xff\xd9"))],
    ["a JPEG with a segment of no length", dataUrl("image/jpeg", base64("\xff\xd8\xff\xe0\0\0\0\0\xff\xd9"))],
    ["a PNG without width", createPng(0, 7)],
    ["a PNG without height", createPng(12, 0)],
    ["a PNG that unpacks to gigabytes", createPng(60_000, 60_000)],
    ["a PNG of one row too many", createPng(4, PIXEL_LIMIT / 4 + 1)],
    ["a PNG of one byte too many", pngOfBytes(PICTURE_LIMIT + 1)],
    ["a PNG of megabytes", pngOfBytes(3_000_000)],
    ["a picture that was left out", "data:,"],
  ])("%s", (_, context) => {
    expect(isPicture(context)).toBe(true);
    expect(readPicture(context)).toBeUndefined();
  });
});

describe("a text stays a text:", () => {
  test.each([
    ["nothing", ""],
    ["a question", "¿Cómo se llamaba su primera mascota?"],
    ["a page", `data:text/html,<script>alert(1)</script>`],
    ["a page in base64", `data:text/html;base64,${base64("<script>alert(1)</script>")}`],
    ["a script", "javascript:alert(1)"],
    ["an address", "https://bank.example/captcha.png"],
    ["a word that begins like a picture", "iVBORw0KGgo"],
    ["a sentence that begins like a picture", "/9j/ is the code on your card. Type its next line."],
    ["a picture in the middle of a sentence", `Look: ${dataUrl("image/png", png)}`],
  ])("%s", (_, context) => {
    expect(isPicture(context)).toBe(false);
    expect(readPicture(context)).toBeUndefined();
  });
});

describe("the client takes a picture", () => {
  const contextAfter = async (context: string, username = FORM.username) => {
    const { client } = await bankThatSays({
      json: { status: "interaction_required", key: SESSION_KEY, field: "captcha", context },
    });
    const response = await client.login({ ...FORM, username });
    return response.status === "interaction_required" ? response.context : expect.fail(response.status);
  };

  test.each([
    ["as a whole, which is longer than a text may be", dataUrl("image/png", pngOfBytes(100_000)), undefined],
    ["as the bank has sent it", jpeg, undefined],
    ["not one byte of one that is too long", pngOfBytes(2 * PICTURE_LIMIT), "data:,"],
    ["not one that repeats what was sent", `${png.slice(0, 60)}CanaryOfUser593${png.slice(60)}`, "data:,"],
    ["not one that repeats it in its address", "data:image/png;canaryofuser593;base64,", "data:,"],
  ])("%s", async (_, context, expected = context) => {
    expect(await contextAfter(context, "canaryofuser593")).toBe(expected);
  });
});
