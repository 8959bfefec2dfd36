import { PICTURE_LIMIT, PIXEL_LIMIT } from "./limits.ts";

/** A picture in the text of an interaction, such as a captcha: checked, and safe to show. */
export interface Picture {
  readonly mediaType: `image/${Format}`;
  /** Pixels. */
  readonly width: number;
  /** Pixels. */
  readonly height: number;
  /** The file, as base64. */
  readonly base64: string;
  /** The same as a `data:` address, for `<img src>`. A page with a content security policy needs `img-src data:`. */
  readonly url: string;
}

type Format = "png" | "jpeg" | "gif" | "webp";

/** Replaces a picture that was left out: it was too long, or the stored login had no room for it. */
export const NO_PICTURE = "data:,";

/** Whether the text of an interaction (contract, section 2.3, `context`) is a picture, whether it can be shown or not. */
export function isPicture(context: string): boolean {
  return context === NO_PICTURE || /^\s*(?:data:image\/|(?:iVBORw0KGgo|\/9j\/|R0lGOD[dl]h|UklGR)\S{20})/i.test(context);
}

// No parameters between the media type and the data.
const parts = /^(?:data:image\/([^;,]*);base64,)?([a-z\d+/]+={0,2})$/i;

/**
 * The picture in the text of an interaction: a `data:` address, or bare base64. `undefined` if it is no PNG, JPEG,
 * GIF or WebP, has a media type of another format, or has too many bytes or pixels. An SVG is not accepted: it can hold a script.
 */
export function readPicture(context: string): Picture | undefined {
  const [, declared, base64] = parts.exec(context.replaceAll(/\s/g, "")) ?? [];
  if (base64 === undefined || base64.length % 4 > 0) return undefined;
  const bytes = atob(base64);
  const header = readHeader(bytes);
  if (!header || bytes.length > PICTURE_LIMIT) return undefined;
  const [format, width, height] = header;
  // `image/jpg` is common, though not registered.
  if (declared !== undefined && declared.toLowerCase().replace("jpg", "jpeg") !== format) return undefined;
  // A file of a few kilobytes can unpack to gigabytes. The product is NaN if the file ends before its size.
  if (!(width * height > 0 && width * height <= PIXEL_LIMIT)) return undefined;
  const mediaType = `image/${format}` as const;
  return { mediaType, width, height, base64, url: `data:${mediaType};base64,${base64}` };
}

/** Reads format and size from the first bytes of a file. */
function readHeader(bytes: string): readonly [format: Format, width: number, height: number] | undefined {
  const at = (index: number) => bytes.charCodeAt(index);
  const big = (index: number) => at(index) * 256 + at(index + 1);
  const little = (index: number) => at(index) + at(index + 1) * 256;
  if (bytes.startsWith("\x89PNG\r\n\x1a\n\0\0\0\rIHDR")) {
    return ["png", big(16) * 65_536 + big(18), big(20) * 65_536 + big(22)];
  }
  if (/^GIF8[79]a/.test(bytes)) return ["gif", little(6), little(8)];
  if (/^RIFF.{4}WEBPVP8[ LX].{14}/s.test(bytes)) {
    if (bytes[15] === "X") return ["webp", little(24) + at(26) * 65_536 + 1, little(27) + at(29) * 65_536 + 1];
    if (bytes[15] === " ") return ["webp", little(26) & 0x3fff, little(28) & 0x3fff];
    return ["webp", (little(21) & 0x3fff) + 1, (((little(23) << 2) | (at(22) >> 6)) & 0x3fff) + 1];
  }
  if (bytes.startsWith("\xff\xd8")) {
    // Skips segments up to the one that begins a frame. Each is at least two bytes long.
    for (let index = 2; at(index) === 0xff && index < bytes.length; index += 2 + Math.max(2, big(index + 2))) {
      const marker = at(index + 1);
      // Three of these sixteen markers begin something else.
      const isFrame = marker >> 4 === 0xc && ![0xc4, 0xc8, 0xcc].includes(marker);
      if (isFrame) return ["jpeg", big(index + 7), big(index + 5)];
    }
  }
  return undefined;
}
