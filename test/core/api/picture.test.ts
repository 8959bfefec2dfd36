import { describe, expect, test } from "vitest";
import { PICTURE_LIMIT } from "../../../src/core/api/limits.ts";
import { isPicture, readPicture } from "../../../src/core/api/picture.ts";
import { clientThatReads, FORM, SESSION_KEY } from "./local-bank.ts";
import { dataUrl, extendedWebp, gif, jpeg, losslessWebp, png, pngOfBytes, webp } from "./pictures.ts";

const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
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
    expect(readPicture(context)).toEqual({ mediaType, base64: file, url });
  });

  test("a picture as large as PICTURE_LIMIT", () => {
    expect(readPicture(pngOfBytes(PICTURE_LIMIT))).toMatchObject({ mediaType: "image/png" });
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
    ["a GIF behind other bytes", dataUrl("image/gif", base64("....GIF89a............"))],
    ["a WebP behind other bytes", dataUrl("image/webp", base64(`...${atob(webp)}`))],
    ["a JPEG behind other bytes", dataUrl("image/jpeg", base64(`..${atob(jpeg).slice(2)}`))],
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
