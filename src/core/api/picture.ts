import { PICTURE_LIMIT, PICTURE_TEXT_LIMIT } from "./limits.ts";

/** A picture in the text of an interaction, such as a captcha, safe to show as an `img`: it is of no type that can hold a script. */
export interface Picture {
  readonly mediaType: `image/${Format}`;
  /** The file, as base64. */
  readonly base64: string;
  /** The same as a `data:` address, for `<img src>`. A page with a content security policy needs `img-src data:`. */
  readonly url: string;
}

type Format = (typeof formats)[number];

// An SVG can hold a script.
const formats = ["png", "jpeg", "gif", "webp"] as const;

/** How a file of each format begins in base64. */
const beginnings: Readonly<Record<Format, string>> = { png: "iVBORw0KGgo", jpeg: "/9j/", gif: "R0lGOD", webp: "UklGR" };

/** Replaces a picture that was left out: it was too long, or the stored login had no room for it. */
export const NO_PICTURE = "data:,";

/** Whether the text of an interaction (contract, section 2.3, `context`) is a picture, whether it can be shown or not. */
export function isPicture(context: string): boolean {
  return context === NO_PICTURE || /^\s*(?:data:image\/|(?:iVBORw0KGgo|\/9j\/|R0lGOD[dl]h|UklGR)\S{20})/i.test(context);
}

// No parameters between the media type and the data.
const parts = /^(?:data:image\/([^;,]*);base64,)?([a-z\d+/]+={0,2})$/i;

/**
 * The picture in the text of an interaction: a `data:` address, or bare base64. `undefined` if it is not a PNG, JPEG, GIF or WebP, has a media
 * type of another format, or more bytes than the limit.
 */
export function readPicture(context: string): Picture | undefined {
  if (context.length > PICTURE_TEXT_LIMIT) return undefined;
  const [, declared, base64 = ""] = parts.exec(context.replaceAll(/\s/g, "")) ?? [];
  const format = formats.find((format) => base64.startsWith(beginnings[format]));
  const bytes = Math.floor(base64.replace(/=+$/, "").length * 0.75);
  if (!format || base64.length % 4 > 0 || bytes > PICTURE_LIMIT) return undefined;
  // `image/jpg` is common, though not registered.
  if (declared !== undefined && declared.toLowerCase().replace("jpg", "jpeg") !== format) return undefined;
  const mediaType = `image/${format}` as const;
  return { mediaType, base64, url: `data:${mediaType};base64,${base64}` };
}
