import { describe, expect, test } from "vitest";
import { PICTURE_LIMIT, PIXEL_LIMIT } from "../../../src/core/api/limits.ts";
import { isPicture, readPicture } from "../../../src/core/api/picture.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./local-bank.ts";
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

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const withBytes = (file: string, at: number, ...bytes: readonly number[]) => {
  const changed = Buffer.from(file, "base64");
  changed.set(bytes, at);
  return changed.toString("base64");
};
const jpegSize = Buffer.from(jpeg, "base64").indexOf("\xff\xc0", 0, "latin1") + 5;
const segment = (marker: number, length: number) =>
  Buffer.from([0xff, marker, length >> 8, length & 255, ...new Array(length - 2).fill(0)]);

describe("readPicture reads", () => {
  test.each([
    ["a PNG", dataUrl("image/png", png), "image/png", png],
    ["a PNG as bare base64", png, "image/png", png],
    ["a JPEG", dataUrl("image/jpeg", jpeg), "image/jpeg", jpeg],
    ["a JPEG of type image/jpg", dataUrl("image/jpg", jpeg), "image/jpeg", jpeg],
    ["a JPEG as bare base64", jpeg, "image/jpeg", jpeg],
    ["a GIF", dataUrl("image/gif", gif), "image/gif", gif],
    ["a GIF as bare base64", gif, "image/gif", gif],
    ["a WebP", dataUrl("image/webp", webp), "image/webp", webp],
    ["a WebP as bare base64", webp, "image/webp", webp],
    ["a lossless WebP", losslessWebp, "image/webp", losslessWebp],
    ["an extended WebP", extendedWebp, "image/webp", extendedWebp],
    ["a data: address in capitals", `DATA:IMAGE/PNG;BASE64,${png}`, "image/png", png],
    ["base64 in lines", ` ${png.replaceAll(/.{76}/g, "$&\r\n")}\n`, "image/png", png],
  ])("%s", (_, context, mediaType, file) => {
    expect(isPicture(context)).toBe(true);
    const url = `data:${mediaType};base64,${file}`;
    expect(readPicture(context)).toEqual({ mediaType, width: 12, height: 7, base64: file, url });
  });

  test("the size of a JPEG behind other segments", () => {
    const file = jpegBehind(segment(0xe1, 60_000), segment(0xfe, 300), segment(0xc4, 31));
    expect(readPicture(file)).toMatchObject({ mediaType: "image/jpeg", width: 12, height: 7 });
  });

  test.each([
    ["PNG", createPng(65_537, 3), 65_537, 3],
    ["GIF", withBytes(gif, 6, 0x2c, 0x01, 0x2d, 0x01), 300, 301],
    ["JPEG", withBytes(jpeg, jpegSize, 0x01, 0x2c, 0x01, 0x2d), 301, 300],
    ["WebP", withBytes(webp, 26, 0x2c, 0x01, 0x2d, 0x01), 300, 301],
    ["extended WebP", withBytes(extendedWebp, 24, 0x2b, 0x01, 0x01, 0x02, 0x00, 0x00), 65_836, 3],
    ["extended WebP", withBytes(extendedWebp, 24, 0x02, 0x00, 0x00, 0x2b, 0x01, 0x01), 3, 65_836],
  ])("the size of a large %s", (_, file, width, height) => {
    expect(readPicture(file)).toMatchObject({ width, height });
  });

  test("pictures as large as PIXEL_LIMIT and PICTURE_LIMIT", () => {
    expect(readPicture(createPng(4, PIXEL_LIMIT / 4))).toMatchObject({ width: 4, height: PIXEL_LIMIT / 4 });
    expect(readPicture(pngOfBytes(PICTURE_LIMIT))).toMatchObject({ width: 12 });
  });
});

describe("readPicture refuses", () => {
  test.each([
    ["an SVG, which can hold a script", dataUrl("image/svg+xml", base64(svg))],
    ["an SVG without base64", `data:image/svg+xml,${encodeURIComponent(svg)}`],
    ["an SVG declared as PNG", dataUrl("image/png", base64(svg))],
    ["a PNG declared as SVG", dataUrl("image/svg+xml", png)],
    ["a PNG declared as JPEG", dataUrl("image/jpeg", png)],
    ["another media type", dataUrl("image/bmp", base64("BM......"))],
    ["a media type with a charset", `data:image/png;charset=utf-8;base64,${png}`],
    ["a media type with a second address in it", `data:image/png;base64,data:image/png;base64,${png}`],
    ["data that is not declared as base64", `data:image/png,${png}`],
    ["base64 with an invalid character", dataUrl("image/png", `${png.slice(0, 40)}!${png.slice(41)}`)],
    ["base64url", dataUrl("image/png", png.replaceAll("/", "_"))],
    ["base64 with an incomplete group", dataUrl("image/png", png.slice(0, -5))],
    ["base64 with padding in the middle", dataUrl("image/png", `${png.slice(0, 40)}==${png.slice(42)}`)],
    ["percent-encoded base64", dataUrl("image/png", png.replaceAll("=", "%3D"))],
    ["an empty file", "data:image/png;base64,"],
    ["a data: address without a comma", "data:image/png"],
    ["the first bytes of a PNG alone", dataUrl("image/png", base64("\x89PNG\r\n\x1a\n"))],
    ["a PNG that ends before its size", dataUrl("image/png", png.slice(0, 24))],
    ["a GIF that ends before its size", dataUrl("image/gif", base64("GIF89a\x01"))],
    ["a WebP that ends before its size", dataUrl("image/webp", webp.slice(0, 32))],
    ["a lossless WebP that ends before its size", dataUrl("image/webp", losslessWebp.slice(0, 28))],
    ["a GIF behind other bytes", dataUrl("image/gif", base64("....GIF89a............"))],
    ["a WebP behind other bytes", dataUrl("image/webp", base64(`...${atob(webp)}`))],
    ["a JPEG behind other bytes", dataUrl("image/jpeg", base64(`..${atob(jpeg).slice(2)}`))],
    [
      "a JPEG with a frame that no marker begins",
      dataUrl("image/jpeg", base64("\xff\xd8\0\xc0\0\x11\x08\0\x07\0\x0c")),
    ],
    ["a WAVE file, which has the container of WebP", base64("RIFF\0\0\0\0WAVEfmt data-data-data-data")],
    ["a JPEG that ends before its size", dataUrl("image/jpeg", jpeg.slice(0, 40))],
    ["a JPEG without a frame", dataUrl("image/jpeg", base64("\xff\xd8\xff\xda\0\x04\0\0\xff\xd9"))],
    ["a JPEG with a segment of no length", dataUrl("image/jpeg", base64("\xff\xd8\xff\xe0\0\0\0\0\xff\xd9"))],
    ["a PNG without width", createPng(0, 7)],
    ["a PNG without height", createPng(12, 0)],
    ["a PNG that unpacks to gigabytes", createPng(60_000, 60_000)],
    ["a PNG of more than PIXEL_LIMIT", createPng(4, PIXEL_LIMIT / 4 + 1)],
    ["a PNG of more than PICTURE_LIMIT", pngOfBytes(PICTURE_LIMIT + 1)],
    ["a PNG of megabytes", pngOfBytes(3_000_000)],
    ["the placeholder of a picture that was left out", "data:,"],
  ])("%s", (_, context) => {
    expect(isPicture(context)).toBe(true);
    expect(readPicture(context)).toBeUndefined();
  });
});

describe("isPicture is false for", () => {
  test.each([
    ["an empty text", ""],
    ["a question", "¿Cómo se llamaba su primera mascota?"],
    ["an HTML page", `data:text/html,<script>alert(1)</script>`],
    ["an HTML page in base64", `data:text/html;base64,${base64("<script>alert(1)</script>")}`],
    ["a script", "javascript:alert(1)"],
    ["an address", "https://bank.example/captcha.png"],
    ["a word that begins like a picture", "iVBORw0KGgo"],
    ["a word of nineteen more characters", "iVBORw0KGgo0123456789abcdefghi"],
    ["a sentence that begins like a picture", "/9j/ is the code on your card. Type its next line."],
    ["a picture in the middle of a sentence", `Look: ${dataUrl("image/png", png)}`],
  ])("%s", (_, context) => {
    expect(isPicture(context)).toBe(false);
    expect(readPicture(context)).toBeUndefined();
  });
});

describe("the client keeps the context of an interaction", () => {
  const contextAfter = async (context: string, _username = FORM.username) => {
    const client = clientThatReads({
      json: { status: "interaction_required", key: SESSION_KEY, field: "captcha", context },
    });
    const response = await client.login(FORM);
    return response.status === "interaction_required" ? response.context : expect.fail(response.status);
  };

  test.each([
    ["that is a picture longer than CONTEXT_LIMIT", dataUrl("image/png", pngOfBytes(100_000)), undefined],
    ["that is a picture as bare base64", jpeg, undefined],
    ["but replaces a picture that is too long", pngOfBytes(2 * PICTURE_LIMIT), "data:,"],
  ])("%s", async (_, context, expected = context) => {
    expect(await contextAfter(context)).toBe(expected);
  });
});
