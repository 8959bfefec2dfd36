import { writeFile } from "node:fs/promises";
import { openPage } from "./screen-page.ts";

export const toDataUrl = (png: Buffer) => `data:image/png;base64,${png.toString("base64")}`;

/** Writes a picture of the docs as WebP, which a screenshot can't be. */
export async function writePicture(name: string, png: Buffer): Promise<void> {
  const { page } = await openPage("about:blank");
  const encoded = await page.evaluate(async (address) => {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext("2d")?.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.6 });
    const bytes = new Uint8Array(await blob.arrayBuffer());
    return btoa(bytes.reduce((text, byte) => text + String.fromCharCode(byte), ""));
  }, toDataUrl(png));
  await writeFile(new URL(`../../../docs/pictures/${name}`, import.meta.url), Buffer.from(encoded, "base64"));
  await page.context().close();
}
