import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Picture } from "../../index.ts";
import { createPrivateFolder, toFileFault } from "../settings/private-files.ts";

/**
 * Gives a picture to whoever looks at it, as a file of mode 600 in a folder of mode 700. Both are gone afterwards, also where the
 * program is interrupted.
 *
 * @throws {BankError} `file_unusable` where there is no place for it.
 */
export async function withPictureFile<Value>(
  { mediaType, base64 }: Picture,
  use: (path: string) => Promise<Value>,
): Promise<Value> {
  let folder: ReturnType<typeof createPrivateFolder> | undefined;
  try {
    let path: string;
    try {
      folder = createPrivateFolder();
      path = join(folder.path, `picture.${mediaType.slice("image/".length)}`);
      writeFileSync(path, Buffer.from(base64, "base64"), { mode: 0o600, flag: "wx" });
    } catch (error) {
      throw toFileFault("picture", error);
    }
    return await use(path);
  } finally {
    folder?.remove();
  }
}
